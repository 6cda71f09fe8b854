import { expect } from "bun:test"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"

const token = "0123456789abcdef0123456789abcdef"
const client = new URL("../../schema/InternalClient.ts", import.meta.url).pathname

/** A service on Node: prints how a decision went, and what a failure is an instance of. */
const program = (url: string, account: string) => `
  import { Effect, Redacted } from "effect"
  import { InternalClient } from ${JSON.stringify(client)}
  const spec = { template: "priority" }
  const main = Effect.gen(function* () {
    const client = yield* InternalClient
    const { decision } = yield* client.Decide({ account: ${JSON.stringify(account)}, spec, text: "so urgent" })
    const failure = yield* Effect.flip(client.Decide({ account: "acc_nobody", spec, text: "x" }))
    console.log(JSON.stringify([typeof Bun, decision, failure._tag, failure instanceof Error]))
  })
  const layer = InternalClient.layer({ url: ${JSON.stringify(url)}, token: Redacted.make(${JSON.stringify(token)}) })
  Effect.runPromise(Effect.provide(main, layer))`

withLayer(testApp({ settings: { internalTokens: [{ name: "test", token: Redacted.make(token) }] } }))(
  "The internal client",
  (it) => {
    it(
      "runs on Node",
      () =>
        Effect.gen(function* () {
          const { base, customer } = yield* TestApp
          const { accountId } = yield* customer()
          const folder = yield* Effect.acquireRelease(
            Effect.promise(() => mkdtemp(join(import.meta.dir, "../../node_modules/.node-"))),
            (made) => Effect.promise(() => rm(made, { recursive: true }))
          )
          const printed = yield* Effect.promise(async () => {
            const entry = join(folder, "main.ts")
            await writeFile(entry, program(`${base}/rpc`, accountId))
            const built = await Bun.build({ entrypoints: [entry], target: "node", outdir: folder, naming: "main.mjs" })
            expect(built.success).toBe(true)
            const child = Bun.spawn(["node", join(folder, "main.mjs")], { stdout: "pipe", stderr: "inherit" })
            return new Response(child.stdout).text()
          })
          expect(JSON.parse(printed)).toEqual(["undefined", "urgent", "AccountNotFound", true])
        }),
      60_000
    )
  }
)
