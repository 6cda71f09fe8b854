import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { UnavailableBody } from "../ErrorBodies.ts"
import { Figures } from "../Figures.ts"
import { Model } from "../Model.ts"
import { Template } from "../Template.ts"
import { SignedIn } from "./Access.ts"

/** A ready-made decision with what the model reads of it. */
export const TemplateCard = Schema.Struct({
  ...Template.fields,
  question: Schema.String,
  options: Schema.Array(Schema.Struct({ name: Schema.String, description: Schema.NullOr(Schema.String) }))
}).annotations({ identifier: "TemplateCard" })
export type TemplateCard = typeof TemplateCard.Type

/** A model with the figures of its card; `facts` is null where the name stands for several models. */
export const ModelCard = Schema.Struct({
  ...Model.fields,
  facts: Schema.NullOr(
    Schema.Struct({
      checkpoint: Schema.String,
      languages: Schema.Array(Schema.String),
      licence: Schema.String,
      sources: Schema.Array(Schema.String),
      /** Bytes of all its files. */
      bytes: Schema.Int,
      /** Tokens of one window of a text; longer texts are read in several. */
      window: Schema.Int,
      /** Null where it was not measured. */
      figures: Schema.NullOr(Figures)
    })
  )
}).annotations({ identifier: "ModelCard" })
export type ModelCard = typeof ModelCard.Type

/** What can be asked and who answers. */
export class CatalogueApi extends HttpApiGroup.make("catalogue")
  .add(
    HttpApiEndpoint.get("listTemplates", "/templates").addSuccess(
      Schema.Struct({ templates: Schema.Array(TemplateCard) })
    )
  )
  .add(HttpApiEndpoint.get("listModels", "/models").addSuccess(Schema.Struct({ models: Schema.Array(ModelCard) })))
  .addError(UnavailableBody)
  .middleware(SignedIn) {}
