const whole = new Intl.NumberFormat("en")
const day = new Intl.DateTimeFormat("en", { dateStyle: "medium" })
const moment = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" })
const wholeDay = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" })
const dollars = new Intl.NumberFormat("en", {
  style: "currency",
  currency: "USD",
  minimumFractionDigits: 2,
  maximumFractionDigits: 6
})
const shortDay = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" })

/** Counts and money as they are written everywhere in the console. */
export const count = (value: number) => whole.format(value)

/** Micros of a dollar, to the last of them: cents where they suffice, as many decimals as it takes elsewhere. */
export const money = (micros: number) => dollars.format(micros / 1_000_000)

export const percent = (share: number) => `${(share * 100).toFixed(share > 0 && share < 0.001 ? 2 : 1)} %`
export const date = (iso: string) => day.format(new Date(iso))
export const time = (iso: string) => moment.format(new Date(iso))
/** A day that was written down without a time, the same in every time zone; what is no such day stays as it is. */
export const calendarDay = (day: string) => {
  const at = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(day) ? day : "")
  return Number.isNaN(at) ? day : wholeDay.format(at)
}
export const dayOf = (isoDay: string) => shortDay.format(new Date(`${isoDay}T00:00:00Z`))
export const plural = (n: number, one: string, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`

const languageNames = new Intl.DisplayNames("en", { type: "language" })

/** The English name of a language; what is no code of one stays as it is. */
export const languageName = (code: string) => {
  try {
    return languageNames.of(code) ?? code
  } catch {
    return code
  }
}
