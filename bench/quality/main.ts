/** How well the shipped models answer, through the service's own code: `bun run quality DATA`. README.md says how it is measured. */
import { availableParallelism } from "node:os"
import { Args, Command, Options } from "@effect/cli"
import { FileSystem } from "@effect/platform"
import { BunContext, BunRuntime } from "@effect/platform-bun"
import { Array as Arr, Console, Effect, Layer, Option } from "effect"
import { AnswerCache } from "#src/answers/AnswerCache"
import { Answers } from "#src/answers/Answers"
import { Price } from "#src/billing/Price"
import { Decisions } from "#src/decisions/Decisions"
import { Inference } from "#src/inference/Inference"
import { Language } from "#src/language/Language"
import type { Bundle } from "#src/models/Bundle"
import { Models } from "#src/models/Models"
import { Settings } from "#src/Settings"
import { writeCard } from "./Card.ts"
import type { Case } from "./Case.ts"
import { readCases } from "./Cases.ts"
import { readFolder, readModeration } from "./Folder.ts"
import { lastSentence, lastSentenceReport } from "./LastSentence.ts"
import { ownTexts, publicTexts } from "./ModeratedText.ts"
import { moderation, moderationReport } from "./Moderation.ts"
import { negation, negationReport } from "./Negation.ts"
import { parallel, parallelReport } from "./Parallel.ts"
import { report, summary } from "./Report.ts"
import { run } from "./Run.ts"

/** A model of English alone is asked about English texts alone. */
const readsEnglishAlone = ({ manifest }: Bundle) => manifest.languages.every((language) => language === "en")

const readBy = (model: Bundle, cases: ReadonlyArray<Case>) =>
  readsEnglishAlone(model) ? cases.filter(({ asked }) => asked.every(({ lang }) => lang === "en")) : cases

const quality = Command.make(
  "quality",
  {
    data: Args.directory({ name: "data", exists: "yes" }),
    models: Options.text("models").pipe(
      Options.withDefault("svc-english,svc-multilingual"),
      Options.withDescription("Names of models in MODELS_DIR, separated by commas")
    ),
    rows: Options.integer("rows").pipe(
      Options.withDefault(50),
      Options.withDescription("Texts of each set or file at most")
    ),
    family: Options.text("family").pipe(Options.repeated, Options.withDescription("Only this family; may be repeated")),
    seed: Options.text("seed").pipe(Options.withDefault("1")),
    workers: Options.integer("workers").pipe(Options.withDefault(availableParallelism())),
    json: Options.file("json").pipe(Options.optional, Options.withDescription("Where to write all figures")),
    card: Options.boolean("card").pipe(
      Options.withDescription("Write the figures into manifest.json and README.md of each model")
    )
  },
  ({ data, models: names, rows, family, seed, workers, json, card }) =>
    Effect.gen(function* () {
      const models = yield* Effect.forEach(names.split(","), (name) =>
        Effect.flatMap(Models, ({ resolve }) => resolve("quality", name, { state: "" }))
      )
      yield* Console.error(`reading ${data}`)
      const folder = yield* readFolder(data)
      const moderated = [...publicTexts(folder, rows, seed), ...ownTexts(yield* readModeration)]
      const all = yield* readCases(folder, rows, seed)
      const cases = all
        .map((one) => ({
          ...one,
          asked: one.asked.filter((a) => family.length === 0 || Arr.contains(family, a.family))
        }))
        .filter(({ asked }) => asked.length > 0)
      const layer = Layer.provideMerge(
        Decisions.layerNoDeps,
        Layer.provideMerge(
          Answers.layerNoDeps,
          Inference.layer({ models, workers, queueLimit: 1_000, deadline: "1 minute" })
        )
      )
      const measured = yield* Effect.forEach(models, (model) =>
        Effect.gen(function* () {
          const answers = yield* run(model, readBy(model, cases), workers)
          const opposite = yield* negation(model)
          const last = yield* lastSentence(model)
          const same = readsEnglishAlone(model) ? undefined : yield* parallel(model, workers)
          const texts = readsEnglishAlone(model) ? moderated.filter(({ lang }) => lang === "en") : moderated
          const flags = yield* moderation(model, texts, workers)
          const tables = [
            report(model.manifest, answers),
            negationReport(opposite),
            lastSentenceReport(last),
            ...(same === undefined ? [] : [parallelReport(same)]),
            moderationReport(flags)
          ].join("\n\n")
          yield* Console.log(`## ${model.manifest.name} (${model.manifest.checkpoint})\n\n${tables}\n`)
          if (card)
            yield* writeCard(
              model,
              answers,
              `Checkpoint ${model.manifest.checkpoint}, \`bun run quality DATA --rows ${rows}\`; the columns are explained in bench/quality.\n\n${tables}`
            )
          return [
            model.manifest.name,
            {
              checkpoint: model.manifest.checkpoint,
              ...summary(answers),
              negation: opposite,
              last_sentence: last,
              parallel: same,
              moderation: flags
            }
          ] as const
        })
      ).pipe(Effect.provide(layer))
      if (Option.isNone(json)) return
      const fs = yield* FileSystem.FileSystem
      yield* fs.writeFileString(
        json.value,
        `${JSON.stringify({ rows, seed, ...Object.fromEntries(measured) }, null, 1)}\n`
      )
    })
).pipe(Command.withDescription("Measures how well models answer the held-out rows of a data folder"))

const services = Layer.mergeAll(AnswerCache.layer, Price.layer, Models.layerOfFolder).pipe(
  Layer.provideMerge(Language.layer),
  Layer.provideMerge(Settings.layer),
  Layer.provideMerge(BunContext.layer)
)

Command.run(quality, { name: "quality", version: "1.0.0" })(process.argv).pipe(
  Effect.provide(services),
  BunRuntime.runMain
)
