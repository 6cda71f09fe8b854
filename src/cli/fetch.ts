import { Args, Command, Options } from "@effect/cli"
import { FetchHttpClient } from "@effect/platform"
import { Console, Effect, Layer, Option, Schema } from "effect"
import { fetchModel, wanted } from "../hub/Fetch.ts"
import { addressOf, Hub } from "../hub/Hub.ts"
import { modelsDir } from "../Settings.ts"
import { hubToken, hubUrl } from "./Environment.ts"
import { json, print } from "./Output.ts"
import { note, progress } from "./Progress.ts"

const Fetched = Schema.Struct({
  name: Schema.String,
  directory: Schema.String,
  checkpoint: Schema.String,
  bytes: Schema.Int,
  checksum: Schema.String
})

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

const hubAt = (hub: string) =>
  Layer.unwrapEffect(Effect.map(hubToken, (token) => Hub.layer({ hub, token }))).pipe(
    Layer.provide(FetchHttpClient.layer)
  )

/** Runs beside the service, in the reach of its MODELS_DIR; needs no running service. */
export const fetch = Command.make(
  "fetch",
  {
    model: Args.text({ name: "model" }).pipe(Args.withDescription("owner/model, or the address of its page on a hub")),
    name: Options.text("name").pipe(
      Options.withDescription("The name it gets here; its own where absent"),
      Options.optional
    ),
    graph: Options.text("graph").pipe(
      Options.withDescription("Its ONNX file, such as onnx/model_fp16.onnx; the smallest usual one where absent"),
      Options.optional
    ),
    revision: Options.text("revision").pipe(
      Options.withDescription("Branch, tag or commit"),
      Options.withDefault("main")
    ),
    hub: Options.text("hub").pipe(
      Options.withDescription("The hub's address"),
      Options.withFallbackConfig(hubUrl),
      Options.withDefault("https://huggingface.co")
    ),
    modelsDir: Options.directory("models-dir").pipe(
      Options.withDescription("Where models lie"),
      Options.withFallbackConfig(modelsDir)
    ),
    json
  },
  (given) =>
    Effect.gen(function* () {
      const hub = yield* Hub
      const model = yield* hub.model(yield* addressOf(given.model, given.hub, given.revision))
      const chosen = yield* wanted(model, Option.getOrUndefined(given.graph))
      const bytes = chosen.files.reduce((sum, file) => sum + file.bytes, 0)
      yield* note(`${model.id} at ${model.commit.slice(0, 8)}: ${chosen.files.length} files, ${megabytes(bytes)}`)
      const bar = yield* progress(bytes, megabytes)
      const { manifest, directory, checksum } = yield* fetchModel(model, chosen, {
        modelsDir: given.modelsDir,
        name: Option.getOrElse(given.name, () => model.id.split("/").at(-1) ?? model.id),
        had: bar.skip,
        came: bar.add,
        pause: "1 second"
      }).pipe(Effect.ensuring(bar.end))
      const { name, checkpoint } = manifest
      yield* print(given.json, Fetched, { name, directory, checkpoint, bytes, checksum }, (row) => [
        { ...row, bytes: megabytes(row.bytes), checksum: row.checksum.slice(0, 12) }
      ])
      if (!given.json)
        yield* Console.log(
          `\nTake it into service now, after a trial: svc model add ${name} --public. A restart takes it in untried.`
        )
    }).pipe(Effect.provide(hubAt(given.hub)))
).pipe(
  Command.withDescription(
    "Bring a model from a hub into MODELS_DIR, with its checksums; goes on where an earlier try ended"
  )
)
