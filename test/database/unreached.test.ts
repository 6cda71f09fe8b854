import { expect } from "bun:test"
import { Effect, Layer, Option, Redacted } from "effect"
import { Database } from "#src/database/Database"
import { Settings } from "#src/Settings"
import { startFailure } from "#src/startFailure"
import { settings } from "#test/support/app"
import { live } from "#test/support/effect"
import { freePort } from "#test/support/ports"

const check = "Check that DATABASE_URL names a PostgreSQL that runs and takes its user and password."

const started = (port: number) => {
  const databaseUrl = Option.some(Redacted.make(`postgresql://svc:secret@127.0.0.1:${port}/svc`))
  return Effect.scoped(Layer.build(Database)).pipe(
    Effect.provide(Layer.succeed(Settings, { ...settings, databaseUrl })),
    Effect.sandbox,
    Effect.flip,
    Effect.map(startFailure)
  )
}

live("A database that is not reached stops the start with the setting's name, not with its address", () =>
  Effect.gen(function* () {
    const port = yield* Effect.promise(freePort)
    expect(yield* started(port)).toBe(`The database cannot be used: ECONNREFUSED. ${check}`)
  })
)

live("A database that refuses the password stops the start with its own words and the setting's name", () =>
  Effect.gen(function* () {
    const fields = 'SFATAL\0C28P01\0Mpassword authentication failed for user "svc"\0\0'
    const answer = Buffer.alloc(5 + fields.length)
    answer.write("E")
    answer.writeInt32BE(4 + fields.length, 1)
    answer.write(fields, 5)
    const server = yield* Effect.acquireRelease(
      Effect.sync(() =>
        Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: (socket) => void socket.end(answer) } })
      ),
      (listening) => Effect.sync(() => listening.stop(true))
    )
    expect(yield* started(server.port)).toBe(
      `The database cannot be used: password authentication failed for user "svc". ${check}`
    )
  })
)
