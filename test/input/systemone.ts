import { type Fault, fault, words } from "./faults.ts"

const noul = { type: "noul", instructions: "Is it?" }
const sound = { state: "x", model: "svc-auto", questions: { q: noul } }
const set = fault(sound)
const question = (value: unknown, [type, msg]: readonly [string, string], ...below: ReadonlyArray<string>): Fault =>
  set("questions", { sound: noul, q: value }, [type, msg], "q", ...below)
const map = (size: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: size }, (_, i) => [`k${i}`, value]))

const state = words.rule("state should be a string, an object or a list")
const part = words.rule(
  "instructions, options and descriptions may each have at most 8000 characters when written as text"
)

export const systemOneFaults: ReadonlyArray<Fault> = [
  set("state", undefined, words.missing),
  set("state", null, state),
  set("state", 1, state),
  set("state", false, state),
  set("state", "x".repeat(64_001), words.rule("the state has more than 64000 characters when written as text")),
  set("state", { a: "x".repeat(64_000) }, words.rule("the state has more than 64000 characters when written as text")),
  set("model", undefined, words.missing),
  set("model", null, words.string),
  set("model", 1, words.string),
  set("model", "gpt-5", words.rule("Unknown model. GET /v1/models lists the models of this key")),
  set("lang", 1, words.string),
  set("cache", "no", words.boolean),
  set("cache", 0, words.boolean),
  set("questions", undefined, words.missing),
  set("questions", null, words.dict),
  set("questions", [noul], words.dict),
  set("questions", "q", words.dict),
  set("questions", {}, words.few("Dictionary", 1, 0)),
  set("questions", map(33, noul), words.many("Dictionary", 32, 33)),
  set(
    "questions",
    JSON.parse('{"__proto__":{"type":"noul"}}'),
    words.rule("'__proto__' cannot be the id of a question"),
    "__proto__"
  ),
  question("Is it?", words.object),
  question(null, words.object),
  question([], words.object),
  question({}, words.missing, "type"),
  question({ type: "yes_no" }, words.setType, "type"),
  question({ type: null }, words.setType, "type"),
  question({ type: "choice" }, words.missing, "criteria"),
  question({ type: "choice", criteria: null }, words.missing, "criteria"),
  question({ type: "choice", criteria: ["a"] }, words.dict, "criteria"),
  question({ type: "choice", criteria: {} }, words.few("Dictionary", 1, 0), "criteria"),
  question({ type: "choice", criteria: map(256, null) }, words.many("Dictionary", 255, 256), "criteria"),
  question({ type: "choice", criteria: { a: 1 } }, words.string, "criteria", "a"),
  question({ type: "choice", criteria: { a: null, b: true } }, words.string, "criteria", "b"),
  question(
    JSON.parse('{"type":"choice","criteria":{"__proto__":null}}'),
    words.rule("'__proto__' cannot be the name of an option"),
    "criteria",
    "__proto__"
  ),
  question({ type: "choice", criteria: { a: "x".repeat(8001) } }, part),
  question({ type: "choice", criteria: { ["x".repeat(8001)]: null } }, part),
  question({ type: "score" }, words.missing, "criteria"),
  question({ type: "score", criteria: { 0: "low" } }, words.list, "criteria"),
  question({ type: "score", criteria: [] }, words.few("List", 1, 0), "criteria"),
  question({ type: "score", criteria: Array(256).fill("a") }, words.many("List", 255, 256), "criteria"),
  question({ type: "noul", criteria: [] }, words.dict, "criteria"),
  question({ type: "noul", criteria: { true: 1 } }, words.string, "criteria", "true"),
  question({ type: "noul", criteria: { true: "a", false: false } }, words.string, "criteria", "false"),
  question({ type: "noul", instructions: "x".repeat(8001) }, part)
]

const batch = fault({ requests: [sound] })

/** What is told of one set of a batch in its own answer: it takes the models, or the text that a state is written as. */
const ofItsOwn = /^Value error, (Unknown model|the state has more|instructions, options)/

/** Faults that are one set's alone, which the others of its batch do not notice. */
export const itemFaults = systemOneFaults.filter(({ detail }) => detail.some(({ msg }) => ofItsOwn.test(String(msg))))

/** All other faults of a set, as the second of a batch. */
const nested = systemOneFaults
  .filter((one) => !itemFaults.includes(one))
  .map(
    ({ name, body, detail }): Fault => ({
      name: `requests[1].${name}`,
      body: { requests: [sound, body] },
      detail: detail.map(({ loc, ...said }) => ({ loc: ["body", "requests", 1, ...loc.slice(1)], ...said }))
    })
  )

export const soundSet = sound

export const systemOneBatchFaults: ReadonlyArray<Fault> = [
  batch("requests", undefined, words.missing),
  batch("requests", null, words.list),
  batch("requests", sound, words.list),
  batch("requests", [], words.few("List", 1, 0)),
  batch("requests", Array(65).fill(sound), words.many("List", 64, 65)),
  batch("requests", [sound, 1], words.object, 1),
  ...nested,
  {
    ...batch("requests", Array(9).fill({ ...sound, questions: map(29, noul) }), words.object),
    detail: [
      { loc: ["body"], msg: "Value error, a batch has at most 256 questions in all, not 261", type: "value_error" }
    ]
  }
]
