import { createHash } from "node:crypto"
import { join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { Effect, Schema } from "effect"

/** One file of the console as it is sent. */
export interface Asset {
  readonly type: string
  readonly plain: Uint8Array
  readonly br: Uint8Array
  readonly gzip: Uint8Array
}

/** The console's page and the files it names; their names change with their content. */
export interface Assets {
  readonly page: Asset
  readonly policy: string
  readonly files: ReadonlyMap<string, Asset>
}

/** The browser's side of the console could not be bundled. */
export class BundlingFailed extends Schema.TaggedError<BundlingFailed>()("BundlingFailed", { cause: Schema.Defect }) {}

/** Where the files of the console are. */
export const assetsPath = "/console/assets/"

const types: Record<string, string> = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8" }

const compressed = async (type: string, plain: Uint8Array): Promise<Asset> => ({
  type,
  plain,
  br: await promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: await promisify(gzip)(plain)
})

// Runs before the first paint, so that a chosen theme never flashes the other one.
const early = `document.documentElement.dataset.theme=localStorage.getItem("theme")??"auto"`

const policy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash("sha256").update(early).digest("base64")}'`,
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'"
].join("; ")

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M2 3h12v3H2z' fill='%230d6b63'/%3E%3Cpath d='M2 7h7v3H2zM2 11h4v3H2z' fill='%2384b8ad'/%3E%3C/svg%3E"

const html = (scripts: ReadonlyArray<string>, styles: ReadonlyArray<string>) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Typed decisions</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${icon}">
<script>${early}</script>
${styles.map((path) => `<link rel="stylesheet" href="${path}">`).join("\n")}
${scripts.map((path) => `<script type="module" src="${path}"></script>`).join("\n")}
</head>
<body><div id="app"></div><noscript>The console needs JavaScript.</noscript></body>
</html>
`

const bundled = async (): Promise<Assets> => {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, "app/main.tsx")],
    target: "browser",
    splitting: true,
    minify: true,
    publicPath: assetsPath,
    naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    jsx: { runtime: "automatic", importSource: "react", development: false },
    define: { "process.env.NODE_ENV": '"production"' }
  })
  const named = await Promise.all(
    outputs.map(async (output) => {
      const name = output.path.replace(/^\.?\//, "")
      const type = types[name.split(".").at(-1) ?? ""] ?? "application/octet-stream"
      return { name, kind: output.kind, asset: await compressed(type, new Uint8Array(await output.arrayBuffer())) }
    })
  )
  const paths = (wanted: (file: (typeof named)[number]) => boolean) =>
    named.filter(wanted).map(({ name }) => assetsPath + name)
  const page = html(
    paths(({ kind }) => kind === "entry-point"),
    // The console's own styles come after those of its libraries, and win.
    paths(({ name }) => name.endsWith(".css")).sort(
      (a, b) => Number(a.includes("/main-")) - Number(b.includes("/main-"))
    )
  )
  return {
    page: await compressed("text/html; charset=utf-8", new TextEncoder().encode(page)),
    policy,
    files: new Map(named.map(({ name, asset }) => [name, asset]))
  }
}

/** Bundles the browser's side from its sources: there is no built copy that could be out of date. */
export const bundle = Effect.tryPromise({ try: bundled, catch: (cause) => new BundlingFailed({ cause }) })
