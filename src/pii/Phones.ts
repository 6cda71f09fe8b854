import { type CountryCode, type NumberType, parsePhoneNumberFromString } from "libphonenumber-js/max"
import { before, type Finds, type Found, glued, last, matches } from "./Found.ts"

const run = new RegExp(
  `(?<!${glued})(?:\\+|(?<!#|\\d[./:-]|(?<!\\d)\\d{1,3},)(?:00)?)\\(?\\d[\\d ()./-]{5,20}\\d(?=x\\d{1,6}(?!${glued})|(?!${glued}|[.:]\\d))`,
  "gu"
)
/** Thousands and decimals follow a comma by up to three digits, fields of a table mostly hold more; a currency follows amounts. */
const fraction = /^(?: \d{3})*(?:,\d{1,3}(?!\d)| ?\p{Sc}(?! ?\d))/u
const date = /(?<![\d.-])(?:\d{4}([-./])\d\d?\1\d\d?|\d\d?([-./])\d\d?\2(?:19|20)\d\d)(?!\d|[./]\d)/g
const notPhone =
  /^(?:\d{4}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./]\d{2,4}|\d{1,3}(?:\.\d{1,3}){3}|(?:1[5-9]|20)\d\d ?[- ] ?[12]\d{3}|\d{1,3} 000 000)$/

/** Words that a phone number follows, in many languages. */
const phoneWord =
  /(?<!\p{L})(?:appel[aeéilo]\p{L}*|bel|cel|cellulare|celular|chiam\p{L}*|contact(?:n|ph)\p{L}*|erreich\p{L}*|fone?|gọi|handy\p{L}*|hp|hubungi|llám\p{L}*|mob(?!ilit)\p{L}*|móvil|(?:her|his|ihre?|mein\p{L}*|mi|mio|mój|mon|my|new|our|private|same|seine?|son|suo|their) (?:num[eé]ro|number|numer|nummer)|numaram\p{L}*|(?:cell|home|user|work)?phone\p{L}*|portable|puh\p{L}*|reach (?:me|him|her|us|them)|ruf\p{L}*|simu|sms|số (?:điện|máy|của)|sđt|t[eé]l(?:[eé](?:f|ph|m[oó]v)\p{L}*|p\p{L}*)?|tlf|whatsapp|zap|звон\p{L}*|моб\p{L}*|(?:мой|его|е[её]) номер|тел\p{L}*|τηλ\p{L}*)(?!\p{L})|電話|携帯|电话|手机|微信|전화|연락|휴대폰|هاتف|جوال|شماره|फोन|फ़ोन|मोबाइल|โทร/giu

/** Words of much else too: what may be a count follows them at once, or behind whom and where. */
const callWord = /(?<!\p{L})(?:appels?|call(?:back\p{L}*|ing)?|cell|contact|rang|ring|text)(?!\p{L})/giu
const whomAndWhere =
  /^(?:\P{L}+(?:\p{Lu}\p{Ll}+|(?i:(?:her|his|my|our|their) \p{L}+|anytime|at|au|back|by|details|directly|from|her|him|info|is|me|moi|no|nous|now|nr|num(?:ber|[eé]ro)|on|or|person|på|please|sur|them|til|to|today|tomorrow|tonight|under|us|via)(?!\p{L})))*\P{L}*$/u

/** Mere digits, or thousands in groups that may be a phone number's as well. */
const count = /^[1-9]\d(?:\d*|(?: \d{3})+)$/
/** Thousands in groups that no phone number has: those often have three of three digits. */
const thousands = /^[1-9](?:\d?(?:\.\d{3})+|(?: \d{3})+|\d{0,2}(?:[ .]\d{3})*[ .]000)$/

const isCalled = (number: string, leading: string) =>
  !thousands.test(number) && (!count.test(number) || whomAndWhere.test(leading))

/** Words behind a number that make it somebody's phone number. */
const owned =
  /^,? (?:é|è|es|est|is|ist|to|это) (?:her|his|il mio|mein\p{L}*|meu|mi|mon|m[oó]j|my|our|seu|su|their|мой|его|е[её]) (?:\p{L}+ )?(?:cel|handy|m[oó][bv]|n[uúo]m|phone|t[eé]l|номер|тел)/iu

/** Words that another kind of number follows. */
export const otherWord =
  /(?<!\p{L})(?:art(?:icle|ikel\p{L}*)?|batch|bestell\p{L}*|builds?|cases?|commandes?|customer n\p{L}*|ean|facturas?|factures?|fattur[ae]|imei|invoices?|isbn|kd|kunden\p{L}*|lots?|member\p{L}*|meter|mitglied\p{L}*|model\p{L}*|orders?|parts?|partita iva|pedidos?|po|policy|rechnung\p{L}*|r[eé]f\p{L}*|registered|rooms?|routes?|s\/n|seri\p{L}*|série|sku|tickets?|tracking|vat|versions?|vertrag\p{L}*|vorgang\p{L}*|zähler\p{L}*|версия|заказ\p{L}*|серийн\p{L}*)(?!\p{L})|注文|訂單|订单|单号|编号|序列号|型号|品番|会員番号|製造番号|주문|운송장/giu

/** Forms that hold phone numbers and little else, where a word does not say it. */
const forms = new RegExp(
  `^(?:${[
    /(?:\+|00)[1-9]\d?[\d ()./-]{6,18}\d/,
    /\(?0\d{1,4}(?:\) ?| ?[/-] ?| )\d[\d -]{4,11}\d/,
    /0\d(?:\.\d\d){4}|0\d{2,3}\/\d{2,3}(?:\.\d\d){2}|01\d\.\d{3,4}\.\d{4}/,
    /(?:\+?1[ .-]?)?(?:\([2-9]\d\d\)[ .-]?\d{3}[ .-]|[2-9]\d\d[ .-]\d{3}[.-])\d{4}/,
    /(?:\(\d\d\) ?9?|\d\d 9)\d{4}-\d{4}/,
    /8[ -]?\(?9\d\d\)?[ -]?\d{3}[ -]\d\d[ -]\d\d/,
    /555-\d{4}/
  ]
    .map(({ source }) => source)
    .join("|")})$`
)

const countries: ReadonlyArray<CountryCode> = [
  "US",
  "GB",
  "DE",
  "FR",
  "ES",
  "IT",
  "NL",
  "IN",
  "JP",
  "KR",
  "AU",
  "BR",
  "RU"
]
const company: ReadonlySet<NumberType> = new Set(["TOLL_FREE", "PREMIUM_RATE", "SHARED_COST", "UAN"])
const free = /^(?:\+?1[ .-]?)?\(?8(?:00|33|44|55|66|77|88)\)?[ .-]|^080[08]|^8[ -]?\(?800/

/** A national number may be free in one country and a mobile of another: only an international one says its country. */
const isCompany = (number: string) => {
  const parsed = number.startsWith("+") ? parsePhoneNumberFromString(number) : undefined
  return free.test(number) || (parsed?.isValid() === true && company.has(parsed.getType()))
}

/** `0011` is how Australia dials abroad: no number of America begins with 1. */
const possible = (number: string) => {
  const dialled = number.replace(/^00(?:11)?/, "+")
  return dialled.startsWith("+")
    ? parsePhoneNumberFromString(dialled)?.isPossible() === true
    : countries.some((country) => parsePhoneNumberFromString(dialled, country)?.isPossible() === true)
}

/** Another number may follow: a run, and all that it begins with at a blank or slash, the longest first. */
const beginnings = ({ at, text }: Found): ReadonlyArray<Found> =>
  Array.from(text.matchAll(/ *\/ *| +|$/g), ({ index }) => ({ at, text: text.slice(0, index) })).reverse()

/** A run of digits, and what of it may be a phone number behind a short number, like that of a house. */
const endings = ({ at, text }: Found): ReadonlyArray<Found> =>
  Array.from(text.matchAll(/^|(?<=^[1-9]\d{0,5}) (?=\(?0\d{1,4}\)?[ /-]\d{5,8}$)/g), ({ index, 0: { length } }) => ({
    at: at + index + length,
    text: text.slice(index + length)
  }))

/** Whether a number is cut from a list of such groups, like `01 02 03`. */
const goesOn = (number: string, behind: string) => {
  const next = /^ +(\d+)(?![\p{L}\d]|[.:/-]\d)/u.exec(behind)?.[1]
  return next !== undefined && next.length === /(?<!\S)\d+$/.exec(number)?.[0].length
}

/** Another kind of number is not meant any more when it has come, and words after it. */
const isOther = (lead: string, named: number) => {
  const other = last(lead, otherWord)
  return other > named && !/\d.*\p{L}{3}/su.test(lead.slice(other))
}

/** Phone numbers of persons: by their form, or beside words for them. Free and premium ones belong to companies. */
export const phones = (text: string): Finds => {
  const undated = text.replace(date, ({ length }) => ";".repeat(length))
  const isPhone = (found: Found) => {
    const number = found.text
    const digits = number.replace(/\D/g, "")
    if (digits.length < 7 || digits.length > 15 || notPhone.test(number) || /^0+$/.test(digits)) return false
    const end = found.at + number.length
    const behind = text.slice(end, end + 24)
    const lead = before(text, found, 28)
    if (/^[1-9]/.test(number) && (fraction.test(behind) || /(?<!\d ?)\p{Sc} ?$/u.test(lead))) return false
    const called = last(lead, callWord)
    const named = Math.max(last(lead, phoneWord), isCalled(number, lead.slice(called)) ? called : -1)
    if (isOther(lead, named)) return false
    const formed = forms.test(number) && !goesOn(number, behind) && (number.startsWith("555-") || possible(number))
    return named >= 0 || formed || (owned.test(behind) && last(behind, otherWord) < 0)
  }
  return matches(undated, run)
    .flatMap((found) => beginnings(found).values().flatMap(endings).filter(isPhone).take(1))
    .filter(({ text }) => !isCompany(text))
}
