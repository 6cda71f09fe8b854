import { createHash } from "node:crypto"
import type { HttpServerRequest } from "@effect/platform"
import { Data } from "effect"
import type { Replay } from "../admission/Admission.ts"
import type { StoredAnswer } from "../admission/StoredAnswer.ts"

/** A retry of a request that was answered: the edge sends the stored answer in place of new work. */
export class Replayed extends Data.TaggedError("Replayed")<{ readonly answer: StoredAnswer }> {}

const sha256 = (...parts: ReadonlyArray<string>) => createHash("sha256").update(parts.join("\n")).digest("hex")

/**
 * How a request names its retries. An `Idempotency-Key` stands for one request, whatever comes under it;
 * clients that count their retries instead (`X-TypeSafe-Retry-Count`, `X-Stainless-Retry-Count`) get the answer
 * of the same body under the same API key.
 */
export const replayOf = (
  request: HttpServerRequest.HttpServerRequest,
  bodyHash: string,
  secret: string
): Replay | undefined => {
  const { headers, method, url } = request
  const hash = sha256(method, url, bodyHash)
  const given = headers["idempotency-key"]
  if (given !== undefined && given !== "")
    return { key: sha256("key", secret, given), bodyHash: hash, answersRetry: true }
  // TypeSafe's client leaves the count out of its first attempt.
  const count =
    headers["x-typesafe-retry-count"] ??
    headers["x-stainless-retry-count"] ??
    (headers["x-typesafe-sdk"] === undefined ? undefined : "0")
  if (count === undefined) return undefined
  return { key: sha256("body", secret, hash), bodyHash: hash, answersRetry: Number(count) > 0 }
}
