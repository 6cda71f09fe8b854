import { RpcMiddleware } from "@effect/rpc"
import { Context, Schema } from "effect"

/** The service token is missing or wrong. */
export class WrongToken extends Schema.TaggedError<WrongToken>()("WrongToken", { message: Schema.String }) {
  static readonly of = () =>
    new WrongToken({
      message: "Send a service token in the `Authorization` header: `Authorization: Bearer <INTERNAL_TOKEN>`."
    })
}

/** The internal service that calls, by the name of its token. */
export class InternalCaller extends Context.Tag("schema/InternalCaller")<InternalCaller, { readonly name: string }>() {}

/** `Authorization: Bearer <INTERNAL_TOKEN>` on every internal procedure. */
export class InternalToken extends RpcMiddleware.Tag<InternalToken>()("schema/InternalToken", {
  provides: InternalCaller,
  failure: WrongToken,
  wrap: true
}) {}
