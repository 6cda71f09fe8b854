import { Either, Schema } from "effect"
import { isRecord, optional } from "#schema/Field"
import { FlowContent } from "#schema/FlowDraft"
import { FlowGraph } from "#schema/FlowGraph"
import { withOrder } from "#schema/Order"
import { wrong } from "../wrong.ts"
import type { Content } from "./graph.ts"

const parsed = Schema.decodeUnknownEither(Schema.parseJson())
const described = Schema.decodeUnknownEither(
  Schema.Struct({ ...FlowContent.fields, name: optional(FlowContent.fields.name) }),
  { errors: "all" }
)
const bare = Schema.decodeUnknownEither(FlowGraph)

/** What was exported here, what GET /v1/flows/{slug} answers, or a bare definition; else what is wrong with it, in words. */
export const imported = (json: string, now: Content): Either.Either<Content, string> =>
  parsed(json).pipe(
    Either.mapBoth({ onLeft: () => "This is not valid JSON.", onRight: (value) => withOrder(value, json) }),
    Either.flatMap((input) =>
      Either.mapLeft(
        isRecord(input) && "definition" in input
          ? Either.map(described(input), (found) => ({ ...found, name: found.name ?? now.name }))
          : Either.map(bare(input), (definition) => ({ ...now, definition })),
        (error) => `This is JSON, but not a flow.\n${wrong(error)}`
      )
    )
  )
