import { expect } from "bun:test"
import { mkdtemp, readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { fromPage } from "#test/console/visitor"
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
        const grant = (micros: string) => svc("credit", "grant", "--account", email, "--reference", "r", micros)
        expect((yield* grant("1500")).out).toBe("credited  balance\n$0.0015   $0.0015\n")
        expect((yield* grant("1500")).out).toMatch(/^nothing +\$0\.0015 +\$0\.0015$/m)
        const another = yield* grant("15")
        expect([another.code, another.out, another.err]).toEqual([
          1,
          "",
          "Nothing was added: $0.0015 came under this reference before. Another amount takes another reference.\n"
        ])
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
    "takes a password that no list of processes shows",
    () =>
      Effect.gen(function* () {
        const { base } = yield* TestApp
        const made = yield* run(["account", "create", "hidden@example.com", "--json"], {
          SVC_URL: `${base}/rpc`,
          SVC_TOKEN: token,
          SVC_PASSWORD: "a long enough password"
        })
        expect([made.code, JSON.parse(made.out)]).toMatchObject([0, { email: "hidden@example.com" }])
      }),
    60_000
  )

  it(
    "replaces a lost password",
    () =>
      Effect.gen(function* () {
        const { base, send } = yield* TestApp
        const address = "forgetful@example.com"
        const next = "a password to be kept"
        const made = yield* svc("account", "create", address, "--password", "a password to be lost")
        expect(made.code).toBe(0)
        const env = { SVC_URL: `${base}/rpc`, SVC_TOKEN: token, SVC_PASSWORD: next }
        const set = yield* run(["account", "password", address, "--json"], env)
        expect([set.code, JSON.parse(set.out)]).toMatchObject([0, { email: address }])
        const body = { email: address, password: next }
        expect((yield* send("POST", "/console/api/session", { body, headers: fromPage })).status).toBe(200)
        const nobody = yield* run(["account", "password", "nobody@example.com"], env)
        expect([nobody.code, nobody.err.trim()]).toEqual([1, "There is no such account."])
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
    "names the line of a file that is no text, before anything is decided",
    () =>
      Effect.gen(function* () {
        const { balance, customer } = yield* TestApp
        const { accountId } = yield* customer({ decisions: 5 })
        const file = join(yield* Effect.promise(() => mkdtemp(join(tmpdir(), "svc-"))), "texts.jsonl")
        for (const wrong of ['{"txt": "x"}', "not json", JSON.stringify("x".repeat(32_001))]) {
          yield* Effect.promise(() => writeFile(file, `"fine"\n\n${wrong}\n`))
          const { code, out, err } = yield* svc("decide", "--account", accountId, "--template", "spam", "--file", file)
          expect([code, out, err]).toEqual([1, "", expect.stringMatching(/^Line 3 is neither a text nor/)])
        }
        expect(yield* balance(accountId)).toEqual({ balance: 5 * 15, reserved: 0 })
      }),
    60_000
  )

  it(
    "writes what was decided and charged when the balance ends before the file does",
    () =>
      Effect.gen(function* () {
        const { balance, customer } = yield* TestApp
        const { accountId } = yield* customer({ decisions: 12 })
        const file = join(yield* Effect.promise(() => mkdtemp(join(tmpdir(), "svc-"))), "texts.jsonl")
        yield* Effect.promise(() => writeFile(file, Array.from({ length: 40 }, (_, i) => `"text ${i}"\n`).join("")))
        const { code, out, err } = yield* svc("decide", "--account", accountId, "--template", "spam", "--file", file)
        expect([code, err]).toEqual([1, expect.stringContaining("Your credit balance does not cover")])
        const indices = out
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line).index)
        expect(indices.length).toBeGreaterThan(0)
        expect(indices).toEqual([...indices].sort((a, b) => a - b))
        expect(yield* balance(accountId)).toEqual({ balance: (12 - indices.length) * 15, reserved: 0 })
      }),
    60_000
  )

  it(
    "prints one JSON value for scripts, whatever the command",
    () =>
      Effect.gen(function* () {
        const { customer } = yield* TestApp
        const { accountId } = yield* customer({ decisions: 5 })
        const json = (...args: ReadonlyArray<string>) =>
          Effect.map(svc(...args, "--account", accountId, "--json"), ({ code, out }) => [code, JSON.parse(out)])
        expect(yield* json("account", "show")).toMatchObject([0, { id: accountId, balance_micros: 75 }])
        expect(yield* json("credit", "grant", "--reference", "r", "25")).toEqual([
          0,
          { balance_micros: 100, credited_micros: 25, added: true }
        ])
        expect(yield* json("usage")).toMatchObject([0, { balance: { micros: 100 } }])
        const [, [{ id }]] = yield* json("key", "list")
        expect(yield* json("key", "limit", id, "900")).toMatchObject([0, { id, rate_limit: 900 }])
        expect(yield* json("key", "limit", id)).toMatchObject([0, { id, rate_limit: null }])
        expect(yield* json("key", "revoke", id)).toMatchObject([0, { id, revoked_at: expect.any(String) }])
        expect(yield* json("model", "list")).toMatchObject([0, [{ name: "svc-auto" }, {}, {}]])
        const file = join(yield* Effect.promise(() => mkdtemp(join(tmpdir(), "svc-"))), "flow.json")
        yield* Effect.promise(() => writeFile(file, JSON.stringify(content)))
        expect(yield* json("flow", "import", "--publish", "desk", file)).toMatchObject([0, { slug: "desk" }])
        expect(yield* json("flow", "list")).toMatchObject([0, [{ flow: "desk", version: 1 }]])
        expect(yield* json("flow", "export", "desk")).toEqual([0, content])
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
        expect(unknown.err).toStartWith("template: Input should be 'moderation'")
        const days = yield* svc("usage", "--account", email, "--days", "0")
        expect([days.code, days.err]).toEqual([1, expect.stringMatching(/^days: .*between 1 and 90/)])
        const short = yield* svc("account", "create", "new@example.com", "--password", "short")
        expect([short.code, short.err.trim()]).toEqual([1, "password: A password has at least 10 characters"])
        const gone = yield* svc("key", "revoke", "--account", email, "key_none")
        expect([gone.code, gone.err.trim()]).toEqual([1, "There is no active key with this id."])
        const nonsense = yield* svcProcess(["nonsense"])
        expect([nonsense.code, nonsense.err]).toEqual([2, expect.stringContaining("Run `svc --help`")])
        const tokenless = yield* svcProcess(["usage", "--account", "acc_1"], { SVC_TOKEN: "" })
        expect([tokenless.code, tokenless.out]).toEqual([1, ""])
        const { base } = yield* TestApp
        const wrong = (env: Record<string, string>) => run(["usage", "--account", "acc_1"], env)
        const stranger = yield* wrong({ SVC_URL: `${base}/rpc`, SVC_TOKEN: "wrong" })
        expect([stranger.code, stranger.err]).toEqual([1, expect.stringContaining("does not know this SVC_TOKEN")])
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
          "account password",
          "key create",
          "key list",
          "key limit",
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
