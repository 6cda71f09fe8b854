/**
 * How often the language of a text is told right: `bun bench/language/main.ts DATA [classifier]`, DATA with labelled/i-language.jsonl.xz.
 * Reads the dev rows, whole and cut to two to six words; needs `xz`.
 */
import { Console, Effect } from "effect"
import { loadClassifier } from "#src/language/Classifier"
import { normal } from "#src/language/Grams"

interface Row {
  readonly set: string
  readonly split: string
  readonly label: string
  readonly text: string
  readonly target?: string
}

const folder = process.argv[2]
const directory = process.argv[3] ?? new URL("../../models/language", import.meta.url).pathname
if (folder === undefined) throw new Error("usage: bun bench/language/main.ts DATA")

const packed = Bun.spawn(["xz", "-dc", `${folder}/labelled/i-language.jsonl.xz`])
const rows = (await new Response(packed.stdout).text())
  .trimEnd()
  .split("\n")
  .map((line): Row => JSON.parse(line))
  .filter((row) => row.split === "dev")

const label = ({ label }: Row) => (label.startsWith("zh-") ? "zh" : label)
const words = (text: string) => text.split(/\s+/)

/** Neighbouring words from the middle of a text. */
const cut = (text: string, count: number) => {
  const all = words(text)
  const start = Math.max(0, (all.length - count) >> 1)
  return all.slice(start, start + count).join(" ")
}

/** Right, and mean confidence, over texts; calibration error over ten bins. */
const score = (
  texts: ReadonlyArray<{ readonly text: string; readonly label: string }>,
  of: (text: string) => { code: string; p: number }
) => {
  const found = texts.map(({ text, label }) => ({ label, ...of(text) }))
  const right = found.filter(({ code, label }) => code === label).length
  const bins = Array.from({ length: 10 }, (_, bin) => found.filter(({ p }) => Math.min(9, Math.floor(p * 10)) === bin))
  const error = bins.reduce((sum, bin) => {
    const gap = bin.reduce((total, { p, code, label }) => total + p - (code === label ? 1 : 0), 0)
    return sum + Math.abs(gap) / found.length
  }, 0)
  return { count: found.length, accuracy: right / found.length, error }
}

const percent = (value: number) => `${(100 * value).toFixed(1)} %`

const program = Effect.gen(function* () {
  const { languages: codes, probabilities } = yield* loadClassifier(directory)
  const known = rows.filter((row) => codes.includes(label(row))).map((row) => ({ ...row, label: label(row) }))
  const of = (text: string) => {
    const found = probabilities(normal(text))
    const p = Math.max(...found)
    return { code: codes[found.indexOf(p)] ?? "", p }
  }
  const short = (count: number) =>
    known.filter(({ text }) => words(text).length > count).map((row) => ({ ...row, text: cut(row.text, count) }))
  const slices = {
    "sentences (Common Voice)": known.filter(({ set }) => set === "commonvoice_lid"),
    "sentences (Lingua)": known.filter(({ set, target }) => set === "lingua_lid" && target === "sentences"),
    "word pairs (Lingua)": known.filter(({ set, target }) => set === "lingua_lid" && target === "word-pairs"),
    "cut to 2 words": short(2),
    "cut to 3 words": short(3),
    "cut to 4 words": short(4),
    "cut to 6 words": short(6)
  }
  yield* Console.log(`${codes.length} languages\n\n| texts | number | right | calibration error |\n|---|---|---|---|`)
  for (const [name, texts] of Object.entries(slices)) {
    const { count, accuracy, error } = score(texts, of)
    yield* Console.log(`| ${name} | ${count} | ${percent(accuracy)} | ${error.toFixed(3)} |`)
  }

  const routed = [...short(2), ...short(4), ...short(6)].map(({ text, label }) => ({
    english: label === "en",
    sure: (probabilities(normal(text))[codes.indexOf("en")] ?? 0) >= 0.5
  }))
  const share = (english: boolean) => {
    const part = routed.filter((row) => row.english === english)
    return percent(part.filter(({ sure }) => sure).length / part.length)
  }
  yield* Console.log(
    `\nto svc-english, of texts of 2 to 6 words: ${share(true)} of English ones, ${share(false)} of others`
  )

  const confused = new Map<string, number>()
  for (const { text, label } of Object.values(slices).flat()) {
    const { code } = of(text)
    if (code !== label) confused.set(`${label} as ${code}`, (confused.get(`${label} as ${code}`) ?? 0) + 1)
  }
  const most = [...confused].sort(([, a], [, b]) => b - a).slice(0, 20)
  yield* Console.log(`\nconfused most: ${most.map(([pair, count]) => `${pair} ${count}`).join(", ")}`)
})

await Effect.runPromise(program)
