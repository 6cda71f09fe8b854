import { FileSystem } from "@effect/platform"
import { Effect, Schema } from "effect"

/** A file that is no text in UTF-8. */
class NotText extends Schema.TaggedError<NotText>()("NotText", { message: Schema.String }) {}

/** The text of a file, which has to be UTF-8: what is not would turn into other signs that nobody sees. */
export const readText = Effect.fn("readText")(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const bytes = yield* fs.readFile(file)
  return yield* Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => new NotText({ message: `${file} is not written in UTF-8; save it as UTF-8 and try again` })
  })
})
