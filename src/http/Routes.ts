import { HttpLayerRouter } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { Api } from "#schema/Api"
import { OpenAiApi } from "#schema/OpenAiApi"
import { UsageRoutes } from "../billing/http.ts"
import { ConsoleRoutes } from "../console/http.ts"
import { DecisionsRoutes, TemplatesRoutes } from "../decisions/http.ts"
import { FlowsRoutes } from "../flows/http.ts"
import { ModelsRoutes } from "../models/http.ts"
import { ModerationsRoutes } from "../moderation/http.ts"
import { QuestionSetsRoutes } from "../questions/http.ts"
import { RpcRoute } from "../rpc/Server.ts"
import { Settings } from "../Settings.ts"
import { AuthorizationLayer, OpenAiAuthorizationLayer } from "./Authorization.ts"
import { DocsRoutes } from "./Docs.ts"
import { Edge } from "./Edge.ts"
import { HealthRoutes } from "./Health.ts"

const ApiRoutes = HttpLayerRouter.addHttpApi(Api).pipe(
  Layer.provide([DecisionsRoutes, TemplatesRoutes, QuestionSetsRoutes, ModelsRoutes, FlowsRoutes, UsageRoutes]),
  Layer.provide(AuthorizationLayer)
)

const OpenAiRoutes = HttpLayerRouter.addHttpApi(OpenAiApi).pipe(
  Layer.provide(ModerationsRoutes),
  Layer.provide(OpenAiAuthorizationLayer)
)

const RpcHere = Layer.unwrapEffect(
  Effect.map(Settings, ({ rpcPort }) => (Option.isSome(rpcPort) ? Layer.empty : RpcRoute))
)

/** Everything that is served on `PORT`, behind the edge; the internal procedures only where they have no port of their own. */
export const Routes = Layer.mergeAll(ApiRoutes, OpenAiRoutes, ConsoleRoutes, RpcHere, DocsRoutes, HealthRoutes).pipe(
  Layer.provide(Edge)
)

/** What is served on `RPC_PORT`, behind the edge. */
export const RpcRoutes = RpcRoute.pipe(Layer.provide(Edge))
