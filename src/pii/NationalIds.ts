import { stdnum } from "stdnum"
import { before, type Finds, type Found, glued, last, matches, unspaced } from "./Found.ts"
import { otherWord } from "./Phones.ts"

interface NationalId {
  readonly form: RegExp
  /** Whether the check digits are right, where the form alone is telling enough. */
  readonly valid?: (id: string) => boolean
  /** A word for it, `\p{L}*` where it may be compound; behind that the form is enough. */
  readonly word?: RegExp
}

const checked = (country: string, id: string) => (text: string) =>
  stdnum[country]?.[id]?.validate(text.toUpperCase()).isValid === true

/** Identifiers that states give to persons. */
const known: ReadonlyArray<NationalId> = [
  { form: /\d{3}-\d{2}-\d{4}/, valid: checked("US", "ssn"), word: /ssns?|social security/i },
  {
    form: /\d{9}/,
    word: /ssns?|social security|bsn(?:n\p{L}*)?|burgerservice\p{L}*|nif|contribuinte|\p{L}{0,2}תעודת זהות|ת\.? ?ז/iu
  },
  { form: /[A-CEGHJ-PR-TW-Z][A-Z](?:[ -]?\d{2}){3}[ -]?[A-D]/, valid: checked("GB", "nino") },
  {
    form: /[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]/,
    valid: checked("IT", "codicefiscale"),
    word: /codice fiscale|c\.? ?f\./i
  },
  { form: /[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d/, valid: checked("MX", "curp"), word: /curp/i },
  { form: /\d{8}-?[A-Z]|\d{2}\.\d{3}\.\d{3}-?[A-Z]/, valid: checked("ES", "dni"), word: /dni|nif/i },
  { form: /[XYZ]-?\d{7}-?[A-Z]/, valid: checked("ES", "nie"), word: /nie/i },
  { form: /[A-Z]{3}P[A-Z]\d{4}[A-Z]/, valid: checked("IN", "pan"), word: /pan/i },
  { form: /\d{4}[ -]?\d{4}[ -]?\d{4}/, word: /aadha+r\p{L}*|आधार\p{L}*|マイナンバー|個人番号/iu },
  { form: /\d{3}\.\d{3}\.\d{3}-\d{2}/, valid: checked("BR", "cpf"), word: /cpf/i },
  {
    form: /[12] ?\d{2} ?[01]\d ?\d[\dAB] ?\d{3} ?\d{3} ?\d{2}/,
    valid: checked("FR", "nir"),
    word: /s[eé]cu\p{L}*|nir/iu
  },
  { form: /\d{17}[\dX]/, valid: checked("CN", "ric"), word: /身份证|身分證/ },
  { form: /\d{6}-[1-8]\d{6}/, valid: checked("KR", "rrn"), word: /주민/ },
  {
    form: /(?:19|20)?\d{6}[-+]\d{4}/,
    valid: checked("SE", "personnummer"),
    word: /\p{L}*person ?n(?:um\p{L}*|r)|cpr(?:n\p{L}*)?/iu
  },
  {
    form: /\d{6}[-+A]\d{3}[0-9A-Y]/,
    valid: checked("FI", "hetu"),
    word: /hetu\p{L}*|henkilö(?:turva)?(?:tun|num)\p{L}*/iu
  },
  { form: /\d{6}\/\d{3,4}/, valid: checked("CZ", "rc"), word: /rodn\p{L}*/iu },
  { form: /756[. ]?\d{4}[. ]?\d{4}[. ]?\d{2}/, valid: checked("CH", "ssn"), word: /ahv(?:n\p{L}*)?|avs/iu },
  {
    form: /\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}/,
    valid: checked("BE", "nn"),
    word: /rijksregister\p{L}*|registre national/iu
  },
  { form: /\d{1,2}\.\d{3}\.\d{3}-[\dkK]/, valid: checked("CL", "run"), word: /rut|run/i },
  { form: /\d{7,8}-[\dkK]/, word: /rut/i },
  { form: /[A-Z][12]\d{8}/, valid: checked("TW", "natid"), word: /身分證/ },
  { form: /[A-Z]{1,2}\d{6}\([\dA]\)/, valid: checked("HK", "hkid"), word: /hkid/i },
  { form: /\d-\d{4}-\d{5}-\d{2}-\d/, valid: checked("TH", "idnr"), word: /ประชาชน/ },
  {
    form: /\d{11}/,
    word: /pesel\p{L}*|\p{L}*steuer-?id\p{L}*|idnr|t\.? ?c\.? ?no|(?:t\.? ?c\.? ?)?kimlik\p{L}*|f[øo]dsels\p{L}*|\p{L}*personnum\p{L}*|cpf|oib|isikukood\p{L}*|asmens kod\p{L}*|αμκα|amka/iu
  },
  { form: /\d{2} ?\d{3} ?\d{3} ?\d{3}/, word: /\p{L}*steuer-?id\p{L}*|tax id/iu },
  { form: /\d{13}/, word: /cnp|јмбг|jmbg|id (?:no|numbers?)/i },
  {
    form: /[A-Z]{0,2}\d{6,9}|(?=(?:[A-Z]*\d){5})[A-Z][A-Z0-9]{8}/,
    word: /\p{L}*(?:pass(?:e?port|nummer)|reisepass|pasaporte|paspoort|paszport|паспорт)\p{L}*/iu
  },
  { form: /\d{10}/, word: /cpr(?:n\p{L}*)?|egn|егн|рнокпп|کد ?ملی/iu },
  { form: /\d{12}/, word: /инн|cccd|căn cước(?: công dân)?/iu },
  {
    form: /\d{3}[ -]?\d{3}[ -]?\d{3}/,
    word: /SIN|TFN|[Ss]ocial [Ii]nsurance|[Tt]ax [Ff]ile|[Cc]ontribuinte/
  },
  { form: /\d{3}[ -]?\d{3}[ -]?\d{4}/, word: /nhs n(?:o|umbers?)/i },
  { form: /\d{3}-\d{3}-\d{3}[ -]\d{2}/, word: /снилс\p{L}*/iu },
  { form: /[STFGM]\d{7}[A-Z]/, word: /nric/i },
  { form: /\d{7}[A-Z]{1,2}/, word: /ppsn?/i },
  { form: /\d{16}/, word: /nik|ktp/i },
  { form: /\d{1,2}\.\d{3}\.\d{3}|\d\.\d{3}\.\d{3}\.\d{3}/, word: /dni|c[eé]dulas?/i },
  { form: /\d{8}[A-Z]\d{3}/, word: /\p{L}*(?:sozial|renten)vers\p{L}*/iu },
  { form: /\d{6} \d{5}/, word: /f[øo]dsels\p{L}*/iu },
  { form: /\d{3} \d{2} \d{4}/, word: /ssns?|social security/i }
]

const letter = `(?!${unspaced})\\p{L}`

/** Words end where no letter follows, or a capital in a name like `userSsn`. */
const whole = ({ source, ignoreCase }: RegExp) =>
  new RegExp(
    `(?:(?<!${letter})|(?-i:(?<=\\p{Ll})(?=\\p{Lu})))(?:${source})(?:(?!${letter})|(?-i:(?=\\p{Lu}\\p{Ll})))`,
    ignoreCase ? "giu" : "gu"
  )

const patterns = known.map((id) => ({
  ...id,
  word: id.word && whole(id.word),
  form: new RegExp(`(?<!${glued}|[.-])(?:${id.form.source})(?!${glued}|[.-]\\d)`, "giu")
}))

/** Whether the word for it leads up to a find: in its sentence, and with no other kind of number named since. */
const named = (text: string, found: Found, word: RegExp) => {
  const leading =
    before(text, found, 40)
      .split(/(?<=\p{Ll}{2}[.!?])\s+(?=\p{Lu})/u)
      .at(-1) ?? ""
  const at = last(leading, word)
  return at >= 0 && last(leading.slice(at), otherWord) < 0
}

/** Numbers that states give to persons: with valid check digits, or behind the word for them. */
export const nationalIds = (text: string): Finds =>
  patterns
    .values()
    .flatMap(({ form, valid, word }) =>
      matches(text, form).filter(
        (found) => valid?.(found.text) === true || (word !== undefined && named(text, found, word))
      )
    )
