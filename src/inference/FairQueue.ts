interface Lane<A> {
  readonly lanes: Map<string, Lane<A>>
  readonly items: Array<A>
  /** Items in it and in its lanes. */
  size: number
}

const lane = <A>(): Lane<A> => ({ lanes: new Map(), items: [], size: 0 })

/**
 * Waiting work, fair at every step of a path, e.g. first between accounts, then between the requests of one:
 * each take serves the next branch in turn, so a long batch holds nobody else back. Bounded by `capacity`, and as fair
 * there: who waits with most gives way first, so nobody can fill the line for all others.
 */
export class FairQueue<A> {
  readonly #root: Lane<A> = lane()
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#root.size
  }

  /**
   * Puts an item last in its path. Where there is no room for one more, the answer is the item that has to go instead:
   * the newest of whoever waits with most, at every step. Among equals that is the new one itself.
   */
  offer(path: ReadonlyArray<string>, item: A): A | undefined {
    this.#enter(path).items.push(item)
    return this.size > this.#capacity ? this.#giveWay(this.#root, path) : undefined
  }

  /** Puts an item that had its turn before all others of its path, even if the queue is full. */
  putBack(path: ReadonlyArray<string>, item: A): void {
    this.#enter(path).items.unshift(item)
  }

  take(): A | undefined {
    return this.size === 0 ? undefined : this.#take(this.#root)
  }

  /** Takes an item out of the line; false if it is not waiting any more. */
  remove(path: ReadonlyArray<string>, item: A): boolean {
    return this.#remove(this.#root, path, item)
  }

  #enter(path: ReadonlyArray<string>): Lane<A> {
    let at = this.#root
    at.size++
    for (const name of path) {
      const next = at.lanes.get(name) ?? lane()
      at.lanes.set(name, next)
      next.size++
      at = next
    }
    return at
  }

  #take(at: Lane<A>): A | undefined {
    at.size--
    if (at.items.length > 0) return at.items.shift()
    for (const [name, next] of at.lanes) {
      const item = this.#take(next)
      at.lanes.delete(name)
      if (next.size > 0) at.lanes.set(name, next)
      return item
    }
    return undefined
  }

  /** `path`: where the newest item is. */
  #giveWay(at: Lane<A>, [name, ...rest]: ReadonlyArray<string>): A | undefined {
    at.size--
    let whose = name
    let longest = name === undefined ? undefined : at.lanes.get(name)
    for (const [other, next] of at.lanes)
      if (next.size > (longest?.size ?? at.items.length)) {
        whose = other
        longest = next
      }
    if (whose === undefined || longest === undefined) return at.items.pop()
    const item = this.#giveWay(longest, whose === name ? rest : [])
    if (longest.size === 0) at.lanes.delete(whose)
    return item
  }

  #remove(at: Lane<A>, [name, ...rest]: ReadonlyArray<string>, item: A): boolean {
    if (name === undefined) {
      const index = at.items.indexOf(item)
      if (index < 0) return false
      at.items.splice(index, 1)
    } else {
      const next = at.lanes.get(name)
      if (next === undefined || !this.#remove(next, rest, item)) return false
      if (next.size === 0) at.lanes.delete(name)
    }
    at.size--
    return true
  }
}
