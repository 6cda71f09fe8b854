import { test } from "bun:test"
import { Cause, Effect, Exit, type Scope, TestContext, type TestServices } from "effect"

const unwrap = <A, E>(exit: Exit.Exit<A, E>): A => {
  if (Exit.isSuccess(exit)) return exit.value
  throw Cause.squash(exit.cause)
}

/** A test whose body is an effect on the real clock. */
export const live = <A, E>(name: string, body: () => Effect.Effect<A, E, Scope.Scope>, timeout?: number) =>
  test(name, () => Effect.runPromiseExit(Effect.scoped(body())).then(unwrap), timeout)

/** A test whose body is an effect on the test clock. */
export const effect = <A, E>(name: string, body: () => Effect.Effect<A, E, Scope.Scope | TestServices.TestServices>) =>
  test(name, () =>
    Effect.runPromiseExit(body().pipe(Effect.scoped, Effect.provide(TestContext.TestContext))).then(unwrap)
  )
