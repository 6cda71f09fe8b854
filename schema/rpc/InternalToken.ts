import { RpcMiddleware } from "@effect/rpc"
import { Schema } from "effect"

/** The service token is missing or wrong. */
export class WrongToken extends Schema.TaggedError<WrongToken>()("WrongToken", { message: Schema.String }) {
  static readonly of = () =>
    new WrongToken({
      message: "Send a service token in the `Authorization` header: `Authorization: Bearer <INTERNAL_TOKEN>`."
    })
}

/** `Authorization: Bearer <INTERNAL_TOKEN>` on every internal procedure. */
export class InternalToken extends RpcMiddleware.Tag<InternalToken>()("schema/InternalToken", {
  failure: WrongToken,
  wrap: true
}) {}
