import { Array as Arr, Effect } from "effect"
import { templates } from "#src/decisions/Templates"
import { Language } from "#src/language/Language"
import type { Case } from "./Case.ts"
import { sample } from "./Draw.ts"
import { type Folder, readExamples, readLanguages, readTasks } from "./Folder.ts"
import { labelledCase } from "./Labelled.ts"
import { ownTaskCases } from "./OwnTask.ts"
import { exampleCase, templateCase } from "./Templated.ts"
import { writtenCase } from "./Written.ts"

/** Everything to be asked: at most `rows` texts of each labelled set and of each other file, all committed examples, tasks and states. */
export const readCases = Effect.fn("readCases")(function* (folder: Folder, rows: number, seed: string) {
  const { sets, labelled, written, templates: files } = folder
  const known = templates((yield* Language).languages)
  const examples = yield* readExamples
  const languages = yield* readLanguages
  const tasks = yield* readTasks
  const byId = new Map(sets.map((set) => [set.id, set]))
  const drawn: ReadonlyArray<Case> = [
    ...labelled.flatMap(({ rows: all }) =>
      Object.entries(Arr.groupBy(all, ({ set, split }) => `${set} ${split}`)).flatMap(([key, group]) =>
        sample(group, rows, `${seed} ${key}`).flatMap((row) => {
          const set = byId.get(row.set)
          return set === undefined ? [] : [labelledCase(set, row, seed)]
        })
      )
    ),
    ...written.flatMap(({ name, rows: all }) =>
      sample(all, rows, `${seed} ${name}`).map((row) => writtenCase("written", name, row))
    ),
    ...files.flatMap(({ name, rows: all }) =>
      sample(all, rows, `${seed} ${name}`).map((row) => templateCase(known, row))
    ),
    ...tasks.flatMap(({ name, task }) => ownTaskCases(name, task)),
    ...languages.map((row) => writtenCase("languages", "own", row)),
    ...examples.flatMap(({ name, rows: all }) => all.map((row) => exampleCase(known, name, row)))
  ]
  return drawn.filter(({ asked }) => asked.length > 0)
})
