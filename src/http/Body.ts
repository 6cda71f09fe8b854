import { createHash } from "node:crypto"
import { Headers, HttpApiError, HttpServerError, type HttpServerRequest } from "@effect/platform"
import { Effect, Either, Ref } from "effect"
import { Limits } from "#schema/Limits"
import type { Exchange } from "./Exchange.ts"
import type { Intake } from "./Intake.ts"
import { readJson } from "./Json.ts"

const refused = (message: string) =>
  new HttpApiError.HttpApiDecodeError({
    issues: [{ _tag: "Refinement", path: [], message: `value_error: Value error, ${message}` }],
    message
  })
const tooDeep = refused(`nested too deeply: at most ${Limits.jsonDepth} lists and objects may stand one in the other`)
const packed = refused("packed bodies are not read: send the JSON as it is, without content-encoding")

/**
 * The request with a body that is bounded, and hashed for retries: as text, or strictly as JSON, whatever its content
 * type says.
 */
export const withBody = (
  request: HttpServerRequest.HttpServerRequest,
  exchange: Exchange,
  intake: typeof Intake.Service
): HttpServerRequest.HttpServerRequest => {
  const bytes = intake
    .read(request, exchange)
    .pipe(Effect.tap((bytes) => Ref.set(exchange.bodyHash, createHash("sha256").update(bytes).digest("hex"))))
  const json = Effect.flatMap(bytes, (bytes) =>
    Either.mapLeft(readJson(bytes), (why) => {
      if (why === "too deep") return tooDeep
      const plain = (request.headers["content-encoding"] ?? "identity") === "identity"
      return plain ? new HttpServerError.RequestError({ request, reason: "Decode" }) : packed
    })
  )
  const bounded: HttpServerRequest.HttpServerRequest = Object.create(request, {
    json: { value: json },
    text: { value: Effect.map(bytes, (bytes) => bytes.toString("utf8")) },
    headers: { value: Headers.set(request.headers, "content-type", "application/json") }
  })
  return bounded
}
