import { content } from "#test/flows/scene"
import type { Ids } from "./scene.ts"

/** A request that names all it can of an account: what another account and the owner get for it. */
interface Attempt {
  /** In place of the path, where it takes a query. */
  readonly path?: string
  readonly body?: (ids: Ids, revision: number) => unknown
  readonly other: number
  readonly own: number
  /** It tells that the name is taken, and has to. */
  readonly tells?: true
  /** What fails is told inside the answer. */
  readonly inside?: true
}

const free = { other: 200, own: 200 }
const foreign = { other: 404, own: 200 }
const unknown = { other: 422, own: 200 }
const question = { type: "noul", instructions: "Is it red?" }
const set = ({ model }: Ids) => ({ state: "x", model, questions: { q: question } })
const based = (_: Ids, revision: number) => ({ revision })

/** Every endpoint, in an order in which the owner can do it too: what takes something away comes last. */
export const endpoints: Readonly<Record<string, Attempt>> = {
  "POST /v1/decide": { ...unknown, body: ({ model }) => ({ template: "spam", text: "x", model }) },
  "POST /v1/decide/batch": { ...unknown, body: ({ model }) => ({ template: "spam", texts: ["x"], model }) },
  "GET /v1/templates": free,
  "POST /v1/systemone": { ...unknown, body: set },
  "POST /v1/systemone/batch": { ...free, inside: true, body: (ids) => ({ requests: [set(ids)] }) },
  "GET /v1/models": free,
  "GET /v1/flows": free,
  "GET /v1/flows/:slug": foreign,
  "POST /v1/flows/:slug/run": { ...foreign, body: () => ({ text: "x" }) },
  "GET /v1/usage": free,
  "POST /v1/moderations": { ...free, body: () => ({ input: "x" }) },
  "GET /console/api/session": free,
  "POST /console/api/session": { other: 400, own: 200, body: ({ email, password }) => ({ email, password }) },
  "POST /console/api/account/password": {
    other: 400,
    own: 200,
    body: ({ password }) => ({ current: password, next: "correct horse battery" })
  },
  "GET /console/api/keys": free,
  "POST /console/api/keys": { ...free, body: () => ({ name: "another" }) },
  "GET /console/api/usage": { ...free, path: "/console/api/usage?days=7" },
  "GET /console/api/billing": free,
  "POST /console/api/credits": {
    other: 403,
    own: 403,
    body: ({ email }) => ({ email, micros: 15, reference: "a present" })
  },
  "POST /console/api/ask": {
    ...unknown,
    body: ({ model }) => ({ state: "x", model, questions: [["q", question]] })
  },
  "POST /console/api/ask/template": { ...unknown, body: ({ model }) => ({ template: "spam", text: "x", model }) },
  "GET /console/api/templates": free,
  "GET /console/api/models": free,
  "POST /console/api/moderate": { ...free, body: () => ({ text: "x" }) },
  "GET /console/api/flows": free,
  "POST /console/api/flows": { other: 200, own: 409, body: ({ slug }) => ({ slug, content }) },
  "GET /console/api/flows/:id": foreign,
  "POST /console/api/flows/:id/test": { ...foreign, body: () => ({ revision: 1, text: "x" }) },
  "GET /console/api/flows/:id/versions": foreign,
  "GET /console/api/flows/:id/versions/:version": foreign,
  "POST /console/api/flows/:id/versions/:version/restore": { ...foreign, body: based },
  "POST /console/api/flows/:id": { ...foreign, body: (_, revision) => ({ revision, content }) },
  "POST /console/api/flows/:id/slug": { ...foreign, body: (_, revision) => ({ revision, slug: "renamed" }) },
  "POST /console/api/flows/:id/publish": { ...foreign, body: based },
  "POST /console/api/flows/:id/unpublish": { ...foreign, body: based },
  "POST /console/api/flows/:id/remove": { ...foreign, body: based },
  "DELETE /console/api/keys/:id": foreign,
  "POST /console/api/account": {
    other: 409,
    own: 409,
    tells: true,
    body: ({ email }) => ({ email, password: "long enough" })
  },
  "DELETE /console/api/session": free
}

/** The path of an endpoint with the names filled in. */
export const pathOf = (endpoint: string, { slug, flow, key }: Ids) =>
  (endpoints[endpoint]?.path ?? endpoint.split(" ")[1] ?? "")
    .replace(":slug", slug)
    .replace(":version", "1")
    .replace("/flows/:id", `/flows/${flow}`)
    .replace("/keys/:id", `/keys/${key}`)
