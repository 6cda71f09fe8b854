import { Option, Schema } from "effect"
import type { AskRequest } from "#schema/console/Ask"
import { isExact } from "#schema/Field"

/** An option as it is being written; `key` tells it apart while its name changes. */
export interface DraftOption {
  readonly key: string
  readonly name: string
  readonly description: string
}

/** A question as it is being written; `options` are the options of a choice or the levels of a score. */
export interface DraftQuestion {
  readonly key: string
  readonly id: string
  readonly type: "choice" | "noul" | "score"
  readonly instructions: string
  readonly options: ReadonlyArray<DraftOption>
  readonly yes: string
  readonly no: string
}

/** Everything on the playground that a link restores. */
export interface Draft {
  readonly stateKind: "text" | "json"
  readonly state: string
  readonly model: string
  readonly cache: boolean
  readonly asking: "questions" | "template"
  readonly template: string
  readonly questions: ReadonlyArray<DraftQuestion>
}

let keys = 0
const freshKey = () => `k${++keys}`

/** A new option. */
export const option = (name: string, description = ""): DraftOption => ({ key: freshKey(), name, description })

/** A new question, a choice unless `parts` say otherwise. */
export const question = (id: string, parts: Partial<DraftQuestion> = {}): DraftQuestion => ({
  key: freshKey(),
  id,
  type: "choice",
  instructions: "",
  options: [],
  yes: "",
  no: "",
  ...parts
})

/** What the playground begins with. */
export const firstDraft = (): Draft => ({
  stateKind: "text",
  state:
    "Hi, I was charged twice for my March invoice. Please send one of the two payments back before Friday, my rent is due.",
  model: "svc-auto",
  cache: true,
  asking: "questions",
  template: "support_intent",
  questions: [
    question("topic", {
      instructions: "What does the customer want?",
      options: [
        option("refund", "money back"),
        option("cancellation", "end the contract"),
        option("question"),
        option("praise")
      ]
    }),
    question("urgent", { type: "noul", instructions: "Does the customer name a deadline?" }),
    question("mood", {
      type: "score",
      instructions: "How upset is the customer?",
      options: [option("calm"), option("annoyed"), option("angry")]
    })
  ]
})

const instructed = (text: string) => (text.trim() === "" ? {} : { instructions: text })

/** The question as the open question-set format writes it. */
export const asked = ({ type, instructions, options, yes, no }: DraftQuestion): AskRequest["questions"][number][1] => {
  switch (type) {
    case "choice":
      return {
        type,
        ...instructed(instructions),
        criteria: Object.fromEntries(
          options.map(({ name, description }) => [name, description === "" ? null : description])
        )
      }
    case "score":
      return {
        type,
        ...instructed(instructions),
        criteria: options.map(({ name, description }) => (description === "" ? name : `${name}: ${description}`))
      }
    case "noul":
      return {
        type,
        ...instructed(instructions),
        ...(yes === "" && no === ""
          ? {}
          : { criteria: { true: yes === "" ? null : yes, false: no === "" ? null : no } })
      }
  }
}

const wrapped = (message: string) => JSON.stringify({ message }, null, 2)

const unwrapped = (state: string): string =>
  Schema.decodeOption(Schema.parseJson(Schema.Struct({ message: Schema.String })))(state).pipe(
    Option.map(({ message }) => message),
    Option.filter((message) => wrapped(message) === state),
    Option.getOrElse(() => state)
  )

/** Whether JSON is an object or a list. */
export const isNested = (json: string) => /^\s*[[{]/.test(json)

/** The draft with its state of another kind: a text becomes the message of an object, and is itself when it comes back. */
export const restated = (draft: Draft, stateKind: Draft["stateKind"]): Draft => {
  const { state } = draft
  if (stateKind === draft.stateKind) return draft
  if (stateKind === "text") return { ...draft, stateKind, state: unwrapped(state) }
  return { ...draft, stateKind, state: isNested(state) ? state : wrapped(state) }
}

/** A whole number that JavaScript would round keeps its digits, as in the service itself, where the browser can. */
const parsed = (json: string): unknown =>
  JSON.parse(json, (_, value, context) =>
    typeof value === "number" && context?.source !== undefined && !isExact(value)
      ? (JSON.rawJSON?.(context.source) ?? value)
      : value
  )

/** The state as it is sent; throws a SyntaxError where it should be JSON and is not. */
export const stateOf = ({ stateKind, state }: Draft): unknown =>
  stateKind === "text" ? state : isNested(state) ? parsed(state) : JSON.parse(state)

/** The draft as it is sent. */
export const askPayload = (draft: Draft): AskRequest => {
  const state = stateOf(draft)
  return {
    state: typeof state === "string" || (typeof state === "object" && state !== null) ? state : String(state),
    model: draft.model,
    cache: draft.cache,
    questions: draft.questions.map((one) => [one.id, asked(one)] as const)
  }
}

/** What keeps the draft from being asked, in words. */
export const obstacle = (draft: Draft): string | undefined => {
  if (draft.stateKind === "json") {
    try {
      const state = stateOf(draft)
      if (typeof state !== "object" || state === null) return "The JSON state is an object or a list."
    } catch {
      return "The state is not valid JSON yet."
    }
  }
  if (draft.asking === "template")
    return draft.stateKind === "json" ? "Templates read a text; switch the state to text." : undefined
  const ids = draft.questions.map(({ id }) => id)
  if (ids.length === 0) return "Add a question."
  if (new Set(ids).size < ids.length) return "Two questions have the same id."
  const short = draft.questions.find(({ type, options }) => type !== "noul" && options.length < 2)
  if (short !== undefined) return `“${short.id}” needs at least two ${short.type === "score" ? "levels" : "options"}.`
  const unnamed = draft.questions.find(
    ({ type, options }) => type !== "noul" && options.some(({ name }) => name.trim() === "")
  )
  if (unnamed !== undefined) return `An option of “${unnamed.id}” has no name.`
  const twice = draft.questions.find(
    ({ type, options }) => type === "choice" && new Set(options.map(({ name }) => name)).size < options.length
  )
  return twice === undefined ? undefined : `Two options of “${twice.id}” have the same name.`
}
