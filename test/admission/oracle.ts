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
  | { readonly do: "send"; readonly request: number }
  | { readonly do: "fail"; readonly request: number }
  | { readonly do: "undo"; readonly request: number }
  | { readonly do: "crash"; readonly instance: number }
  | { readonly do: "sweep"; readonly instance: number }
  | { readonly do: "revoke"; readonly key: number }
  | { readonly do: "top up"; readonly account: number; readonly reference: number }
  /** The database's clock is set, forward or back. */
  | { readonly do: "clock"; readonly seconds: number }

export interface Asked {
  readonly id: string
  readonly instance: number
  readonly key: number
  readonly reserved: number
  readonly idempotency: number
  /** When it was admitted, and when its answer was kept for a retry. */
  at: number
  keptAt?: number
  state: "open" | "charged" | "over"
  charged: number
  /** Whether its client has the answer, or can still get it. */
  sent: boolean
  replayed?: true
}

export const limit = 2
export const lease = 30
export const kept = 600
const day = 86_400
const price = 15
const topUp = 150

/** The promises of admission in their simplest form: no concurrency, no database. Times are seconds. */
export class Oracle {
  now = 0
  readonly balance = [0, 0]
  readonly window = new Map<number, { readonly openedAt: number; count: number }>()
  readonly seenAt = new Map([0, 1, 2].map((instance) => [instance, 0]))
  readonly revoked = new Set<number>()
  readonly credits = new Set<string>()
  readonly crashed = new Set<number>()
  readonly asked: Array<Asked> = []
  readonly forgotten = new Set<Asked>()

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
    const last = this.window.get(key)
    const window =
      last !== undefined && Math.abs(this.now - last.openedAt) < 60 ? last : { openedAt: this.now, count: 0 }
    if (window.count >= limit) return "rate_limited"
    this.window.set(key, { ...window, count: window.count + 1 })
    const earlier =
      idempotency === 0
        ? undefined
        : this.asked.findLast(
            (one) =>
              this.account(one.key) === account &&
              one.idempotency === idempotency &&
              one.state !== "over" &&
              !this.forgotten.has(one)
          )
    if (earlier?.state === "charged") {
      earlier.replayed = true
      return `replayed ${earlier.id}`
    }
    if (earlier !== undefined) return "running"
    if ((this.balance[account] ?? 0) - this.held(account) < decisions * price) return "insufficient"
    const fresh = { at: this.now, state: "open", charged: 0, sent: false } as const
    this.asked.push({ id, instance, key, reserved: decisions, idempotency, ...fresh })
    return "admitted"
  }

  answer(asked: Asked, decisions: number): boolean {
    if (asked.state === "over") return false
    if (asked.state === "open") {
      asked.state = "charged"
      asked.charged = Math.min(decisions, asked.reserved)
      if (asked.idempotency !== 0) {
        asked.sent = true
        asked.keptAt = this.now
      }
      this.pay(asked, -asked.charged)
    }
    return true
  }

  send(asked: Asked) {
    if (asked.state === "charged") asked.sent = true
  }

  fail(asked: Asked) {
    if (asked.state === "open") asked.state = "over"
  }

  undo(asked: Asked) {
    if (asked.replayed && !this.forgotten.has(asked)) return
    if (asked.state === "charged") this.pay(asked, asked.charged)
    asked.charged = 0
    asked.state = "over"
  }

  /** Nothing is heard of the instance for longer than its lease. */
  crash(instance: number) {
    this.crashed.add(instance)
    this.seenAt.set(instance, (this.seenAt.get(instance) ?? 0) - lease - 1)
    for (const asked of this.asked) if (asked.instance === instance) asked.at -= lease + 1
  }

  /** By an instance that knows all its own requests. */
  sweep(by: number) {
    this.seenAt.set(by, this.now)
    for (const asked of this.asked) {
      const seenAt = this.seenAt.get(asked.instance) ?? Number.NEGATIVE_INFINITY
      if (!asked.sent && asked.instance !== by && Math.max(asked.at, seenAt) < this.now - lease) this.undo(asked)
      if (asked.keptAt !== undefined && asked.keptAt < this.now - kept) this.forgotten.add(asked)
    }
    for (const [instance, seenAt] of this.seenAt) if (seenAt < this.now - day) this.seenAt.delete(instance)
    // What comes from a time that is yet to come is of now, so that it gets old.
    const clamped = (moment: number) => (moment > this.now + lease ? this.now : moment)
    for (const [instance, seenAt] of this.seenAt) this.seenAt.set(instance, clamped(seenAt))
    for (const asked of this.asked) asked.at = clamped(asked.at)
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
