/** A server without HTTP: two workers for the model in the folder given. */
import { BunContext } from "@effect/platform-bun"
import { Effect, Layer } from "effect"
import { Inference } from "#src/inference/Inference"
import { readBundle } from "#src/models/Bundle"

const layer = Effect.map(readBundle(process.argv[2] ?? ""), (model) =>
  Inference.layer({ models: [model], workers: 2, queueLimit: 10, deadline: "10 seconds" })
)
Effect.runFork(Layer.launch(Layer.unwrapEffect(layer)).pipe(Effect.provide(BunContext.layer)))
