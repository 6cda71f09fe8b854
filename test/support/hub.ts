import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { Effect } from "effect"

/** What a stand-in for a model hub has, and how it fails. */
export interface HubPlan {
  readonly files: Readonly<Record<string, Uint8Array>>
  /** Of these files the hub says SHA-256, as of large ones; of the others their id in git. */
  readonly large?: ReadonlyArray<string>
  /** Files whose listed checksum is of something else. */
  readonly wrong?: ReadonlyArray<string>
  /** How many bytes of a file each of its first connections brings before it breaks. */
  readonly breaks?: Record<string, Array<number>>
  /** Waits until so many bytes of a file have been read: those on their way go down with the connection. */
  readonly read?: (path: string, bytes: number) => Promise<void>
  /** How the first requests for a file are refused. */
  readonly refusals?: Record<string, Array<number>>
  /** After this file it goes on sending, for ever. */
  readonly endless?: string
  /** Answers every request for a file whole, whatever range it asks for. */
  readonly ignoresRanges?: boolean
  /** Sends those who ask for a file to another address first, as large files are. */
  readonly elsewhere?: string
  /** What the model's card says, if not the usual. */
  readonly card?: Readonly<Record<string, unknown>>
  /** Lets nobody in without it. */
  readonly token?: string
}

export interface Asked {
  readonly path: string
  readonly range: string | undefined
  readonly authorization: string | undefined
}

const commit = "0123456789abcdef0123456789abcdef01234567"
const hash = (algorithm: string, ...parts: ReadonlyArray<string | Uint8Array>) => {
  const hasher = createHash(algorithm)
  for (const part of parts) hasher.update(part)
  return hasher.digest("hex")
}

const sibling = (plan: HubPlan, path: string, content: Uint8Array) => {
  const listed = plan.wrong?.includes(path) === true ? new Uint8Array([...content].reverse()) : content
  const large = plan.large?.includes(path) === true
  return {
    rfilename: path,
    size: content.length,
    blobId: hash("sha1", `blob ${content.length}\0`, listed),
    ...(large ? { lfs: { sha256: hash("sha256", listed), size: content.length, pointerSize: 133 } } : {})
  }
}

function* endless(content: Uint8Array) {
  yield content
  for (const more = new Uint8Array(65_536); ; ) yield more
}

const send = (plan: HubPlan, path: string, request: IncomingMessage, response: ServerResponse) => {
  const content = plan.files[path]
  const refusal = plan.refusals?.[path]?.shift()
  if (content === undefined || refusal !== undefined) return response.writeHead(refusal ?? 404).end()
  if (plan.endless === path) return Readable.from(endless(content)).pipe(response.writeHead(200))
  const from = plan.ignoresRanges ? 0 : Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0)
  if (from >= content.length && from > 0)
    return response.writeHead(416, { "content-range": `bytes */${content.length}` }).end()
  const rest = content.subarray(from)
  const range = { "content-range": `bytes ${from}-${content.length - 1}/${content.length}` }
  response.writeHead(from > 0 ? 206 : 200, { "content-length": rest.length, ...(from > 0 ? range : {}) })
  const end = plan.breaks?.[path]?.shift()
  if (end === undefined) return response.end(rest)
  const { read = () => Bun.sleep(300) } = plan
  return response.write(rest.subarray(0, end), () => {
    void read(path, from + end).then(() => response.socket?.destroy())
  })
}

/** A hub on the loopback with the model `owner/model`, until the scope ends. */
export const modelHub = (plan: HubPlan) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const asked: Array<Asked> = []
      const server = createServer((request, response) => {
        const path = decodeURIComponent((request.url ?? "").split("?")[0] ?? "")
        const { range, authorization } = request.headers
        asked.push({ path, range, authorization })
        if (plan.token !== undefined && authorization !== `Bearer ${plan.token}`) return response.writeHead(401).end()
        if (path === "/api/models/owner/model/revision/main") {
          const siblings = Object.entries(plan.files).map(([name, content]) => sibling(plan, name, content))
          const cardData = plan.card ?? { license: "apache-2.0", language: ["en", "de"] }
          const info = { sha: commit, lastModified: "2026-10-01T12:00:00.000Z", siblings, cardData, likes: 7 }
          return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(info))
        }
        const file = path.startsWith(`/owner/model/resolve/${commit}/`) ? path.slice(commit.length + 22) : ""
        if (plan.elsewhere !== undefined)
          return response.writeHead(302, { location: `${plan.elsewhere}${request.url}` }).end()
        return send(plan, file, request, response)
      })
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      return { base: `http://127.0.0.1:${port}`, asked, commit, server }
    }),
    ({ server }) =>
      Effect.promise(() => {
        server.closeAllConnections()
        return new Promise((done) => server.close(done))
      })
  )
