import { FileSystem, Path } from "@effect/platform"
import { Context, Effect, Layer, Schema } from "effect"
import type { Model } from "#schema/Model"
import { Language } from "../language/Language.ts"
import { Settings } from "../Settings.ts"
import { type Bundle, isBundle, readBundle } from "./Bundle.ts"
import { InvalidBundle } from "./InvalidBundle.ts"

/** No model of this name can be used by the account; whether another account has one stays unsaid. */
export class ModelNotFound extends Schema.TaggedError<ModelNotFound>()("ModelNotFound", { message: Schema.String }) {}

/** What a request without a model of its own is about. */
export interface About {
  readonly state: string
  /** What is asked about it; questions in another language than English are not for the English model either. */
  readonly wordings?: ReadonlyArray<string>
  /** ISO 639-1 hint of the caller; replaces looking at the state. */
  readonly lang?: string
}

const AUTO = "svc-auto"
const ENGLISH = "svc-english"
const MULTILINGUAL = "svc-multilingual"

/** Below this probability of English the model for many languages answers: it reads English too, the other reads nothing else. */
const SURE = 0.5
/** Below it questions are taken for another language; even short English ones mostly stay above. */
const FOREIGN = 0.01

const entry = ({ manifest: { name, description, release_date, owner } }: Bundle): Model => ({
  name,
  description,
  release_date,
  custom: !name.startsWith("svc-"),
  private: owner !== undefined
})

/** The models of MODELS_DIR, one folder each, and which of them answers a request. */
export class Models extends Context.Tag("svc/Models")<
  Models,
  {
    readonly all: ReadonlyArray<Bundle>
    /** What an account may name, `svc-auto` first. */
    readonly list: (accountId: string) => Effect.Effect<ReadonlyArray<Model>>
    /** The model of this name; for `svc-auto` and names that end in `-latest`, the one that reads the state's language. */
    readonly resolve: (accountId: string, name: string, about: About) => Effect.Effect<Bundle, ModelNotFound>
  }
>() {
  static readonly layerNoDeps = Layer.effect(
    Models,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const { modelsDir } = yield* Settings
      const language = yield* Language
      const root = path.resolve(modelsDir)
      const invalid = (message: string) => new InvalidBundle({ directory: root, message })

      const folders = yield* Effect.mapError(fs.readDirectory(root), () => invalid(`MODELS_DIR ${root} cannot be read`))
      const bundles = yield* Effect.filter(
        folders
          .filter((folder) => !folder.startsWith("."))
          .sort()
          .map((folder) => path.join(root, folder)),
        isBundle
      )
      const all = yield* Effect.forEach(bundles, readBundle)
      for (const { directory, manifest } of all)
        if (path.basename(directory) !== manifest.name)
          return yield* invalid(`${directory} holds the model ${manifest.name}; name the folder like the model`)
      const byName = new Map(all.map((bundle) => [bundle.manifest.name, bundle]))
      const multilingual = byName.get(MULTILINGUAL) ?? all[0]
      const english = byName.get(ENGLISH) ?? multilingual
      if (english === undefined || multilingual === undefined)
        return yield* invalid(`MODELS_DIR ${root} holds no model`)

      const visible = (accountId: string) => (bundle: Bundle) =>
        bundle.manifest.owner === undefined || bundle.manifest.owner === accountId

      const routed = Effect.fnUntraced(function* ({ state, wordings = [], lang }: About) {
        const read = lang === undefined ? (yield* language.probabilityOf("en", state)) >= SURE : /^en\b/i.test(lang)
        const foreign =
          read && wordings.length > 0 && (yield* language.probabilityOf("en", wordings.join("\n"))) < FOREIGN
        return read && !foreign ? english : multilingual
      })

      const auto: Model = {
        ...entry(multilingual),
        name: AUTO,
        description: `${ENGLISH} for English texts, ${MULTILINGUAL} for all others.`
      }
      return Models.of({
        all,
        list: (accountId) => Effect.sync(() => [auto, ...all.filter(visible(accountId)).map(entry)]),
        resolve: Effect.fn("Models.resolve")(function* (accountId, name, about) {
          if (name === AUTO || name.endsWith("-latest")) return yield* routed(about)
          const bundle = byName.get(name)
          if (bundle === undefined || !visible(accountId)(bundle))
            return yield* new ModelNotFound({ message: "Unknown model. GET /v1/models lists the models of this key" })
          return bundle
        })
      })
    })
  )
}
