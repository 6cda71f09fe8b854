interface Lane<A> {
  readonly lanes: Map<string, Lane<A>>
  readonly items: Array<A>
}

const lane = <A>(): Lane<A> => ({ lanes: new Map(), items: [] })
const isEmpty = <A>(at: Lane<A>) => at.items.length === 0 && at.lanes.size === 0

/**
 * Waiting work, fair at every step of a path, e.g. first between accounts, then between the requests of one:
 * each take serves the next branch in turn, so a long batch holds nobody else back. Bounded by `capacity`.
 */
export class FairQueue<A> {
  readonly #root: Lane<A> = lane()
  readonly #capacity: number
  #size = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#size
  }

  /** False when full. */
  offer(path: ReadonlyArray<string>, item: A): boolean {
    if (this.#size >= this.#capacity) return false
    this.#leaf(path).items.push(item)
    this.#size++
    return true
  }

  /** Puts an item that had its turn before all others of its path, even if the queue is full. */
  putBack(path: ReadonlyArray<string>, item: A): void {
    this.#leaf(path).items.unshift(item)
    this.#size++
  }

  take(): A | undefined {
    const item = this.#take(this.#root)
    if (item !== undefined) this.#size--
    return item
  }

  /** Takes an item out of the line; false if it is not waiting any more. */
  remove(path: ReadonlyArray<string>, item: A): boolean {
    const removed = this.#remove(this.#root, path, item)
    if (removed) this.#size--
    return removed
  }

  #leaf(path: ReadonlyArray<string>): Lane<A> {
    let at = this.#root
    for (const name of path) {
      const next = at.lanes.get(name) ?? lane()
      at.lanes.set(name, next)
      at = next
    }
    return at
  }

  #take(at: Lane<A>): A | undefined {
    if (at.items.length > 0) return at.items.shift()
    for (const [name, next] of at.lanes) {
      const item = this.#take(next)
      at.lanes.delete(name)
      if (!isEmpty(next)) at.lanes.set(name, next)
      return item
    }
    return undefined
  }

  #remove(at: Lane<A>, [name, ...rest]: ReadonlyArray<string>, item: A): boolean {
    if (name === undefined) {
      const index = at.items.indexOf(item)
      if (index >= 0) at.items.splice(index, 1)
      return index >= 0
    }
    const next = at.lanes.get(name)
    if (next === undefined || !this.#remove(next, rest, item)) return false
    if (isEmpty(next)) at.lanes.delete(name)
    return true
  }
}
