import { expect } from "bun:test"
import { mkdtemp, readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"

const token = "0123456789abcdef0123456789abcdef"

withLayer(testApp({ settings: { internalTokens: [{ name: "test", token: Redacted.make(token) }] } }))("svc", (it) => {
  const svc = (...args: ReadonlyArray<string>) =>
    Effect.flatMap(TestApp, ({ base }) =>
      Effect.promise(async () => {
        const child = Bun.spawn([process.execPath, "src/cli/main.ts", ...args], {
          cwd: join(import.meta.dir, "../.."),
          env: { ...process.env, SVC_URL: `${base}/rpc`, SVC_TOKEN: token },
          stdout: "pipe",
          stderr: "pipe"
        })
        const [out, err, code] = await Promise.all([
          new Response(child.stdout).text(),
          new Response(child.stderr).text(),
          child.exited
        ])
        return { out, err, code }
      })
    )
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
        const done = yield* svc("decide", "--account", email, "--template", "sentiment", "--file", file, "--out", out)
        expect(done.code).toBe(0)
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
    "says what is wrong and ends with 1",
    () =>
      Effect.gen(function* () {
        const unknown = yield* svc("decide", "--account", email, "--template", "nothing", "x")
        expect(unknown.code).toBe(1)
        expect(unknown.err).toContain("question.template: Input should be 'moderation'")
        const gone = yield* svc("key", "revoke", "--account", email, "key_none")
        expect([gone.code, gone.err.trim()]).toEqual([1, "There is no active key with this id."])
      }),
    60_000
  )
})
