import { HttpApiScalar, HttpLayerRouter, HttpServerResponse, OpenApi } from "@effect/platform"
import { Layer } from "effect"
import { Api } from "#schema/Api"
import { openApi } from "./OpenApi.ts"

/** GET /openapi.json, and a page to read it at /docs that needs nothing from elsewhere. */
export const DocsRoutes = Layer.mergeAll(
  HttpLayerRouter.add("GET", "/openapi.json", HttpServerResponse.unsafeJson(openApi)),
  HttpApiScalar.layerHttpLayerRouter({ api: Api.annotate(OpenApi.Transform, () => openApi), path: "/docs" })
)
