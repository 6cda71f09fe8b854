/** What may happen to the money and the windows of a few accounts, on a few instances. */
export type Step =
  | {
      readonly do: "ask"
      readonly instance: number
      readonly key: number
      readonly decisions: number
      readonly idempotency: number
    }
  | { readonly do: "answer"; readonly request: number; readonly decisions: number }
  | { readonly do: "fail"; readonly request: number }
  | { readonly do: "undo"; readonly request: number }
  | { readonly do: "crash"; readonly instance: number }
  | { readonly do: "sweep"; readonly instance: number }
  | { readonly do: "revoke"; readonly key: number }
  | { readonly do: "top up"; readonly account: number; readonly reference: number }
  | { readonly do: "minute"; readonly key: number }

export interface Asked {
  readonly id: string
  readonly instance: number
  readonly key: number
  readonly reserved: number
  readonly idempotency: number
  state: "open" | "charged" | "over"
  charged: number
}

export const limit = 4
const price = 15
const topUp = 150

/** The promises of admission in their simplest form: no time, no concurrency, no database. */
export class Oracle {
  readonly balance = [0, 0]
  readonly window = new Map<number, number>()
  readonly revoked = new Set<number>()
  readonly credits = new Set<string>()
  readonly crashed = new Set<number>()
  readonly asked: Array<Asked> = []

  account(key: number) {
    return key % 2
  }

  held(account: number) {
    return this.asked.reduce(
      (sum, { key, state, reserved }) =>
        sum + (this.account(key) === account && state === "open" ? reserved * price : 0),
      0
    )
  }

  ask({ instance, key, decisions, idempotency }: Extract<Step, { do: "ask" }>, id: string): string {
    const account = this.account(key)
    if (this.revoked.has(key)) return "unauthenticated"
    const count = this.window.get(key) ?? 0
    if (count >= limit) return "rate_limited"
    this.window.set(key, count + 1)
    const earlier =
      idempotency === 0
        ? undefined
        : this.asked.findLast(
            (one) => this.account(one.key) === account && one.idempotency === idempotency && one.state !== "over"
          )
    if (earlier !== undefined) return earlier.state === "charged" ? `replayed ${earlier.id}` : "running"
    if ((this.balance[account] ?? 0) - this.held(account) < decisions * price) return "insufficient"
    this.asked.push({ id, instance, key, reserved: decisions, idempotency, state: "open", charged: 0 })
    return "admitted"
  }

  answer(asked: Asked, decisions: number): boolean {
    if (asked.state === "over") return false
    if (asked.state === "open") {
      asked.state = "charged"
      asked.charged = Math.min(decisions, asked.reserved)
      this.pay(asked, -asked.charged)
    }
    return true
  }

  fail(asked: Asked) {
    if (asked.state === "open") asked.state = "over"
  }

  undo(asked: Asked) {
    if (asked.state === "charged") this.pay(asked, asked.charged)
    asked.charged = 0
    asked.state = "over"
  }

  sweep() {
    for (const asked of this.asked) if (asked.state === "open" && this.crashed.has(asked.instance)) asked.state = "over"
  }

  topUp(account: number, reference: number) {
    const name = `${account} ${reference}`
    if (this.credits.has(name)) return
    this.credits.add(name)
    this.balance[account] = (this.balance[account] ?? 0) + topUp
  }

  private pay({ key }: Asked, decisions: number) {
    const account = this.account(key)
    this.balance[account] = (this.balance[account] ?? 0) + decisions * price
  }
}
