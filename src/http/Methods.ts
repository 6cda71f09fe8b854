import { HttpApi, type HttpApiGroup } from "@effect/platform"

const pattern = (path: string) =>
  new RegExp(
    `^${path
      .replaceAll(/[.+()]/g, "\\$&")
      .replaceAll(/:[A-Za-z]+/g, "[^/]+")
      .replaceAll("*", ".*")}$`,
    // As the router does, which tells no case apart.
    "i"
  )

/** Which methods a path takes; none where there is nothing at it. */
export type Methods = (path: string) => ReadonlyArray<string>

/** Which methods the paths of an interface take, HEAD wherever GET; for answering a wrong one. */
export const methodsOf = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): Methods => {
  const known: Array<{ readonly path: RegExp; readonly method: string }> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const path = pattern(endpoint.path)
      known.push({ path, method: endpoint.method })
      if (endpoint.method === "GET") known.push({ path, method: "HEAD" })
    }
  })
  return (path) => [...new Set(known.filter((one) => one.path.test(path)).map(({ method }) => method))].sort()
}
