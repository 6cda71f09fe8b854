import { HttpLayerRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cache, Duration, Effect, Exit, Layer } from "effect"
import { type Asset, type Assets, assetsPath, bundle } from "./Assets.ts"

const always = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  vary: "accept-encoding"
}

/** With `q=0` a browser asks for anything but that. */
const refused = /[\w*-]+\s*;\s*q=0(\.0*)?\s*(,|$)/g

const sent = (asset: Asset, accept: string, headers: Record<string, string>) => {
  const accepted = accept.replaceAll(refused, "")
  const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : undefined
  return Effect.succeed(
    HttpServerResponse.uint8Array(encoding === undefined ? asset.plain : asset[encoding], {
      contentType: asset.type,
      headers: { ...always, ...headers, ...(encoding === undefined ? {} : { "content-encoding": encoding }) }
    })
  )
}

const unknown = (request: HttpServerRequest.HttpServerRequest) => new HttpServerError.RouteNotFound({ request })

const file = ({ files }: Assets, request: HttpServerRequest.HttpServerRequest) => {
  const asset = files.get(request.url.split("?", 1)[0]?.slice(assetsPath.length) ?? "")
  return asset === undefined
    ? unknown(request)
    : sent(asset, request.headers["accept-encoding"] ?? "", { "cache-control": "public, max-age=31536000, immutable" })
}

const page = ({ page, policy }: Assets, request: HttpServerRequest.HttpServerRequest) =>
  sent(page, request.headers["accept-encoding"] ?? "", {
    "cache-control": "no-cache",
    "content-security-policy": policy,
    "x-frame-options": "DENY",
    "permissions-policy": "camera=(), geolocation=(), microphone=()"
  })

/** The console's page at every path under /console, and the files it names. Bundled for the first visitor: the API does not wait for it. */
export const PageRoutes = HttpLayerRouter.use((router) =>
  Effect.gen(function* () {
    const bundles = yield* Cache.makeWith({
      capacity: 1,
      lookup: () => Effect.orDie(bundle),
      timeToLive: Exit.match({ onSuccess: () => Duration.infinity, onFailure: () => Duration.zero })
    })
    // The first visitor may leave, the others still wait for the same bundle.
    const assets = Effect.disconnect(Effect.uninterruptible(bundles.get("console")))
    const answer = (
      of: (
        assets: Assets,
        request: HttpServerRequest.HttpServerRequest
      ) => Effect.Effect<HttpServerResponse.HttpServerResponse, HttpServerError.RouteNotFound>
    ) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        Effect.flatMap(assets, (built) => of(built, request))
      )
    yield* router.add("GET", `${assetsPath}*`, answer(file))
    yield* router.add("GET", "/console/api/*", Effect.flatMap(HttpServerRequest.HttpServerRequest, unknown))
    yield* router.add("GET", "/console", answer(page))
    yield* router.add("GET", "/console/*", answer(page))
  })
).pipe(Layer.orDie)
