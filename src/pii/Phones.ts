import { type CountryCode, type NumberType, parsePhoneNumberFromString } from "libphonenumber-js/max"
import { before, type Finds, last, matches } from "./Found.ts"

const run = /(?<![\p{L}\p{N}.,/#]|\d:)(?:\+|00)?\(?\d[\d ()./–-]{5,20}\d(?![\p{L}\p{N}]|[.,:]\d)/gu
const notPhone =
  /^(?:\d{4}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./]\d{2,4}|\d{1,3}(?:\.\d{1,3}){3}|\d{4} ?[–-] ?\d{4})$/

/** Words that a phone number follows, in many languages. */
const phoneWord =
  /(?<!\p{L})(?:appel\p{L}*|bel|call|cell?|cellulare|celular|chiam\p{L}*|contact|erreich\p{L}*|fon|fone|handy|hp|hubungi|llám\p{L}*|mob\p{L}*|móvil|(?:her|his|ihre?|mein\p{L}*|mi|mio|mój|mon|my|new|our|private|same|seine?|son|suo|their) (?:num[eé]ro|number|numer|nummer)|numaram\p{L}*|phone|portable|reach (?:me|him|her|us|them)|ring|rang|ruf\p{L}*|sms|số|sđt|t[eé]l\p{L}*|text|tlf|whatsapp|zap|звон\p{L}*|моб\p{L}*|тел\p{L}*|τηλ\p{L}*)|電話|携帯|电话|手机|전화|연락|휴대폰|هاتف|جوال|फोन|फ़ोन|मोबाइल|โทร/giu

/** Words that another kind of number follows. */
const otherWord =
  /(?<!\p{L})(?:bestell\p{L}*|builds?|cases?|commandes?|customer n\p{L}*|ean|facturas?|factures?|fattur[ae]|invoices?|isbn|kunden\p{L}*|lots?|member\p{L}*|model\p{L}*|orders?|parts?|partita iva|pedidos?|po|policy|rechnung\p{L}*|ref\p{L}*|registered|seri\p{L}*|série|sku|tickets?|tracking|vat|versions?|заказ\p{L}*)(?!\p{L})|注文|订单/giu

/** Forms that hold phone numbers and little else, where a word does not say it. */
const forms =
  /^(?:(?:\+|00)[1-9]\d?[\d ()./–-]{6,18}\d|\(?0\d{1,4}\)?[ /–-]\d[\d –-]{4,11}\d|\(?[2-9]\d\d\)?[ .-]\d{3}[.-]\d{4}|555-\d{4})$/

const countries: ReadonlyArray<CountryCode> = ["US", "GB", "DE", "FR", "ES", "IT", "NL", "IN", "JP", "KR", "AU", "BR"]
const company: ReadonlySet<NumberType> = new Set(["TOLL_FREE", "PREMIUM_RATE", "SHARED_COST", "UAN"])
const free = /^(?:\+?1[ .-]?)?\(?8(?:00|33|44|55|66|77|88)\)?[ .-]|^080[08]/

/** A national number may be free in one country and a mobile of another: only an international one says its country. */
const isCompany = (number: string) => {
  const parsed = number.startsWith("+") ? parsePhoneNumberFromString(number) : undefined
  return free.test(number) || (parsed?.isValid() === true && company.has(parsed.getType()))
}

const possible = (number: string) =>
  countries.some((country) => parsePhoneNumberFromString(number, country)?.isPossible() === true)

/** Phone numbers of persons: by their form, or behind a word for them. Free and premium ones belong to companies. */
export const phones = (text: string): Finds =>
  matches(text, run).filter((found) => {
    const number = found.text.trim()
    const digits = number.replace(/\D/g, "").length
    if (digits < 7 || digits > 15 || notPhone.test(number) || /^0+$/.test(number.replace(/\D/g, ""))) return false
    const lead = before(text, found, 28)
    const named = last(lead, phoneWord)
    if (last(lead, otherWord) > named) return false
    const formed = number.startsWith("555-") || (forms.test(number) && (number.startsWith("+") || possible(number)))
    return (named >= 0 || formed) && !isCompany(number)
  })
