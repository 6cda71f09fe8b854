import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { Authorization } from "./Authorization.ts"
import { UnavailableBody } from "./ErrorBodies.ts"
import { about } from "./Field.ts"

/** A model that a key may name in its requests. */
export const Model = Schema.Struct({
  name: about(Schema.String, "What a request says in `model`."),
  description: Schema.String,
  release_date: about(Schema.String, "A day, as in 2026-11-29."),
  custom: about(Schema.Boolean, "Whether it is fine-tuned, and not one of the service's own."),
  private: about(Schema.Boolean, "Whether this account alone has it.")
}).annotations({ identifier: "Model" })
export type Model = typeof Model.Type

/** A model that was registered while the service ran. */
export const RegisteredModel = Schema.Struct({
  name: Schema.String,
  /** The account that alone may use it; null: every account may. */
  account: Schema.NullOr(Schema.String),
  description: Schema.String,
  release_date: Schema.String,
  /** SHA-256 over names and SHA-256 of its files: what every instance must have in its folder. */
  checksum: Schema.String,
  registered_at: Schema.String
})
export type RegisteredModel = typeof RegisteredModel.Type

/** The folder of a model is not what a model needs; the message names the file and what to change. */
export class ModelInvalid extends Schema.TaggedError<ModelInvalid>()("ModelInvalid", { message: Schema.String }) {}

/** Another model is registered under this name, or the same for somebody else. */
export class ModelTaken extends Schema.TaggedError<ModelTaken>()("ModelTaken", { message: Schema.String }) {
  static readonly of = (name: string) =>
    new ModelTaken({ message: `A model ${name} is registered. Remove that one first, or choose another name.` })
}

/** No such model for this account; whether another account has one stays unsaid. */
export class ModelNotFound extends Schema.TaggedError<ModelNotFound>()("ModelNotFound", { message: Schema.String }) {
  static readonly of = () =>
    new ModelNotFound({ message: "Unknown model. GET /v1/models lists the models of this key" })
  static readonly registered = (name: string) => new ModelNotFound({ message: `No model ${name} is registered there.` })
}

/** The models that the account of a key can name; free. */
export class ModelsApi extends HttpApiGroup.make("models")
  .add(HttpApiEndpoint.get("listModels", "/models").addSuccess(Schema.Struct({ models: Schema.Array(Model) })))
  .addError(UnavailableBody)
  .middleware(Authorization) {}
