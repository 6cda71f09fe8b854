import { expect, test } from "bun:test"
import { Either, FastCheck as fc } from "effect"
import { isExact } from "#schema/Field"
import { readJson } from "#src/http/Json"

const read = (text: string) => Either.getOrThrow(readJson(Buffer.from(text)))

test("what has no long numbers and no maps of options is read as JSON.parse reads it", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2), (value, space) => {
      const text = JSON.stringify(value, undefined, space)
      fc.pre(!/\d{16}|e\+/.test(text))
      expect(read(text)).toEqual(JSON.parse(text))
      expect(read(`{"state": ${text}}`)).toEqual({ state: JSON.parse(text) })
    })
  )
})

test("every number of a state is the one that was written, and every string too", () => {
  const digits = fc.stringMatching(/^-?[1-9][0-9]{0,24}(e[1-9][0-9]{0,2})?$/)
  const member = fc.tuple(fc.string(), digits, fc.string())
  fc.assert(
    fc.property(fc.array(member), (members) => {
      const written = members.map(
        ([text, number, more]) => `[${JSON.stringify(text)},${number},${JSON.stringify(more)}]`
      )
      const kept = (number: string) => (isExact(Number(number)) ? JSON.stringify(Number(number)) : number)
      const expected = members.map(
        ([text, number, more]) => `[${JSON.stringify(text)},${kept(number)},${JSON.stringify(more)}]`
      )
      expect(JSON.stringify(read(`{"state":[${written}]}`))).toBe(`{"state":[${expected}]}`)
    })
  )
})

test("options that are a map keep the order in which they were sent, wherever they stand and whatever else does", () => {
  const names = fc.uniqueArray(fc.oneof(fc.nat().map(String), fc.string()), { minLength: 2, maxLength: 9 })
  fc.assert(
    fc.property(names, fc.string(), (all, text) => {
      const own = all.filter((name) => name !== "__proto__")
      const map = `{${own.map((name) => `${JSON.stringify(name)}: ${JSON.stringify(text)}`)}}`
      const namesOf = (options: unknown) =>
        Array.isArray(options) ? options.map(({ name }) => name) : Object.keys(options as object)
      const { options, nodes } = read(
        `{"x": ${JSON.stringify(text)}, "options": ${map}, "nodes": [{"options": ${map}}]}`
      ) as {
        options: unknown
        nodes: [{ options: unknown }]
      }
      expect(namesOf(options)).toEqual(own)
      expect(namesOf(nodes[0].options)).toEqual(own)
    })
  )
})
