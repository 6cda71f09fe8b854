import { Context, Effect, Layer } from "effect"
import type { Unavailable } from "#schema/Errors"
import { Limits } from "#schema/Limits"
import { randomId } from "../database/id.ts"
import { askedOf } from "../decisions/Asked.ts"
import { templates } from "../decisions/Templates.ts"
import { type Example, examples } from "./ExampleGraphs.ts"
import { FlowsRepo } from "./FlowsRepo.ts"
import { measure } from "./Measure.ts"
import { VersionsRepo } from "./VersionsRepo.ts"

const catalogue = { asked: askedOf(templates([])), hasModel: () => true }

/** The flows that a new account begins with, published. */
export class Examples extends Context.Tag("svc/Examples")<
  Examples,
  {
    /** Adds those whose slug the account does not use yet. */
    readonly add: (accountId: string) => Effect.Effect<void, Unavailable>
  }
>() {
  static readonly layerNoDeps = Layer.effect(
    Examples,
    Effect.gen(function* () {
      const repo = yield* FlowsRepo
      const versions = yield* VersionsRepo

      const addOne = (accountId: string) =>
        Effect.fnUntraced(function* ({ slug, content: { name, description, definition } }: Example) {
          const row = { accountId, id: `flow_${randomId()}`, slug, name, description: description ?? null, definition }
          const { id, revision } = yield* repo.insert(row, Limits.flow.perAccount)
          yield* versions.publish({ accountId, id, revision, ...measure(definition, catalogue) })
        })

      return Examples.of({
        add: (accountId) =>
          Effect.forEach(
            examples,
            (example) =>
              addOne(accountId)(example).pipe(Effect.catchTag("SlugTaken", "TooManyFlows", () => Effect.void)),
            { discard: true }
          )
      })
    })
  )
  static readonly layer = this.layerNoDeps.pipe(Layer.provide([FlowsRepo.layer, VersionsRepo.layer]))
}
