import { type Finds, matches } from "./Found.ts"

const address =
  /[\p{L}\p{N}][\p{L}\p{N}._%+'-]{0,63}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62}[\p{L}\p{N}])?\.){1,8}\p{L}{2,24}/gu

/** Mailboxes that belong to a role, not to a person. */
const role =
  /^(?:abuse|accounts?|admin|alerts?|billing|booking|bookings|buchhaltung|careers|commercial|compliance|contact|contacto|contatti|customer\w*|data|dpo|email|enquir\w+|events|feedback|finance|hallo|hello|help\w*|hi|hr|info|informa\w+|inquir\w+|invoices?|it|jobs|kontakt|kundenservice|legal|mail|mailer-daemon|marketing|media|members\w*|news\w*|no-?reply|notifications?|office|orders?|payments?|postmaster|presse?|privacy|purchasing|reception|recruit\w*|reservations?|root|sales|security|service\w*|shop|soporte|spam|staff|store|subscribe|support\w*|system|team|tech|tickets?|unsubscribe|ventas|vertrieb|webmaster|welcome)(?:[._+-].*)?$|[._-](?:department|dept|desk|office|service|support|team)$/i

/** Names that stand for nobody. */
const placeholder =
  /^(?:address|anyone|bar|dein\w*|example|firstname|foo|first[._-]?last|ihr\w*|john[._-]?doe|jane[._-]?doe|max[._-]?mustermann|me|name|nobody|person|sample|someone|test(?:e?r|ing|user|mail|_\w*)?\d*|tu[._-]\w*|tu|user\d*|username|vorname\w*|votre\w*|xxx+|you|your\w*)(?:[._-]?(?:mail|email|name|nachname|lastname|surname))?$/i

/** E-mail addresses of persons: those of roles and of nobody are left out. */
export const emails = (text: string): Finds =>
  matches(text, address).filter(({ text: found }) => {
    const local = found.slice(0, found.indexOf("@"))
    return !role.test(local) && !placeholder.test(local)
  })
