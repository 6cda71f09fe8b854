import { Clock, Context, Effect, Layer, Schema } from "effect"
import { DecisionSpec } from "#schema/Decision"
import { type FlowNotFound, InvalidRequest, type Overloaded, Unavailable } from "#schema/Errors"
import type { FlowRun, Step } from "#schema/Flow"
import { FlowConflict, type FlowInvalid } from "#schema/FlowDraft"
import type { AskNode, FlowGraph } from "#schema/FlowGraph"
import { Price } from "../billing/Price.ts"
import { Decisions } from "../decisions/Decisions.ts"
import { Flows } from "./Flows.ts"
import type { Based } from "./FlowsRepo.ts"
import { type Taken, walk } from "./Walk.ts"

/** A text to run a flow on. */
export interface Subject {
  readonly requestId: string
  readonly text: string
  /** Language hint; goes before those of the questions. */
  readonly lang?: string
}

type Failure = InvalidRequest | Overloaded | Unavailable

interface Answer {
  readonly answer: string
  readonly confidence: number
  readonly probabilities: Step["probabilities"]
}

const read = Schema.decodeUnknown(DecisionSpec)

/** A question that cannot be asked is no fault of the body that the caller sent: a text of any length is read. */
const ofTheFlow =
  ({ label, id }: AskNode) =>
  ({ detail }: InvalidRequest) => {
    const why = detail.map(({ msg }) => msg.replace(/^Value error, /, "")).join("; ")
    return InvalidRequest.at(
      ["path", "slug"],
      detail.some(({ loc }) => loc[1] === "model")
        ? `the model of its question '${label || id}' is no longer there`
        : `its question '${label || id}' cannot be asked: ${why}`
    )
  }

const nameOf = (decision: string | boolean): string =>
  typeof decision === "string" ? decision : decision ? "yes" : "no"

const step = ({ node, answer, edge }: Taken<Answer>): Step => ({
  step: node.id,
  label: node.label,
  answer: answer.answer,
  probability: answer.probabilities[answer.answer] ?? 0,
  confidence: answer.confidence,
  followed: edge.id,
  probabilities: answer.probabilities
})

/** A draft that can be run, and the most decisions that a run of it takes. */
export interface Rehearsal {
  readonly decisions: number
  readonly run: (subject: Subject) => Effect.Effect<FlowRun, Failure>
}

/** Runs of flows on texts. A run that succeeds is to be charged for its steps, by whoever asked for it. */
export class Runs extends Context.Tag("svc/Runs")<
  Runs,
  {
    /** Runs the published version; `reserved` are the decisions that are paid for. */
    readonly run: (
      accountId: string,
      slug: string,
      subject: Subject,
      reserved: number
    ) => Effect.Effect<FlowRun, FlowNotFound | Failure>
    /** Makes a draft ready to be tried, as it was at a revision; the version of its runs is 0. */
    readonly rehearse: (
      flow: Based
    ) => Effect.Effect<Rehearsal, FlowNotFound | FlowConflict | FlowInvalid | Unavailable>
  }
>() {
  static readonly layer = Layer.effect(
    Runs,
    Effect.gen(function* () {
      const flows = yield* Flows
      const { decide } = yield* Decisions
      const price = yield* Price

      const walked = Effect.fn("Runs.walked")(function* (
        accountId: string,
        flow: { readonly slug: string; readonly version: number; readonly definition: FlowGraph },
        { requestId, text, lang }: Subject
      ) {
        const started = yield* Clock.currentTimeMillis
        const ask = Effect.fnUntraced(function* (node: AskNode) {
          const spec = yield* Effect.orDie(read(node.ask))
          const hinted = lang === undefined ? spec : { ...spec, lang }
          const { decision, confidence, probabilities } = yield* decide({
            accountId,
            requestId,
            spec: hinted,
            text
          }).pipe(Effect.catchTag("InvalidRequest", ofTheFlow(node)))
          return { answer: nameOf(decision), confidence, probabilities }
        })
        const { end, steps } = yield* walk(flow.definition, ask).pipe(Effect.catchTag("Astray", Effect.die))
        return {
          flow: flow.slug,
          version: flow.version,
          outcome: end.outcome,
          ended_at: end.id,
          steps: steps.map(step),
          usage: { decisions: steps.length, ...price.of(steps.length) },
          latency_ms: (yield* Clock.currentTimeMillis) - started,
          request_id: requestId
        }
      })

      const run = Effect.fn("Runs.run")(function* (
        accountId: string,
        slug: string,
        subject: Subject,
        reserved: number
      ) {
        const flow = yield* flows.get(accountId, slug)
        const result = yield* walked(accountId, { ...flow, slug }, subject)
        // A longer version was published since the door reserved for the one before it.
        return result.steps.length > reserved ? yield* Unavailable.of() : result
      })

      const rehearse = Effect.fn("Runs.rehearse")(function* (place: Based) {
        const { slug, definition, revision } = yield* flows.draft(place)
        if (revision !== place.revision) return yield* FlowConflict.at(revision)
        const { longestPath } = yield* flows.measured(place.accountId, definition)
        return {
          decisions: longestPath,
          run: (subject: Subject) => walked(place.accountId, { slug, version: 0, definition }, subject)
        }
      })

      return Runs.of({ run, rehearse })
    })
  )
}
