import { Args, Command, Options } from "@effect/cli"
import { FileSystem } from "@effect/platform"
import { Console, Effect, Option, Schema } from "effect"
import { FlowSummary } from "#schema/Flow"
import { FlowContent, FlowDraft } from "#schema/FlowDraft"
import { InternalClient } from "#schema/InternalClient"
import { withOrder } from "#schema/Order"
import { accountId, accountOption } from "./account.ts"
import { json, print } from "./Output.ts"
import { readText } from "./readText.ts"

const slug = Args.text({ name: "slug" })
const exported = Schema.parseJson(FlowContent, { space: 2 })
const imported = (text: string) =>
  Schema.decode(Schema.parseJson())(text).pipe(
    Effect.flatMap((value) => Schema.decodeUnknown(FlowContent)(withOrder(value, text)))
  )

const list = Command.make("list", { account: accountOption, json }, ({ account, json }) =>
  Effect.gen(function* () {
    const client = yield* InternalClient
    const flows = yield* client.ListFlows({ account: yield* accountId(account) })
    yield* print(json, Schema.Array(FlowSummary), flows, (all) =>
      all.map(({ flow, name, version, questions, updated_at }) => ({
        flow,
        name,
        version,
        questions,
        updated: updated_at
      }))
    )
  })
).pipe(Command.withDescription("List the published flows of an account"))

const exportFlow = Command.make(
  "export",
  {
    account: accountOption,
    slug,
    file: Options.file("file").pipe(Options.withAlias("f"), Options.optional),
    json: json.pipe(Options.withDescription("It is JSON in any case"))
  },
  ({ account, slug, file }) =>
    Effect.gen(function* () {
      const client = yield* InternalClient
      const fs = yield* FileSystem.FileSystem
      const { name, description, definition } = yield* client.GetFlow({
        account: yield* accountId(account),
        slug
      })
      const text = yield* Schema.encode(exported)({
        name,
        definition,
        ...(description === null ? {} : { description })
      })
      yield* Option.match(file, {
        onNone: () => Console.log(text),
        onSome: (path) => fs.writeFileString(path, `${text}\n`)
      })
    })
).pipe(Command.withDescription("Write the published version of a flow as JSON"))

const importFlow = Command.make(
  "import",
  {
    account: accountOption,
    slug,
    file: Args.file({ name: "file", exists: "yes" }),
    publish: Options.boolean("publish").pipe(Options.withDescription("Publish it at once")),
    json
  },
  ({ account, slug, file, publish, json }) =>
    Effect.gen(function* () {
      const client = yield* InternalClient
      const owner = yield* accountId(account)
      const content = yield* Effect.flatMap(readText(file), imported)
      const known = (yield* client.ListDrafts({ account: owner })).find((draft) => draft.slug === slug)
      const draft = yield* known === undefined
        ? client.CreateFlow({ account: owner, slug, content })
        : client.SaveFlow({ account: owner, id: known.id, revision: known.revision, content })
      const { id, revision } = draft
      const published = yield* publish
        ? client.PublishFlow({ account: owner, id, revision }).pipe(
            Effect.map(({ version }) => ({ published_version: version, published_revision: revision })),
            Effect.tapError(() => Console.error(`The draft is saved, at revision ${revision}. Publishing it failed:`))
          )
        : Effect.succeed({})
      yield* print(json, FlowDraft, { ...draft, ...published }, ({ published_version, published_revision }) => [
        { slug, id, revision, published_version, published_revision }
      ])
    })
).pipe(Command.withDescription("Save a flow from JSON as the draft of its slug"))

/** `svc flow`: lists published flows, and takes them out of the service and into it as JSON. */
export const flow = Command.make("flow").pipe(
  Command.withDescription("Decision flows"),
  Command.withSubcommands([list, exportFlow, importFlow])
)
