import { Effect, Encoding, Option, Schema } from "effect"
import { type Draft, option, question } from "./draft.ts"

/** What is written down of a draft: everything but the keys by which the page tells its parts apart. */
const Linked = Schema.parseJson(
  Schema.Struct({
    stateKind: Schema.Literal("text", "json"),
    state: Schema.String,
    model: Schema.String,
    cache: Schema.Boolean,
    asking: Schema.Literal("questions", "template"),
    template: Schema.String,
    questions: Schema.Array(
      Schema.Struct({
        id: Schema.String,
        type: Schema.Literal("choice", "noul", "score"),
        instructions: Schema.String,
        options: Schema.Array(Schema.Struct({ name: Schema.String, description: Schema.String })),
        yes: Schema.String,
        no: Schema.String
      })
    )
  })
)

/** The draft as text. */
export const written: (draft: Draft) => string = Schema.encodeSync(Linked)

/** The draft that was written down. */
export const read = (json: string) =>
  Option.map(
    Schema.decodeOption(Linked)(json),
    ({ questions, ...rest }): Draft => ({
      ...rest,
      questions: questions.map(({ id, options, ...parts }) =>
        question(id, { ...parts, options: options.map(({ name, description }) => option(name, description)) })
      )
    })
  )

const through = async (bytes: Uint8Array<ArrayBuffer>, transform: CompressionStream | DecompressionStream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer())

/** The address of the playground with the draft in its hash; a draft has no secret in it, and a hash is not sent to the server. */
export const linkTo = async (draft: Draft): Promise<string> => {
  const packed = await through(new TextEncoder().encode(written(draft)), new CompressionStream("deflate-raw"))
  return `${location.origin}/console/playground#${Encoding.encodeBase64Url(packed)}`
}

const unpacked = (packed: Uint8Array) =>
  Effect.tryPromise(() => through(new Uint8Array(packed), new DecompressionStream("deflate-raw"))).pipe(
    Effect.map((bytes) => new TextDecoder().decode(bytes))
  )

/** The draft that the page's address holds, if it holds one. */
export const draftInAddress = (): Promise<Option.Option<Draft>> =>
  Encoding.decodeBase64Url(location.hash.slice(1)).pipe(
    Effect.flatMap(unpacked),
    Effect.flatMap(read),
    Effect.option,
    Effect.runPromise
  )
