import type { TemplateName } from "#schema/Template"
import { call, untilAnswered } from "../api.ts"
import { type Shown, shownAnswer } from "./AnswerView.tsx"
import { askPayload, type Draft, type DraftQuestion } from "./draft.ts"

/** A question and all that its answer depends on but the order of its options. */
const unordered = ({ stateKind, state }: Draft, { instructions, options }: DraftQuestion, model: string) => {
  const named = options.map(({ name, description }) => [name, description]).sort()
  return JSON.stringify([model, stateKind, state, instructions, named])
}

/** What a run of the playground brought. */
export interface Run {
  readonly answers: ReadonlyArray<Shown>
  readonly model: string
  readonly latency: number
  readonly costMicros: number
  readonly decisions: number
  readonly cached: boolean | undefined
  readonly requestId: string
}

const runTemplate = async (draft: Draft, template: TemplateName): Promise<Run> => {
  const decision = await call(
    ({ ask }) =>
      ask.askTemplate({
        payload: { template, text: draft.state, model: draft.model, cache: draft.cache }
      }),
    { patience: untilAnswered }
  )
  const verdict = typeof decision.decision === "boolean" ? (decision.decision ? "yes" : "no") : decision.decision
  return {
    answers: [
      {
        id: template,
        verdict: decision.score === undefined ? verdict : `${verdict} · ${decision.score.toFixed(2)}`,
        confidence: decision.confidence,
        shares: Object.entries(decision.probabilities),
        chosen: verdict,
        asked: undefined
      }
    ],
    model: decision.model,
    latency: decision.latency_ms,
    costMicros: decision.usage.cost_micros,
    decisions: decision.usage.decisions,
    cached: undefined,
    requestId: decision.request_id
  }
}

const runQuestions = async (draft: Draft): Promise<Run> => {
  const { answers, meta, model } = await call(({ ask }) => ask.ask({ payload: askPayload(draft) }), {
    patience: untilAnswered
  })
  return {
    answers: draft.questions.flatMap((question) => {
      const { id, options } = question
      const answer = answers[id]
      const order = options.map(({ name }) => name)
      return answer === undefined ? [] : [shownAnswer(id, answer, order, unordered(draft, question, model))]
    }),
    model,
    latency: meta.latency_ms,
    costMicros: meta.cost_micros,
    decisions: meta.decisions,
    cached: meta.cached,
    requestId: meta.request_id
  }
}

/** Asks what the draft says. */
export const run = (draft: Draft, template: TemplateName | undefined): Promise<Run> =>
  draft.asking === "template" && template !== undefined ? runTemplate(draft, template) : runQuestions(draft)
