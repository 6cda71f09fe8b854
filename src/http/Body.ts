import { createHash } from "node:crypto"
import { Headers, HttpServerError, type HttpServerRequest } from "@effect/platform"
import { Data, Effect, Either, Ref, Stream } from "effect"
import { Limits } from "#schema/Limits"
import type { Exchange } from "./Exchange.ts"
import { readJson } from "./Json.ts"

/** The body is larger than any valid request. */
export class BodyTooLarge extends Data.TaggedError("BodyTooLarge") {}

const announced = (request: HttpServerRequest.HttpServerRequest) => Number(request.headers["content-length"] ?? "0")

const collect = (request: HttpServerRequest.HttpServerRequest) =>
  announced(request) > Limits.bodyBytes
    ? Effect.die(new BodyTooLarge())
    : request.stream.pipe(
        Stream.runFoldEffect({ size: 0, chunks: [] as Uint8Array[] }, (read, chunk) => {
          read.chunks.push(chunk)
          const size = read.size + chunk.byteLength
          return size > Limits.bodyBytes
            ? Effect.die(new BodyTooLarge())
            : Effect.succeed({ size, chunks: read.chunks })
        }),
        Effect.map(({ chunks }) => Buffer.concat(chunks))
      )

/**
 * The request with a body that is read as JSON whatever its content type says: bounded, strict, and hashed for retries.
 * A body that is too large dies with `BodyTooLarge`; `wait` may end the wait for one.
 */
export const withJsonBody = (
  request: HttpServerRequest.HttpServerRequest,
  exchange: Exchange,
  wait: <A, E>(self: Effect.Effect<A, E>) => Effect.Effect<A, E>
): HttpServerRequest.HttpServerRequest => {
  const json = collect(request).pipe(
    wait,
    Effect.tap((bytes) => Ref.set(exchange.bodyHash, createHash("sha256").update(bytes).digest("hex"))),
    Effect.flatMap((bytes) =>
      Either.match(readJson(bytes), {
        onLeft: () => Effect.fail(new HttpServerError.RequestError({ request, reason: "Decode" })),
        onRight: Effect.succeed
      })
    )
  )
  const asJson: HttpServerRequest.HttpServerRequest = Object.create(request, {
    json: { value: json },
    headers: { value: Headers.set(request.headers, "content-type", "application/json") }
  })
  return asJson
}
