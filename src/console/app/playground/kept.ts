import { Effect, Option } from "effect"
import type { Draft } from "./draft.ts"
import { read, written } from "./link.ts"

const place = (account: string) => `playground ${account}`

/** Keeps what an account is writing for as long as the tab is open and nobody signs out. */
export const keep = (account: string, draft: Draft) =>
  // What is too long to be kept is still on the page.
  Effect.runSync(Effect.ignore(Effect.try(() => sessionStorage.setItem(place(account), written(draft)))))

/** What the account was writing in this tab. */
export const kept = (account: string): Option.Option<Draft> =>
  Option.fromNullable(sessionStorage.getItem(place(account))).pipe(Effect.flatMap(read), Effect.option, Effect.runSync)
