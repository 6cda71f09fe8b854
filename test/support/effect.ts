import { afterAll, beforeAll, describe, test } from "bun:test"
import { Cause, Effect, Exit, Layer, ManagedRuntime, type Scope, TestContext, type TestServices } from "effect"

const unwrap = <A, E>(exit: Exit.Exit<A, E>): A => {
  if (Exit.isSuccess(exit)) return exit.value
  throw Cause.squash(exit.cause)
}

/** A test whose body is an effect on the real clock. */
export const live = <A, E>(name: string, body: () => Effect.Effect<A, E, Scope.Scope>, timeout?: number) =>
  test(name, () => Effect.runPromiseExit(Effect.scoped(body())).then(unwrap), timeout)

/** A test whose body is an effect under the test clock. */
export const effect = <A, E>(name: string, body: () => Effect.Effect<A, E, Scope.Scope | TestServices.TestServices>) =>
  test(name, () =>
    Effect.runPromiseExit(body().pipe(Effect.scoped, Effect.provide(TestContext.TestContext))).then(unwrap)
  )

/** Declares a test whose body is an effect with these services. */
export type It<R> = <A, E>(name: string, run: () => Effect.Effect<A, E, R | Scope.Scope>, timeout?: number) => void

const shared = Effect.runSync(Layer.makeMemoMap)

/** Tests that share a layer, built once for them on the real clock, and what it has in common with layers around them. */
export const withLayer =
  <R, E>(layer: Layer.Layer<R, E>) =>
  (name: string, body: (it: It<R>) => void) =>
    describe(name, () => {
      const runtime = ManagedRuntime.make(layer, shared)
      beforeAll(() => runtime.runtime().then(() => {}), 60_000)
      afterAll(() => runtime.dispose(), 60_000)
      body((title, run, timeout = 60_000) =>
        test(title, () => runtime.runPromiseExit(Effect.scoped(run())).then(unwrap), timeout)
      )
    })
