import { HttpApp, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Duration, Effect, Option, Redacted } from "effect"

const name = "console_session"

/** The session token that the browser sent. */
export const presented = Effect.map(HttpServerRequest.HttpServerRequest, ({ cookies }) =>
  Option.map(Option.fromNullable(cookies[name]), (token) => Redacted.make(token))
)

const options = (secure: boolean) => ({ httpOnly: true, sameSite: "strict", path: "/console", secure }) as const

// The browser itself says in Origin whether the page came over https; a proxy in between does not change it.
const overHttps = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ headers }) => headers.origin?.startsWith("https:") === true || headers["x-forwarded-proto"] === "https"
)

const answering = (
  change: (
    secure: boolean
  ) => (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse
) =>
  Effect.flatMap(overHttps, (secure) =>
    HttpApp.appendPreResponseHandler((_, response) => Effect.succeed(change(secure)(response)))
  )

/** Gives the browser the token; the database decides when its session ends. */
export const handOut = (token: Redacted.Redacted) =>
  answering((secure) =>
    HttpServerResponse.unsafeSetCookie(name, Redacted.value(token), { ...options(secure), maxAge: Duration.days(90) })
  )

/** Takes the token back. */
export const takeBack = answering((secure) =>
  HttpServerResponse.unsafeSetCookie(name, "", { ...options(secure), maxAge: Duration.zero })
)
