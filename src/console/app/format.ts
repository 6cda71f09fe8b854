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

/** A whole number as it is written everywhere in the console. */
export const count = (value: number) => whole.format(value)

/** Micros of a dollar, to the last of them: cents where they suffice, as many decimals as it takes elsewhere. */
export const money = (micros: number) => dollars.format(micros / 1_000_000)

/** A share of 1 as a percentage with one decimal, with two where it is less than a tenth of a percent. */
export const percent = (share: number) => `${(share * 100).toFixed(share > 0 && share < 0.001 ? 2 : 1)} %`
/** The day of a moment in ISO 8601, in the time zone of the browser. */
export const date = (iso: string) => day.format(new Date(iso))
/** A moment in ISO 8601 with its hour and minute, in the time zone of the browser. */
export const time = (iso: string) => moment.format(new Date(iso))
/** A day that was written down without a time, the same in every time zone; what is no such day stays as it is. */
export const calendarDay = (day: string) => {
  const at = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(day) ? day : "")
  return Number.isNaN(at) ? day : wholeDay.format(at)
}
/** A day of UTC, `YYYY-MM-DD`, without its year, as at the axis of a chart. */
export const dayOf = (isoDay: string) => shortDay.format(new Date(`${isoDay}T00:00:00Z`))
/** A number of things: `1 key`, `1,200 keys`. */
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
