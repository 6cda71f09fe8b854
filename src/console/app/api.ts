import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import type { ConsoleApi } from "#schema/ConsoleApi"

/**
 * The client of the console, typed by the interface itself. The derived `HttpApiClient` would bring Effect's runtime
 * and schemas to the browser: about 80 KB compressed, more than React. So only the types come from the schema here;
 * methods and paths are written in by the bundler.
 */
declare const ENDPOINTS: Readonly<Record<string, readonly [method: string, path: string]>>

type GroupsOf<A> = A extends HttpApi.HttpApi<string, infer Groups, infer _E, infer _R> ? Groups : never
type EndpointOf = HttpApiGroup.HttpApiGroup.Endpoints<GroupsOf<typeof ConsoleApi>>
type Named<Name> = Extract<EndpointOf, { readonly name: Name }>
export type EndpointName = EndpointOf["name"]

/** What an endpoint answers. */
export type Success<Name extends EndpointName> = HttpApiEndpoint.HttpApiEndpoint.Success<Named<Name>>
/** What an endpoint is sent. */
export type Payload<Name extends EndpointName> = HttpApiEndpoint.HttpApiEndpoint.Payload<Named<Name>>
type Path<Name extends EndpointName> = HttpApiEndpoint.HttpApiEndpoint.PathParsed<Named<Name>>
type Query<Name extends EndpointName> = HttpApiEndpoint.HttpApiEndpoint.UrlParams<Named<Name>>

type Part<Key extends string, A> = [A] extends [never] ? { readonly [K in Key]?: never } : { readonly [K in Key]: A }
export type Request<Name extends EndpointName> = Part<"payload", Payload<Name>> &
  Part<"path", Path<Name>> &
  Part<"query", Query<Name>>

interface Problem {
  readonly loc: ReadonlyArray<string | number>
  readonly msg: string
}

/** An answer that is not the wanted one, in words for the person at the screen. */
export class Failure extends Error {
  readonly status: number
  readonly type: string
  readonly requestId: string | null
  readonly body: unknown
  constructor(status: number, type: string, message: string, requestId: string | null, body: unknown) {
    super(message)
    this.status = status
    this.type = type
    this.requestId = requestId
    this.body = body
  }
}

const isRecord = (input: unknown): input is Record<string, unknown> => typeof input === "object" && input !== null

const isProblem = (input: unknown): input is Problem =>
  isRecord(input) && Array.isArray(input.loc) && typeof input.msg === "string"

const worded = ({ loc, msg }: Problem) => {
  const place = loc.slice(1).join(" › ")
  const words = msg.replace(/^Value error, /, "")
  return place === "" ? words : `${place}: ${words}`
}

const failureOf = (response: Response, body: unknown): Failure => {
  const requestId = response.headers.get("x-request-id")
  const detail = isRecord(body) ? body.detail : undefined
  if (Array.isArray(detail))
    return new Failure(response.status, "invalid", detail.filter(isProblem).map(worded).join("\n"), requestId, body)
  const message =
    isRecord(detail) && typeof detail.message === "string" ? detail.message : `The service answered ${response.status}.`
  const type = isRecord(detail) && typeof detail.error_type === "string" ? detail.error_type : "error"
  return new Failure(response.status, type, message, requestId, body)
}

let sessionEnded: () => void = () => {}

/** Called when the service no longer knows the session. */
export const onSessionEnd = (listener: () => void) => {
  sessionEnded = listener
}

const addressOf = (template: string, path: object, query: object) => {
  const filled = Object.entries(path).reduce(
    (url, [name, value]) => url.replace(`:${name}`, encodeURIComponent(String(value))),
    template
  )
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return search.size === 0 ? filled : `${filled}?${search}`
}

/** Calls one endpoint; rejects with `Failure`. */
export const call = async <Name extends EndpointName>(
  name: Name,
  request: Request<Name>,
  signal?: AbortSignal
): Promise<Success<Name>> => {
  const [method, template] = ENDPOINTS[name] ?? ["GET", "/"]
  const response = await fetch(addressOf(template, request.path ?? {}, request.query ?? {}), {
    method,
    signal: signal ?? null,
    headers: { "x-console": "1", ...(request.payload === undefined ? {} : { "content-type": "application/json" }) },
    body: request.payload === undefined ? null : JSON.stringify(request.payload)
  }).catch((cause: unknown) => {
    if (signal?.aborted === true) throw cause
    throw new Failure(0, "offline", "The service cannot be reached. Check the connection and try again.", null, null)
  })
  const body: unknown = await response.json().catch(() => null)
  if (response.ok) return body as Success<Name>
  const failure = failureOf(response, body)
  if (failure.type === "session_error") sessionEnded()
  throw failure
}
