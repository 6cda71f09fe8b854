import { FileSystem, Path } from "@effect/platform"
import { Cache, Context, Data, Duration, Effect, Exit, identity, Layer, Option, Order } from "effect"
import { Unavailable } from "#schema/Errors"
import { type Model, ModelNotFound } from "#schema/Model"
import { Language } from "../language/Language.ts"
import { Settings } from "../Settings.ts"
import { type Bundle, isBundle, readBundle } from "./Bundle.ts"
import { InvalidBundle } from "./InvalidBundle.ts"
import { ModelsRepo } from "./ModelsRepo.ts"
import { isBuiltIn, isOwnName } from "./Name.ts"

/** What a request without a model of its own is about. */
export interface About {
  readonly state: string
  /** What is asked about it, with the options as the model reads them; those in another language than English are not for the English model either. */
  readonly questions?: ReadonlyArray<{ readonly wording: string; readonly options: ReadonlyArray<string> }>
  /** ISO 639-1 hint of the caller; replaces looking at the state. */
  readonly lang?: string
}

const AUTO = "svc-auto"
const ENGLISH = "svc-english"
const MULTILINGUAL = "svc-multilingual"

/** No account's id. */
const NOBODY = ""

/** Names that `svc-auto` answers to. */
const isAlias = (name: string) => name === AUTO || name.endsWith("-latest")

/** Below this probability of English the model for many languages answers: it reads English too, the other reads nothing else. */
const SURE = 0.5
/** Below it questions are taken for another language; even short English ones mostly stay above. */
const FOREIGN = 0.01
/** The same for options: names say less than sentences, and English ones were never seen below but for codes like `ORG`, `PER`, `LOC`. */
const FOREIGN_NAMES = 0.06
/** Wordings and options without letters, or of a few that English has too, tell no language. */
const TELLS = /(?![a-zA-Z])\p{L}|(?:[a-zA-Z]\P{L}*){8}/u
/** Words of other scripts and pictures, of which the English model sees little or nothing: options of these are all alike to it. */
const UNSEEN =
  /(?:(?!\p{Script=Latin})\p{L}){2}|[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]|\p{Emoji_Presentation}/u
/** The share of letters of other scripts from which a text is not English, whatever stands around them. */
const MIXED = 0.1
/** Characters of options that are looked at for their language. */
const ENOUGH = 4_000

const count = (text: string, letters: RegExp) => text.match(letters)?.length ?? 0
const isMixed = (text: string) => {
  const others = count(text, /(?!\p{Script=Latin})\p{L}/gu)
  return others > 0 && others >= MIXED * (others + count(text, /\p{Script=Latin}/gu))
}

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

      const isVisible = (accountId: string) => (bundle: Bundle) =>
        bundle.manifest.owner === undefined || bundle.manifest.owner === accountId

      const route = Effect.fn("Models.route")(function* ({ state, questions = [], lang }: About) {
        if (english === undefined || multilingual === undefined)
          return yield* Effect.flatMap(standIn, Option.match({ onNone: Unavailable.of, onSome: Effect.succeed }))
        const isForeign = (text: string, below: number) =>
          TELLS.test(text)
            ? Effect.map(language.probabilityOf("en", text), (english) => english < below)
            : Effect.succeed(false)
        const hinted = lang !== undefined && lang !== ""
        const read = hinted
          ? /^en(?![a-z])/i.test(lang)
          : !isMixed(state) && (yield* language.probabilityOf("en", state)) >= SURE
        const unseen = questions.some(({ wording, options }) => [wording, ...options].some((text) => UNSEEN.test(text)))
        if (!read || unseen) return multilingual
        // Each by itself: beside English ones, a question in another language would pass for English.
        const foreign = yield* Effect.exists(
          questions.flatMap(({ wording, options }) => [
            isForeign(wording, FOREIGN),
            // Sorted, so that the order of the options chooses no model either.
            isForeign([...options].sort().join("\n").slice(0, ENOUGH), FOREIGN_NAMES)
          ]),
          identity
        )
        return foreign ? multilingual : english
      })

      /** A registered model's folder here, with the very files that were registered. */
      const registered = yield* Cache.makeWith({
        capacity: 1_000,
        lookup: ({ name, checksum }: { readonly name: string; readonly checksum: string }) =>
          readBundle(path.join(root, name)).pipe(
            Effect.filterOrFail(
              (bundle) => bundle.checksum === checksum,
              ({ directory }) =>
                new InvalidBundle({ directory, message: `${directory} holds other files; copy it again` })
            ),
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
        description: `${ENGLISH} for English texts, ${MULTILINGUAL} for all others.`
      })
      const custom = all.map(({ manifest: { name } }) => name).filter((name) => !isBuiltIn(name))

      return Models.of({
        all,
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
