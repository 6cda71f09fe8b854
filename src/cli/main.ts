import { BunContext, BunRuntime } from "@effect/platform-bun"
import { Console, Effect, Exit } from "effect"
import { failure } from "./failure.ts"
import { svc } from "./svc.ts"

/** Colours are for terminals. */
const plainIn = (stream: { readonly isTTY?: boolean }) => (text: unknown) =>
  typeof text === "string" && stream.isTTY !== true ? Bun.stripANSI(text) : text

/** The console's own way passes over what a full disk, or a reader that left, does not take. */
const writing = (all: ReadonlyArray<unknown>) =>
  Effect.promise(() => Bun.write(Bun.stdout, `${all.map(plainIn(process.stdout)).join(" ")}\n`))

const printing = <A, E, R>(program: Effect.Effect<A, E, R>) =>
  Console.consoleWith((console) =>
    Effect.withConsole(program, {
      ...console,
      log: (...all) => Effect.asVoid(writing(all)),
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
