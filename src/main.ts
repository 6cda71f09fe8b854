import { BunRuntime } from "@effect/platform-bun"
import { Cause, Console, Effect, Layer } from "effect"
import { App } from "./App.ts"
import { startFailure } from "./startFailure.ts"

Layer.launch(App).pipe(
  Effect.tapErrorCause((cause) => (Cause.isInterruptedOnly(cause) ? Effect.void : Console.error(startFailure(cause)))),
  BunRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true })
)
