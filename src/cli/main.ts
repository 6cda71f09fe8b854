import { BunContext, BunRuntime } from "@effect/platform-bun"
import { Effect, Exit } from "effect"
import { failure } from "./failure.ts"
import { printing } from "./standardOutput.ts"
import { svc } from "./svc.ts"

svc(process.argv).pipe(
  printing,
  Effect.provide(BunContext.layer),
  BunRuntime.runMain({
    disableErrorReporting: true,
    teardown: (exit, end) => end(Exit.match(exit, { onSuccess: () => 0, onFailure: (cause) => failure(cause).code }))
  })
)
