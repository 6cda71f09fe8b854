import { Array as Arr, Console, Effect, Layer, Record } from "effect"
import { Category } from "#schema/Category"
import type { Moderation as Result } from "#schema/Moderation"
import type { Bundle } from "#src/models/Bundle"
import { Models } from "#src/models/Models"
import { categories } from "#src/moderation/Categories"
import { Moderation } from "#src/moderation/Moderation"
import { averagePrecision } from "./Metrics.ts"
import type { ModeratedText } from "./ModeratedText.ts"
import { decimal, percent, table } from "./Report.ts"

/** A text with what moderation says of it. */
export type Moderated = ModeratedText & Pick<Result, "flagged" | "categories" | "category_scores">

const share = <A>(all: ReadonlyArray<A>, of: (one: A) => boolean) =>
  all.length === 0 ? undefined : all.filter(of).length / all.length

const ofCategory = (category: Category, texts: ReadonlyArray<Moderated>) => {
  const known = texts.filter((one) => one.known.has(category))
  const [others, positive] = Arr.partition(known, (one) => one.known.get(category) === true)
  const passed = (one: Moderated) => one.categories[category]
  const right = positive.filter(passed).length
  const own = positive.filter(({ form }) => form !== undefined)
  const found = (form: string) =>
    share(
      own.filter((one) => one.form === form),
      passed
    )
  return {
    positive: positive.length,
    others: others.length,
    auprc: averagePrecision(
      known.map((one) => ({ score: one.category_scores[category], positive: one.known.get(category) === true }))
    ),
    f1: (2 * right) / Math.max(1, positive.length + known.filter(passed).length),
    false_alarms: share(others, passed),
    plain: found("plain"),
    implicit: found("implicit"),
    misspelt: found("misspelt"),
    flagged: share(own, ({ flagged }) => flagged)
  }
}

/** Of each category what is found and what is flagged wrongly, and of each kind of safe texts how many are flagged for anything. */
export const moderationFigures = (texts: ReadonlyArray<Moderated>) => {
  const alarms = (of: ReadonlyArray<Moderated>) => ({ texts: of.length, flagged: share(of, ({ flagged }) => flagged) })
  const foreign = texts.filter(({ form, lang }) => form === "plain" && lang !== "en")
  return {
    categories: Record.fromEntries(Category.literals.map((category) => [category, ofCategory(category, texts)])),
    other_languages: {
      texts: foreign.length,
      found: share(foreign, (one) => Category.literals.some((c) => one.known.get(c) === true && one.categories[c]))
    },
    lookalikes: alarms(texts.filter(({ form }) => form === "lookalike")),
    kinds: Record.map(
      Arr.groupBy(
        texts.filter(({ kind }) => kind !== undefined),
        ({ kind = "" }) => kind
      ),
      alarms
    )
  }
}

const routedTo = (bundle: Bundle) =>
  Layer.effect(
    Models,
    Effect.map(Models, (models) => Models.of({ ...models, route: () => Effect.succeed(bundle) }))
  )

/** Moderates texts with one model, as the endpoint does. */
export const moderation = Effect.fn("moderation")(
  function* ({ manifest }: Bundle, texts: ReadonlyArray<ModeratedText>, concurrency: number) {
    const { moderate } = yield* Moderation
    yield* Console.error(`${manifest.name}  ${texts.length} texts to moderate`)
    const found = yield* Effect.forEach(
      texts,
      (one, turn) =>
        Effect.map(
          moderate({ accountId: "quality", requestId: `moderation ${turn}`, text: one.text }),
          (result): Moderated => ({ ...one, ...result })
        ),
      { concurrency }
    )
    const thresholds = Record.map(categories, (standard, c) => (manifest.moderation?.[c] ?? standard).threshold)
    return { thresholds, ...moderationFigures(found) }
  },
  (measured, model) => Effect.provide(measured, Layer.provide(Moderation.layerNoDeps, routedTo(model)))
)
type Measured = Effect.Effect.Success<ReturnType<typeof moderation>>

/** Tables and lines for the card. */
export const moderationReport = ({ thresholds, ...found }: Measured): string => {
  const { texts, found: foreign } = found.other_languages
  return [
    "Moderation",
    table(
      [
        "category",
        "threshold",
        "texts of it",
        "others",
        "AUPRC",
        "F1",
        "false %",
        "plain %",
        "implicit %",
        "misspelt %",
        "flagged %"
      ],
      Category.literals.flatMap((category) => {
        const f = found.categories[category]
        if (f === undefined) return []
        const shares = [f.false_alarms, f.plain, f.implicit, f.misspelt, f.flagged].map(percent)
        return [
          [category, decimal(thresholds[category]), f.positive, f.others, decimal(f.auprc), decimal(f.f1), ...shares]
        ]
      })
    ),
    ...(texts === 0 ? [] : [`Of ${texts} plain texts in other languages ${percent(foreign)} % are found.`]),
    "Moderation, safe texts",
    table(
      ["kind", "texts", "flagged %"],
      [...Object.entries(found.kinds), ["**all look-alikes**", found.lookalikes] as const].map(([kind, f]) => [
        kind,
        f.texts,
        percent(f.flagged)
      ])
    )
  ].join("\n\n")
}
