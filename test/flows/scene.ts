import { Effect } from "effect"
import type { FlowContent } from "#schema/FlowDraft"
import type { FlowGraph } from "#schema/FlowGraph"
import { Flows } from "#src/flows/Flows"

/** Three questions, of which a text that is urgent meets one, one for billing two, and one for sales three. */
export const definition: FlowGraph = {
  schema: 1,
  start: "hurry",
  nodes: [
    {
      id: "hurry",
      kind: "ask",
      label: "Hurry?",
      ask: { type: "yes_no", question: "Is it urgent?", cache: false },
      x: 0,
      y: 0
    },
    {
      id: "team",
      kind: "ask",
      label: "Team?",
      ask: { type: "choice", question: "Which team?", options: ["billing", "sales"], cache: false }
    },
    {
      id: "size",
      kind: "ask",
      label: "Size?",
      ask: { type: "score", question: "How large?", options: { small: "up to ten", large: null }, cache: false }
    },
    { id: "now", kind: "end", outcome: "act now" },
    { id: "billing", kind: "end", outcome: "billing" },
    { id: "small", kind: "end", outcome: "sales" },
    { id: "large", kind: "end", outcome: "sales", label: "Key accounts" },
    { id: "unsure", kind: "end", outcome: "a person decides" }
  ],
  edges: [
    { id: "hurry-yes", from: "hurry", to: "now", when: { answer: "yes" } },
    { id: "hurry-no", from: "hurry", to: "team", when: { answer: "no" } },
    { id: "team-unsure", from: "team", to: "unsure", when: { confidence_below: 0.5 } },
    { id: "team-billing", from: "team", to: "billing", when: { option: "billing" } },
    { id: "team-else", from: "team", to: "size", when: { otherwise: true } },
    { id: "size-large", from: "size", to: "large", when: { levels: ["large"] } },
    { id: "size-else", from: "size", to: "small", when: { otherwise: true } }
  ]
}

export const content: FlowContent = { name: "Front door", description: "Who takes it", definition }

/** A flow of the account, published. */
export const published = Effect.fn(function* (accountId: string, slug: string, what: FlowContent = content) {
  const flows = yield* Flows
  const { id, revision } = yield* flows.create(accountId, slug, what)
  yield* flows.publish({ accountId, id, revision })
  return { accountId, id, revision }
})
