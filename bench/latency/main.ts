/**
 * How long an answer takes on one worker: `bun bench/latency/main.ts [models folder]`.
 * Each case runs until it has taken two seconds or thirty runs; the table shows median and fastest in milliseconds.
 */
import { cpus, loadavg } from "node:os"
import { BunContext } from "@effect/platform-bun"
import { Console, Effect } from "effect"
import { Inference } from "#src/inference/Inference"
import type { Question } from "#src/inference/Question"
import { type Bundle, readBundle } from "#src/models/Bundle"

const folder = process.argv[2] ?? "models"
const names = ["svc-english", "svc-multilingual"]

const sentence = "The parcel was promised for Monday, it came on Friday, and the lamp inside was broken in two places. "
const short = "I want my money back, the parcel never came."
const text = (characters: number) => sentence.repeat(Math.ceil(characters / sentence.length)).slice(0, characters)

const about = ["delivery", "payment", "the product", "an account", "a refund", "a complaint", "an order", "a question"]
const question = (i: number): Question => ({
  type: "choice",
  wording: `Is this about ${about[i % about.length]}, as far as line ${i + 1} of the form goes?`,
  options: [{ name: "yes" }, { name: "no" }, { name: "unclear", description: "the text does not say" }]
})
/** A worker keeps what it saw in options that it has read before; of these it has read none. */
const unseen = (i: number): Question => ({
  type: "choice",
  wording: `Is this about ${about[i % about.length]}, as far as line ${i + 1} of the form goes?`,
  options: [{ name: `yes ${i}` }, { name: `no ${i}` }, { name: "unclear", description: `the text does not say ${i}` }]
})
const questions = (count: number) => {
  const same = Array.from({ length: count }, (_, i) => question(i))
  return () => same
}
let asked = 0
const unseenQuestions = (count: number) => () => Array.from({ length: count }, () => unseen(asked++))
const wide: Question = {
  type: "choice",
  wording: "Which topic is this about?",
  options: Array.from({ length: 255 }, (_, i) => ({ name: `${about[i % about.length]} ${i}` }))
}

const cases = [44, 2_000, 30_000].flatMap((characters) => {
  const state = characters === 44 ? short : text(characters)
  return [
    { label: `${characters} characters, 1 question`, state, questions: questions(1) },
    { label: `${characters} characters, 10 questions`, state, questions: questions(10) },
    { label: `${characters} characters, 10 questions never asked before`, state, questions: unseenQuestions(10) },
    { label: `${characters} characters, 32 questions`, state, questions: questions(32) },
    { label: `${characters} characters, 255 options`, state, questions: () => [wide] }
  ]
})

const measure = (model: Bundle, ask: (typeof cases)[number]) =>
  Effect.gen(function* () {
    const { answer } = yield* Inference
    const once = Effect.suspend(() =>
      Effect.timed(answer({ model, state: ask.state, questions: ask.questions(), lane: ["bench"] }))
    )
    yield* once
    const times: Array<number> = []
    while (times.length < 30 && times.reduce((a, b) => a + b, 0) < 2_000) {
      const [took] = yield* once
      times.push(Number(took.value._tag === "Nanos" ? took.value.nanos : 0n) / 1e6)
    }
    times.sort((a, b) => a - b)
    return { median: times[times.length >> 1] ?? 0, fastest: times[0] ?? 0 }
  })

const ms = (value: number) => value.toFixed(value < 100 ? 1 : 0)

const program = Effect.gen(function* () {
  const [cpu] = cpus()
  yield* Console.log(
    `${cpu?.model}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, one worker with one thread; median (fastest) in ms\n`
  )
  yield* Console.log(`| case | ${names.join(" | ")} |\n|---|${names.map(() => "---|").join("")}`)
  const models = yield* Effect.forEach(names, (name) => readBundle(`${folder}/${name}`))
  yield* Effect.gen(function* () {
    const least = new Map<string, ReadonlyArray<number>>()
    for (const ask of cases) {
      const found = yield* Effect.forEach(models, (model) => measure(model, ask))
      least.set(
        ask.label,
        found.map(({ fastest }) => fastest)
      )
      yield* Console.log(
        `| ${ask.label} | ${found.map(({ median, fastest }) => `${ms(median)} (${ms(fastest)})`).join(" | ")} |`
      )
    }
    for (const characters of [44, 2_000, 30_000]) {
      const of = (count: string, model: number) => least.get(`${characters} characters, ${count}`)?.[model] ?? 0
      const ratios = names.map((_, model) => (of("32 questions", model) / of("1 question", model)).toFixed(1))
      yield* Console.log(`| ${characters} characters, 32 questions ÷ 1, of the fastest | ${ratios.join(" | ")} |`)
    }
  }).pipe(Effect.provide(Inference.layer({ models, workers: 1, queueLimit: 4, deadline: "1 minute" })))
})

await Effect.runPromise(program.pipe(Effect.provide(BunContext.layer)))
