import { createHash } from "node:crypto"
import { HttpApiScalar, HttpLayerRouter, HttpServerResponse, OpenApi } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Api } from "#schema/Api"
import { openApi } from "./OpenApi.ts"

/** Lets in the page's own scripts, told by their hashes, and nothing from elsewhere. It makes styles and WebAssembly of its own. */
const policyOf = (page: string) => {
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`
  )
  return [
    "default-src 'none'",
    `script-src ${scripts.join(" ")} 'wasm-unsafe-eval'`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
}

const Policy = HttpLayerRouter.middleware(
  Effect.sync(() => {
    let policy: string | undefined
    return (app) =>
      Effect.map(app, (response) => {
        if (response.body._tag === "Uint8Array") policy ??= policyOf(new TextDecoder().decode(response.body.body))
        return HttpServerResponse.setHeaders(response, {
          "content-security-policy": policy ?? "default-src 'none'",
          "x-frame-options": "DENY",
          "referrer-policy": "no-referrer"
        })
      })
  })
).layer

const Page = HttpApiScalar.layerHttpLayerRouter({
  api: Api.annotate(OpenApi.Transform, () => openApi),
  path: "/docs",
  scalar: { withDefaultFonts: false }
}).pipe(Layer.provide(Policy))

/** GET /openapi.json, and a page to read it at /docs that needs nothing from elsewhere. */
export const DocsRoutes = Layer.merge(
  HttpLayerRouter.add("GET", "/openapi.json", HttpServerResponse.unsafeJson(openApi)),
  Page
)
