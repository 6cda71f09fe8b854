import { cards, ibans } from "./Accounts.ts"
import { emails } from "./Emails.ts"
import { before, type Found, last } from "./Found.ts"
import { nationalIds } from "./NationalIds.ts"
import { phones } from "./Phones.ts"

/** Something in a text that singles out a person. */
export interface Identifier extends Found {
  readonly kind: "email" | "phone" | "iban" | "card" | "national id"
}

/** Words that make what follows an example, in the same line and sentence. */
const example =
  /(?<!\p{L})(?:beispiel\p{L}*|dummy|e\.g\.|ejemplo|esempio|example|exemple|exemplo|like this(?=:)|lorem|mustermann|musterfrau|placeholder|przykład\p{L}*|sample|test (?:account|card|data|entry|number|record|user)|z\. ?b\.|пример)(?!\p{L})|記入例|示例|例[:：]|예시/iu

/** Words that make what follows a company's or an association's, unless a person comes between. */
const company =
  /(?<!\p{L})(?:association|atención al cliente|booking line|call cent(?:er|re)|centralino|charity|customer (?:care|service|support)|donat\p{L}+|fax|foundation|front desk|g?mbh|hotline|help ?(?:desk|line)|inc|kunden(?:dienst|service)|llc|ltd|main (?:line|number)|office|plc|reception|sales|service client|shelter|shop|spenden?\p{L}*|store|support(?: line)?|switchboard|verein|zentrale)(?!\p{L})|(?<!\p{L})e\. ?v\.|горяч\p{L}+ лини\p{L}+|客服|お客様|고객/giu
const person =
  /(?<!\p{L})(?:cell|her|him|his|home|me|mein\p{L}*|mi|mobile|mon|mr|mrs|ms|my|personal\p{L}*|privat\p{L}*)(?!\p{L})/giu

const serial =
  /(?<!\p{L})(?:barcode|batch|ean|gtin|isbn|model|part n\p{L}*|seri(?:al|en)\p{L}*|s[eé]rie|sku|tracking|версия|серийн\p{L}*)(?!\p{L})(?:\P{L}*\p{L}{1,12}){0,2}\P{L}*$/iu

const detectors = {
  email: emails,
  phone: phones,
  iban: ibans,
  card: cards,
  "national id": nationalIds
} as const

const kinds = ["email", "phone", "iban", "card", "national id"] as const

const kindsOfSerials: ReadonlySet<Identifier["kind"]> = new Set(["card", "national id"])

/** The digits of each script stand in runs of ten, from zero on. */
const value = (digit: string): number => {
  const previous = String.fromCodePoint((digit.codePointAt(0) ?? 1) - 1)
  return /\p{Nd}/u.test(previous) ? (value(previous) + 1) % 10 : 0
}
/**
 * Characters of full width, digits of other scripts, other blanks, hyphens and dashes as those that the patterns know; each keeps
 * its place, but for what follows digits of two units, such as mathematical ones.
 */
const plain = (text: string) =>
  text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/\p{Zs}/gu, " ")
    .replace(/[\u2010-\u2015\u2212]|(?<=\p{Nd})\u30fc(?=\p{Nd})/gu, "-")
    .replace(/(?!\d)\p{Nd}/gu, (digit) => String(value(digit)))

/** What of the same line and sentence leads up to a find. */
const lead = (text: string, found: Found) =>
  before(text, found, 120)
    .split(/\n|(?<=\p{Ll}{2}[.!?]) +(?=\p{Lu})/u)
    .at(-1) ?? ""

const isCompany = (text: string, found: Found) => {
  const near = lead(text, found).slice(-40)
  return last(near, company) > last(near, person)
}

/**
 * Finds what has the form of an identifier of a private person: e-mail addresses, phone numbers, IBANs, payment cards and
 * national ids. Left out, for a model to judge: what is introduced as an example, test data or a serial number; mailboxes of roles
 * (`info@`, `support@`), free and premium numbers; numbers and accounts introduced as those of a hotline, switchboard, office, shop,
 * company or charity. Fictitious ranges (555-01xx, `.example`) count like any other: people use them to stand for real ones.
 */
export const identifiers = (text: string): IteratorObject<Identifier> => {
  const read = plain(text)
  return kinds
    .values()
    .flatMap((kind) => detectors[kind](read).map((found) => ({ ...found, kind })))
    .filter((found) => {
      const leading = lead(read, found)
      if (example.test(leading) || (kindsOfSerials.has(found.kind) && serial.test(leading))) return false
      return !((found.kind === "phone" || found.kind === "iban") && isCompany(read, found))
    })
}
