import { expect } from "bun:test"
import { FileSystem } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { content } from "#test/flows/scene"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"
import { svc } from "#test/support/svc"

const token = "0123456789abcdef0123456789abcdef"
const app = testApp({ settings: { internalTokens: [{ name: "test", token: Redacted.make(token) }] } })

/** Imports content as the flow `desk` of an account. */
const imported = Effect.fn(function* (account: string, what: unknown, ...rest: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const { base } = yield* TestApp
  const file = yield* fs.makeTempFileScoped()
  yield* fs.writeFileString(file, typeof what === "string" ? what : JSON.stringify(what))
  return yield* svc(["flow", "import", "--account", account, ...rest, "desk", file], {
    SVC_URL: `${base}/rpc`,
    SVC_TOKEN: token
  })
})

withLayer(app)("svc flow import", (it) => {
  it("prints the draft as it is after publishing", () =>
    Effect.gen(function* () {
      const { customer } = yield* TestApp
      const { accountId } = yield* customer()
      const told = (...rest: ReadonlyArray<string>) =>
        Effect.map(imported(accountId, content, "--json", ...rest), ({ code, out }) => [code, JSON.parse(out)])
      expect(yield* told()).toMatchObject([0, { revision: 1, published_version: null, published_revision: null }])
      expect(yield* told("--publish")).toMatchObject([0, { revision: 2, published_version: 1, published_revision: 2 }])
      expect(yield* told()).toMatchObject([0, { revision: 3, published_version: 1, published_revision: 2 }])
      const { out } = yield* imported(accountId, content, "--publish")
      expect(out).toMatch(/^slug +id +revision +published_version +published_revision\ndesk +flow_\w+ +4 +2 +4\n$/)
    }))

  it("keeps levels whose names are whole numbers in the order of the file", () =>
    Effect.gen(function* () {
      const { base, customer } = yield* TestApp
      const { accountId } = yield* customer()
      const text = JSON.stringify(content)
        .replace('{"small":"up to ten","large":null}', '{"10": "ten", "9": "nine", "8": null}')
        .replace('{"levels":["large"]}', '{"levels":["8"]}')
      expect((yield* imported(accountId, text, "--publish")).err).toBe("")
      const { out } = yield* svc(["flow", "export", "--account", accountId, "desk"], {
        SVC_URL: `${base}/rpc`,
        SVC_TOKEN: token
      })
      const size = JSON.parse(out).definition.nodes.find(({ id }: { id: string }) => id === "size")
      expect(size.ask.options.map(({ name }: { name: string }) => name)).toEqual(["10", "9", "8"])
    }))

  it("says each fault that a flow cannot be published for, and that its draft is saved", () =>
    Effect.gen(function* () {
      const { customer } = yield* TestApp
      const { accountId } = yield* customer()
      const { definition } = content
      const edges = definition.edges.filter(({ id }) => id !== "hurry-yes" && id !== "size-else")
      const wrong = { ...content, definition: { ...definition, edges } }
      const { code, out, err } = yield* imported(accountId, wrong, "--publish", "--json")
      expect([code, out]).toEqual([1, ""])
      const lines = err.trim().split("\n")
      expect(lines.slice(0, 2)).toEqual([
        "The draft is saved, at revision 1. Publishing it failed:",
        "The flow cannot be run as it stands: 4 faults to mend."
      ])
      expect(lines.slice(2)).toHaveLength(4)
      expect(err).toContain("'Hurry?' has no way on for yes")
      expect(err).toContain("'Size?' has no way on for small")
      expect((yield* imported(accountId, content, "--json")).out).toContain('"revision":2')
    }))
})
