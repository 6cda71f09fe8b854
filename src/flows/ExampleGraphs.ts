import type { FlowContent } from "#schema/FlowDraft"
import type { Ask, AskNode, Condition, EndNode, FlowEdge } from "#schema/FlowGraph"

/** A flow that a new account finds, published. */
export interface Example {
  readonly slug: string
  readonly content: FlowContent
}

// Without a place on the canvas: whoever draws them puts them in order.
const ask = (id: string, label: string, asks: Ask): AskNode => ({ id, kind: "ask", label, ask: asks })
const end = (id: string, outcome: string): EndNode => ({ id, kind: "end", outcome })

const way = (from: string, to: string, when: Condition): FlowEdge => {
  const [kind = "", value] = Object.entries(when)[0] ?? []
  const answer = kind === "otherwise" ? "otherwise" : kind === "confidence_below" ? "unsure" : [value].flat().join("-")
  return { id: `${from}-${answer}`, from, to, when }
}

const supportTriage: Example = {
  slug: "support-triage",
  content: {
    name: "Support triage",
    description:
      "Sends a customer's message to the team that can settle it, and wakes somebody where a day's wait would do harm.",
    definition: {
      schema: 1,
      start: "spam",
      nodes: [
        ask("spam", "Is it spam?", { template: "spam" }),
        ask("intent", "What does the customer want?", { template: "support_intent" }),
        ask("priority", "How soon must somebody act?", { template: "priority" }),
        ask("leaving", "Can the customer be kept?", {
          type: "yes_no",
          question:
            "Does the customer name a reason for leaving that could be resolved, such as the price, a fault or a missing feature?"
        }),
        end("discard", "discard"),
        end("on_call", "on_call"),
        end("technical", "technical_support"),
        end("billing", "billing"),
        end("shipping", "shipping"),
        end("retention", "retention"),
        end("cancellations", "cancellations"),
        end("sales", "sales"),
        end("person", "human_review")
      ],
      edges: [
        way("spam", "person", { confidence_below: 0.3 }),
        way("spam", "discard", { answer: "yes" }),
        way("spam", "intent", { answer: "no" }),
        way("intent", "person", { confidence_below: 0.35 }),
        way("intent", "billing", { option: "refund" }),
        way("intent", "billing", { option: "billing_question" }),
        way("intent", "priority", { option: "technical_issue" }),
        way("intent", "priority", { option: "account_access" }),
        way("intent", "leaving", { option: "cancellation" }),
        way("intent", "shipping", { option: "order_status" }),
        way("intent", "sales", { option: "product_question" }),
        way("intent", "person", { otherwise: true }),
        way("priority", "on_call", { levels: ["high", "urgent"] }),
        way("priority", "technical", { otherwise: true }),
        way("leaving", "retention", { answer: "yes" }),
        way("leaving", "cancellations", { answer: "no" })
      ]
    }
  }
}

const contentGate: Example = {
  slug: "content-gate",
  content: {
    name: "Content gate",
    description:
      "Stands before an assistant or a forum: blocks attacks and harmful texts, holds back personal data, lets the rest through.",
    definition: {
      schema: 1,
      start: "injection",
      nodes: [
        ask("injection", "Does it attack the assistant?", { template: "prompt_injection" }),
        ask("harm", "Does it break a content policy?", { template: "moderation" }),
        ask("personal", "Does it hold personal data?", { template: "pii" }),
        end("allow", "allow"),
        end("redact", "redact"),
        end("review", "review"),
        end("block", "block")
      ],
      edges: [
        way("injection", "review", { confidence_below: 0.3 }),
        way("injection", "block", { answer: "yes" }),
        way("injection", "harm", { answer: "no" }),
        way("harm", "review", { confidence_below: 0.4 }),
        way("harm", "personal", { option: "safe" }),
        way("harm", "block", { otherwise: true }),
        way("personal", "redact", { answer: "yes" }),
        way("personal", "allow", { answer: "no" })
      ]
    }
  }
}

/** Flows that show what flows are for, and work as they stand. */
export const examples: ReadonlyArray<Example> = [supportTriage, contentGate]
