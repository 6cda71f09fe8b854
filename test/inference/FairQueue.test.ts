import { describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import { FairQueue } from "#src/inference/FairQueue"

const drain = <A>(queue: FairQueue<A>) => Array.from({ length: queue.size }, () => queue.take())

describe("FairQueue", () => {
  test("a later single item waits for one item of a long batch, not for the batch", () => {
    const queue = new FairQueue<string>(100)
    for (let i = 0; i < 64; i++) queue.offer(["a", "batch"], `batch ${i}`)
    expect(queue.take()).toBe("batch 0")
    queue.offer(["b", "single"], "single")
    expect([queue.take(), queue.take(), queue.take()]).toEqual(["batch 1", "single", "batch 2"])
  })

  test("accounts take turns however many requests each has, and so do the requests of an account", () => {
    const queue = new FairQueue<string>(100)
    for (const request of ["1", "2", "3"])
      for (const item of ["x", "y"]) queue.offer(["a", request], `a${request}${item}`)
    queue.offer(["b", "1"], "b1x")
    queue.offer(["b", "1"], "b1y")
    expect(drain(queue)).toEqual(["a1x", "b1x", "a2x", "b1y", "a3x", "a1y", "a2y", "a3y"])
  })

  test("is bounded: the newest of whoever waits with most gives way, and among equals the new one", () => {
    const queue = new FairQueue<string>(4)
    const offers = [
      ["a", "1"],
      ["a", "2"],
      ["a", "2"],
      ["b", "1"]
    ].map((path, i) => queue.offer(path, `${i} ${path.join("")}`))
    expect(offers).toEqual([undefined, undefined, undefined, undefined])
    expect(queue.offer(["c", "1"], "4 c1")).toBe("2 a2")
    expect(queue.offer(["a", "3"], "5 a3")).toBe("5 a3")
    expect(queue.offer(["b", "2"], "6 b2")).toBe("6 b2")
    expect(drain(queue)).toEqual(["0 a1", "3 b1", "4 c1", "1 a2"])
  })

  test("an item put back goes first in its path, even if there is no room", () => {
    const queue = new FairQueue<string>(2)
    queue.offer(["a"], "1")
    queue.offer(["a"], "2")
    queue.putBack(["a"], "0")
    expect(queue.size).toBe(3)
    expect(drain(queue)).toEqual(["0", "1", "2"])
    expect(queue.take()).toBeUndefined()
  })

  test("a removed item frees its place once", () => {
    const queue = new FairQueue<string>(1)
    queue.offer(["a", "1"], "gone")
    expect(queue.remove(["a", "1"], "gone")).toBe(true)
    expect(queue.remove(["a", "1"], "gone")).toBe(false)
    expect(queue.size).toBe(0)
    expect(queue.offer(["b", "1"], "next")).toBeUndefined()
    expect(drain(queue)).toEqual(["next"])
  })

  test("whatever comes and goes: nothing is lost, who gives way had most, and each path keeps its order", () => {
    interface Item {
      readonly path: ReadonlyArray<string>
    }
    const longest = (items: ReadonlyArray<Item>, depth: number) =>
      Math.max(...Object.values(Object.groupBy(items, ({ path }) => path[depth] ?? "")).map((all = []) => all.length))
    const path = fc.tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom("1", "2", "3"))
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ offer: path }) },
      fc.constant({ take: true }),
      fc.record({ remove: fc.nat() })
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(step, { maxLength: 60 }), (capacity, steps) => {
        const queue = new FairQueue<Item>(capacity)
        const waiting: Array<Item> = []
        const inPath = ([a, b]: Item["path"]) => waiting.filter(({ path }) => path[0] === a && path[1] === b)
        const drop = (item: Item) => waiting.splice(waiting.indexOf(item), 1)
        for (const step of steps) {
          if ("offer" in step) {
            const item = { path: step.offer }
            waiting.push(item)
            const out = queue.offer(item.path, item)
            expect(out === undefined).toBe(waiting.length <= capacity)
            if (out === undefined) continue
            const account = waiting.filter(({ path }) => path[0] === out.path[0])
            expect(account).toHaveLength(longest(waiting, 0))
            expect(inPath(out.path)).toHaveLength(longest(account, 1))
            expect(inPath(out.path).at(-1)).toBe(out)
            drop(out)
          } else if ("take" in step) {
            const item = queue.take()
            expect(item === undefined).toBe(waiting.length === 0)
            if (item === undefined) continue
            expect(inPath(item.path)[0]).toBe(item)
            drop(item)
          } else {
            const item = waiting[step.remove % Math.max(1, waiting.length)]
            if (item === undefined) continue
            expect(queue.remove(item.path, item)).toBe(true)
            drop(item)
          }
          expect(queue.size).toBe(waiting.length)
        }
        expect(new Set(drain(queue))).toEqual(new Set(waiting))
      })
    )
  })
})
