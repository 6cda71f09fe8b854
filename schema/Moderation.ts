import { HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, HttpApiSecurity } from "@effect/platform"
import { ParseResult, Schema } from "effect"
import { Caller } from "./Authorization.ts"
import { Category } from "./Category.ts"
import { about, fits, isRecord, issue, issueAt, issues, oneOf, optional, request, tooLong } from "./Field.ts"
import { Limits } from "./Limits.ts"
import {
  OpenAiInvalid,
  OpenAiOverloaded,
  OpenAiQuota,
  OpenAiRateLimited,
  OpenAiUnauthenticated,
  OpenAiUnavailable
} from "./OpenAiErrors.ts"

/** OpenAI's names; all are answered by the same models. */
export const ModerationModel = oneOf(
  "omni-moderation-latest",
  "omni-moderation-2024-09-26",
  "text-moderation-latest",
  "text-moderation-stable",
  "text-moderation-007"
)

const most = Limits.renderedState
const textSchema = { type: "string", maxLength: most }

/** One text for each result: a string and a list of strings give one each, the parts of a list of parts one together. */
const Input = Schema.transformOrFail(
  Schema.Unknown.annotations({
    jsonSchema: {
      description:
        "A text, or a list of texts, each with a result of its own; or a list of text parts, which have one together. 8 decisions for each result.",
      anyOf: [
        textSchema,
        { type: "array", items: textSchema, minItems: 1, maxItems: Limits.moderationInputs },
        {
          type: "array",
          items: {
            type: "object",
            required: ["type", "text"],
            properties: { type: { const: "text" }, text: textSchema }
          },
          minItems: 1,
          maxItems: Limits.moderationInputs
        }
      ]
    }
  }),
  Schema.Array(Schema.String),
  {
    strict: true,
    decode: (input, _, ast) => {
      const long = ["string_too_long", tooLong(most)] as const
      if (typeof input === "string")
        return fits(input, most) ? ParseResult.succeed([input]) : ParseResult.fail(issue(ast, input, ...long))
      if (!Array.isArray(input))
        return ParseResult.fail(
          issue(ast, input, "string_type", "Input should be a string, a list of strings or a list of text parts")
        )
      const items: ReadonlyArray<unknown> = input
      if (items.length === 0 || items.length > Limits.moderationInputs)
        return ParseResult.fail(
          issue(ast, input, "too_long", `List should have 1 to ${Limits.moderationInputs} items, not ${items.length}`)
        )
      const parts = items.every(isRecord)
      const texts = items.map((item) => (parts && isRecord(item) && item.type === "text" ? item.text : item))
      const found = texts.flatMap((text, index) => {
        if (typeof text !== "string")
          return [
            issueAt(
              ast,
              index,
              text,
              "string_type",
              'Input should be a string or a part {"type": "text", "text": …}, all of one kind'
            )
          ]
        return fits(text, most) ? [] : [issueAt(ast, index, text, ...long)]
      })
      const [first, ...rest] = found
      if (first !== undefined) return ParseResult.fail(issues(ast, input, [first, ...rest]))
      const strings = texts.map(String)
      if (!parts) return ParseResult.succeed(strings)
      const joined = strings.join("\n\n")
      return fits(joined, most)
        ? ParseResult.succeed([joined])
        : ParseResult.fail(
            issue(ast, input, "string_too_long", `The parts together should have at most ${most} characters`)
          )
    },
    encode: (texts) => ParseResult.succeed(texts)
  }
)

/** Texts to moderate, and one of OpenAI's model names. */
export const ModerationRequest = request("ModerationRequest", {
  input: Input,
  model: optional(ModerationModel).annotations({
    description: "OpenAI's names, omni-moderation-latest where absent; all are answered by the same models."
  })
})
export type ModerationRequest = typeof ModerationRequest.Type

const perCategory = <A, I>(value: Schema.Schema<A, I>) => Schema.Record({ key: Category, value })

/** What was found in one text: every category's score, and whether it passes the category's threshold. */
export const Moderation = Schema.Struct({
  flagged: about(Schema.Boolean, "Whether any category is."),
  categories: about(perCategory(Schema.Boolean), "Whether the score reaches the threshold of the category."),
  category_scores: about(perCategory(Schema.Number), "Probability that the text belongs to the category."),
  category_applied_input_types: about(
    perCategory(Schema.Array(Schema.Literal("text"))),
    "What each score was made of: always the text."
  )
}).annotations({ identifier: "Moderation" })
export type Moderation = typeof Moderation.Type

/** One result for each text, in their order. */
export const ModerationResponse = Schema.Struct({
  id: about(Schema.String, "Names the answer: `modr-` and what was drawn for it."),
  model: about(Schema.String, "The name that was asked for, omni-moderation-latest where none was."),
  results: about(Schema.Array(Moderation), "One for each text, in their order; one for all parts together.")
}).annotations({ identifier: "ModerationResponse" })
export type ModerationResponse = typeof ModerationResponse.Type

/** `Authorization: Bearer <API_KEY>`, refused in OpenAI's words. */
export class OpenAiAuthorization extends HttpApiMiddleware.Tag<OpenAiAuthorization>()("schema/OpenAiAuthorization", {
  provides: Caller,
  failure: Schema.Union(OpenAiUnauthenticated, OpenAiRateLimited, OpenAiUnavailable),
  security: { bearer: HttpApiSecurity.bearer }
}) {}

/** OpenAI's moderation endpoint; 8 decisions for each text. */
export class ModerationsApi extends HttpApiGroup.make("moderations")
  .add(HttpApiEndpoint.post("moderate", "/moderations").setPayload(ModerationRequest).addSuccess(ModerationResponse))
  .addError(OpenAiInvalid)
  .addError(OpenAiQuota)
  .addError(OpenAiUnavailable)
  .addError(OpenAiOverloaded)
  .middleware(OpenAiAuthorization) {}
