import { describe, expect, test } from "bun:test"
import { FairQueue } from "#src/inference/FairQueue"

const drain = (queue: FairQueue<string>) => Array.from({ length: queue.size }, () => queue.take())

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

  test("is bounded; an item put back goes first in its path and does not count against the bound", () => {
    const queue = new FairQueue<string>(2)
    expect([queue.offer(["a"], "1"), queue.offer(["a"], "2"), queue.offer(["b"], "3")]).toEqual([true, true, false])
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
    expect(queue.offer(["b", "1"], "next")).toBe(true)
    expect(drain(queue)).toEqual(["next"])
  })
})
