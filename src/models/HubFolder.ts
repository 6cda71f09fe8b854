import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Effect, Option, Schema } from "effect"
import { InvalidBundle } from "./InvalidBundle.ts"
import type { CrossEncoder, Markers } from "./Manifest.ts"

const Encoder = Schema.Struct({
  model_type: Schema.String,
  max_position_embeddings: Schema.optionalWith(Schema.Int, { exact: true }),
  pad_token_id: Schema.optionalWith(Schema.NullOr(Schema.Int), { exact: true })
})
type Encoder = typeof Encoder.Type

/** A model that says whether a text supports a statement. */
const Inferring = Schema.Struct({
  ...Encoder.fields,
  id2label: Schema.Record({ key: Schema.String, value: Schema.String })
})

/** A GLiClass model, whose options are marked by tokens. */
const Marking = Schema.Struct({
  model_type: Schema.Literal("GLiClass"),
  architecture_type: Schema.optionalWith(Schema.String, { default: () => "uni-encoder" }),
  class_token_index: Schema.NonNegativeInt,
  text_token_index: Schema.NonNegativeInt,
  prompt_first: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  encoder_config: Encoder
})

const HubConfig = Schema.parseJson(Schema.Union(Marking, Inferring))

/** The smaller ones first: they run faster and lose little. */
const PREFERRED = [
  "onnx/model_quantized.onnx",
  "onnx/model_int8.onnx",
  "onnx/model.onnx",
  "model_quantized.onnx",
  "model_int8.onnx",
  "model.onnx"
]

/** The graph to use of the files of a model on a hub, by their paths. */
export const graphOf = (files: ReadonlyArray<string>): string | undefined =>
  PREFERRED.find((name) => files.includes(name)) ??
  files.filter((name) => /^(?:onnx\/)?model[^/]*\.onnx$/.test(name)).toSorted()[0]

/** Which files are the weights of a graph that is too big for one file: they lie beside it and begin with its name. */
export const isWeightsOf = (graph: string) => (file: string) =>
  file.startsWith(graph) && /^[._]data[^/]*$/.test(file.slice(graph.length))

/** Cost grows with the square of a window; long texts are read in several. */
const WIDEST = { "cross-encoder": 512, markers: 1_024 } as const

/** Tokens that a model can read at once, of those that it is given at most. */
const windowOf = ({ model_type, max_position_embeddings, pad_token_id }: Encoder, widest: number) => {
  // RoBERTa and its kin number positions from the padding id on
  const reserved = /roberta|camembert/.test(model_type) ? (pad_token_id ?? 1) + 1 : 0
  return Math.min(widest, (max_position_embeddings ?? widest) - reserved)
}

/** Reads the `config.json` of a folder from a model hub, if it is that of a model which answers questions. */
export const readConfig = Effect.fn("readConfig")(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(directory, "config.json")
  const invalid = (message: string) => new InvalidBundle({ directory, message: `${file} ${message}` })
  const text = yield* Effect.mapError(fs.readFileString(file), () => invalid("is missing; copy the whole folder"))
  const config = yield* Schema.decode(HubConfig)(text).pipe(
    Effect.mapError(() => invalid("describes neither a model with id2label nor a GLiClass model"))
  )
  if ("encoder_config" in config)
    return config.architecture_type === "uni-encoder"
      ? config
      : yield* invalid(`says ${config.architecture_type}; of GLiClass models only uni-encoders answer`)
  const label = Object.entries(config.id2label).find(([, name]) => /^entail/i.test(name))
  if (label === undefined)
    return yield* invalid('has no label "entailment"; only inference (NLI) models answer questions')
  return { ...config, entailment: Number(label[0]) }
})

/** Describes a folder as it comes from a model hub (`config.json`, `tokenizer.json`, and `chosen` or `onnx/model*.onnx`). */
export const describeHub = Effect.fn("describeHub")(function* (directory: string, chosen?: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const invalid = (message: string) => new InvalidBundle({ directory, message })
  const at = (name: string) => path.join(directory, name)
  const listed = (folder: string) => Effect.orElseSucceed(fs.readDirectory(folder), (): Array<string> => [])

  const config = yield* readConfig(directory)
  const graph =
    chosen ?? graphOf([...(yield* listed(directory)), ...(yield* listed(at("onnx"))).map((name) => `onnx/${name}`)])
  if (graph === undefined)
    return yield* invalid(`${directory} has none of ${PREFERRED.join(", ")}; export the model to ONNX`)
  if (!(yield* Effect.orElseSucceed(fs.exists(at("tokenizer.json")), () => false)))
    return yield* invalid(`${at("tokenizer.json")} is missing; copy the whole folder`)
  const written = yield* fs.stat(at("config.json")).pipe(
    Effect.map(({ mtime }) =>
      Option.match(mtime, { onNone: () => "", onSome: (date) => date.toISOString().slice(0, 10) })
    ),
    Effect.mapError(() => invalid(`${at("config.json")} cannot be read`))
  )
  const name = path.basename(directory)
  const common = {
    schema: 1,
    name,
    checkpoint: name,
    release_date: written,
    languages: [],
    temperatures: [],
    licence: "unknown",
    sources: [],
    files: {},
    graph,
    tokenizer: "tokenizer.json"
  } as const

  if ("encoder_config" in config) {
    const { encoder_config, class_token_index, text_token_index, prompt_first } = config
    const markers: Markers = {
      ...common,
      family: "markers",
      description: `Reads all options of a question at once, marked in one sequence (${encoder_config.model_type}).`,
      markers: { option: class_token_index, end: text_token_index },
      text: prompt_first ? "last" : "first",
      logits: "options",
      window: windowOf(encoder_config, WIDEST.markers)
    }
    return markers
  }
  const crossEncoder: CrossEncoder = {
    ...common,
    family: "cross-encoder",
    description: `Inference model (${config.model_type}), asked once for each option.`,
    entailment: config.entailment,
    window: windowOf(config, WIDEST["cross-encoder"]),
    statement: "{question} {option}"
  }
  return crossEncoder
})
