import { OpenApi } from "@effect/platform"
import { Array as Arr, Record } from "effect"
import { Api } from "#schema/Api"
import { waysToAsk } from "#schema/Decision"
import { isRecord } from "#schema/Field"
import { OpenAiApi } from "#schema/OpenAiApi"
import { operations } from "./Operations.ts"

const said: Readonly<Record<string, string>> = {
  200: "The answer",
  400: "The request is not valid; `param` names the field",
  401: "The key is missing, unknown or revoked. Not billed, and not counted in the window",
  402: "The balance does not cover the request",
  404: "No published flow has this slug",
  408: "The body did not arrive in time",
  413: "The body is larger than any valid request",
  422: "The request is not valid: where, what in words, and a code for programs, all at once",
  429: "More requests in a minute than the key may send; for moderations also: the balance does not cover the request",
  500: "A fault of the service",
  503: "A part of the service cannot answer right now. Retry with backoff",
  529: "The service is busy. Retry with backoff"
}

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
const text = { type: "string" }
const object = (properties: Readonly<Record<string, unknown>>) => ({
  type: "object",
  required: Object.keys(properties),
  properties
})

/** The bodies of answers that are given before or beside an endpoint. */
const besides = {
  native: (errorType: string) =>
    object({ detail: object({ error_type: { ...text, const: errorType }, message: text }) }),
  openAi: (type: string, code: string | null) =>
    object({
      error: object({ message: text, type: { ...text, const: type }, param: { type: "null" }, code: { const: code } })
    })
}

const headers = (status: string) => ({
  "x-request-id": ref("headers", "RequestId"),
  "x-svc-request-id": ref("headers", "RequestId"),
  "x-typesafe-request-id": ref("headers", "RequestId"),
  ...(["429", "503", "529"].includes(status) ? { "retry-after": ref("headers", "RetryAfter") } : {})
})

/** Without what the generator adds: the names of values that may be anything, and alternatives that are the same. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (!isRecord(value)) return value
  if (value.$id === "/schemas/unknown") return value.description === undefined ? {} : { description: value.description }
  const clean = Record.map(
    Record.filter(value, (item, key) => key !== "additionalProperties" || item !== true),
    plain
  )
  if (!Array.isArray(clean.anyOf)) return clean
  const anyOf = Arr.dedupeWith(clean.anyOf, (a, b) => JSON.stringify(a) === JSON.stringify(b))
  return anyOf.length === 1 && Object.keys(clean).length === 1 ? anyOf[0] : { ...clean, anyOf }
}

const json = (schema: unknown, more: object = {}) => ({ "application/json": { schema, ...more } })

const responses = (operation: OpenApi.OpenAPISpecOperation, openAi: boolean) => {
  const refusal = (errorType: string) =>
    openAi ? besides.openAi("invalid_request_error", errorType) : besides.native(errorType)
  const fault = openAi ? besides.openAi("server_error", null) : besides.native("api_error")
  const takesBody = operation.requestBody !== undefined
  const canBeInvalid = takesBody || operation.parameters.some((one) => one.in === "query")
  const bodies = Object.entries(operation.responses)
    .filter(([status]) => status !== "422" || canBeInvalid)
    .map(([status, { content }]): [string, unknown] => [status, content?.["application/json"]?.schema])
  const unread = { 408: refusal("request_timeout"), 413: refusal("request_too_large") }
  const all = [...bodies, ...(takesBody ? Object.entries(unread) : []), ["500", fault] as const]
  return Object.fromEntries(
    all.map(([status, schema]) => [
      status,
      { description: said[status] ?? "", headers: headers(status), content: json(schema) }
    ])
  )
}

const described = (operation: OpenApi.OpenAPISpecOperation, openAi: boolean) => {
  const { examples, ...words } = operations[operation.operationId] ?? {}
  const named = examples === undefined ? {} : { examples: Record.map(examples, (value) => ({ value })) }
  return {
    ...operation,
    ...words,
    responses: responses(operation, openAi),
    ...(operation.requestBody === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: json(operation.requestBody.content["application/json"]?.schema, named)
          }
        })
  }
}

const paths = (spec: OpenApi.OpenAPISpec, openAi: boolean) =>
  Record.map(spec.paths, (path) =>
    Object.fromEntries(Object.entries(path).map(([method, operation]) => [method, described(operation, openAi)]))
  )

const native = OpenApi.fromApi(Api, { additionalPropertiesStrategy: "allow" })
const compatible = OpenApi.fromApi(OpenAiApi, { additionalPropertiesStrategy: "allow" })
const { DecideRequest, DecideBatchRequest, ...schemas } = native.components.schemas

const document: Readonly<Record<string, unknown>> = {
  ...native,
  info: {
    title: "Typed decision service",
    version: "1.0.0",
    description:
      "Typed questions about a text or JSON, answered with calibrated probabilities.\n\nA POST that was answered with 200 and is sent again within ten minutes with the same `Idempotency-Key` header gets the stored answer, unbilled, with the header `idempotent-replayed: true`; another request under that key is refused (422; by `/v1/moderations` with 400). Answers of more than 1 MB, and those beyond 128 MB of an account in ten minutes, are not kept: their retry is done anew and billed. The retry headers of the TypeSafe and OpenAI clients count as well."
  },
  security: [{ bearer: [] }],
  tags: [...native.tags, ...compatible.tags],
  paths: { ...paths(native, false), ...paths(compatible, true) },
  components: {
    ...native.components,
    schemas: {
      ...compatible.components.schemas,
      ...schemas,
      DecideRequest: { ...DecideRequest, ...waysToAsk },
      DecideBatchRequest: { ...DecideBatchRequest, ...waysToAsk }
    },
    headers: {
      RequestId: {
        description: "Names the request; all three headers hold the same.",
        required: true,
        schema: { type: "string", pattern: "^req_[0-9A-Za-z]+$" }
      },
      RetryAfter: {
        description: "Seconds after which to try again.",
        required: true,
        schema: { type: "integer", minimum: 1, maximum: 60 }
      }
    }
  }
}

/** The whole interface as OpenAPI 3.1, both dialects. */
export const openApi: Record<string, unknown> = Record.map(document, plain)
