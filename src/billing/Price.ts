import { Context, Effect, Layer } from "effect"
import { Settings } from "../Settings.ts"

/** What decisions cost. */
export class Price extends Context.Tag("svc/Price")<
  Price,
  {
    /** Micros of a US dollar, and the same in dollars. */
    readonly of: (decisions: number) => { readonly cost_micros: number; readonly cost_usd: number }
  }
>() {
  static readonly layer = Layer.effect(
    Price,
    Effect.map(Settings, ({ priceMicros }) =>
      Price.of({
        of: (decisions) => ({ cost_micros: decisions * priceMicros, cost_usd: (decisions * priceMicros) / 1_000_000 })
      })
    )
  )
}
