import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { ConsoleApi } from "#schema/ConsoleApi"
import { Visitor } from "#schema/console/Access"
import type { Model } from "#schema/Model"
import { Decisions } from "../../decisions/Decisions.ts"
import type { Manifest } from "../../models/Manifest.ts"
import { Models } from "../../models/Models.ts"

const facts = ({ checkpoint, languages, licence, sources, files, figures, ...family }: Manifest) => ({
  checkpoint,
  languages,
  licence,
  sources,
  bytes: Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0),
  window: family.family === "branches" ? family.limits.window : family.window,
  figures: figures ?? null
})

/** The pages of templates and models. */
export const CatalogueHandlers = HttpApiBuilder.group(ConsoleApi, "catalogue", (handlers) =>
  Effect.gen(function* () {
    const { asked, templates } = yield* Decisions
    const models = yield* Models

    const card = (accountId: string) => (model: Model) =>
      models.resolve(accountId, model.name, { state: "" }).pipe(
        // A name that stands for several models is answered by one of them.
        Effect.map(({ manifest }) => (manifest.name === model.name ? facts(manifest) : null)),
        // One whose folder is not here now is told of all the same.
        Effect.orElseSucceed(() => null),
        Effect.map((found) => ({ ...model, facts: found }))
      )

    return handlers
      .handle("listTemplates", () =>
        Effect.succeed({
          templates: templates.map((template) => {
            const { question, options } = asked({ template: template.template })
            return { ...template, question, options }
          })
        })
      )
      .handle("listModels", () =>
        Effect.gen(function* () {
          const { accountId } = yield* Visitor
          const listed = yield* models.list(accountId)
          return { models: yield* Effect.forEach(listed, card(accountId)) }
        })
      )
  })
)
