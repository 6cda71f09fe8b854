import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { Authorization } from "./Authorization.ts"
import { UnavailableBody } from "./ErrorBodies.ts"

/** A model that a key may name in its requests. */
export const Model = Schema.Struct({
  name: Schema.String,
  description: Schema.String,
  release_date: Schema.String,
  custom: Schema.Boolean,
  private: Schema.Boolean
}).annotations({ identifier: "Model" })
export type Model = typeof Model.Type

export class ModelsApi extends HttpApiGroup.make("models")
  .add(HttpApiEndpoint.get("listModels", "/models").addSuccess(Schema.Struct({ models: Schema.Array(Model) })))
  .addError(UnavailableBody)
  .middleware(Authorization) {}
