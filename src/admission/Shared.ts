import { Deferred, Effect, Exit, Queue, Schema, type Scope } from "effect"

interface Waiting<A, B, E> {
  readonly item: A
  readonly done: Deferred.Deferred<B, E>
}

const lanes = 2

/**
 * One call for many: items that arrive while calls are under way share the next one, at most `most` of them.
 * An idle call goes out at once. `run` answers in the order of its items. What is no item, by its schema, would fail the
 * call for all who share it: it dies alone.
 */
export const shared = <A, I, B, E>(
  schema: Schema.Schema<A, I>,
  run: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, E>,
  most = 256
): Effect.Effect<(item: A) => Effect.Effect<B, E>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const validate = Schema.validate(schema)
    const queue = yield* Queue.unbounded<Waiting<A, B, E>>()

    const answer = Effect.fnUntraced(function* (waiting: ReadonlyArray<Waiting<A, B, E>>) {
      const exit = yield* Effect.exit(run(waiting.map(({ item }) => item)))
      yield* Effect.forEach(waiting, ({ done }, index) => {
        if (Exit.isFailure(exit)) return Deferred.failCause(done, exit.cause)
        const value = exit.value[index]
        return value === undefined
          ? Deferred.die(done, new Error("A shared call left an item unanswered."))
          : Deferred.succeed(done, value)
      })
    })

    yield* Queue.takeBetween(queue, 1, most).pipe(
      Effect.flatMap((chunk) => answer([...chunk])),
      Effect.forever,
      Effect.forkScoped,
      Effect.replicateEffect(lanes)
    )

    return (item) =>
      Effect.gen(function* () {
        yield* Effect.orDie(validate(item))
        const done = yield* Deferred.make<B, E>()
        yield* Queue.offer(queue, { item, done })
        return yield* Deferred.await(done)
      })
  })
