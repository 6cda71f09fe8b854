import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { ConsoleApi } from "#schema/ConsoleApi"
import { Visitor } from "#schema/console/Access"
import { Decisions } from "../../decisions/Decisions.ts"
import { Models } from "../../models/Models.ts"

export const CatalogueHandlers = HttpApiBuilder.group(ConsoleApi, "catalogue", (handlers) =>
  Effect.gen(function* () {
    const { asked, templates } = yield* Decisions
    const models = yield* Models
    const facts = new Map(
      models.all.map(({ manifest: { name, checkpoint, languages, licence, sources, files, ...family } }) => [
        name,
        {
          checkpoint,
          languages,
          licence,
          sources,
          bytes: Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0),
          window: family.family === "branches" ? family.limits.window : family.window
        }
      ])
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
          return { models: listed.map((model) => ({ ...model, facts: facts.get(model.name) ?? null })) }
        })
      )
  })
)
