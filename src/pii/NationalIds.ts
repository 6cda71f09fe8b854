import { stdnum } from "stdnum"
import { before, type Finds, type Found, glued, last, matches } from "./Found.ts"
import { otherWord } from "./Phones.ts"

interface NationalId {
  readonly form: RegExp
  /** Whether the check digits are right, where the form alone is telling enough. */
  readonly valid?: (id: string) => boolean
  /** A word for it; behind that the form is enough. */
  readonly word?: RegExp
}

const checked = (country: string, id: string) => (text: string) =>
  stdnum[country]?.[id]?.validate(text.toUpperCase()).isValid === true

/** Identifiers that states give to persons. */
const known: ReadonlyArray<NationalId> = [
  { form: /\d{3}-\d{2}-\d{4}/, valid: checked("US", "ssn"), word: /ssn|social security/i },
  {
    form: /\d{9}/,
    word: /ssn|social security|bsn|burgerservice\p{L}*|\bnif\b|contribuinte|תעודת זהות|(?<!\p{L})ת\.? ?ז/iu
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
  { form: /[A-Z]{3}P[A-Z]\d{4}[A-Z]/, valid: checked("IN", "pan"), word: /\bpan\b/i },
  { form: /\d{4}[ -]?\d{4}[ -]?\d{4}/, word: /aadha+r|आधार|マイナンバー|個人番号/i },
  { form: /\d{3}\.\d{3}\.\d{3}-\d{2}/, valid: checked("BR", "cpf"), word: /cpf/i },
  { form: /[12] ?\d{2} ?[01]\d ?\d[\dAB] ?\d{3} ?\d{3} ?\d{2}/, valid: checked("FR", "nir"), word: /s[eé]cu|\bnir\b/i },
  { form: /\d{17}[\dX]/, valid: checked("CN", "ric"), word: /身份证|身分證/ },
  { form: /\d{6}-[1-8]\d{6}/, valid: checked("KR", "rrn"), word: /주민/ },
  { form: /(?:19|20)?\d{6}[-+]\d{4}/, valid: checked("SE", "personnummer"), word: /personn|cpr/i },
  { form: /\d{6}[-+A]\d{3}[0-9A-Y]/, valid: checked("FI", "hetu"), word: /hetu|henkilö/i },
  { form: /\d{6}\/\d{3,4}/, valid: checked("CZ", "rc"), word: /rodn/i },
  { form: /756[. ]?\d{4}[. ]?\d{4}[. ]?\d{2}/, valid: checked("CH", "ssn"), word: /ahv|avs/i },
  { form: /\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}/, valid: checked("BE", "nn"), word: /rijksregister|registre national/i },
  { form: /\d{1,2}\.\d{3}\.\d{3}-[\dkK]/, valid: checked("CL", "run"), word: /\brut\b|\brun\b/i },
  { form: /\d{7,8}-[\dkK]/, word: /\brut\b/i },
  { form: /[A-Z][12]\d{8}/, valid: checked("TW", "natid"), word: /身分證/ },
  { form: /[A-Z]{1,2}\d{6}\([\dA]\)/, valid: checked("HK", "hkid"), word: /hkid/i },
  { form: /\d-\d{4}-\d{5}-\d{2}-\d/, valid: checked("TH", "idnr"), word: /ประชาชน/ },
  {
    form: /\d{11}/,
    word: /pesel|steuer-?id\p{L}*|idnr|t\.? ?c\.? ?(?:kimlik|no)|kimlik|f[øo]dsels\p{L}*|personnummer|cpf|oib|isikukood|asmens kod\p{L}*|αμκα|amka/iu
  },
  { form: /\d{2} ?\d{3} ?\d{3} ?\d{3}/, word: /steuer-?id\p{L}*|tax id/iu },
  { form: /\d{13}/, word: /\bcnp\b|јмбг|jmbg|\bid (?:no|number)/i },
  {
    form: /[A-Z]{0,2}\d{6,9}|(?=(?:[A-Z]*\d){5})[A-Z][A-Z0-9]{8}/,
    word: /pass(?:e?port|nummer)|reisepass|pasaporte|paspoort|paszport|паспорт/i
  },
  { form: /\d{10}/, word: /(?<!\p{L})(?:cpr|egn|егн|рнокпп)(?!\p{L})/iu },
  { form: /\d{12}/, word: /(?<!\p{L})инн(?!\p{L})/iu },
  {
    form: /\d{3}[ -]?\d{3}[ -]?\d{3}/,
    word: /\b(?:SIN|TFN)\b|[Ss]ocial [Ii]nsurance|[Tt]ax [Ff]ile|\b[Cc]ontribuinte\b/
  },
  { form: /\d{3}[ -]?\d{3}[ -]?\d{4}/, word: /\bnhs n(?:o|umber)\b/i },
  { form: /\d{3}-\d{3}-\d{3}[ -]\d{2}/, word: /снилс/i },
  { form: /[STFGM]\d{7}[A-Z]/, word: /\bnric\b/i },
  { form: /\d{7}[A-Z]{1,2}/, word: /\bppsn?\b/i },
  { form: /\d{16}/, word: /\b(?:nik|ktp)\b/i },
  { form: /\d{1,2}\.\d{3}\.\d{3}|\d\.\d{3}\.\d{3}\.\d{3}/, word: /\bdni\b|c[eé]dula/i },
  { form: /\d{8}[A-Z]\d{3}/, word: /sozialvers|rentenvers/i },
  { form: /\d{6} \d{5}/, word: /f[øo]dsels/i },
  { form: /\d{3} \d{2} \d{4}/, word: /ssn|social security/i }
]

const patterns = known.map((id) => ({
  ...id,
  word: id.word === undefined ? undefined : new RegExp(id.word.source, `g${id.word.flags}`),
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
