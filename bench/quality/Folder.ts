import { Command, FileSystem, Path } from "@effect/platform"
import { Effect, Schema } from "effect"
import { ExampleRow, LabelledRow, ModerationRow, OwnTask, Sets, StateRow, TemplateRow, WrittenRow } from "./Row.ts"

const held = /"split": ?"(dev|zeroshot-dev)"/

const decoded = <A, I>(schema: Schema.Schema<A, I>, lines: ReadonlyArray<string>) => {
  const decode = Schema.decode(Schema.parseJson(schema))
  return Effect.forEach(lines, (line) => decode(line))
}

/** Lines of a packed file that are not for training. */
const heldLines = (file: string) =>
  Effect.map(Command.string(Command.make("xz", "-dc", file)), (text) =>
    text.split("\n").filter((line) => held.test(line))
  )

const filesOf = Effect.fnUntraced(function* (folder: string, ending: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (!(yield* fs.exists(folder))) return []
  const names = (yield* fs.readDirectory(folder)).filter((name) => name.endsWith(ending)).sort()
  return names.map((name) => ({ name: name.slice(0, -ending.length), file: path.join(folder, name) }))
})

/** Rows by the name of their file. */
const packed = Effect.fnUntraced(function* <A, I>(schema: Schema.Schema<A, I>, folder: string) {
  const files = yield* filesOf(folder, ".jsonl.xz")
  return yield* Effect.forEach(files, ({ name, file }) =>
    Effect.map(
      Effect.flatMap(heldLines(file), (lines) => decoded(schema, lines)),
      (rows) => ({ name, rows })
    )
  )
})

/** Reads what a data folder holds out: rows of the splits `dev` and `zeroshot-dev`. Needs the `xz` program. */
export const readFolder = Effect.fn("readFolder")(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const { sets } = yield* Effect.flatMap(
    fs.readFileString(`${folder}/sets.json`),
    Schema.decode(Schema.parseJson(Sets))
  )
  return {
    sets,
    labelled: yield* packed(LabelledRow, `${folder}/labelled`),
    written: yield* packed(WrittenRow, `${folder}/written`),
    templates: yield* packed(TemplateRow, `${folder}/templates`)
  }
})
export type Folder = Effect.Effect.Success<ReturnType<typeof readFolder>>

const own = (name: string) => new URL(`../../test/quality/${name}`, import.meta.url).pathname

const rowsOf = Effect.fnUntraced(function* <A, I>(schema: Schema.Schema<A, I>, file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* decoded(schema, (yield* fs.readFileString(file)).trimEnd().split("\n"))
})

/** Reads a committed file of rows, one a line, by its name in `test/quality/`. */
export const ownRows = <A, I>(schema: Schema.Schema<A, I>, name: string) => rowsOf(schema, own(name))

/** Reads the committed examples, a file for each template. */
export const readExamples = Effect.flatMap(filesOf(own("templates"), ".jsonl"), (files) =>
  Effect.forEach(files, ({ name, file }) => Effect.map(rowsOf(ExampleRow, file), (rows) => ({ name, rows })))
)

/** Reads the committed states in many languages. */
export const readLanguages = ownRows(StateRow, "languages.jsonl")

/** Reads the committed tasks, a file for each. */
export const readTasks = Effect.flatMap(filesOf(own("tasks"), ".json"), (files) =>
  Effect.forEach(files, ({ name, file }) =>
    Effect.map(
      Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(file)).pipe(
        Effect.flatMap(Schema.decode(Schema.parseJson(OwnTask)))
      ),
      (task) => ({ name, task })
    )
  )
)

/** Reads the committed texts to moderate. */
export const readModeration = ownRows(ModerationRow, "moderation.jsonl")
