import { expect } from "bun:test"
import { rmSync } from "node:fs"
import { FileSystem, Path } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { Limits } from "#schema/Limits"
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
let meanwhile = (_state: string) => {}

const app = testApp({
  settings: { internalTokens: [{ name: "test", token: Redacted.make(token) }] },
  inference: Inference.layerTest((...asked) => {
    meanwhile(asked[0])
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

  it("leaves nothing of what the file held where there was nothing to decide", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { base, customer } = yield* TestApp
      const { accountId } = yield* customer()
      const [file, out] = yield* Effect.all([fs.makeTempFileScoped(), fs.makeTempFileScoped()])
      yield* fs.writeFileString(file, "\n")
      yield* fs.writeFileString(out, "of yesterday\n")
      const command = ["decide", "--account", accountId, "--template", "sentiment", "--file", file, "--out", out]
      const printed = yield* svc(command, { SVC_URL: `${base}/rpc`, SVC_TOKEN: token })
      expect([printed.code, yield* fs.readFileString(out)]).toEqual([0, ""])
    }))

  it("leaves what the file held where a run ends before anything is decided", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { base, customer } = yield* TestApp
      const [{ accountId: rich }, { accountId: poor }] = yield* Effect.all([customer(), customer({ decisions: 0 })])
      const file = yield* fs.makeTempFileScoped()
      const wrong = yield* fs.makeTempFileScoped()
      const out = yield* fs.makeTempFileScoped()
      yield* fs.writeFileString(file, '"so positive"\n')
      yield* fs.writeFileString(wrong, "so positive\n")
      // More than is read for a stranger.
      const large = yield* fs.makeTempFileScoped()
      yield* fs.writeFileString(large, `${JSON.stringify("so positive ".repeat(2_000))}\n`.repeat(8))
      yield* fs.writeFileString(out, "of yesterday\n")
      for (const [account, texts, secret, said] of [
        [poor, file, token, "Your credit balance does not cover"],
        ["acc_nobody", file, token, "There is no such account"],
        [rich, file, "wrong", "does not know this SVC_TOKEN"],
        [rich, large, "wrong", "does not know this SVC_TOKEN"],
        [rich, wrong, token, "Line 1 is neither a text nor"]
      ] as const) {
        const command = ["decide", "--account", account, "--template", "sentiment", "--file", texts]
        const env = { SVC_URL: `${base}/rpc`, SVC_TOKEN: secret }
        const printed = yield* svc([...command, "--out", out], env)
        expect(printed).toEqual({ code: 1, out: "", err: expect.stringContaining(said) })
        expect([said, yield* fs.readFileString(out)]).toEqual([said, "of yesterday\n"])
      }
    }))

  it("is refused where it is the file of the texts, by whatever path, before anything is asked", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const { balance, base, customer } = yield* TestApp
      const { accountId } = yield* customer({ decisions: 5 })
      const folder = yield* fs.makeTempDirectoryScoped()
      const file = `${folder}/texts.jsonl`
      yield* fs.writeFileString(file, '"so positive"\n')
      yield* fs.symlink(file, `${folder}/link.jsonl`)
      yield* fs.symlink(folder, `${folder}/here`)
      const asked = (texts: string, out: string) =>
        svc(["decide", "--account", accountId, "--template", "sentiment", "--file", texts, "--out", out], {
          SVC_URL: `${base}/rpc`,
          SVC_TOKEN: token
        })
      const near = path.relative(process.cwd(), file)
      for (const [texts, out] of [
        [file, file],
        [file, near],
        [near, `${folder}/../${path.basename(folder)}/texts.jsonl`],
        [file, `${folder}/link.jsonl`],
        [`${folder}/link.jsonl`, file],
        [`${folder}/here/texts.jsonl`, `${folder}/link.jsonl`]
      ] as const)
        expect([texts, out, yield* asked(texts, out)]).toEqual([
          texts,
          out,
          {
            code: 1,
            out: "",
            err: "--out is the file of the texts, which the answers would replace; name another file for them\n"
          }
        ])
      expect(yield* fs.readFileString(file)).toBe('"so positive"\n')
      expect(yield* balance(accountId)).toEqual({ balance: 5 * 15, reserved: 0 })
      yield* fs.writeFileString(`${folder}/same.jsonl`, '"so positive"\n')
      expect((yield* asked(file, `${folder}/same.jsonl`)).code).toBe(0)
      expect((yield* asked(file, `${folder}/none.jsonl`)).code).toBe(0)
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

withLayer(app)("svc decide --file", (it) => {
  it("says in which line a text stood", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { base, customer } = yield* TestApp
      const { accountId } = yield* customer({ decisions: 2 })
      const file = yield* fs.makeTempFileScoped()
      yield* fs.writeFileString(file, '\ufeff"so positive"\r\n\r\n{"text": "very negative"}\r\n')
      const command = ["decide", "--account", accountId, "--template", "sentiment", "--file", file]
      const { code, out } = yield* svc(command, { SVC_URL: `${base}/rpc`, SVC_TOKEN: token })
      expect(code).toBe(0)
      expect(out).toMatch(/^\{"index":0,"line":1,.*"positive".*\}\n\{"index":1,"line":3,.*"negative".*\}\n$/)
    }))

  it("is refused, and nothing paid for, where it is not UTF-8", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { balance, base, customer } = yield* TestApp
      const { accountId } = yield* customer({ decisions: 1 })
      const file = yield* fs.makeTempFileScoped()
      yield* fs.writeFile(file, Buffer.from('"caf\xe9"\n', "latin1"))
      const command = ["decide", "--account", accountId, "--template", "sentiment", "--file", file]
      expect(yield* svc(command, { SVC_URL: `${base}/rpc`, SVC_TOKEN: token })).toEqual({
        code: 1,
        out: "",
        err: `${file} is not written in UTF-8; save it as UTF-8 and try again\n`
      })
      expect(yield* balance(accountId)).toEqual({ balance: 15, reserved: 0 })
    }))

  it("reads letters of several bytes whole, however long the file", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { base, customer } = yield* TestApp
      const { accountId } = yield* customer({ decisions: 8 })
      const texts = Array.from({ length: 8 }, (_, i) => "字".repeat(Limits.text - i))
      const file = yield* fs.makeTempFileScoped()
      yield* fs.writeFileString(file, texts.map((text) => `${JSON.stringify(text)}\n`).join(""))
      const read = new Set<string>()
      meanwhile = (state) => read.add(state)
      const command = ["decide", "--account", accountId, "--template", "sentiment", "--file", file]
      const { code, out } = yield* svc(command, { SVC_URL: `${base}/rpc`, SVC_TOKEN: token })
      expect([code, out.trim().split("\n").length]).toEqual([0, texts.length])
      expect([read.size, texts.filter((text) => !read.has(text)).length]).toEqual([texts.length, 0])
    }))
})
