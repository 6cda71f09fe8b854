import { expect } from "bun:test"
import { HttpApi } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Api } from "#schema/Api"
import { ConsoleApi } from "#schema/ConsoleApi"
import { InternalClient } from "#schema/InternalClient"
import { OpenAiApi } from "#schema/OpenAiApi"
import { InternalRpcs } from "#schema/rpc/InternalRpcs"
import { withLayer } from "#test/support/effect"
import { internalService } from "#test/support/internal"
import { modelsFolder } from "#test/support/models"
import { endpoints, pathOf } from "./endpoints.ts"
import { procedures } from "./procedures.ts"
import { type Ids, masked, type Person, type Scene, Scenes } from "./scene.ts"

const service = Scenes.layer.pipe(
  Layer.provideMerge(
    Layer.unwrapScoped(
      Effect.map(modelsFolder([{ name: "svc-english" }]), (modelsDir) => internalService({ settings: { modelsDir } }))
    )
  )
)

type Reply = readonly [outcome: string | number, answer: unknown]

interface Expected {
  readonly other: string | number
  readonly own: string | number
  readonly tells?: true
  readonly inside?: true
}

/** The other one names what is the owner's, and is told no more than by naming what nobody has. */
const refused = <R>(
  scene: Scene,
  { other, tells, inside }: Expected,
  ask: (ids: Ids, revision: number) => Effect.Effect<Reply, never, R>
) =>
  Effect.gen(function* () {
    const revision = yield* scene.revision
    const [outcome, answer] = yield* ask(scene.guessed, revision)
    const [, ghost] = yield* ask(scene.nobodys, revision)
    expect(outcome).toBe(other)
    if (tells) return
    const seen = JSON.stringify(answer)
    expect(scene.marks.filter((mark) => seen.includes(mark))).toEqual([])
    if (!["done", 200].includes(other) || inside)
      expect(masked(answer, scene.guessed)).toBe(masked(ghost, scene.nobodys))
  })

const declared = () => {
  const found: Array<string> = []
  const add = {
    onGroup: () => {},
    onEndpoint: ({ endpoint }: { readonly endpoint: { readonly method: string; readonly path: string } }) => {
      found.push(`${endpoint.method} ${endpoint.path}`)
    }
  }
  HttpApi.reflect(Api, add)
  HttpApi.reflect(OpenAiApi, add)
  HttpApi.reflect(ConsoleApi, add)
  return found
}

const send = (endpoint: string, who: Person, ids: Ids, revision: number) => {
  const [method = "", path = ""] = endpoint.split(" ")
  const body = endpoints[endpoint]?.body?.(ids, revision)
  const sent = path.startsWith("/v1")
    ? who.withKey(method, pathOf(endpoint, ids), body)
    : who.withSession(method, pathOf(endpoint, ids).slice("/console/api".length), body)
  return Effect.map(sent, ({ status, body }): Reply => [status, body])
}

const call = (procedure: string, account: string, ids: Ids, revision: number) =>
  Effect.flatMap(InternalClient, (client) =>
    Effect.match(procedures[procedure]?.call(client, account, ids, revision) ?? Effect.void, {
      onFailure: (error): Reply => [error._tag, error],
      onSuccess: (answer): Reply => ["done", answer]
    })
  )

withLayer(service)("What belongs to one account", (it) => {
  it("is looked for by another in every endpoint and every procedure there is", () =>
    Effect.sync(() => {
      expect(Object.keys(endpoints).sort()).toEqual(declared().sort())
      expect(Object.keys(procedures).sort()).toEqual([...InternalRpcs.requests.keys()].sort())
    }))

  const before = Effect.cached(Effect.flatMap(Scenes, ({ http, rpc }) => Effect.all([http.rows, rpc.rows]))).pipe(
    Effect.runSync
  )
  it("is there", () => Effect.map(before, (rows) => expect(JSON.stringify(rows).length).toBeGreaterThan(1_000)))

  for (const [endpoint, expected] of Object.entries(endpoints))
    it(`cannot be reached by ${endpoint}`, () =>
      Effect.flatMap(Scenes, ({ http }) =>
        refused(http, expected, (ids, revision) => send(endpoint, http.other, ids, revision))
      ))

  for (const [procedure, expected] of Object.entries(procedures))
    it(`cannot be reached by ${procedure}`, () =>
      Effect.flatMap(Scenes, ({ rpc }) =>
        refused(rpc, expected, (ids, revision) => call(procedure, rpc.other.account, ids, revision))
      ))

  it("is as it was after all that", () =>
    Effect.gen(function* () {
      const { http, rpc } = yield* Scenes
      expect(yield* Effect.all([http.rows, rpc.rows])).toEqual(yield* before)
    }))

  it(
    "can be reached by its owner with the same requests",
    () =>
      Effect.gen(function* () {
        const { http, rpc } = yield* Scenes
        for (const [endpoint, { own }] of Object.entries(endpoints)) {
          const [outcome] = yield* send(endpoint, http.owner, http.ids, yield* http.revision)
          expect([endpoint, outcome]).toEqual([endpoint, own])
        }
        for (const [procedure, { own }] of Object.entries(procedures)) {
          const [outcome] = yield* call(procedure, rpc.owner.account, rpc.ids, yield* rpc.revision)
          expect([procedure, outcome]).toEqual([procedure, own])
        }
      }),
    60_000
  )
})
