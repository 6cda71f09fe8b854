import { describe, expect, test } from "bun:test"
import { firstDraft, restated, stateOf } from "#src/console/app/playground/draft"

const writing = (state: string, stateKind: "text" | "json" = "text") => ({ ...firstDraft(), state, stateKind })

describe("A state of another kind", () => {
  test("is the same text when it comes back", () => {
    for (const text of ["Hello", "", ' "quoted" \n', "[1]", '{"message": "Hello"}']) {
      const json = restated(writing(text), "json")
      expect([json.stateKind, restated(json, "text").state]).toEqual(["json", text])
    }
  })

  test("holds a text as its message, and is left alone where it is JSON", () => {
    expect(stateOf(restated(writing("Hello"), "json"))).toEqual({ message: "Hello" })
    expect(stateOf(restated(writing('{"a": 1}'), "json"))).toEqual({ a: 1 })
    for (const json of ['{"message": "Hello", "from": "me"}', '{"message": 1}', "{"])
      expect(restated(writing(json, "json"), "text").state).toBe(json)
  })
})
