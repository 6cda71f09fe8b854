import { Either, ParseResult, Schema } from "effect"
import { DecisionSpec } from "#schema/Decision"
import type { Ask } from "#schema/FlowGraph"
import type { QuestionType } from "#schema/Question"
import { details } from "#schema/Validation"
import type { Asked } from "../decisions/Asked.ts"

/** What a flow may build on. */
export interface Catalogue {
  /** The type and the options of what a spec asks, those of its template included. */
  readonly asked: (spec: DecisionSpec) => Pick<Asked, "type" | "options">
  /** Whether there is a model of this name. */
  readonly hasModel: (name: string) => boolean
}

/** What a node asks, and every answer there can be to it. */
export interface Question {
  readonly spec: DecisionSpec
  readonly type: QuestionType
  readonly answers: ReadonlyArray<string>
}

const decode = Schema.decodeUnknownEither(DecisionSpec)

const sentences = (error: ParseResult.ParseError): ReadonlyArray<string> =>
  details(ParseResult.ArrayFormatter.formatErrorSync(error), "ask").map(({ loc, msg }) => {
    const field = loc.slice(1).join(".")
    const words = msg.replace(/^Value error, /, "")
    return field === "" ? words : `${field}: ${words}`
  })

/** Reads what a node of a draft asks; left is what is wrong with it, a sentence each. */
export const readQuestion = (
  { asked, hasModel }: Catalogue,
  ask: Ask
): Either.Either<Question, ReadonlyArray<string>> =>
  Either.flatMap(Either.mapLeft(decode(ask), sentences), (spec) => {
    if (spec.model !== undefined && !hasModel(spec.model)) return Either.left([`there is no model '${spec.model}'`])
    const { type, options } = asked(spec)
    return Either.right({ spec, type, answers: options.map(({ name }) => name) })
  })
