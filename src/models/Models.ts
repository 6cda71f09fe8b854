import { FileSystem, Path } from "@effect/platform"
import { Cache, Context, Data, Duration, Effect, Exit, Layer, Option, Order } from "effect"
import { Unavailable } from "#schema/Errors"
import { type Model, ModelNotFound } from "#schema/Model"
import { Language } from "../language/Language.ts"
import { Settings } from "../Settings.ts"
import { type About, isEnglish } from "./About.ts"
import { type Bundle, isBundle, readBundle, readUnchanged } from "./Bundle.ts"
import { InvalidBundle } from "./InvalidBundle.ts"
import { ModelsRepo, NOBODY } from "./ModelsRepo.ts"
import { isBuiltIn, isOwnName } from "./Name.ts"

const AUTO = "svc-auto"
const ENGLISH = "svc-english"
const MULTILINGUAL = "svc-multilingual"

/** Names that `svc-auto` answers to. */
const isAlias = (name: string) => name === AUTO || name.endsWith("-latest")

const byName = Order.mapInput(Order.string, ({ name }: Model) => name)

const entry = ({ manifest: { name, description, release_date, owner } }: Bundle): Model => ({
  name,
  description,
  release_date,
  custom: !isBuiltIn(name),
  private: owner !== undefined
})

/**
 * The models that answer, and which of them answers a request: those of MODELS_DIR at the start, a folder each, and those
 * registered since, whose folders lie there too. What is registered, for whom and whether still, the database says at every
 * request, so that all instances agree; of a folder that was ever registered it decides alone.
 */
export class Models extends Context.Tag("svc/Models")<
  Models,
  {
    /** Those of the start. */
    readonly all: ReadonlyArray<Bundle>
    /** Those of the start that a worker holds for good: of others the database says whether anybody asks for them. */
    readonly kept: ReadonlyArray<Bundle>
    /** What an account may name, `svc-auto` first. */
    readonly list: (accountId: string) => Effect.Effect<ReadonlyArray<Model>, Unavailable>
    /** The model that reads the state's language. */
    readonly route: (about: About) => Effect.Effect<Bundle, Unavailable>
    /** The model of this name; for `svc-auto` and names that end in `-latest`, the one that reads the state's language. */
    readonly resolve: (
      accountId: string,
      name: string,
      about: About
    ) => Effect.Effect<Bundle, ModelNotFound | Unavailable>
  }
>() {
  static readonly layerNoDeps = Layer.effect(
    Models,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const { modelsDir } = yield* Settings
      const language = yield* Language
      const repo = yield* ModelsRepo
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
      const found = new Map(all.map((bundle) => [bundle.manifest.name, bundle]))
      const taken = [...found.keys()].find(isAlias)
      if (taken !== undefined)
        return yield* invalid(`${taken} is a name of the service's own; name the folder and its model otherwise`)
      const everybodys = all.filter(({ manifest }) => manifest.owner === undefined)
      if (everybodys.length === 0) return yield* invalid(`MODELS_DIR ${root} holds no model for every account`)
      const ours = (name: string) => everybodys.find(({ manifest }) => manifest.name === name)
      const multilingual = ours(MULTILINGUAL) ?? ours(ENGLISH)
      const english = ours(ENGLISH) ?? multilingual

      /** In place of the built-in models, where both are missing: the first that the database gives to nobody alone. */
      const standIn = Effect.findFirst(everybodys, ({ checksum, manifest: { name } }) =>
        Effect.map(
          repo.find(NOBODY, name),
          Option.match({ onNone: () => true, onSome: (row) => row.visible && row.checksum === checksum })
        )
      )

      const kept = yield* Effect.filter(all, ({ manifest: { name } }) =>
        isBuiltIn(name) ? Effect.succeed(true) : Effect.map(repo.find(NOBODY, name), Option.isNone)
      )

      const isVisible = (accountId: string) => (bundle: Bundle) =>
        bundle.manifest.owner === undefined || bundle.manifest.owner === accountId

      const route = Effect.fn("Models.route")(function* (about: About) {
        if (english === undefined || multilingual === undefined)
          return yield* Effect.flatMap(standIn, Option.match({ onNone: Unavailable.of, onSome: Effect.succeed }))
        return (yield* isEnglish(language, about)) ? english : multilingual
      })

      /** A registered model's folder here, with the very files that were registered. */
      const registered = yield* Cache.makeWith({
        capacity: 1_000,
        lookup: ({ name, checksum }: { readonly name: string; readonly checksum: string }) =>
          readUnchanged({ directory: path.join(root, name), checksum }).pipe(
            Effect.tapError(({ message }) =>
              Effect.logError(`The registered model ${name} cannot be used here: ${message}`)
            ),
            Effect.mapError(Unavailable.of),
            Effect.provideService(FileSystem.FileSystem, fs),
            Effect.provideService(Path.Path, path)
          ),
        timeToLive: Exit.match({ onSuccess: () => Duration.infinity, onFailure: () => Duration.seconds(10) })
      })

      /** The first to name it may leave, others wait for the same look: it goes on until the cache has what it found. */
      const look = (name: string, checksum: string) =>
        Effect.disconnect(Effect.uninterruptible(registered.get(Data.struct({ name, checksum }))))

      const auto = (bundle: Bundle): Model => ({
        ...entry(bundle),
        name: AUTO,
        description:
          english === multilingual
            ? `${bundle.manifest.name} for all texts.`
            : `${ENGLISH} for English texts, ${MULTILINGUAL} for all others.`,
        custom: false
      })
      const custom = all.map(({ manifest: { name } }) => name).filter((name) => !isBuiltIn(name))

      return Models.of({
        all,
        kept,
        route,
        list: Effect.fn("Models.list")(function* (accountId) {
          const rows = yield* repo.list(accountId, custom)
          const known = new Set(rows.map(({ name }) => name))
          const own = all
            .filter((bundle) => isVisible(accountId)(bundle) && !known.has(bundle.manifest.name))
            .map(entry)
          const others = rows.flatMap(
            ({ visible, name, description, release_date, account }): ReadonlyArray<Model> =>
              visible ? [{ name, description, release_date, custom: true, private: account !== null }] : []
          )
          const reader = multilingual === undefined ? yield* standIn : Option.some(multilingual)
          return [...Option.toArray(Option.map(reader, auto)), ...[...own, ...others].sort(byName)]
        }),
        resolve: Effect.fn("Models.resolve")(function* (accountId, name, about) {
          if (isAlias(name)) return yield* route(about)
          const bundle = found.get(name)
          const row = isOwnName(name) ? yield* repo.find(accountId, name) : Option.none()
          if (Option.isSome(row)) {
            const { visible, checksum } = row.value
            if (!visible) return yield* ModelNotFound.of()
            return bundle?.checksum === checksum ? bundle : yield* look(name, checksum)
          }
          if (bundle === undefined || !isVisible(accountId)(bundle)) return yield* ModelNotFound.of()
          return bundle
        })
      })
    })
  )
  static readonly layer = this.layerNoDeps.pipe(Layer.provide(ModelsRepo.layer))

  /** Those of MODELS_DIR alone, without a database. */
  static readonly layerOfFolder = this.layerNoDeps.pipe(Layer.provide(ModelsRepo.layerEmpty))
}
