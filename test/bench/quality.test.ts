import { describe, expect, test } from "bun:test"
import { bagOfWords, majority, similarity } from "../../bench/quality/Baselines.ts"
import { cardFigures, withSection } from "../../bench/quality/Card.ts"
import type { Answered } from "../../bench/quality/Case.ts"
import { draw, sample } from "../../bench/quality/Draw.ts"
import { labelledCase } from "../../bench/quality/Labelled.ts"
import { accuracy, brier, calibrationError, changed, macroF1, scoreError } from "../../bench/quality/Metrics.ts"

const answered = (answer: number, probabilities: ReadonlyArray<number>, more: Partial<Answered> = {}): Answered => ({
  family: "family",
  set: "set",
  task: "task",
  lang: "en",
  state: "the parcel is late",
  question: {
    type: "choice",
    wording: "What is it about?",
    options: probabilities.map((_, i) => ({ name: `option ${i}` }))
  },
  answer,
  probabilities,
  labels: probabilities.map((_, i) => String(i)),
  ...more
})

describe("metrics", () => {
  const mixed = [answered(0, [0.9, 0.1]), answered(0, [0.4, 0.6]), answered(1, [0.2, 0.8]), answered(1, [0.3, 0.7])]

  test("accuracy is the share of right answers", () => expect(accuracy(mixed)).toBe(0.75))

  test("macro-F1 is the mean over labels, then over tasks", () => {
    expect(macroF1(mixed)).toBeCloseTo((2 / 3 + 4 / 5) / 2, 12)
    const perfect = answered(0, [1, 0], { task: "other" })
    expect(macroF1([...mixed, perfect])).toBeCloseTo(((2 / 3 + 4 / 5) / 2 + 1) / 2, 12)
    const { labels: _, ...own } = perfect
    expect(macroF1([own])).toBeUndefined()
  })

  test("Brier is 0 for a sure right answer and 2 for a sure wrong one", () => {
    expect(brier([answered(0, [1, 0, 0])])).toBe(0)
    expect(brier([answered(1, [1, 0, 0])])).toBe(2)
    expect(brier([answered(0, [0.5, 0.5])])).toBe(0.5)
  })

  test("calibration error is nought where shares and probabilities agree", () => {
    const honest = [0, 0, 0, 0, 1].map((answer) => answered(answer, [0.8, 0.2]))
    expect(calibrationError(honest)).toBeCloseTo(0, 12)
    const boastful = [0, 1].map((answer) => answered(answer, [1, 0]))
    expect(calibrationError(boastful)).toBeCloseTo(0.5, 12)
    expect(calibrationError([...honest, ...boastful])).toBeCloseTo((2 * 0.5) / 7, 12)
  })

  test("score error is the distance of the expected level, of scores alone", () => {
    expect(scoreError([answered(2, [0, 0.5, 0.5], { level: 1.75 }), answered(0, [1, 0])])).toBeCloseTo(0.25, 12)
  })

  test("changed counts only choices that were asked twice", () => {
    const twice = (shuffled: ReadonlyArray<number>) => answered(0, [0.6, 0.4], { shuffled })
    expect(changed([answered(0, [1, 0])])).toBeUndefined()
    expect(changed([twice([0.6, 0.4]), twice([0.4, 0.6]), answered(0, [1, 0])])).toBe(0.5)
  })
})

describe("baselines", () => {
  test("majority takes the label that is right most often elsewhere, and guesses where none is", () => {
    const rows = [0, 0, 0, 0, 1, 1].map((answer) => answered(answer, [0.5, 0.5]))
    expect(majority(rows)).toBeCloseTo(4 / 6, 12)
    expect(majority([answered(1, [1, 0])])).toBe(0.5)
    const { labels: _, ...own } = answered(3, [0.2, 0.2, 0.2, 0.4])
    expect(majority([own])).toBe(0.25)
  })

  test("bag of words prefers the option that shares words with the text", () => {
    const options = [{ name: "billing" }, { name: "delivery", description: "a late parcel" }]
    const one = answered(1, [1, 0], { question: { type: "choice", wording: "?", options } })
    expect(bagOfWords([one])).toBe(1)
    expect(similarity("a b", "A b")).toBeCloseTo(1, 12)
    expect(similarity("a b", "c")).toBe(0)
  })
})

describe("labelled rows", () => {
  const labels = { joy: "is glad", anger: "is angry", fear: "is afraid" }
  const questions = ["Does the writer feel {label}?", "True: the writer {desc}?"]
  const asked = (own: Readonly<Record<string, string>> | undefined) =>
    Array.from({ length: 200 }, (_, i) => {
      const task = { type: "yes_no" as const, field: "label", questions, ...(own === undefined ? {} : { labels: own }) }
      const choice = { type: "choice" as const, field: "label", questions: ["Which emotion?"], labels }
      const set = { id: "emotions", family: "c-sentiment", tasks: own === undefined ? [choice, task] : [task] }
      return labelledCase(set, { set: set.id, split: "dev", lang: "en", text: `Hurrah ${i}!`, label: "joy" }, "1").asked
    })
      .flat()
      .filter(({ question }) => question.type === "noul")

  test("are asked as often about a label that does not hold, taken from the choice where the question names none", () => {
    const about = asked(undefined)
    const right = about.filter(({ answer }) => answer === 0)
    expect(about.length).toBe(200)
    expect(right.length).toBeGreaterThan(70)
    expect(right.length).toBeLessThan(130)
    for (const { question, answer } of about) expect(/joy|glad/.test(question.wording)).toBe(answer === 0)
  })

  test("are not asked about the only label there is", () => expect(asked({ joy: "is glad" })).toEqual([]))
})

describe("draws", () => {
  const rows = Array.from({ length: 40 }, (_, id) => ({ id, lang: id < 30 ? "en" : "de" }))

  test("are the same for the same seed, and others for another", () => {
    expect(sample(rows, 10, "a")).toEqual(sample(rows, 10, "a"))
    expect(sample(rows, 10, "a")).not.toEqual(sample(rows, 10, "b"))
  })

  test("take languages evenly, never a row twice, and all rows at most", () => {
    const ten = sample(rows, 10, "a")
    expect(ten.filter(({ lang }) => lang === "de").length).toBe(5)
    expect(new Set(sample(rows, 100, "a")).size).toBe(40)
  })

  test("shuffle into every order", () => {
    const by = draw("x")
    const orders = new Set(Array.from({ length: 200 }, () => by.shuffled([1, 2, 3]).join("")))
    expect(orders.size).toBe(6)
  })
})

describe("cards", () => {
  const answers = [
    answered(0, [0.9, 0.1], { family: "reviews" }),
    answered(1, [0.6, 0.4], { family: "spam" }),
    answered(1, [0.2, 0.8], { family: "spam", lang: "de" }),
    answered(0, [0.2, 0.8], { family: "templates", template: "language" })
  ]

  test("tell subjects apart and sum them up, without what another model answers", () => {
    const { families, measured } = cardFigures(answers, "2026-11-22")
    expect(measured).toBe("2026-11-22")
    expect(families.map((row) => [row.family, row.language, row.questions, row.accuracy])).toEqual([
      ["all", "en", 2, 0.5],
      ["all", "other", 1, 1],
      ["reviews", "en", 1, 1],
      ["spam", "en", 1, 0],
      ["spam", "other", 1, 1]
    ])
  })

  test("tell languages apart from twenty questions on", () => {
    const many = Array.from({ length: 20 }, () => answered(1, [0.2, 0.8], { lang: "de" }))
    expect(cardFigures([...answers, ...many], "").languages).toMatchObject([
      { language: "de", questions: 21, accuracy: 1 }
    ])
  })

  test("replace their own section alone", () => {
    const card = "# model\n\nAbout it.\n\n## Limits\nMany.\n"
    const once = withSection(card, "| a |")
    expect(once).toBe("# model\n\nAbout it.\n\n## Limits\nMany.\n\n## Measured\n\n| a |\n")
    expect(withSection("# model\n\n## Measured\n\nold\n\n## Limits\nMany.\n", "| b |")).toBe(
      "# model\n\n## Measured\n\n| b |\n\n## Limits\nMany.\n"
    )
    expect(withSection(once, "| b |")).toBe(once.replace("| a |", "| b |"))
  })
})
