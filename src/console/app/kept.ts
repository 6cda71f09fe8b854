import { Effect, Option } from "effect"

const place = (page: string, account: string) => `${page} ${account}`

/** Keeps what an account is writing on a page for as long as the tab is open and nobody signs out. */
export const keep = (page: string, account: string, text: string) =>
  // What is too long to be kept is still on the page.
  Effect.runSync(Effect.ignore(Effect.try(() => sessionStorage.setItem(place(page, account), text))))

/** What the account was writing there in this tab. */
export const kept = (page: string, account: string): Option.Option<string> =>
  Option.fromNullable(sessionStorage.getItem(place(page, account)))
