import { expect, spyOn } from "bun:test"
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import { PageRoutes } from "#src/console/Pages"
import { live } from "#test/support/effect"

const builds = Effect.acquireRelease(
  Effect.sync(() => spyOn(Bun, "build")),
  (build) => Effect.sync(() => build.mockRestore())
)

const routes = Effect.acquireRelease(
  Effect.sync(() => HttpLayerRouter.toWebHandler(PageRoutes, { disableLogger: true })),
  ({ dispose }) => Effect.promise(dispose)
)

live("The console is bundled once for all its visitors, and anew where that failed", () =>
  Effect.gen(function* () {
    const build = yield* builds
    const { handler } = yield* routes
    const visit = Effect.promise(() => handler(new Request("http://localhost/console")))
    const visits = Effect.map(Effect.all([visit, visit, visit], { concurrency: "unbounded" }), (all) =>
      all.map(({ status }) => status)
    )
    const outcome = { success: true, logs: [], outputs: [] }
    build.mockImplementationOnce(() => Bun.sleep(50).then(() => Promise.reject(new Error("out of memory"))))
    build.mockImplementation(() => Bun.sleep(50).then(() => outcome))
    expect(yield* visits).toEqual([500, 500, 500])
    expect(build).toHaveBeenCalledTimes(1)
    yield* Effect.sleep("5 millis")
    const leaving = new AbortController()
    handler(new Request("http://localhost/console", { signal: leaving.signal }))
    yield* Effect.sleep("5 millis")
    leaving.abort()
    expect(yield* visits).toEqual([200, 200, 200])
    expect(yield* visits).toEqual([200, 200, 200])
    expect(build).toHaveBeenCalledTimes(2)
  })
)
