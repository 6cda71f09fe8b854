import type { RpcClient, RpcClientError, RpcGroup } from "@effect/rpc"
import { type Cause, Chunk, Effect, Redacted, Stream } from "effect"
import type { InternalRpcs } from "#schema/rpc/InternalRpcs"
import { content } from "#test/flows/scene"
import type { Ids } from "./scene.ts"

type Client = RpcClient.RpcClient<RpcGroup.Rpcs<typeof InternalRpcs>, RpcClientError.RpcClientError>

/** A call for `account` that names all it can of an account: how it ends for another account, and for the owner. */
interface Attempt {
  readonly call: (
    client: Client,
    account: string,
    ids: Ids,
    revision: number
  ) => Effect.Effect<unknown, { readonly _tag: string } | Cause.UnknownException>
  readonly other: string
  readonly own: string
  /** It names no account: insiders see all of them, or learn that a name is taken. */
  readonly tells?: true
  /** What fails is told inside the answer. */
  readonly inside?: true
}

const free = { other: "done", own: "done" }
const foreign = (error: string) => ({ other: error, own: "done" })
const spec = ({ model }: Ids) => ({ template: "spam", model }) as const
const question = { type: "noul", instructions: "Is it red?" } as const
const collected = <A, E>(stream: Stream.Stream<A, E>) => Effect.map(Stream.runCollect(stream), Chunk.toReadonlyArray)

/** Every procedure, in an order in which the owner can do it too: what takes something away comes last. */
export const procedures: Readonly<Record<string, Attempt>> = {
  Decide: {
    ...foreign("InvalidRequest"),
    call: (client, account, ids) => client.Decide({ account, spec: spec(ids), text: "x" })
  },
  DecideMany: {
    ...free,
    inside: true,
    call: (client, account, ids) => collected(client.DecideMany({ account, spec: spec(ids), texts: ["x"] }))
  },
  AnswerSet: {
    ...foreign("InvalidRequest"),
    call: (client, account, { model }) =>
      client.AnswerSet({ account, request: { state: "x", model, questions: [["q", question]] } })
  },
  Moderate: { ...free, call: (client, account) => client.Moderate({ account, texts: ["x"] }) },
  RunFlow: {
    ...foreign("FlowNotFound"),
    call: (client, account, { slug }) => client.RunFlow({ account, slug, text: "x" })
  },
  ListTemplates: { ...free, call: (client) => client.ListTemplates() },
  ListModels: { ...free, call: (client, account) => client.ListModels({ account }) },
  ListFlows: { ...free, call: (client, account) => client.ListFlows({ account }) },
  GetFlow: { ...foreign("FlowNotFound"), call: (client, account, { slug }) => client.GetFlow({ account, slug }) },
  CreateAccount: {
    other: "EmailTaken",
    own: "EmailTaken",
    tells: true,
    call: (client, _, { email }) => client.CreateAccount({ email, password: Redacted.make("long enough it is") })
  },
  GetAccount: { ...free, call: (client, account) => client.GetAccount({ account }) },
  FindAccount: { ...free, tells: true, call: (client, _, { email }) => client.FindAccount({ email }) },
  CreateKey: { ...free, call: (client, account) => client.CreateKey({ account, name: "another" }) },
  ListKeys: { ...free, call: (client, account) => client.ListKeys({ account }) },
  LimitKey: {
    ...foreign("KeyNotFound"),
    call: (client, account, { key }) => client.LimitKey({ account, key, rateLimit: 100 })
  },
  GrantCredits: {
    ...free,
    call: (client, account, ids) =>
      client.GrantCredits({ account, micros: 15_000, reference: `invoice of ${ids.account}` })
  },
  ReadUsage: { ...free, call: (client, account) => client.ReadUsage({ account, days: 7 }) },
  ReadLedger: { ...free, call: (client, account, { entry }) => client.ReadLedger({ account, before: entry }) },
  RegisterModel: {
    ...foreign("ModelTaken"),
    tells: true,
    call: (client, account, { model: name }) => client.RegisterModel({ account, name })
  },
  ListRegisteredModels: { ...free, tells: true, call: (client) => client.ListRegisteredModels() },
  ListDrafts: { ...free, call: (client, account) => client.ListDrafts({ account }) },
  GetDraft: { ...foreign("FlowNotFound"), call: (client, account, { flow: id }) => client.GetDraft({ account, id }) },
  CreateFlow: {
    other: "done",
    own: "SlugTaken",
    call: (client, account, { slug }) => client.CreateFlow({ account, slug, content })
  },
  SaveFlow: {
    ...foreign("FlowNotFound"),
    call: (client, account, { flow: id }, revision) => client.SaveFlow({ account, id, revision, content })
  },
  PublishFlow: {
    ...foreign("FlowNotFound"),
    call: (client, account, { flow: id }, revision) => client.PublishFlow({ account, id, revision })
  },
  RevokeKey: { ...foreign("KeyNotFound"), call: (client, account, { key }) => client.RevokeKey({ account, key }) },
  RemoveModel: {
    ...foreign("ModelNotFound"),
    call: (client, account, { model: name }) => client.RemoveModel({ account, name })
  },
  // Ends the session by which the scene looks at the owner's flow.
  SetPassword: {
    ...free,
    call: (client, account) => client.SetPassword({ account, password: Redacted.make("another that is long") })
  }
}
