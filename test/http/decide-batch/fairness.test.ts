import { expect } from "bun:test"
import { Effect, Fiber, Layer } from "effect"
import { Inference } from "#src/inference/Inference"
import { makePool } from "#src/inference/Pool"
import { plainReading, TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"

/** States in the order in which the workers took them. */
const taken: Array<string> = []

/** How many had been taken when a state got in line. */
const inLine = new Map<string, number>()

const workers = 2

const run = (state: string) =>
  Effect.sync(() => taken.push(state)).pipe(
    Effect.zipRight(Effect.sleep("20 millis")),
    Effect.as({ logits: [], stateTokens: 1, questionTokens: [] })
  )

/** A real pool, whose workers take 20 ms for whatever they are given. */
const slow = Layer.scoped(
  Inference,
  Effect.gen(function* () {
    const plain = yield* Inference
    const pool = yield* makePool({
      workers,
      queueLimit: 64,
      deadline: "10 seconds",
      spawn: Effect.sync(() => ({
        pid: 1,
        ready: Effect.succeed([]),
        lost: Effect.never,
        loaded: Effect.succeed(false),
        run: ({ state }: { readonly state: string }) => run(state)
      }))
    })
    return Inference.of({
      ...plain,
      status: pool.status,
      answer: Effect.fnUntraced(function* (ask) {
        inLine.set(ask.state, taken.length)
        yield* pool.run(ask.lane, { model: ask.model, state: ask.state, questions: [] })
        return yield* plain.answer(ask)
      })
    })
  })
).pipe(Layer.provide(Inference.layerTest(plainReading)))

withLayer(testApp({ inference: slow }))("A batch of 64", (it) => {
  for (const whose of ["the same key", "another account"] as const)
    it(`does not hold a later decision of ${whose} back`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { key } = yield* app.customer()
        const other = whose === "the same key" ? key : (yield* app.customer()).key
        const texts = Array.from({ length: 64 }, (_, i) => `${whose} ${i}`)
        const batch = yield* Effect.fork(
          app.send("POST", "/v1/decide/batch", { key, body: { texts, template: "spam" } })
        )
        yield* Effect.sleep("5 millis").pipe(Effect.repeat({ until: () => taken.includes(`${whose} 9`) }))
        const reply = yield* app.send("POST", "/v1/decide", { key: other, body: { text: whose, template: "spam" } })
        expect(reply.status).toBe(200)
        expect(taken).not.toContain(`${whose} 63`)
        // Each worker may begin one more run of the batch, whose turn it was; then it is the other's.
        expect(taken.indexOf(whose) - (inLine.get(whose) ?? 0)).toBeLessThanOrEqual(workers)
        const { status, body } = yield* Fiber.join(batch)
        expect(status).toBe(200)
        expect(body.usage.decisions).toBe(64)
      }))
})
