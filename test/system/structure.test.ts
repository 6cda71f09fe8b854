import { expect } from "bun:test"
import { BunContext } from "@effect/platform-bun"
import { Context, Duration, Effect, Layer } from "effect"
import { probabilities, temperatureOf } from "#src/inference/Calibration"
import { makePool, type Pool } from "#src/inference/Pool"
import type { Question } from "#src/inference/Question"
import { spawn } from "#src/inference/WorkerProcess"
import { type Bundle, readBundle } from "#src/models/Bundle"
import { withLayer } from "#test/support/effect"

const names = ["svc-english", "svc-multilingual"] as const

/** A worker with the built-in models, asked without the service's own ordering of options: what the graphs themselves do. */
class Worker extends Context.Tag("test/Worker")<
  Worker,
  { readonly pool: Pool; readonly models: ReadonlyArray<Bundle> }
>() {
  static readonly layer = Layer.scoped(
    Worker,
    Effect.gen(function* () {
      const folder = (name: string) => new URL(`../../models/${name}`, import.meta.url).pathname
      const models = yield* Effect.forEach(names, (name) => readBundle(folder(name)))
      const pool = yield* makePool({ workers: 1, queueLimit: 100, deadline: "30 seconds", spawn: spawn(models) })
      return Worker.of({ pool, models })
    })
  ).pipe(Layer.provide(BunContext.layer))
}

const ask = Effect.fn(function* (name: string, state: string, questions: ReadonlyArray<Question>) {
  const { pool, models } = yield* Worker
  const model = models.find(({ manifest }) => manifest.name === name)
  if (model === undefined) return yield* Effect.fail(`no model ${name}`)
  const { logits } = yield* pool.run(["test"], { model, state, questions })
  return questions.map((question, i) =>
    probabilities(logits[i] ?? [], temperatureOf(model.manifest.temperatures, question))
  )
})

/** Largest difference between two answers. */
const apart = (one: ReadonlyArray<number> = [], other: ReadonlyArray<number> = []) =>
  one.length > 1 && one.length === other.length ? Math.max(...one.map((p, i) => Math.abs(p - (other[i] ?? 0)))) : 1

const yesNo = (wording: string): Question => ({ type: "noul", wording, options: [{ name: "yes" }, { name: "no" }] })
const choice = (wording: string, options: Question["options"]): Question => ({ type: "choice", wording, options })

const state =
  "My parcel never came, although the app says delivered. Please send my money back today, I have asked twice."
const choices: ReadonlyArray<Question> = [
  choice("What does the customer want?", [
    { name: "refund", description: "money back for something bought" },
    { name: "technical help" },
    { name: "cancellation", description: "end of a subscription, a plan, an order or an account" },
    { name: "order status" },
    { name: "other" }
  ]),
  choice("How does the writer feel?", [{ name: "angry" }, { name: "glad" }, { name: "indifferent" }]),
  choice("Which team should handle this?", [
    { name: "billing" },
    { name: "shipping" },
    { name: "sales" },
    { name: "none of these" }
  ])
]
const others: ReadonlyArray<Question> = [
  yesNo("Is this urgent?"),
  {
    type: "score",
    wording: "How satisfied is the customer?",
    options: [{ name: "not at all" }, { name: "somewhat" }, { name: "very" }]
  },
  choice("Which of these long answers, each of them a sentence of its own, says best what the message is about?", [
    {
      name: "The message is about a parcel that was said to be delivered but was never seen by the person it was meant for"
    },
    { name: "The message praises a product" }
  ]),
  ...Array.from({ length: 12 }, (_, i) => yesNo(`Does the text mention item ${i} of the list, by name or by number?`))
]

/** Yes/no questions and statements of many kinds. */
const wordings = [
  "Is this urgent?",
  "Is the customer angry?",
  "Does the writer want a refund?",
  "This is spam.",
  "The order was late.",
  "Is a person threatened?",
  "Does the text contain personal data?",
  "Should a human look at this?",
  "Is the text polite?",
  "The customer has written before.",
  "Was the parcel delivered?",
  "Is it about shipping?",
  "Is it about a login?",
  "The writer praises the service.",
  "Is the message in English?",
  "Can this wait until tomorrow?",
  "Is this a joke?",
  "Does the text name a product?",
  "The customer wants to cancel.",
  "Is the app wrong?",
  "Is money owed?",
  "Does the sender ask for help?",
  "Is this an advertisement?",
  "The text is about sports.",
  "Is a deadline given?",
  "Is the text about health?",
  "Does it mention a city?",
  "Is the request legitimate?",
  "Is the customer new?",
  "Should billing handle this?"
]

const states: ReadonlyArray<string> = [
  "The app logs me out every time I open a chart, since the update on Monday. Until then it was the best tool we had.",
  JSON.stringify({ order: 7731, items: ["lamp", "bulb"], note: "leave it with the neighbour, thanks!", paid: true }),
  "Team, the release moves to Thursday: two of us are ill, and the payment tests still fail on the staging server."
]

const long = `${state} ${"The driver left a note at the door, and nobody has called since. ".repeat(40)}`

const filler = "The weather was mild and the trains were on time. ".repeat(600).slice(0, 29_900)

withLayer(Worker.layer)("the structure of the built-in models", (it) => {
  for (const name of names) {
    it(
      `${name}: the order of options changes no probability by more than 1e-4`,
      () =>
        Effect.gen(function* () {
          const plain = yield* ask(name, state, choices)
          for (const by of [1, 2]) {
            const turned = choices.map((q) => ({
              ...q,
              options: [...q.options.slice(by), ...q.options.slice(0, by)].toReversed()
            }))
            const found = yield* ask(name, state, turned)
            for (const [i, question] of choices.entries()) {
              const back = question.options.map((option) => found[i]?.[turned[i]?.options.indexOf(option) ?? -1] ?? 0)
              expect(apart(plain[i], back)).toBeLessThan(1e-4)
            }
          }
        }),
      60_000
    )

    it(
      `${name}: other questions in the run change no answer by more than 1e-5`,
      () =>
        Effect.gen(function* () {
          const all = [...choices, ...wordings.map(yesNo)]
          for (const [text, asked] of [
            ...[state, ...states].map((short) => [short, all] as const),
            [long, choices] as const
          ]) {
            const among = yield* ask(name, text, [...others, ...asked])
            for (const [i, question] of asked.entries()) {
              const [alone] = yield* ask(name, text, [question])
              expect(apart(alone, among[others.length + i])).toBeLessThan(1e-5)
            }
          }
        }),
      60_000
    )

    it(
      `${name}: an answer is the same whether its options were read before, in part or not at all`,
      () =>
        Effect.gen(function* () {
          for (const [text, place] of [
            [state, "a short text"],
            [state.repeat(30), "a long text"]
          ] as const) {
            const fruits = ["quince", "medlar", "loquat", "damson"].map((fruit) => ({ name: `a ${fruit} in ${place}` }))
            const all = choice(`Which fruit is in ${place}?`, fruits)
            const some = { ...all, options: fruits.slice(0, 2) }
            const [half] = yield* ask(name, text, [some])
            const [part] = yield* ask(name, text, [all])
            const [again] = yield* ask(name, text, [all])
            const [halfAgain] = yield* ask(name, text, [some])
            expect(apart(part, again)).toBeLessThan(1e-5)
            expect(apart(half, halfAgain)).toBeLessThan(1e-5)
          }
        }),
      60_000
    )

    it(
      `${name}: the last sentence of 30,000 characters changes the answer`,
      () =>
        Effect.gen(function* () {
          const asked = [yesNo("Does the customer want their money back?")]
          const [without = []] = yield* ask(name, filler, asked)
          const [among = []] = yield* ask(name, `${filler} I am the customer and I want my money back.`, asked)
          // How often a fact turns the answer is measured by bench/quality.
          expect(apart(among, without)).toBeGreaterThan(0.03)
        }),
      60_000
    )

    it(
      `${name}: 255 options get an answer`,
      () =>
        Effect.gen(function* () {
          const options = Array.from({ length: 254 }, (_, i) => ({ name: `topic ${i}`, description: "as in the list" }))
          const [wide = []] = yield* ask(name, state, [
            choice("What is this about?", [...options, { name: "a lost parcel" }])
          ])
          expect(wide.length).toBe(255)
          expect(wide.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9)
          expect(wide[254]).toBe(Math.max(...wide))
        }),
      60_000
    )

    it(
      `${name}: yes/no and the choice between yes and no agree`,
      () =>
        Effect.gen(function* () {
          const nouls = wordings.map(yesNo)
          const asNoul = yield* ask(name, state, nouls)
          const asChoice = yield* ask(
            name,
            state,
            nouls.map((q) => ({ ...q, type: "choice" as const }))
          )
          const distances = wordings.map((_, i) => apart(asNoul[i], asChoice[i]))
          expect(distances.length).toBe(30)
          expect(distances.reduce((a, b) => a + b) / distances.length).toBeLessThan(0.05)
        }),
      60_000
    )
  }

  it(
    "a text of few characters and very many tokens is refused before it is read",
    () =>
      Effect.gen(function* () {
        const text = "\ufdfa ".repeat(32_000)
        const refused = yield* Effect.flip(ask("svc-multilingual", text, [yesNo("Is this a blessing?")]))
        expect(String(refused)).toContain("128000 tokens")
      }),
    60_000
  )

  it(
    "questions that would take longer together than an answer may are refused before any is answered",
    () =>
      Effect.gen(function* () {
        const options = Array.from({ length: 255 }, (_, i) => ({ name: `topic ${i}`, description: "as in the list" }))
        const asked = Array.from({ length: 32 }, (_, i) => choice(`Which topic of group ${i}?`, options))
        const text = state.repeat(400)
        const [took, refused] = yield* Effect.timed(Effect.flip(ask("svc-english", text, asked)))
        expect(String(refused)).toContain("ask them in several requests")
        expect(Duration.toSeconds(took)).toBeLessThan(20)
      }),
    60_000
  )

  it(
    "a run that is too big for the graph of short texts gets the same answers from the other one",
    () =>
      Effect.gen(function* () {
        const text = state.repeat(7)
        const wide = Array.from({ length: 20 }, (_, i) =>
          choice(
            `Which topic of group ${i}?`,
            Array.from({ length: 30 }, (_, k) => ({
              name: `topic ${k} of ${i}`,
              description: "as in the list of topics"
            }))
          )
        )
        const among = yield* ask("svc-english", text, wide)
        for (const i of [0, 19]) {
          const [alone] = yield* ask("svc-english", text, wide.slice(i, i + 1))
          expect(apart(alone, among[i])).toBeLessThan(0.005)
        }
      }),
    60_000
  )
})
