import { HttpLayerRouter } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { Api } from "#schema/Api"
import { ConsoleApi } from "#schema/ConsoleApi"
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
import { edge } from "./Edge.ts"
import { HealthRoutes } from "./Health.ts"
import { type Methods, methodsOf } from "./Methods.ts"

const ApiRoutes = HttpLayerRouter.addHttpApi(Api).pipe(
  Layer.provide([DecisionsRoutes, TemplatesRoutes, QuestionSetsRoutes, ModelsRoutes, FlowsRoutes, UsageRoutes]),
  Layer.provide(AuthorizationLayer)
)

const OpenAiRoutes = HttpLayerRouter.addHttpApi(OpenAiApi).pipe(
  Layer.provide(ModerationsRoutes),
  Layer.provide(OpenAiAuthorizationLayer)
)

const pages: Methods = (path) =>
  /^\/(docs|openapi\.json|health|health\/ready|console|console\/(?!api\/).*)$/i.test(path) ? ["GET", "HEAD"] : []
const procedures: Methods = (path) => (/^\/rpc$/i.test(path) ? ["POST"] : [])

const RpcHere = Layer.unwrapEffect(
  Effect.map(Settings, ({ rpcPort }) => (Option.isSome(rpcPort) ? Layer.empty : RpcRoute))
)

const EdgeHere = Layer.unwrapEffect(
  Effect.map(Settings, ({ internalTokens, rpcPort }) =>
    edge([
      methodsOf(Api),
      methodsOf(OpenAiApi),
      methodsOf(ConsoleApi),
      pages,
      ...(internalTokens.length === 0 || Option.isSome(rpcPort) ? [] : [procedures])
    ])
  )
)

/** Everything that is served on `PORT`, behind the edge; the internal procedures only where they have no port of their own. */
export const Routes = Layer.mergeAll(ApiRoutes, OpenAiRoutes, ConsoleRoutes, RpcHere, DocsRoutes, HealthRoutes).pipe(
  Layer.provide(EdgeHere)
)

/** What is served on `RPC_PORT`, behind the edge. */
export const RpcRoutes = RpcRoute.pipe(Layer.provide(edge([procedures])))
