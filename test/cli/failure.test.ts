import { expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { failure } from "#src/cli/failure"
import { live } from "#test/support/effect"

/** What a command says of a service that answers with this status. */
const said = (status: number) =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => Bun.serve({ port: 0, fetch: () => new Response("", { status }) })),
      (server) => Effect.promise(() => server.stop(true))
    )
    const token = Redacted.make("0123456789abcdef0123456789abcdef")
    const asked = Effect.flatMap(InternalClient, (client) => client.ListTemplates())
    const layer = InternalClient.layer({ url: `http://127.0.0.1:${server.port}/rpc`, token })
    return failure(yield* Effect.flip(Effect.sandbox(Effect.provide(asked, layer))))
  })

live("A service that answers, but not to the call, is told by its status and what to do", () =>
  Effect.gen(function* () {
    for (const [status, words] of [
      [408, /arrive \(408\)\. Send less/],
      [413, /too large .*\(413\)\. Send less/],
      [503, /\(503\)\. Try again/],
      [529, /\(529\)\. Try again/],
      [401, /^The service does not know this SVC_TOKEN/],
      [404, /^The service does not answer\. Check/]
    ] as const)
      expect(yield* said(status)).toEqual({ message: expect.stringMatching(words), code: 1 })
  })
)
