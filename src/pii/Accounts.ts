import { number } from "card-validator"
import { electronicFormatIBAN, isValidIBAN } from "ibantools"
import { before, type Finds, type Found, glued, matches } from "./Found.ts"

// Each may follow other characters of its kind, so every group of them is tried as its beginning; of a table's row the first two.
const iban = new RegExp(`(?<!${glued})(?=([A-Z]{2} ?\\d{2}(?:[ -]{0,2}[A-Z0-9]){11,30})(?!${glued}))`, "giu")
const card = new RegExp(
  `(?<!${glued}|\\d[.-]|(?<!\\d)0,|\\d{4} \\d{4} )(?=([1-6]\\d{3,18}(?:[ -]{1,2}\\d{3,10}){0,4})(?!${glued}))`,
  "gu"
)
const cardWord =
  /(?<!\p{L})(?:amex|american express|card|carte|cart[aã]o|carta|debit|kaart|karta|karte|kart|kredi|kort|maestro|mastercard|tarjeta|visa|карт\p{L}*|カード|카드|卡)\P{L}*(?:(?:no|nr|number|nummer|num[eé]ro|is|ending)\P{L}*)?$/iu

/** A number may be followed by words, an expiry date or a code: the find, and all that it begins with at a blank, the longest first. */
const beginnings = ({ at, text }: Found): ReadonlyArray<Found> =>
  Array.from(text.matchAll(/[ -]+|$/g), ({ index }) => ({ at, text: text.slice(0, index) })).reverse()

/** Bank accounts with valid check digits. */
export const ibans = (text: string): Finds =>
  matches(text, iban)
    .flatMap(beginnings)
    .filter((found) => isValidIBAN(electronicFormatIBAN(found.text) ?? ""))

/** Payment cards: of a valid number, or of a card's form behind a word for it. */
export const cards = (text: string): Finds =>
  matches(text, card)
    .flatMap(beginnings)
    .filter((found) => {
      const digits = found.text.replace(/\D/g, "")
      if (digits.length < 13 || /^(\d)\1+$/.test(digits)) return false
      const { isValid, isPotentiallyValid } = number(digits)
      return (
        isValid ||
        (isPotentiallyValid &&
          /^(?:\d{4}[ -]{1,2}){3}\d{4}$/.test(found.text) &&
          cardWord.test(before(text, found, 24)))
      )
    })
