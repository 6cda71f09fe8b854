import { Rpc, RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { Account, AccountNotFound, Email, EmailTaken, NewPassword } from "../Account.ts"
import { FlowNotFound, Unavailable } from "../Errors.ts"
import {
  FlowConflict,
  FlowContent,
  FlowDraft,
  FlowDraftSummary,
  FlowInvalid,
  FlowSlug,
  FlowVersionSummary,
  SlugTaken,
  TooManyFlows
} from "../FlowDraft.ts"
import { KeyName, KeyNotFound, KeySummary, NewKey, TooManyKeys } from "../Key.ts"
import { Credited, Grantable, LedgerEntry, ReferenceTaken } from "../Ledger.ts"
import { Limits } from "../Limits.ts"
import { ModelInvalid, ModelNotFound, ModelTaken, RegisteredModel } from "../Model.ts"
import { Storable, storable } from "../Storable.ts"
import { Usage } from "../Usage.ts"
import { Name } from "./Name.ts"
import { Repeatable } from "./Repeatable.ts"

const account = { account: Name }
const password = Schema.Redacted(NewPassword)
/** Requests per minute of a key, within what `RATE_LIMIT` may be. */
const RateLimit = Schema.Int.pipe(Schema.between(1, 1_000_000))
/** A model by its name, and the account that alone uses it; null: every account. */
const owned = { account: Schema.NullOr(Name), name: Name }
const based = { ...account, id: Name, revision: Schema.Int }

/** What only insiders may do: accounts, keys, money, models, and the writing of flows. */
export class ManagingRpcs extends RpcGroup.make(
  Rpc.make("CreateAccount", {
    payload: { email: storable(Email), password },
    success: Account,
    error: Schema.Union(EmailTaken, Unavailable)
  }),
  Rpc.make("GetAccount", {
    payload: account,
    success: Account,
    error: Schema.Union(AccountNotFound, Unavailable)
  }).annotate(Repeatable, true),
  Rpc.make("FindAccount", {
    payload: { email: Name },
    success: Account,
    error: Schema.Union(AccountNotFound, Unavailable)
  }).annotate(Repeatable, true),
  /** For an account whose password is lost: it gets this one, and everybody who is signed in to it is signed out. */
  Rpc.make("SetPassword", {
    payload: { ...account, password },
    success: Account,
    error: Schema.Union(AccountNotFound, Unavailable)
  }),
  Rpc.make("CreateKey", {
    payload: Schema.Struct({
      ...account,
      name: storable(KeyName),
      rateLimit: Schema.optionalWith(RateLimit, { exact: true })
    }),
    success: NewKey,
    error: Schema.Union(AccountNotFound, TooManyKeys, Unavailable)
  }),
  Rpc.make("ListKeys", {
    payload: account,
    success: Schema.Array(KeySummary),
    error: Schema.Union(AccountNotFound, Unavailable)
  }).annotate(Repeatable, true),
  Rpc.make("RevokeKey", {
    payload: { ...account, key: Name },
    success: KeySummary,
    error: Schema.Union(KeyNotFound, Unavailable)
  }),
  /** Requests per minute of one key; null for the standard limit. */
  Rpc.make("LimitKey", {
    payload: { ...account, key: Name, rateLimit: Schema.NullOr(RateLimit) },
    success: KeySummary,
    error: Schema.Union(KeyNotFound, Unavailable)
  }).annotate(Repeatable, true),
  /** Credits once per reference, however often it is called; answers the balance and what came under the reference, now or before. Micros of a US dollar. */
  Rpc.make("GrantCredits", {
    payload: {
      ...account,
      micros: Grantable,
      reference: Storable.pipe(Schema.nonEmptyString(), Schema.maxLength(200))
    },
    success: Credited,
    error: Schema.Union(AccountNotFound, ReferenceTaken, Unavailable)
  }).annotate(Repeatable, true),
  Rpc.make("ReadUsage", {
    payload: { ...account, days: Schema.Int.pipe(Schema.between(Limits.usageDays.least, Limits.usageDays.most)) },
    success: Usage,
    error: Schema.Union(AccountNotFound, Unavailable)
  }).annotate(Repeatable, true),
  /** The newest entries before `before`, newest first. */
  Rpc.make("ReadLedger", {
    payload: Schema.Struct({
      ...account,
      kind: Schema.optionalWith(LedgerEntry.fields.kind, { exact: true }),
      before: Schema.optionalWith(Schema.String.pipe(Schema.pattern(/^\d{1,18}$/)), { exact: true }),
      most: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 1_000)), { exact: true })
    }),
    success: Schema.Array(LedgerEntry),
    error: Schema.Union(AccountNotFound, Unavailable)
  }).annotate(Repeatable, true),
  /** Takes a model into service, for one account or for all, whose folder lies in MODELS_DIR; once, however often it is called. */
  Rpc.make("RegisterModel", {
    payload: owned,
    success: RegisteredModel,
    error: Schema.Union(AccountNotFound, ModelInvalid, ModelTaken, Unavailable)
  }).annotate(Repeatable, true),
  /** Takes it out of service; its folder stays. */
  Rpc.make("RemoveModel", {
    payload: owned,
    success: RegisteredModel,
    error: Schema.Union(ModelNotFound, Unavailable)
  }),
  Rpc.make("ListRegisteredModels", { success: Schema.Array(RegisteredModel), error: Unavailable }).annotate(
    Repeatable,
    true
  ),
  Rpc.make("ListDrafts", {
    payload: account,
    success: Schema.Array(FlowDraftSummary),
    error: Schema.Union(AccountNotFound, Unavailable)
  }).annotate(Repeatable, true),
  Rpc.make("GetDraft", {
    payload: { ...account, id: Name },
    success: FlowDraft,
    error: Schema.Union(FlowNotFound, Unavailable)
  }).annotate(Repeatable, true),
  Rpc.make("CreateFlow", {
    payload: { ...account, slug: FlowSlug, content: FlowContent },
    success: FlowDraft,
    error: Schema.Union(AccountNotFound, SlugTaken, TooManyFlows, Unavailable)
  }),
  Rpc.make("SaveFlow", {
    payload: { ...based, content: FlowContent },
    success: FlowDraft,
    error: Schema.Union(FlowConflict, FlowNotFound, Unavailable)
  }),
  Rpc.make("PublishFlow", {
    payload: based,
    success: FlowVersionSummary,
    error: Schema.Union(FlowInvalid, FlowConflict, FlowNotFound, Unavailable)
  })
) {}
