import { BunContext, BunRuntime } from "@effect/platform-bun"
import { Console, Effect, Exit } from "effect"
import { failure } from "./failure.ts"
import { svc } from "./svc.ts"

/** Colours are for terminals. */
const plainIn = (stream: { readonly isTTY?: boolean }) => (text: unknown) =>
  typeof text === "string" && stream.isTTY !== true ? Bun.stripANSI(text) : text

const printing = <A, E, R>(program: Effect.Effect<A, E, R>) =>
  Console.consoleWith((console) =>
    Effect.withConsole(program, {
      ...console,
      log: (...all) => console.log(...all.map(plainIn(process.stdout))),
      error: (...all) => console.error(...all.map(plainIn(process.stderr)))
    })
  )

svc(process.argv).pipe(
  printing,
  Effect.provide(BunContext.layer),
  BunRuntime.runMain({
    disableErrorReporting: true,
    teardown: (exit, end) => end(Exit.match(exit, { onSuccess: () => 0, onFailure: (cause) => failure(cause).code }))
  })
)
