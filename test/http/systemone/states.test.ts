import { expect } from "bun:test"
import { Effect } from "effect"
import { recording } from "#test/support/answering"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"

const { asked, inference } = recording()

const text = { type: "text", text: "refund" }
const json = { type: "json", value: { a: 1 } }

/** A state, and what the model reads. */
const states: ReadonlyArray<readonly [state: unknown, read: string]> = [
  ["plain text", "plain text"],
  [[text, json], 'refund\n\n{"a":1}'],
  [[json], '{"a":1}'],
  [[text], "refund"],
  [
    [
      { type: "json", value: null },
      { type: "json", value: "as it is" }
    ],
    "null\n\nas it is"
  ],
  [[], "[]"],
  [[text, { type: "image", url: "x" }], '[{"type":"text","text":"refund"},{"type":"image","url":"x"}]'],
  [[text, "refund"], '[{"type":"text","text":"refund"},"refund"]'],
  [[{ type: "text" }], '[{"type":"text"}]'],
  [[{ type: "text", text: 1 }], '[{"type":"text","text":1}]'],
  [[{ type: "json" }], '[{"type":"json"}]'],
  [[{ ...text, author: "Ann" }], '[{"type":"text","text":"refund","author":"Ann"}]'],
  [text, '{"type":"text","text":"refund"}'],
  [{ parts: [text] }, '{"parts":[{"type":"text","text":"refund"}]}']
]

withLayer(testApp({ inference }))("A state is read as", (it) => {
  const wording = "Is it urgent?"
  const questions = { q: { type: "noul", instructions: wording } }

  for (const [state, read] of states)
    it(`${JSON.stringify(read)}, where it is ${JSON.stringify(state)}`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp
        const { key } = yield* app.customer()
        const set = { state, model: "svc-auto", questions }
        const { body } = yield* app.send("POST", "/v1/systemone", { key, body: set })
        expect(asked.at(-1)?.state).toBe(read)
        expect(body.usage).toEqual({ input_tokens: read.length + wording.length, output_tokens: 0 })
      }))

  it("and what is asked about it too, each question once more", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const { key } = yield* app.customer()
      const instructions = [text, json]
      const requests = [
        { state: [text, json], model: "svc-auto", questions: { a: { type: "noul", instructions }, b: questions.q } }
      ]
      const { body } = yield* app.send("POST", "/v1/systemone/batch", { key, body: { requests } })
      const read = 'refund\n\n{"a":1}'
      expect(asked.at(-1)?.questions.map(({ wording }) => wording)).toEqual([read, wording])
      expect(body.responses[0].body.usage.input_tokens).toBe(read.length + read.length + wording.length)
    }))
})
