import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

/** A text of so many characters, each of two UTF-16 units and four bytes. */
const wide = (characters: number) => "😀".repeat(characters)
const many = <A>(count: number, make: (i: number) => A) => Array.from({ length: count }, (_, i) => make(i))
const map = (count: number, value: unknown) => Object.fromEntries(many(count, (i) => [`n${i}`, value]))

const noul = { type: "noul", instructions: "Is it?" }
const asked = { text: "x", type: "choice", question: "Which?" }
const set = (questions: Record<string, unknown>, state: unknown = "x") => ({ state, model: "svc-auto", questions })
const decideAbout = (question: string) => ({ text: "x", type: "yes_no", question })
const named = (characters: number) => ({ q: { type: "choice", criteria: { [wide(characters)]: null, other: null } } })
const described = (characters: number) => ({ q: { type: "noul", criteria: { true: wide(characters) } } })
const part = (text: string) => ({ type: "text", text })

type Body = Readonly<Record<string, unknown>>

/** What a limit is of, the endpoint, the body at the limit, and one beyond it. */
const limits: ReadonlyArray<readonly [what: string, path: string, at: Body, beyond: Body]> = [
  [
    "a text of 32,000 characters",
    "/v1/decide",
    { text: wide(32_000), template: "spam" },
    { text: wide(32_001), template: "spam" }
  ],
  ["a question of 2,000 characters", "/v1/decide", decideAbout(wide(2_000)), decideAbout(wide(2_001))],
  [
    "255 options in a list",
    "/v1/decide",
    { ...asked, options: many(255, String) },
    { ...asked, options: many(256, String) }
  ],
  ["255 options in a map", "/v1/decide", { ...asked, options: map(255, null) }, { ...asked, options: map(256, null) }],
  [
    "2 options at least",
    "/v1/decide",
    { ...asked, type: "score", options: [1, 2] },
    { ...asked, type: "score", options: [1] }
  ],
  [
    "64 texts",
    "/v1/decide/batch",
    { texts: many(64, String), template: "spam" },
    { texts: many(65, String), template: "spam" }
  ],
  ["32 questions", "/v1/systemone", set(map(32, noul)), set(map(33, noul))],
  [
    "255 options of a question",
    "/v1/systemone",
    set({ q: { type: "choice", criteria: map(255, null) } }),
    set({ q: { type: "choice", criteria: map(256, null) } })
  ],
  [
    "255 levels of a question",
    "/v1/systemone",
    set({ q: { type: "score", criteria: many(255, String) } }),
    set({ q: { type: "score", criteria: many(256, String) } })
  ],
  ["a state of 64,000 characters", "/v1/systemone", set({ q: noul }, wide(64_000)), set({ q: noul }, wide(64_001))],
  [
    "a state of 64,000 characters when written as text",
    "/v1/systemone",
    set({ q: noul }, [wide(64_000 - 4)]),
    set({ q: noul }, [wide(64_001 - 4)])
  ],
  [
    "instructions of 8,000 characters",
    "/v1/systemone",
    set({ q: { ...noul, instructions: wide(8_000) } }),
    set({ q: { ...noul, instructions: wide(8_001) } })
  ],
  ["an option of 8,000 characters", "/v1/systemone", set(named(8_000)), set(named(8_001))],
  ["a description of 8,000 characters", "/v1/systemone", set(described(8_000)), set(described(8_001))],
  [
    "64 sets",
    "/v1/systemone/batch",
    { requests: many(64, () => set({ q: noul })) },
    { requests: many(65, () => set({ q: noul })) }
  ],
  [
    "256 questions of all sets",
    "/v1/systemone/batch",
    { requests: many(8, () => set(map(32, noul))) },
    { requests: [...many(8, () => set(map(32, noul))), set({ q: noul })] }
  ],
  ["a text to moderate of 64,000 characters", "/v1/moderations", { input: wide(64_000) }, { input: wide(64_001) }],
  ["32 texts to moderate", "/v1/moderations", { input: many(32, String) }, { input: many(33, String) }],
  [
    "parts to moderate of 64,000 characters together",
    "/v1/moderations",
    { input: [part(wide(32_000)), part(wide(32_000 - 2))] },
    { input: [part(wide(32_000)), part(wide(32_000 - 1))] }
  ]
]

http("A limit lets through what is exactly at it, in characters, and nothing beyond", (it) => {
  for (const [what, path, at, beyond] of limits)
    it(`${what} at ${path}`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { key, accountId } = yield* app.customer()
        const statusOf = (body: Body) => Effect.map(app.send("POST", path, { key, body }), ({ status }) => status)
        expect(yield* statusOf(beyond)).toBe(path === "/v1/moderations" ? 400 : 422)
        expect(yield* app.balance(accountId)).toEqual({ balance: 15_000, reserved: 0 })
        expect(yield* statusOf(at)).toBe(200)
      }))

  it("and a yes/no question needs no criteria at all", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const body = set({ none: { type: "noul", criteria: null }, empty: { type: "noul", criteria: {} } })
      const reply = yield* app.send("POST", "/v1/systemone", { key, body })
      expect([reply.status, Object.keys(reply.body.answers)]).toEqual([200, ["none", "empty"]])
    }))
})
