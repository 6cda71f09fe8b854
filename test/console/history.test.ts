import { describe, expect, test } from "bun:test"
import { Array } from "effect"
import { emptyGraph } from "#src/console/app/flows/graph"
import { type Action, begun, type History, next } from "#src/console/app/flows/history"

const named = (name: string) => ({ name, definition: emptyGraph })
const start = begun(named("0"))

const after = (history: History, ...actions: ReadonlyArray<Action>) => actions.reduce(next, history)
const written = (name: string, topic?: string, at = 0): Action => ({ do: "change", to: () => named(name), topic, at })
const times = (count: number, what: "undo" | "redo") => Array.replicate<Action>({ do: what }, count)
const changes = (count: number) => Array.makeBy(count, (n) => written(String(n + 1)))

describe("The history of a drawing", () => {
  test("takes back the last 50 changes, and not one more", () => {
    const drawn = after(start, ...changes(60))
    expect(after(drawn, ...times(49, "undo")).present.name).toBe("11")
    const back = after(drawn, ...times(50, "undo"))
    expect([back.present.name, back.past.length]).toEqual(["10", 0])
    expect(next(back, { do: "undo" })).toBe(back)
  })

  test("makes all of them again, and not one more", () => {
    const drawn = after(start, ...changes(60))
    const again = after(drawn, ...times(50, "undo"), ...times(50, "redo"))
    expect([again.present, again.past]).toEqual([drawn.present, drawn.past])
    expect(next(again, { do: "redo" })).toBe(again)
  })

  test("forgets what was taken back once something else is changed", () => {
    const other = after(start, ...changes(3), ...times(2, "undo"), written("other"))
    expect(next(other, { do: "redo" })).toBe(other)
    expect(next(other, { do: "undo" }).present.name).toBe("1")
  })

  test("counts what is typed into one field without a pause as one change", () => {
    const typed = after(start, written("a", "name", 0), written("ab", "name", 1_400), written("abc", "name", 2_800))
    expect(next(typed, { do: "undo" }).present.name).toBe("0")
    const paused = next(typed, written("abcd", "name", 4_300))
    expect(next(paused, { do: "undo" }).present.name).toBe("abc")
    const elsewhere = next(typed, written("abcd", "label", 2_900))
    expect(next(elsewhere, { do: "undo" }).present.name).toBe("abc")
  })

  test("has no place for a change that changes nothing", () => {
    expect(next(start, { do: "change", to: (now) => now, topic: undefined, at: 0 })).toBe(start)
  })
})
