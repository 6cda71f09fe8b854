import { HttpServerResponse } from "@effect/platform"
import type { Dialect } from "./Dialect.ts"
import type { Methods } from "./Methods.ts"

/** The answer where the router found nothing: 405 with the methods that the path takes, 404 where it takes none. */
export const unmatched = (known: ReadonlyArray<Methods>, method: string, path: string, { refusal }: Dialect) => {
  const allowed = known.flatMap((methods) => methods(path))
  // A path with an escape that means nothing is found for no method.
  return allowed.length === 0 || allowed.includes(method)
    ? refusal(404, "not_found", "There is nothing at this path. See /docs for the interface.")
    : HttpServerResponse.setHeader(
        refusal(405, "method_not_allowed", `This path takes ${allowed.join(", ")}.`),
        "allow",
        allowed.join(", ")
      )
}
