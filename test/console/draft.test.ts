import { describe, expect, test } from "bun:test"
import { Schema } from "effect"
import { AskRequest } from "#schema/console/Ask"
import { askPayload, firstDraft, obstacle, restated, stateOf } from "#src/console/app/playground/draft"

const writing = (state: string, stateKind: "text" | "json" = "text") => ({ ...firstDraft(), state, stateKind })

describe("A state with longer numbers than JavaScript keeps", () => {
  const long = writing('{"order": 12345678901234567890, "parts": [1, 2.5, 9007199254740993]}', "json")

  test("is sent with all their digits", () => {
    const sent = JSON.stringify(Schema.encodeSync(AskRequest)(askPayload(long)))
    expect(sent).toContain('"state":{"order":12345678901234567890,"parts":[1,2.5,9007199254740993]}')
  })

  test("is an object or a list all the same", () => {
    expect(obstacle(long)).toBeUndefined()
    expect(obstacle(writing("12345678901234567890", "json"))).toBe("The JSON state is an object or a list.")
  })

  test("is left to a browser that rounds them", () => {
    const { rawJSON } = JSON
    try {
      Object.assign(JSON, { rawJSON: undefined })
      expect(stateOf(long)).toEqual(JSON.parse(long.state))
    } finally {
      Object.assign(JSON, { rawJSON })
    }
  })
})

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
