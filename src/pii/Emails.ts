import { before, type Finds, matches, unspaced } from "./Found.ts"

const address =
  /[\p{L}\p{N}][\p{L}\p{M}\p{N}._%+'-]{0,63}@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,62}[\p{L}\p{M}\p{N}])?\.){1,8}[\p{L}\p{M}]{2,24}/gu

/** Mailboxes that belong to a role, not to a person. */
const role =
  /^(?:abuse|accounts?|admin|alerts?|billing|booking|bookings|buchhaltung|careers|commercial|compliance|contact|contacto|contatti|customer\w*|data|dpo|do-?not-?reply|email|enquir\w+|events|feedback|finance|git|hallo|hello|help(?:cent(?:er|re)|desk|line)?|hi|hr|info|informa(?:ci[oó]n|tion|tions|zioni)|inquir\w+|invoices?|it|jobs|kontakt|kundenservice|legal|mail|mailer-daemon|marketing|media|members\w*|news(?:desk|letters?|room)?|no[._-]?reply|notifications?|office|orders?|payments?|postmaster|presse?|privacy|purchasing|reception|recruit\w*|reservations?|root|sales|security|service\w*|shop|soporte|spam|staff|store|subscribe|support\w*|system|team|tech|tickets?|unsubscribe|ventas|vertrieb|webmaster|welcome)(?:[._+-].*)?$|[._-](?:department|dept|desk|office|service|support|team)$/i

/** Names that stand for nobody. */
const placeholder =
  /^(?:address|anyone|bar|deine?|example|firstname|foo|first[._-]?last|ihre?|john[._-]?doe|jane[._-]?doe|max[._-]?mustermann|me|name|nobody|person|sample|someone|test(?:e?r|ing|user|mail|_\w*)?\d*|tu[._-](?:correo|email|mail|nombre)|tu|user\d*|username|vorname\w*|votre\w*|xxx+|you|your\w*)(?:[._-]?(?:mail|email|name|nachname|lastname|surname))?$/i

/** Names of image files with a scale, like `logo@2x.png`. */
const image = /@\d(?:\.\d)?x\.\p{L}+$/iu

/** A user's name and secret in an address of a server stand between its scheme and `@`. */
const server = /(?<!mailto):\/\/[^\s/?#]*$/i

/** What stands right before a name in a script without blanks is not of it. */
const leading = new RegExp(`^.*${unspaced}`, "u")

/** E-mail addresses of persons: those of roles and of nobody are left out. */
export const emails = (text: string): Finds =>
  matches(text, address).filter((found) => {
    if (image.test(found.text) || server.test(before(text, found, 120))) return false
    const local = found.text.slice(0, found.text.indexOf("@")).replace(leading, "").normalize()
    return !role.test(local) && !placeholder.test(local)
  })
