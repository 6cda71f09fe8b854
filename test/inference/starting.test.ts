import { expect } from "bun:test"
import { BunContext } from "@effect/platform-bun"
import { Effect, Layer } from "effect"
import { Inference } from "#src/inference/Inference"
import { readBundle } from "#src/models/Bundle"
import { Models } from "#src/models/Models"
import { Settings } from "#src/Settings"
import { settings } from "../support/app.ts"
import { live } from "../support/effect.ts"
import { modelsFolder } from "../support/models.ts"
import { stub } from "../support/stub.ts"

live(
  "Workers start with the models that they are to hold, and load others of the start when they are asked for",
  () =>
    Effect.gen(function* () {
      const folder = yield* modelsFolder([{ name: "reviews" }, { name: "registered" }])
      const read = (name: string) => Effect.provide(readBundle(`${folder}/${name}`), BunContext.layer)
      const models = stub(Models)({ kept: [yield* read("reviews")] })
      const inference = Inference.layerNoDeps.pipe(Layer.provide([models, Layer.succeed(Settings, settings)]))
      yield* Effect.gen(function* () {
        const { answer } = yield* Inference
        for (const name of ["reviews", "registered"]) {
          const question = { type: "noul", wording: "is it?", options: [{ name: "no" }, { name: "yes" }] } as const
          const asked = { model: yield* read(name), state: "text", questions: [question], lane: [name] }
          expect((yield* answer(asked)).answers).toHaveLength(1)
        }
      }).pipe(Effect.provide(inference))
    }),
  60_000
)
