interface Operation {
  readonly summary: string
  readonly description?: string
  /** Request bodies that are answered, by name. */
  readonly examples?: Readonly<Record<string, unknown>>
}

const support = "I was charged twice this month. Please send one payment back."

const set = {
  state: { subject: "Charged twice", body: support },
  model: "svc-auto",
  questions: {
    refund: { type: "noul", instructions: "Does the customer want money back?" },
    topic: {
      type: "choice",
      instructions: "What is `body` about?",
      criteria: { billing: "charges and invoices", other: null }
    },
    urgency: { type: "score", instructions: "How urgent is it?", criteria: ["can wait", "today", "now"] }
  }
}

/** What the operations are for, and requests to try, by operation id. */
export const operations: Readonly<Record<string, Operation>> = {
  "decisions.decide": {
    summary: "Decide about a text",
    description:
      "A ready-made decision (`template`), or a question of your own (`type`, `question`, `options`). Costs one decision.",
    examples: {
      template: { text: support, template: "support_intent" },
      yes_no: { text: support, type: "yes_no", question: "Does the customer want money back?" },
      choice: {
        text: support,
        type: "choice",
        question: "What is it about?",
        options: { billing: "charges and invoices", other: null }
      },
      score: { text: support, type: "score", question: "How urgent is it?", options: ["can wait", "today", "now"] }
    }
  },
  "decisions.decideBatch": {
    summary: "Decide about many texts",
    description: "One question about each of 1 to 64 texts. Every text is billed on its own; failed ones are not.",
    examples: { template: { texts: [support, "Where is my parcel?"], template: "routing" } }
  },
  "templates.listTemplates": { summary: "List the ready-made decisions", description: "Free." },
  "questionSets.systemOne": {
    summary: "Answer a set of questions about one state",
    description:
      "Up to 32 typed questions about a text or any JSON, in the open System One format. Costs one decision a question.",
    examples: { set }
  },
  "questionSets.systemOneBatch": {
    summary: "Answer many sets of questions",
    description: "1 to 64 sets with at most 256 questions in all. Failed sets are not billed.",
    examples: { sets: { requests: [set, { ...set, state: "Where is my parcel?" }] } }
  },
  "models.listModels": { summary: "List the models that this key can use", description: "Free." },
  "flows.listFlows": { summary: "List the published flows", description: "Free." },
  "flows.getFlow": { summary: "Read a published flow with its definition", description: "Free." },
  "flows.runFlow": {
    summary: "Run a flow on a text",
    description: "Only the questions on the path that is taken are billed.",
    examples: { text: { text: support } }
  },
  "usage.getUsage": { summary: "Balance, plan and use by day and key", description: "Days are UTC. Free." },
  "moderations.moderate": {
    summary: "Moderate texts as OpenAI's clients ask for it",
    description:
      "13 categories for each input: a string, a list of strings, or a list of text parts, which count as one input. Costs 8 decisions an input.",
    examples: {
      string: { input: "Have a nice day." },
      strings: { input: ["Have a nice day.", "I will find you."], model: "omni-moderation-latest" },
      parts: { input: [{ type: "text", text: "Have a nice day." }] }
    }
  }
}
