import { HttpLayerRouter } from "@effect/platform"
import { Layer } from "effect"
import { Api } from "#schema/Api"
import { OpenAiApi } from "#schema/OpenAiApi"
import { UsageRoutes } from "../billing/http.ts"
import { ConsoleRoutes } from "../console/http.ts"
import { DecisionsRoutes, TemplatesRoutes } from "../decisions/http.ts"
import { FlowsRoutes } from "../flows/http.ts"
import { ModelsRoutes } from "../models/http.ts"
import { ModerationsRoutes } from "../moderation/http.ts"
import { QuestionSetsRoutes } from "../questions/http.ts"
import { RpcRoutes } from "../rpc/Server.ts"
import { AuthorizationLayer, OpenAiAuthorizationLayer } from "./Authorization.ts"
import { DocsRoutes } from "./Docs.ts"
import { Door } from "./Door.ts"
import { Edge } from "./Edge.ts"
import { HealthRoutes } from "./Health.ts"
import { Intake } from "./Intake.ts"
import { KnownKeys } from "./KnownKeys.ts"

const ApiRoutes = HttpLayerRouter.addHttpApi(Api).pipe(
  Layer.provide([DecisionsRoutes, TemplatesRoutes, QuestionSetsRoutes, ModelsRoutes, FlowsRoutes, UsageRoutes]),
  Layer.provide(AuthorizationLayer)
)

const OpenAiRoutes = HttpLayerRouter.addHttpApi(OpenAiApi).pipe(
  Layer.provide(ModerationsRoutes),
  Layer.provide(OpenAiAuthorizationLayer)
)

/** Everything that is served, behind the edge. */
export const Routes = Layer.mergeAll(ApiRoutes, OpenAiRoutes, ConsoleRoutes, RpcRoutes, DocsRoutes, HealthRoutes).pipe(
  Layer.provide(Edge),
  Layer.provide(Door.layer),
  Layer.provide(KnownKeys.layer),
  Layer.provide(Intake.layer)
)
