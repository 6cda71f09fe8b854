import { number } from "card-validator"
import { isValidIBAN } from "ibantools"
import { before, type Finds, type Found, matches } from "./Found.ts"

const iban = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![\p{L}\p{N}])/gu
const card = /(?<![\p{L}\p{N}.,-])\d(?:[ -]?\d){12,18}(?![\p{L}\p{N}])/gu
const cardWord =
  /(?<!\p{L})(?:amex|american express|card|carte|cart[aã]o|carta|debit|kaart|karta|karte|kart|kredi|kort|maestro|mastercard|tarjeta|visa|карт\p{L}*|カード|카드|卡)\P{L}*(?:(?:no|nr|number|nummer|num[eé]ro|is|ending)\P{L}*)?$/iu

/** An IBAN's country says how long it is; what follows may be words in capitals. */
const longest = ({ at, text }: Found): ReadonlyArray<Found> => {
  const parts = text.split(" ")
  for (let end = parts.length; end > 0; end--) {
    const found = parts.slice(0, end).join(" ")
    if (isValidIBAN(found.replaceAll(" ", ""))) return [{ at, text: found }]
  }
  return []
}

/** Bank accounts with valid check digits. */
export const ibans = (text: string): Finds => matches(text, iban).flatMap(longest)

/** A card's number may be followed by its expiry date or code: the find, and all that it begins with at a blank. */
const beginnings = ({ at, text }: Found): ReadonlyArray<Found> =>
  Array.from(text.matchAll(/[ -]|$/g), ({ index }) => ({ at, text: text.slice(0, index) })).filter(
    (found) => found.text.replace(/\D/g, "").length >= 13
  )

/** Payment cards: of a valid number, or of a card's form behind a word for it. */
export const cards = (text: string): Finds =>
  matches(text, card)
    .flatMap(beginnings)
    .filter((found) => {
      const digits = found.text.replace(/\D/g, "")
      if (/^(\d)\1+$/.test(digits)) return false
      const { isValid, isPotentiallyValid } = number(digits)
      return (
        isValid ||
        (isPotentiallyValid && /^(?:\d{4}[ -]){3}\d{4}$/.test(found.text) && cardWord.test(before(text, found, 24)))
      )
    })
