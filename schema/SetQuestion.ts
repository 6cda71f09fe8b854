import { ParseResult, Schema } from "effect"
import { isRecord, issueAt, oneOf, optional, ownName, request } from "./Field.ts"
import { Limits } from "./Limits.ts"

const Fields = request("Question", {
  type: oneOf("choice", "noul", "score"),
  instructions: optional(Schema.Unknown),
  criteria: optional(Schema.Unknown)
})

type Found = (type: string, msg: string, ...path: ReadonlyArray<string>) => ParseResult.ParseIssue

const sized = (kind: string, size: number, found: Found): ReadonlyArray<ParseResult.ParseIssue> => {
  const { least, most } = Limits.criteria
  if (size < least)
    return [found("too_short", `${kind} should have at least ${least} item after validation, not ${size}`)]
  return size > most
    ? [found("too_long", `${kind} should have at most ${most} items after validation, not ${size}`)]
    : []
}

const isDescription = (value: unknown) => value === null || typeof value === "string" || typeof value === "object"

/** What is wrong with the criteria of a question of this type. */
const faults = (
  type: (typeof Fields.Type)["type"],
  criteria: unknown,
  found: Found
): ReadonlyArray<ParseResult.ParseIssue> => {
  if (type === "noul") {
    if (criteria === undefined) return []
    if (!isRecord(criteria)) return [found("dict_type", "Input should be a valid dictionary")]
    return ["true", "false"].flatMap((side) =>
      isDescription(criteria[side] ?? null) ? [] : [found("string_type", "Input should be a valid string", side)]
    )
  }
  if (criteria === undefined) return [found("missing", "Field required")]
  if (type === "score") {
    if (!Array.isArray(criteria)) return [found("list_type", "Input should be a valid list")]
    return sized("List", criteria.length, found)
  }
  if (!isRecord(criteria)) return [found("dict_type", "Input should be a valid dictionary")]
  const entries = Object.entries(criteria)
  return [
    ...sized("Dictionary", entries.length, found),
    ...entries.flatMap(([name, description]) => {
      if (name === "__proto__")
        return [found("value_error", "Value error, '__proto__' cannot be the name of an option", name)]
      return isDescription(description) ? [] : [found("string_type", "Input should be a valid string", name)]
    })
  ]
}

// In words alone: in a batch, a set that is too long fails by itself, and the request is a good one all the same.
const long = `At most ${Limits.renderedPart} characters when written as text.`
const described = (words: string) => ({
  description: `${words} ${long}`,
  type: ["string", "object", "array", "null"]
})

/** A question in JSON Schema. */
export const setQuestionSchema = {
  type: "object",
  required: ["type"],
  properties: {
    type: {
      enum: ["choice", "noul", "score"],
      description: "How it is answered: with one of its options, with the probability of yes, or on its levels."
    },
    instructions: {
      description: `The question itself; it may point at fields of the state in back-ticks. ${long}`
    }
  },
  anyOf: [
    {
      required: ["criteria"],
      properties: {
        type: { const: "choice" },
        criteria: {
          type: "object",
          description: "Options with what each means.",
          additionalProperties: described("What the option means."),
          propertyNames: ownName,
          minProperties: Limits.criteria.least,
          maxProperties: Limits.criteria.most
        }
      }
    },
    {
      required: ["criteria"],
      properties: {
        type: { const: "score" },
        criteria: {
          type: "array",
          description: "Levels, lowest first.",
          items: { description: long },
          minItems: Limits.criteria.least,
          maxItems: Limits.criteria.most
        }
      }
    },
    {
      properties: {
        type: { const: "noul" },
        criteria: {
          type: ["object", "null"],
          description: "What yes and no mean.",
          properties: { true: described("What yes means."), false: described("What no means.") }
        }
      }
    }
  ]
}

/** One question of a set in the open "System One" format: a choice, a noul (yes/no) or a score, with criteria of its type. */
export const SetQuestion = Schema.transformOrFail(Fields, Schema.typeSchema(Fields), {
  strict: true,
  decode: (question, _, ast) => {
    const nested = (issue: ParseResult.ParseIssue, path: ReadonlyArray<string>): ParseResult.ParseIssue =>
      path.reduceRight((inner, part) => new ParseResult.Pointer(part, question, inner), issue)
    const found: Found = (type, msg, ...path) =>
      path.length === 0
        ? issueAt(ast, "criteria", question.criteria, type, msg)
        : nested(issueAt(ast, path.at(-1) ?? "", question.criteria, type, msg), ["criteria", ...path.slice(0, -1)])
    // More of one question than this would only make a body that is wrong all over expensive to refuse.
    const [first, ...rest] = faults(question.type, question.criteria, found).slice(0, 8)
    return first === undefined
      ? ParseResult.succeed(question)
      : ParseResult.fail(new ParseResult.Composite(ast, question, [first, ...rest]))
  },
  encode: ParseResult.succeed
})
export type SetQuestion = typeof SetQuestion.Type

/** An answer is given under its question's id: of two questions with the same one, one would be asked in vain. */
export const sameId = (questions: ReadonlyArray<readonly [string, SetQuestion]>): string | undefined =>
  new Set(questions.map(([id]) => id)).size === questions.length ? undefined : "two questions have the same id"
