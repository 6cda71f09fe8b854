import { FileSystem, Path } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import { InvalidBundle } from "./InvalidBundle.ts"
import type { CrossEncoder } from "./Manifest.ts"

const HubConfig = Schema.parseJson(
  Schema.Struct({
    model_type: Schema.String,
    id2label: Schema.Record({ key: Schema.String, value: Schema.String }),
    max_position_embeddings: Schema.optionalWith(Schema.Int, { exact: true }),
    pad_token_id: Schema.optionalWith(Schema.NullOr(Schema.Int), { exact: true })
  })
)

/** The smaller ones first: they run faster and lose little. */
const GRAPHS = [
  "onnx/model_quantized.onnx",
  "onnx/model_int8.onnx",
  "onnx/model.onnx",
  "model_quantized.onnx",
  "model.onnx"
]

/** Cost grows with the square of a window; long texts are read in several. */
const WIDEST = 512

/** Describes a folder as it comes from a model hub (`config.json`, `tokenizer.json`, `onnx/model*.onnx`) of an inference model. */
export const describeHub = Effect.fn("describeHub")(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const invalid = (message: string) => new InvalidBundle({ directory, message })
  const at = (name: string) => path.join(directory, name)
  const there = (name: string) => Effect.orElseSucceed(fs.exists(at(name)), () => false)

  const config = yield* fs.readFileString(at("config.json")).pipe(
    Effect.flatMap(Schema.decode(HubConfig)),
    Effect.mapError(() => invalid(`${at("config.json")} does not describe a model with id2label`))
  )
  const label = Object.entries(config.id2label).find(([, name]) => /^entail/i.test(name))
  if (label === undefined)
    return yield* invalid(
      `${at("config.json")} has no label "entailment"; only inference (NLI) models answer questions`
    )
  const graph = yield* Effect.findFirst(GRAPHS, there)
  if (Option.isNone(graph))
    return yield* invalid(`${directory} has none of ${GRAPHS.join(", ")}; export the model to ONNX`)
  if (!(yield* there("tokenizer.json")))
    return yield* invalid(`${at("tokenizer.json")} is missing; copy the whole folder`)

  const written = yield* fs.stat(at("config.json")).pipe(
    Effect.map(({ mtime }) =>
      Option.match(mtime, { onNone: () => "", onSome: (date) => date.toISOString().slice(0, 10) })
    ),
    Effect.mapError(() => invalid(`${at("config.json")} cannot be read`))
  )
  // RoBERTa and its kin number positions from the padding id on
  const reserved = /roberta|camembert/.test(config.model_type) ? (config.pad_token_id ?? 1) + 1 : 0
  const name = path.basename(directory)
  return {
    schema: 1,
    family: "cross-encoder",
    name,
    checkpoint: name,
    description: `Inference model (${config.model_type}), asked once for each option.`,
    release_date: written,
    languages: [],
    temperatures: [],
    licence: "unknown",
    sources: [],
    files: {},
    graph: graph.value,
    tokenizer: "tokenizer.json",
    entailment: Number(label[0]),
    window: Math.min(WIDEST, (config.max_position_embeddings ?? WIDEST) - reserved),
    statement: "{question} {option}"
  } satisfies CrossEncoder
})
