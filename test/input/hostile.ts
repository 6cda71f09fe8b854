import { gzipSync } from "node:zlib"
import { FastCheck as fc } from "effect"

type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()
export const bytes = (text: string): Bytes => new Uint8Array(encoder.encode(text))

const noul = { type: "noul", instructions: "Is it urgent?" }
const set = { state: { subject: "urgent" }, model: "svc-auto", questions: { q: noul } }

/** A body for each endpoint that takes one, and is answered. */
export const sound: Readonly<Record<string, unknown>> = {
  "/v1/decide": {
    text: "I want my refund",
    type: "choice",
    question: "What is it?",
    options: { refund: "money back", other: null },
    lang: "en",
    cache: true
  },
  "/v1/decide/batch": { texts: ["one", "two"], template: "routing" },
  "/v1/systemone": {
    ...set,
    questions: {
      q: noul,
      c: { type: "choice", criteria: { a: "x", b: null } },
      s: { type: "score", criteria: ["low", "high"] }
    }
  },
  "/v1/systemone/batch": { requests: [set, set] },
  "/v1/flows/hostile/run": { text: "urgent", lang: "en" },
  "/v1/moderations": { input: [{ type: "text", text: "tea" }], model: "omni-moderation-latest" }
}

/** Pieces of JSON text that readers of JSON stumble over. */
export const stumbling: ReadonlyArray<string> = [
  "1e999",
  "-1e999",
  "1e-999",
  "-0",
  "NaN",
  "Infinity",
  "1_000",
  "0x10",
  "01",
  "9".repeat(400),
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  '"\u2028"',
  '"\\q"',
  '"\ttab"',
  "'x'",
  "undefined",
  "/* x */ 1",
  "[1,]",
  '{"__proto__":{"type":"noul"}}',
  '{"__proto__":null,"constructor":null}',
  '{"constructor":{"prototype":{}},"toString":1}',
  '{"a":1,"a":2}',
  '{"type":"choice","type":"score","criteria":{},"criteria":[]}',
  '{"then":"x","toJSON":"y","length":3}',
  "{}",
  "[]",
  "null",
  "true",
  '""',
  `${"[".repeat(150)}${"]".repeat(150)}`,
  `${"[".repeat(5000)}${"]".repeat(5000)}`,
  `{"type":"choice","criteria":{${Array.from({ length: 300 }, (_, i) => `"${i}":null`).join()}}}`,
  `[${Array.from({ length: 300 }, (_, i) => `"${i}"`).join()}]`,
  JSON.stringify("x".repeat(70_000)),
  JSON.stringify("😀".repeat(33_000))
]

export const piece = fc.oneof(
  fc.constantFrom(...stumbling),
  fc.json({ maxDepth: 3 }),
  fc.string({ unit: "binary", maxLength: 20 }).map((text) => JSON.stringify(text)),
  fc.string({ maxLength: 10 })
)

interface Spot {
  readonly path: ReadonlyArray<string>
  readonly piece: string
}

/** Writes `value` with the piece of text in place of what is on the path; a path that ends early gets it as a new key. */
export const written = (value: unknown, [key, ...rest]: ReadonlyArray<string>, piece: string): string => {
  if (key === undefined) return piece
  if (Array.isArray(value))
    return `[${value.map((item, i) => (i === Number(key) % value.length ? written(item, rest, piece) : JSON.stringify(item))).join()}]`
  if (typeof value !== "object" || value === null) return piece
  const entries = Object.entries(value)
  const at = entries.length === 0 ? -1 : Number(key) % (entries.length + 1)
  const fields = entries.map(
    ([name, item], i) => `${JSON.stringify(name)}:${i === at ? written(item, rest, piece) : JSON.stringify(item)}`
  )
  return `{${(at === entries.length || at < 0 ? [...fields, `"extra":${piece}`] : fields).join()}}`
}

/** A mark of the order of bytes, of UTF-8 and of UTF-16; what is no UTF-8; a null byte. */
export const odd: ReadonlyArray<ReadonlyArray<number>> = [
  [0xef, 0xbb, 0xbf],
  [0xff, 0xfe],
  [0xc3, 0x28],
  [0xed, 0xa0, 0x80],
  [0]
]

const damage = fc.oneof(
  { weight: 6, arbitrary: fc.constant((raw: Bytes): Bytes => raw) },
  fc.nat(10_000).map(
    (at) =>
      (raw: Bytes): Bytes =>
        raw.slice(0, at % (raw.length + 1))
  ),
  fc.tuple(fc.nat(100_000), fc.nat(255)).map(
    ([at, byte]) =>
      (raw: Bytes): Bytes =>
        raw.map((old, i) => (i === at % Math.max(1, raw.length) ? byte : old))
  ),
  fc.tuple(fc.constantFrom(...odd), fc.boolean()).map(
    ([bytes, first]) =>
      (raw: Bytes): Bytes =>
        new Uint8Array(first ? [...bytes, ...raw] : [...raw, ...bytes])
  ),
  fc.constant((raw: Bytes): Bytes => new Uint8Array(gzipSync(raw)))
)

const headers = fc.record(
  {
    "content-type": fc.constantFrom(
      "application/json",
      "text/plain",
      "application/xml",
      "multipart/form-data; boundary=x",
      "application/x-www-form-urlencoded",
      "application/json; charset=utf-16",
      ""
    ),
    "content-encoding": fc.constantFrom("gzip", "br", "deflate", "identity", "x"),
    accept: fc.constantFrom("text/html", "application/xml", "*/*"),
    "idempotency-key": fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 300 }),
    "x-typesafe-retry-count": fc.constantFrom("0", "1", "-1", "NaN", "1e9", "x"),
    "x-stainless-retry-count": fc.constantFrom("0", "2", "two")
  },
  { requiredKeys: [] }
)

/** A request to one of the endpoints that is wrong in one or more ways, or hardly at all. */
export const request = fc
  .record({
    path: fc.constantFrom(...Object.keys(sound)),
    spot: fc.record({ path: fc.array(fc.nat(20).map(String), { maxLength: 4 }), piece }),
    damage,
    headers
  })
  .map(
    ({
      path,
      spot,
      damage,
      headers
    }: {
      path: string
      spot: Spot
      damage: (raw: Bytes) => Bytes
      headers: Record<string, string>
    }) => ({
      path,
      headers,
      raw: damage(bytes(written(sound[path], spot.path, spot.piece)))
    })
  )

const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`
const keys = (count: number, value: string) => Array.from({ length: count }, (_, i) => `"k${i}":${value}`).join()

/** Bodies of another size than what a client of ours would send; `FIELD` stands for some field of the endpoint's body. */
export const large: Readonly<Record<string, string>> = {
  "lists 100,000 deep": `{"FIELD":${nested("[", "]", 100_000)}}`,
  "objects 100,000 deep": `{"FIELD":${nested('{"a":', "}", 100_000)}}`,
  "lists 100,000 deep that never end": "[".repeat(100_000),
  "lists as deep as may be": `{"FIELD":${nested("[", "]", 199)}}`,
  "200,000 keys": `{"FIELD":{${keys(200_000, "null")}}}`,
  "200,000 keys of the body itself": `{${keys(200_000, "null")}}`,
  "200,000 times the same key": `{${Array(200_000).fill('"FIELD":1').join()}}`,
  "200,000 items": `{"FIELD":[${Array(200_000).fill('"x"').join()}]}`,
  "200,000 questions": `{"FIELD":{${keys(200_000, '{"type":"noul"}')}}}`,
  "a question of 200,000 options": `{"FIELD":{"q":{"type":"choice","criteria":{${keys(200_000, "1")}}}}}`,
  "500,000 faults": `{"FIELD":[${Array(64)
    .fill(`{"state":1,"questions":{${keys(32, `{"type":"choice","criteria":{${keys(255, "1")}}}`)}}}`)
    .join()}]}`,
  "a key of a million characters": `{"${"k".repeat(1_000_000)}":1,"FIELD":1}`,
  "a number of a million digits": `{"FIELD":${"9".repeat(1_000_000)}}`
}

/** Bodies almost as large as may be. */
export const huge: Readonly<Record<string, string>> = {
  "a text of 30 million characters": `{"FIELD":"${"x".repeat(30_000_000)}"}`,
  "30 million spaces": `${" ".repeat(30_000_000)}{}`
}
