import { Effect, Layer } from "effect"
import { ManagingRpcs } from "#schema/rpc/Managing"
import { Accounts } from "../accounts/Accounts.ts"
import { Ledger } from "../billing/Ledger.ts"
import { Usage } from "../billing/Usage.ts"
import { Sessions } from "../console/Sessions.ts"
import { Flows } from "../flows/Flows.ts"
import { Keys } from "../keys/Keys.ts"
import { Registrations } from "../models/Registrations.ts"

/** What only insiders may do. An account that is not there is said to be missing before anything is made for it or listed. */
export const ManagingHandlers = ManagingRpcs.toLayer(
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const sessions = yield* Sessions
    const keys = yield* Keys
    const ledger = yield* Ledger
    const usage = yield* Usage
    const registrations = yield* Registrations
    const flows = yield* Flows
    return ManagingRpcs.of({
      CreateAccount: ({ email, password }) => accounts.create(email, password),
      GetAccount: ({ account }) => accounts.get(account),
      FindAccount: ({ email }) => accounts.find(email),
      SetPassword: ({ account, password }) =>
        accounts.setPassword(account, password, (found) => Effect.as(sessions.closeAll(found.id), found)),
      CreateKey: ({ account, name, rateLimit }) =>
        Effect.zipRight(
          accounts.get(account),
          keys.create(account, name, rateLimit === undefined ? {} : { rateLimit })
        ),
      ListKeys: ({ account }) => Effect.zipRight(accounts.get(account), keys.list(account)),
      RevokeKey: ({ account, key }) => keys.revoke(account, key),
      LimitKey: ({ account, key, rateLimit }) => keys.limit(account, key, rateLimit),
      GrantCredits: ({ account, micros, reference }) =>
        Effect.zipRight(accounts.get(account), ledger.credit(account, micros, reference)),
      ReadUsage: ({ account, days }) => Effect.zipRight(accounts.get(account), usage.of(account, days)),
      ReadLedger: ({ account, ...options }) => Effect.zipRight(accounts.get(account), ledger.entries(account, options)),
      RegisterModel: ({ account, name }) =>
        Effect.zipRight(
          account === null ? Effect.void : Effect.asVoid(accounts.get(account)),
          registrations.add({ account, name })
        ),
      RemoveModel: ({ account, name }) => registrations.remove({ account, name }),
      ListRegisteredModels: () => registrations.list,
      ListDrafts: ({ account }) => Effect.zipRight(accounts.get(account), flows.drafts(account)),
      GetDraft: ({ account, id }) => flows.draft({ accountId: account, id }),
      CreateFlow: ({ account, slug, content }) =>
        Effect.zipRight(accounts.get(account), flows.create(account, slug, content)),
      SaveFlow: ({ account, id, revision, content }) => flows.save({ accountId: account, id, revision }, content),
      PublishFlow: ({ account, id, revision }) => flows.publish({ accountId: account, id, revision })
    })
  })
).pipe(Layer.provide(Sessions.layer))
