import { describe, expect, test } from "bun:test"
import { BunContext } from "@effect/platform-bun"
import { Array as Arr, Effect, Layer, Record } from "effect"
import { Category } from "#schema/Category"
import { Answers } from "#src/answers/Answers"
import type { Bundle } from "#src/models/Bundle"
import { Models } from "#src/models/Models"
import { categories } from "#src/moderation/Categories"
import { live } from "#test/support/effect"
import { type Folder, readModeration } from "../../bench/quality/Folder.ts"
import { averagePrecision } from "../../bench/quality/Metrics.ts"
import { type ModeratedText, ownTexts, publicTexts } from "../../bench/quality/ModeratedText.ts"
import { moderation, moderationFigures } from "../../bench/quality/Moderation.ts"

const all = <A>(of: (category: Category) => A) => Record.map(categories, (_, category) => of(category))

/** A text that scores .9 in one category and is flagged for it alone, or for nothing. */
const moderated = (text: ModeratedText, given?: Category) => ({
  ...text,
  flagged: given !== undefined,
  categories: all((category) => category === given),
  category_scores: all((category) => (category === given ? 0.9 : 0.1))
})

const own = (category: Category | null, form: "plain" | "implicit" | "lookalike", lang = "en", kind?: string) => {
  const [text] = ownTexts([{ lang, text: "text", category, form, ...(kind === undefined ? {} : { kind }) }])
  if (text === undefined) throw new Error("no text")
  return text
}

describe("moderation figures", () => {
  test("average precision is 1 for a perfect order and falls with every wrong text before a right one", () => {
    const scored = (...order: ReadonlyArray<boolean>) =>
      order.map((positive, i) => ({ score: 1 - i / 10, positive })).toReversed()
    expect(averagePrecision(scored(true, true, false))).toBe(1)
    expect(averagePrecision(scored(false, true, true))).toBeCloseTo((1 / 2 + 2 / 3) / 2, 12)
    expect(averagePrecision(scored(false))).toBeUndefined()
  })

  test("tell what is found by category and form, and what is flagged wrongly by kind", () => {
    const found = moderationFigures([
      moderated(own("hate", "plain"), "hate"),
      moderated(own("hate", "plain", "de"), "harassment"),
      moderated(own("hate", "implicit")),
      moderated(own("violence", "plain"), "violence"),
      moderated(own(null, "lookalike", "en", "news"), "hate"),
      moderated(own(null, "lookalike", "en", "sport"))
    ])
    expect(found.categories.hate).toEqual({
      positive: 3,
      others: 2,
      auprc: (1 + 2 / 3 + 3 / 4) / 3,
      f1: 2 / 5,
      false_alarms: 1 / 2,
      plain: 1 / 2,
      implicit: 0,
      misspelt: undefined,
      flagged: 2 / 3
    })
    expect(found.other_languages).toEqual({ texts: 1, found: 0 })
    expect(found.lookalikes).toEqual({ texts: 2, flagged: 1 / 2 })
    expect(found.kinds).toEqual({ news: { texts: 1, flagged: 1 }, sport: { texts: 1, flagged: 0 } })
  })
})

describe("public sets", () => {
  const rule = { field: "label", positive: [], negative: [], weak_negative: [] }
  const set = (id: string, moderation: NonNullable<Folder["sets"][number]["moderation"]>) => ({
    id,
    family: "f-moderation",
    tasks: [],
    moderation
  })
  const row = (set: string, text: string, more: object) => ({ set, split: "dev", lang: "en", text, ...more })
  const folder: Folder = {
    sets: [
      set("abuse", {
        hate: { ...rule, field: "label2", positive: ["hateful"], negative: ["normal"] },
        violence: { ...rule, target: "violence", positive: ["yes"], weak_negative: ["no"] }
      }),
      set("films", { "all categories": { ...rule, negative: ["every row"] } })
    ],
    labelled: [
      {
        name: "rows",
        rows: [
          row("abuse", "a", { label2: ["rude", "hateful"], label: "no", target: "violence" }),
          row("abuse", "b", { label2: "normal", label: "yes", target: "anger" }),
          row("abuse", "c", { label2: "rude" }),
          row("films", "d", { label: "good" })
        ]
      }
    ],
    written: [],
    templates: []
  }

  test("say of a text what their labels say, and nothing of other categories", () => {
    const known = Object.fromEntries(publicTexts(folder, 10, "1").map((one) => [one.text, one]))
    expect(Object.keys(known).sort()).toEqual(["a", "b", "d"])
    expect([...(known.a?.known ?? [])]).toEqual([
      ["hate", true],
      ["violence", false]
    ])
    expect([...(known.b?.known ?? [])]).toEqual([["hate", false]])
    expect(known.d?.kind).toBe("ordinary")
    expect([...(known.d?.known.values() ?? [])]).toEqual(Category.literals.map(() => false))
  })
})

describe("the committed texts", () => {
  live("cover every category, five of them in three forms, and safe texts that look like them", () =>
    Effect.gen(function* () {
      const rows = yield* readModeration
      const counts = Record.map(
        Arr.groupBy(rows, ({ category, form }) => `${category} ${form}`),
        (group) => group.length
      )
      for (const category of Category.literals) expect(counts[`${category} plain`]).toBeGreaterThanOrEqual(10)
      for (const category of ["hate", "harassment", "harassment/threatening", "self-harm/intent", "violence"])
        for (const form of ["implicit", "misspelt"]) expect(counts[`${category} ${form}`]).toBeGreaterThanOrEqual(10)
      expect(counts["null lookalike"]).toBeGreaterThanOrEqual(120)
      expect(rows.every(({ category, form, kind }) => (category === null) === (form === "lookalike" && !!kind))).toBe(
        true
      )
      expect(new Set(rows.map(({ text }) => text)).size).toBe(rows.length)
    }).pipe(Effect.provide(BunContext.layer))
  )
})

describe("measuring", () => {
  const bundle: Bundle = {
    directory: "",
    checksum: "",
    manifest: {
      schema: 1,
      family: "cross-encoder",
      name: "measured",
      checkpoint: "measured-1",
      description: "",
      release_date: "",
      languages: ["en"],
      temperatures: [],
      moderation: { hate: { question: "Hate?", threshold: 0.7 } },
      licence: "",
      sources: [],
      files: {},
      graph: "",
      tokenizer: "",
      entailment: 0,
      window: 1,
      statement: ""
    }
  }
  const models = Layer.succeed(
    Models,
    Models.of({
      all: [],
      kept: [],
      list: () => Effect.succeed([]),
      route: () => Effect.die("another model"),
      resolve: () => Effect.die("another model")
    })
  )
  /** Eight to two that a text is hateful, and little chance of all else; only of the model that is measured. */
  const answers = Layer.succeed(
    Answers,
    Answers.of({
      model: () => Effect.die("a model is measured, not named"),
      ask: ({ model, questions }) =>
        Effect.succeed({
          model,
          checkpoint: "",
          inputTokens: 0,
          cached: false,
          probabilities: questions.map(({ wording }) =>
            model === "measured" && wording === "Hate?" ? [0.8, 0.2] : [0.1, 0.9]
          )
        })
    })
  )

  live("asks the model that is measured, with its own wordings and thresholds, whatever it reads best", () =>
    Effect.gen(function* () {
      const found = yield* moderation(bundle, [own("hate", "plain", "de"), own(null, "lookalike", "ja", "news")], 2)
      expect(found.thresholds.hate).toBe(0.7)
      expect(found.categories.hate).toMatchObject({ plain: 1, false_alarms: 1, flagged: 1 })
      expect(found.categories.violence).toMatchObject({ positive: 0, false_alarms: 0 })
    }).pipe(Effect.provide(Layer.merge(models, answers)))
  )
})
