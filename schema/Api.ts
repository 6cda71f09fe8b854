import { HttpApi } from "@effect/platform"
import { DecisionsApi } from "./Decision.ts"
import { FlowsApi } from "./Flow.ts"
import { ModelsApi } from "./Model.ts"
import { QuestionSetsApi } from "./QuestionSet.ts"
import { TemplatesApi } from "./Template.ts"
import { UsageApi } from "./Usage.ts"
import { ValidationBody } from "./Validation.ts"

/** The service's own interface, version 1.0.0; a request that cannot be read is answered 422. */
export class Api extends HttpApi.make("api")
  .add(DecisionsApi)
  .add(TemplatesApi)
  .add(QuestionSetsApi)
  .add(ModelsApi)
  .add(FlowsApi)
  .add(UsageApi)
  .prefix("/v1") {
  static override readonly errorSchema = ValidationBody
}
