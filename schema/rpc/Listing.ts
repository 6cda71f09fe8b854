import { Rpc, RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { AccountNotFound } from "../Account.ts"
import { FlowNotFound, Unavailable } from "../Errors.ts"
import { Flow, FlowSummary } from "../Flow.ts"
import { Model } from "../Model.ts"
import { Template } from "../Template.ts"
import { Name } from "./Name.ts"
import { Repeatable } from "./Repeatable.ts"

const account = { account: Name }

/** What an account can name in its requests. */
export class ListingRpcs extends RpcGroup.make(
  Rpc.make("ListTemplates", { success: Schema.Array(Template) }).annotate(Repeatable, true),
  Rpc.make("ListModels", {
    payload: account,
    success: Schema.Array(Model),
    error: Schema.Union(AccountNotFound, Unavailable)
  }).annotate(Repeatable, true),
  Rpc.make("ListFlows", {
    payload: account,
    success: Schema.Array(FlowSummary),
    error: Schema.Union(AccountNotFound, Unavailable)
  }).annotate(Repeatable, true),
  Rpc.make("GetFlow", {
    payload: { ...account, slug: Name },
    success: Flow,
    error: Schema.Union(FlowNotFound, Unavailable)
  }).annotate(Repeatable, true)
) {}
