import { Effect, Either, Schema, Scope, Stream } from "effect"
import { FlowNotFound } from "#schema/Errors"
import { FlowSlug } from "#schema/FlowDraft"
import { Limits } from "#schema/Limits"
import { AskingRpcs } from "#schema/rpc/Asking"
import { Decisions } from "../decisions/Decisions.ts"
import { Runs } from "../flows/Runs.ts"
import { Moderation } from "../moderation/Moderation.ts"
import { QuestionSets } from "../questions/QuestionSets.ts"
import { Payer } from "./Payer.ts"

const isSlug = Schema.is(FlowSlug)

/** Texts of one stream that are decided at a time. */
const atOnce = 8

/** What /v1 answers, for internal services: the same services, no logic of its own. */
export const AskingHandlers = AskingRpcs.toLayer(
  Effect.gen(function* () {
    const { pay, reserve } = yield* Payer
    const decisions = yield* Decisions
    const sets = yield* QuestionSets
    const moderation = yield* Moderation
    const runs = yield* Runs

    return AskingRpcs.of({
      Decide: ({ spec, text, ...payment }) =>
        pay(
          payment,
          { decisions: 1 },
          (paid) => paid.turn(decisions.decide({ ...paid, spec, text })),
          () => 1
        ),

      DecideMany: ({ spec, texts, ...payment }) => {
        const one = Effect.fnUntraced(function* (index: number, text: string) {
          const paid = yield* reserve(payment, { decisions: 1 })
          return { index, paid, outcome: yield* Effect.either(paid.turn(decisions.decide({ ...paid, spec, text }))) }
        })
        const all = Effect.map(Effect.scope, (scope) => {
          const texted = [...texts.entries()]
          const worked = Stream.mapEffect(
            Stream.fromIterable(texted),
            ([index, text]) => Scope.extend(one(index, text), scope),
            { concurrency: atOnce, unordered: true }
          )
          // One after another, as they are handed to the connection: what is decided after a caller left is not charged.
          return Stream.mapEffect(worked, ({ index, paid, outcome }) =>
            Effect.as(paid.charge(Either.isRight(outcome) ? 1 : 0), { index, outcome })
          )
        })
        return Stream.unwrapScoped(all)
      },

      AnswerSet: ({ request, ...payment }) =>
        pay(
          payment,
          { decisions: request.questions.length },
          (paid) => paid.turn(sets.answer(paid, request)),
          () => request.questions.length
        ),

      Moderate: ({ texts, ...payment }) =>
        pay(
          payment,
          { decisions: texts.length * Limits.moderationDecisions },
          (paid) =>
            Effect.forEach(texts, (text) => paid.turn(moderation.moderate({ ...paid, text })), { concurrency: atOnce }),
          (results) => results.length * Limits.moderationDecisions
        ),

      // What cannot be a slug never reaches the database, which knows no U+0000.
      RunFlow: ({ slug, text, lang, ...payment }) =>
        isSlug(slug)
          ? pay(
              payment,
              { decisions: 0, flow: slug },
              ({ accountId, requestId, reserved, turn }) =>
                turn(runs.run(accountId, slug, { requestId, text, ...(lang === undefined ? {} : { lang }) }, reserved)),
              ({ usage }) => usage.decisions
            )
          : pay(payment, { decisions: 0 }, FlowNotFound.of, () => 0)
    })
  })
)
