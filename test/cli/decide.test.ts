import { expect } from "bun:test"
import { rmSync } from "node:fs"
import { FileSystem } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { Inference } from "#src/inference/Inference"
import { plainReading, TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"
import { svc } from "#test/support/svc"

const token = "0123456789abcdef0123456789abcdef"

/** Decides about two texts of a file, into `out`; what was printed, and what it cost. */
const decided = Effect.fn(function* (out: string) {
  const fs = yield* FileSystem.FileSystem
  const { balance, base, customer } = yield* TestApp
  const { accountId } = yield* customer({ decisions: 5 })
  const file = yield* fs.makeTempFileScoped()
  yield* fs.writeFileString(file, '"so positive"\n"very negative"\n')
  const command = ["decide", "--account", accountId, "--template", "sentiment", "--file", file, "--out", out]
  const printed = yield* svc(command, { SVC_URL: `${base}/rpc`, SVC_TOKEN: token })
  return { ...printed, paid: 5 - (yield* balance(accountId)).balance / 15 }
})

/** What happens while a text is decided. */
let meanwhile = () => {}

const app = testApp({
  settings: { internalTokens: [{ name: "test", token: Redacted.make(token) }] },
  inference: Inference.layerTest((...asked) => {
    meanwhile()
    return plainReading(...asked)
  })
})

withLayer(app)("svc decide --out", (it) => {
  it("pays for nothing where the file cannot be written", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const out = `${yield* fs.makeTempDirectoryScoped()}/nowhere/answers.jsonl`
      expect(yield* decided(out)).toMatchObject({ code: 1, out: "", err: expect.stringContaining(out), paid: 0 })
    }))

  it("writes the answers in place of what the file held", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const out = yield* fs.makeTempFileScoped()
      yield* fs.writeFileString(out, "of yesterday\n")
      expect(yield* decided(out)).toMatchObject({ code: 0, out: "", paid: 2 })
      expect(yield* fs.readFileString(out)).toMatch(/^\{"index":0,.*"positive".*\}\n\{"index":1,.*"negative".*\}\n$/)
    }))

  it("prints what was paid for where the file cannot be written any more", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = `${yield* fs.makeTempDirectoryScoped()}/answers`
      yield* fs.makeDirectory(folder)
      meanwhile = () => rmSync(folder, { recursive: true, force: true })
      const { code, out, paid } = yield* decided(`${folder}/answers.jsonl`)
      expect([code, paid]).toEqual([1, 2])
      expect(out).toMatch(/^\{"index":0,.*"positive".*\}\n\{"index":1,.*"negative".*\}\n$/)
    }))

  it("is refused where it would be passed over, and so is a text beside a file", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { balance, base, customer } = yield* TestApp
      const { accountId } = yield* customer({ decisions: 5 })
      const asked = (...rest: ReadonlyArray<string>) =>
        svc(["decide", "--account", accountId, "--template", "sentiment", ...rest], {
          SVC_URL: `${base}/rpc`,
          SVC_TOKEN: token
        })
      const out = `${yield* fs.makeTempDirectoryScoped()}/answer.jsonl`
      expect(yield* asked("--out", out, "so positive")).toEqual({
        code: 1,
        out: "",
        err: "--out is for the answers about a file; give the texts with --file\n"
      })
      const file = yield* fs.makeTempFileScoped()
      yield* fs.writeFileString(file, '"so positive"\n')
      expect(yield* asked("--file", file, "very negative")).toEqual({
        code: 1,
        out: "",
        err: "Give a text, or a file of texts with --file\n"
      })
      expect(yield* balance(accountId)).toEqual({ balance: 5 * 15, reserved: 0 })
    }))
})
