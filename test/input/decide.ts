import { broken, type Fault, fault, words } from "./faults.ts"

const numbered = (size: number) => Array.from({ length: size }, (_, i) => `o${i}`)
const described = (size: number) => Object.fromEntries(numbered(size).map((name) => [name, null]))
const own = (json: string): unknown => JSON.parse(json)

const notBoth = words.rule("give either 'template' or 'type' and 'question' (and 'options'), not both")

/** Faults of the fields that decide and decide batch share; `subject` is what is decided about. */
export const specFaults = (subject: Record<string, unknown>): ReadonlyArray<Fault> => {
  const ready = { ...subject, template: "spam" }
  const asked = { ...subject, type: "choice", question: "Which?", options: ["a", "b"] }
  const template = fault(ready)
  const ask = fault(asked)
  return [
    template("template", "spams", words.template),
    template("template", 1, words.template),
    template("template", [], words.template),
    ask("type", "noul", words.type),
    ask("type", true, words.type),
    ask("question", 7, words.string),
    ask("question", {}, words.string),
    ask("question", "q".repeat(2001), words.long(2000)),
    ask("options", "a, b", words.list),
    ask("options", 2, words.list),
    ask("options", [], words.few("List", 2, 0)),
    ask("options", ["a"], words.few("List", 2, 1)),
    ask("options", {}, words.few("Dictionary", 2, 0)),
    ask("options", { a: null }, words.few("Dictionary", 2, 1)),
    ask("options", numbered(256), words.many("List", 255, 256)),
    ask("options", described(256), words.many("Dictionary", 255, 256)),
    ask("options", ["a", null], words.string, 1),
    ask("options", [true, "b"], words.string, 0),
    ask("options", ["a", ["b"]], words.string, 1),
    ask("options", ["a", "b".repeat(2001)], words.long(2000), 1),
    ask("options", ["a", "b", "a"], words.rule("two options have the same name"), 2),
    ask("options", [1, "1"], words.rule("two options have the same name"), 1),
    ask("options", [2 ** 53, 1], words.rule("a number loses digits beyond 2^53; send it as a string"), 0),
    ask("options", { a: 1, b: null }, words.string, "a"),
    ask("options", { a: "x".repeat(2001), b: null }, words.long(2000), "a"),
    ask("options", { ["x".repeat(2001)]: null, b: null }, words.long(2000), "x".repeat(2001)),
    ask(
      "options",
      own('{"a":null,"__proto__":null}'),
      words.rule("'__proto__' cannot be the name of an option"),
      "__proto__"
    ),
    template("model", 1, words.string),
    template("model", {}, words.string),
    template("model", "gpt-5", words.rule("Unknown model. GET /v1/models lists the models of this key")),
    template("lang", 1, words.string),
    template("cache", "true", words.boolean),
    template("cache", 1, words.boolean),
    broken("template beside type", { ...ready, type: "yes_no" }, notBoth),
    broken("template beside question", { ...ready, question: "Which?" }, notBoth),
    broken("template beside options", { ...ready, options: ["a", "b"] }, notBoth),
    broken(
      "nothing to ask",
      subject,
      words.rule("give either 'template', or 'type' and 'question' (and 'options' for choice and score)")
    ),
    broken(
      "only nulls to ask",
      { ...subject, template: null, type: null, question: null },
      words.rule("give either 'template', or 'type' and 'question' (and 'options' for choice and score)")
    ),
    broken("type without question", { ...subject, type: "yes_no" }, words.rule("'question' is required with 'type'")),
    broken(
      "question without type",
      { ...subject, question: "Which?" },
      words.rule("'type' is required with 'question'")
    ),
    broken(
      "yes_no with options",
      { ...asked, type: "yes_no" },
      words.rule("'options' cannot be given with type 'yes_no'")
    ),
    broken(
      "choice without options",
      { ...asked, options: null },
      words.rule("'options' is required with type 'choice'")
    ),
    broken(
      "score without options",
      { ...asked, type: "score", options: null },
      words.rule("'options' is required with type 'score'")
    )
  ]
}

const one = fault({ text: "x", template: "spam" })

export const decideFaults: ReadonlyArray<Fault> = [
  one("text", undefined, words.missing),
  one("text", null, words.string),
  one("text", 1, words.string),
  one("text", ["x"], words.string),
  one("text", "x".repeat(32_001), words.long(32_000)),
  one("text", "😀".repeat(32_001), words.long(32_000)),
  ...specFaults({ text: "x" })
]

const many = fault({ texts: ["x"], template: "spam" })

export const decideBatchFaults: ReadonlyArray<Fault> = [
  many("texts", undefined, words.missing),
  many("texts", null, words.list),
  many("texts", "x", words.list),
  many("texts", { 0: "x" }, words.list),
  many("texts", [], words.few("List", 1, 0)),
  many("texts", Array(65).fill("x"), words.many("List", 64, 65)),
  many("texts", ["x", 1], words.string, 1),
  many("texts", ["x", "x", null], words.string, 2),
  many("texts", ["x".repeat(32_001)], words.long(32_000), 0),
  ...specFaults({ texts: ["x"] })
]
