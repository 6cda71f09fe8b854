import { FileSystem, Path } from "@effect/platform"
import { Context, Effect, Layer, Option } from "effect"
import type { Unavailable } from "#schema/Errors"
import { ModelInvalid, ModelNotFound, ModelTaken, type RegisteredModel } from "#schema/Model"
import { Inference } from "../inference/Inference.ts"
import { Settings } from "../Settings.ts"
import { readBundle } from "./Bundle.ts"
import { ModelsRepo, NOBODY } from "./ModelsRepo.ts"
import { isOwnName, nameRule } from "./Name.ts"

/** A model by its name, and the account that alone uses it; null: every account. */
export interface Owned {
  readonly account: string | null
  readonly name: string
}

/** Models that are added and removed while the service runs. */
export class Registrations extends Context.Tag("svc/Registrations")<
  Registrations,
  {
    /** Takes the folder of this name in MODELS_DIR into service, after its files were checked and the model was tried. */
    readonly add: (owned: Owned) => Effect.Effect<RegisteredModel, ModelInvalid | ModelTaken | Unavailable>
    /** Ends with its commit, on every instance; the folder stays. */
    readonly remove: (owned: Owned) => Effect.Effect<RegisteredModel, ModelNotFound | Unavailable>
    readonly list: Effect.Effect<ReadonlyArray<RegisteredModel>, Unavailable>
  }
>() {
  static readonly layerNoDeps = Layer.effect(
    Registrations,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const { modelsDir } = yield* Settings
      const inference = yield* Inference
      const repo = yield* ModelsRepo

      const add = Effect.fn("Registrations.add")(function* ({ account, name }: Owned) {
        const invalid = (message: string) => new ModelInvalid({ message })
        if (!isOwnName(name)) return yield* invalid(`A model's name ${nameRule}.`)
        const bundle = yield* readBundle(path.resolve(modelsDir, name)).pipe(
          Effect.mapError(({ message }) => invalid(message)),
          Effect.provideService(FileSystem.FileSystem, fs),
          Effect.provideService(Path.Path, path)
        )
        const { manifest, checksum } = bundle
        if (manifest.name !== name)
          return yield* invalid(`The folder holds the model ${manifest.name}; name the folder like the model.`)
        if (manifest.owner !== undefined && manifest.owner !== account) {
          const other = account === null ? 'take "owner" out of' : `write ${account}, the id of this one, into`
          return yield* invalid(
            `The manifest says that ${manifest.owner} owns the model; register it for the account with that id, or ${other} the manifest.`
          )
        }
        const known = yield* repo.registered(name)
        if (Option.isSome(known)) {
          const same = known.value.account === account && known.value.checksum === checksum
          return same ? known.value : yield* ModelTaken.of(name)
        }
        yield* Effect.catchAll(inference.trial(bundle), ({ message }) =>
          Effect.flatMap(repo.find(account ?? NOBODY, name), (ever) => {
            const whom = manifest.owner === undefined ? "every account" : "its owner"
            const untried = `. Take its folder out of MODELS_DIR: a restart takes it in untried, for ${whom}.`
            return invalid(`The model does not answer: ${message}${Option.isSome(ever) ? "" : untried}`)
          })
        )
        const { description, release_date } = manifest
        const row = yield* repo.insert({ name, account, description, release_date, checksum })
        return Option.isSome(row) ? row.value : yield* ModelTaken.of(name)
      })

      return Registrations.of({
        add,
        remove: Effect.fn("Registrations.remove")(function* (owned) {
          const row = yield* repo.remove(owned)
          return Option.isSome(row) ? row.value : yield* ModelNotFound.registered(owned.name)
        }),
        list: repo.all
      })
    })
  )
  static readonly layer = this.layerNoDeps.pipe(Layer.provide(ModelsRepo.layer))
}
