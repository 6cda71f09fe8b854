import { Schema } from "effect"

/** No key was sent, or it is unknown or revoked. HTTP 401. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {
  reason: Schema.Literal("missing", "invalid"),
  message: Schema.String
}) {
  static readonly missing = () =>
    new Unauthenticated({
      reason: "missing",
      message: "Missing API key. Send it in the `Authorization` header: `Authorization: Bearer <API_KEY>`."
    })
  static readonly invalid = () =>
    new Unauthenticated({
      reason: "invalid",
      message: "Invalid or revoked API key. Check the key or create a new one."
    })
}

/** The key has used up its requests for the current minute. `retryAfter` is in whole seconds, 1 to 60. HTTP 429. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  message: Schema.String,
  retryAfter: Schema.Int
}) {
  static readonly of = (limit: number, retryAfter: number) =>
    new RateLimited({
      message: `Rate limit exceeded: ${limit} requests per minute. Retry after ${retryAfter} seconds.`,
      retryAfter
    })
  /** As it is read back from its message, the one place of a body that names the seconds. */
  static readonly read = (message: string) =>
    new RateLimited({ message, retryAfter: Number(/(\d+) seconds/.exec(message)?.[1] ?? 60) })
}

/** The balance does not cover the request. HTTP 402. */
export class InsufficientCredits extends Schema.TaggedError<InsufficientCredits>()("InsufficientCredits", {
  message: Schema.String
}) {
  static readonly of = () =>
    new InsufficientCredits({
      message: "Your credit balance does not cover this request. Ask the operator of this service for credit."
    })
}

/** The account has no published flow of this slug, no flow of this id, or the flow no such version. HTTP 404. */
export class FlowNotFound extends Schema.TaggedError<FlowNotFound>()("FlowNotFound", { message: Schema.String }) {
  static readonly of = () => new FlowNotFound({ message: "There is no published flow with this slug." })
  static readonly draft = () => new FlowNotFound({ message: "There is no such flow." })
  static readonly version = () => new FlowNotFound({ message: "The flow has no such version." })
}

/** More work is waiting than the service takes on; try again shortly. HTTP 529. */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", { message: Schema.String }) {
  static readonly of = () => new Overloaded({ message: "The service is busy. Retry with backoff." })
}

/** A part of the service cannot answer right now; try again shortly. HTTP 503. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", { message: Schema.String }) {
  static readonly of = () => new Unavailable({ message: "The service is briefly unavailable. Retry with backoff." })
}

/** A part of a request breaks a rule that spans fields or depends on the account. HTTP 422. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  detail: Schema.Array(
    Schema.Struct({
      loc: Schema.Array(Schema.Union(Schema.String, Schema.Int)),
      msg: Schema.String,
      type: Schema.String
    })
  )
}) {
  /** One broken rule at `loc`, in pydantic's words for a failed validator. */
  static readonly at = (loc: ReadonlyArray<string | number>, rule: string) =>
    new InvalidRequest({ detail: [{ loc, msg: `Value error, ${rule}`, type: "value_error" }] })
}
