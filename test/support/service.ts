import { describe, test } from "bun:test"
import { Cause, Effect, Exit, type Layer, ManagedRuntime, type Scope } from "effect"
import { Overloaded, Unavailable } from "#schema/Errors"
import { answeringWith } from "./answering.ts"
import { testApp } from "./app.ts"
import { DatabaseOnPostgres } from "./postgres.ts"

/** Texts about which the shared service cannot answer, or not at once. */
export const trouble = {
  slow: "a worker takes a second for this",
  bug: "nobody thought of this",
  overloaded: "no worker is free for this",
  unavailable: "every worker is lost on this"
} as const

/** The model of the tests, but for texts that make trouble. */
export const troubled = answeringWith((ask, plain) => {
  if (ask.state === trouble.overloaded) return Overloaded.of()
  if (ask.state === trouble.unavailable) return Unavailable.of()
  if (ask.state === trouble.bug) return Effect.die(new Error("never seen before"))
  if (ask.state === trouble.slow) return Effect.delay(plain(ask), "1 second")
  return plain(ask)
})

const service = testApp({ inference: troubled, database: DatabaseOnPostgres })

type Services = Layer.Layer.Success<typeof service>

let shared: ManagedRuntime.ManagedRuntime<Services, Layer.Layer.Error<typeof service>> | undefined

const runtime = () => (shared ??= ManagedRuntime.make(service))

/** Tests against one service on a PostgreSQL server, both there until the run ends; each makes customers of its own. */
export const http = (
  name: string,
  body: (
    it: <A, E>(title: string, run: () => Effect.Effect<A, E, Services | Scope.Scope>, timeout?: number) => void
  ) => void
) =>
  describe(name, () =>
    body((title, run, timeout = 60_000) =>
      test(
        title,
        () =>
          runtime()
            .runPromiseExit(Effect.scoped(run()))
            .then((exit) => {
              if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
            }),
        timeout
      )
    )
  )
