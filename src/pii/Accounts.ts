import { number } from "card-validator"
import { isValidIBAN } from "ibantools"
import { before, type Finds, type Found, glued, matches } from "./Found.ts"

// Each may follow other characters of its kind, so every group of them is tried as its beginning; of a table's row the first two.
const iban = new RegExp(`(?<!${glued})(?=([A-Z]{2}\\s?\\d{2}(?:[\\s.-]{0,2}[A-Z0-9]){11,30})(?!${glued}))`, "giu")
/** Dots part decimals too, and tabs cells of tables: a card that they part has all its groups, and no more cells like them beside. */
const parted = "(?<!\\b\\d{4}\\t)[1-6]\\d{3}([.\\t])(?:\\d{4}\\2\\d{4}\\2\\d{4}|\\d{6}\\2\\d{4,5})(?!\\t\\d{4}\\b)"
const card = new RegExp(
  `(?<!${glued}|\\d[.-]|(?<!\\d)0,|\\d{4} \\d{4} )(?=(${parted}|[1-6]\\d{3,18}(?:[ -]{1,2}\\d{3,10}){0,4})(?!${glued}))`,
  "gu"
)
const cardWord =
  /(?:(?<!\p{L})(?:amex|american express|card|carte|cart[aã]o|carta|debit|kaart|karta|karte|kart|kredi|kort|maestro|mastercard|tarjeta|unionpay|visa|карт\p{L}*)|カード|카드|卡)\P{L}*(?:(?:no|nr|number|nummer|num[eé]ro|is|ending|号码?|番号|번호)\P{L}*)*$/iu

/** A number may be followed by words, an expiry date or a code: the find, and all that it begins with at a border of groups, the longest first. */
const beginnings = ({ at, text }: Found): ReadonlyArray<Found> =>
  Array.from(text.matchAll(/[\s.-]+|$/g), ({ index }) => ({ at, text: text.slice(0, index) })).reverse()

/** Bank accounts with valid check digits. */
export const ibans = (text: string): Finds =>
  matches(text, iban)
    .flatMap(beginnings)
    .filter((found) => isValidIBAN(found.text.replace(/[\s.-]/g, "").toUpperCase()))

/** Payment cards: of a valid number, or of a card's form behind a word for it. */
export const cards = (text: string): Finds =>
  matches(text, card)
    .flatMap(beginnings)
    .filter((found) => {
      const digits = found.text.replace(/\D/g, "")
      if (digits.length < 13 || /^(\d)\1+$/.test(digits)) return false
      const named = cardWord.test(before(text, found, 24))
      // Articles in shops have as many.
      if (digits.length === 13 && !named && !/^\d{4}\D/.test(found.text)) return false
      const { isValid, isPotentiallyValid } = number(digits, { luhnValidateUnionPay: !named })
      return isValid || (named && isPotentiallyValid && /^(?:\d{4}[ .\t-]{1,2}){3}\d{4}$/.test(found.text))
    })
