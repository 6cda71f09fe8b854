import { expect } from "bun:test"
import { mkdtemp, readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { content } from "#test/flows/scene"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"
import { svc as run, svcProcess, svcTerminal } from "#test/support/svc"

const token = "0123456789abcdef0123456789abcdef"

withLayer(testApp({ settings: { internalTokens: [{ name: "test", token: Redacted.make(token) }] } }))("svc", (it) => {
  const svc = (...args: ReadonlyArray<string>) =>
    Effect.flatMap(TestApp, ({ base }) => run(args, { SVC_URL: `${base}/rpc`, SVC_TOKEN: token }))
  const email = "cli@example.com"

  it(
    "makes an account, a key and credit, and shows the usage",
    () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const made = yield* svc("account", "create", email, "--password", "a long enough password", "--json")
        expect(made.code).toBe(0)
        expect(JSON.parse(made.out)).toMatchObject({ email, balance_micros: 0 })
        yield* svc("credit", "grant", "--account", email, "--reference", "r", "1500")
        const key = JSON.parse((yield* svc("key", "create", "--account", email, "--json", "server")).out)
        expect(
          (yield* app.send("POST", "/v1/decide", { key: key.secret, body: { template: "spam", text: "x" } })).status
        ).toBe(200)
        expect((yield* svc("usage", "--account", email)).out).toContain("$0.000015")
        expect((yield* svc("key", "revoke", "--account", email, key.id)).code).toBe(0)
        expect(
          (yield* app.send("POST", "/v1/decide", { key: key.secret, body: { template: "spam", text: "x" } })).status
        ).toBe(401)
      }),
    60_000
  )

  it(
    "decides about every line of a file, in order",
    () =>
      Effect.gen(function* () {
        const folder = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "svc-")))
        const file = join(folder, "texts.jsonl")
        const out = join(folder, "answers.jsonl")
        yield* Effect.promise(() => writeFile(file, '"so positive"\n{"text": "very negative"}\n'))
        const { base } = yield* TestApp
        const command = ["decide", "--account", email, "--template", "sentiment", "--file", file, "--out", out]
        const done = yield* svcTerminal(command, { SVC_URL: `${base}/rpc`, SVC_TOKEN: token })
        expect([done.code, done.out]).toEqual([0, expect.stringContaining(`${"█".repeat(30)} 2/2`)])
        const answers = (yield* Effect.promise(() => readFile(out, "utf8")))
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
        expect(answers.map(({ index, decision }) => [index, decision])).toEqual([
          [0, "positive"],
          [1, "negative"]
        ])
      }),
    60_000
  )

  it(
    "imports a flow, publishes it, and exports what was imported",
    () =>
      Effect.gen(function* () {
        const folder = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "svc-")))
        const [file, out] = [join(folder, "flow.json"), join(folder, "exported.json")]
        yield* Effect.promise(() => writeFile(file, JSON.stringify(content)))
        const made = yield* svc("flow", "import", "--account", email, "--publish", "--json", "front-door", file)
        expect([made.code, JSON.parse(made.out)]).toMatchObject([0, { slug: "front-door", name: content.name }])
        expect((yield* svc("flow", "list", "--account", email)).out).toMatch(/^front-door +Front door +1 +3 /m)
        expect((yield* svc("flow", "export", "--account", email, "--file", out, "front-door")).code).toBe(0)
        expect(JSON.parse(yield* Effect.promise(() => readFile(out, "utf8")))).toEqual(content)
        const again = yield* svc("flow", "import", "--account", email, "front-door", file)
        expect([again.code, again.out]).toEqual([0, expect.stringContaining("front-door")])
      }),
    60_000
  )

  it(
    "decides about a text, and lists keys, as JSON for scripts",
    () =>
      Effect.gen(function* () {
        const options = ["--type", "choice", "--question", "Which team?", "--option", "billing", "--option", "sales"]
        const decided = yield* svc("decide", "--account", email, ...options, "--json", "about billing")
        expect([decided.code, JSON.parse(decided.out)]).toMatchObject([0, { decision: "billing" }])
        const keys = JSON.parse((yield* svc("key", "list", "--account", email, "--json")).out)
        expect(keys).toMatchObject([{ name: "server", revoked_at: expect.any(String) }])
        const shown = yield* svc("account", "show", "--account", email)
        expect(shown.out).toMatch(/^acc_\w+ +cli@example.com +prepaid +\$/m)
      }),
    60_000
  )

  it(
    "says what is wrong and ends with 1",
    () =>
      Effect.gen(function* () {
        const unknown = yield* svc("decide", "--account", email, "--template", "nothing", "x")
        expect(unknown.code).toBe(1)
        expect(unknown.err).toContain("question.template: Input should be 'moderation'")
        const gone = yield* svc("key", "revoke", "--account", email, "key_none")
        expect([gone.code, gone.err.trim()]).toEqual([1, "There is no active key with this id."])
        const nonsense = yield* svcProcess(["nonsense"])
        expect([nonsense.code, nonsense.err]).toEqual([2, expect.stringContaining("Run `svc --help`")])
        const tokenless = yield* svcProcess(["usage", "--account", "acc_1"], { SVC_TOKEN: "" })
        expect([tokenless.code, tokenless.out]).toEqual([1, ""])
        const { base } = yield* TestApp
        const wrong = (env: Record<string, string>) => run(["usage", "--account", "acc_1"], env)
        const stranger = yield* wrong({ SVC_URL: `${base}/rpc`, SVC_TOKEN: "wrong" })
        expect([stranger.code, stranger.err]).toEqual([1, expect.stringContaining("Send a service token")])
        const nowhere = yield* wrong({ SVC_URL: `${base}/elsewhere`, SVC_TOKEN: token })
        expect([nowhere.code, nowhere.err]).toEqual([1, expect.stringContaining("SVC_URL is its RPC address")])
      }),
    60_000
  )

  it(
    "reads well when asked for help",
    () =>
      Effect.gen(function* () {
        const { out, code } = yield* svcProcess(["--help"])
        expect(code).toBe(0)
        expect(out).not.toContain("\u001b")
        for (const command of [
          "account create",
          "key create",
          "key list",
          "key revoke",
          "credit grant",
          "usage",
          "model add",
          "model list",
          "model fetch",
          "flow import",
          "flow export",
          "decide"
        ])
          expect(out).toMatch(new RegExp(`^ *- ${command} .*  \\S`, "m"))
      }),
    60_000
  )
})
