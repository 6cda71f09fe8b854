import { expect, test } from "bun:test"
import { Duration, Effect } from "effect"
import { call, Failure } from "#src/console/app/api"

test("A request that is never answered fails like one that never arrived", async () => {
  const failed = await call(() => Effect.never, { patience: Duration.millis(20) }).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(Failure)
  expect(failed).toMatchObject({ message: expect.stringContaining("does not answer"), requestId: null })
})
