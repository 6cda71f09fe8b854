import { expect, test } from "bun:test"
import { HttpApi, type HttpApiGroup } from "@effect/platform"
import { Effect, Option, type Schema, SchemaAST } from "effect"
import { Api } from "#schema/Api"
import { ConsoleApi } from "#schema/ConsoleApi"
import { http } from "#test/support/service"
import { visitor } from "./visitor.ts"

http("A fault of what a path names", (it) => {
  it("is told as one of the path, whatever else the request has", () =>
    Effect.gen(function* () {
      const { send } = yield* visitor
      for (const [version, type, msg] of [
        ["first", "int_parsing", "Input should be a valid integer, unable to parse string as an integer"],
        ["1.5", "int_parsing", "Input should be a valid integer, unable to parse string as an integer"],
        ["0", "greater_than_equal", "Input should be greater than or equal to 1"],
        ["1000001", "less_than_equal", "Input should be less than or equal to 1000000"]
      ] as const) {
        const detail = [{ loc: ["path", "version"], msg, type }]
        const read = yield* send("GET", `/flows/any/versions/${version}?version=1`)
        expect([version, read.status, read.body]).toEqual([version, 422, { detail }])
        const restored = yield* send("POST", `/flows/any/versions/${version}/restore`, { revision: "none" })
        expect([version, restored.status, restored.body]).toEqual([version, 422, { detail }])
      }
    }))

  it("is told apart from one of the body or the query", () =>
    Effect.gen(function* () {
      const { send } = yield* visitor
      const places = (path: string, body?: unknown) =>
        Effect.map(send(body === undefined ? "GET" : "POST", path, body), (reply) => [
          reply.status,
          reply.body.detail.map(({ loc }: { readonly loc: unknown }) => loc)
        ])
      expect(yield* places("/flows/any/versions/1/restore", { revision: "none" })).toEqual([
        422,
        [["body", "revision"]]
      ])
      expect(yield* places("/flows/any/versions/1/restore", [])).toEqual([422, [["body"]]])
      expect(yield* places("/usage?days=none")).toEqual([422, [["query", "days"]]])
    }))
})

test("no field has the name of a parameter of its path, whose fault it would be told as", () => {
  const names = (schema: Option.Option<Schema.Schema.All>) =>
    Option.match(schema, {
      onNone: () => [],
      onSome: ({ ast }) => SchemaAST.getPropertySignatures(SchemaAST.encodedAST(ast)).map(({ name }) => name)
    })
  const shared: Array<unknown> = []
  const parameters: Array<unknown> = []
  const look = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
    api: HttpApi.HttpApi<Id, Groups, E, R>
  ) =>
    HttpApi.reflect(api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint }) => {
        const fields = [...names(endpoint.payloadSchema), ...names(endpoint.urlParamsSchema)]
        parameters.push(...names(endpoint.pathSchema))
        shared.push(...names(endpoint.pathSchema).filter((name) => fields.includes(name)))
      }
    })
  look(Api)
  look(ConsoleApi)
  expect(new Set(parameters)).toEqual(new Set(["slug", "id", "version"]))
  expect(shared).toEqual([])
})
