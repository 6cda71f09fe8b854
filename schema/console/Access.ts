import { HttpApiMiddleware } from "@effect/platform"
import { Context, Schema } from "effect"
import { standard, UnavailableBody } from "../ErrorBodies.ts"

/** There is no session, or it has ended. HTTP 401. */
export class NotSignedIn extends Schema.TaggedError<NotSignedIn>()("NotSignedIn", { message: Schema.String }) {
  static readonly of = () => new NotSignedIn({ message: "Your session has ended. Sign in again." })
}

/** The request did not come from a page of the console. HTTP 403. */
export class ForeignOrigin extends Schema.TaggedError<ForeignOrigin>()("ForeignOrigin", { message: Schema.String }) {
  static readonly of = () =>
    new ForeignOrigin({ message: "This request did not come from the console. Reload the page and try again." })
}

/** Only an operator of the service may do this. HTTP 403. */
export class NotOperator extends Schema.TaggedError<NotOperator>()("NotOperator", { message: Schema.String }) {
  static readonly of = () => new NotOperator({ message: "Only an operator of this service may do this." })
}

/** Tells a page to ask for a sign-in. */
export const NotSignedInBody = standard(NotSignedIn, 401, "session_error", (message) => new NotSignedIn({ message }))
/** Refuses what no page of the console sent. */
export const ForeignOriginBody = standard(
  ForeignOrigin,
  403,
  "origin_error",
  (message) => new ForeignOrigin({ message })
)
/** Refuses what only an operator may do. */
export const NotOperatorBody = standard(NotOperator, 403, "operator_error", (message) => new NotOperator({ message }))

/** Header that every changing request of the console carries: another site cannot send it without being asked first. */
export const guardHeader = "x-console"

/** Header that names the account which a page shows: another page may have signed in somebody else since. */
export const accountHeader = "x-console-account"

/** Lets in requests of the console's own pages alone. */
export class SameOrigin extends HttpApiMiddleware.Tag<SameOrigin>()("schema/console/SameOrigin", {
  failure: ForeignOriginBody
}) {}

/** Lets in strangers: a sign-in or sign-up is short. */
export class Strangers extends HttpApiMiddleware.Tag<Strangers>()("schema/console/Strangers") {}

/** Who is signed in, and whether that is an operator of the service. */
export class Visitor extends Context.Tag("schema/console/Visitor")<
  Visitor,
  { readonly accountId: string; readonly email: string; readonly operator: boolean }
>() {}

/** Demands a session. */
export class SignedIn extends HttpApiMiddleware.Tag<SignedIn>()("schema/console/SignedIn", {
  provides: Visitor,
  failure: Schema.Union(NotSignedInBody, UnavailableBody)
}) {}
