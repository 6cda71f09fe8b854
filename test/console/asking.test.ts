import { describe, expect, test } from "bun:test"
import type { Ask } from "#schema/FlowGraph"
import { type Aside, laidAside, resourced, retyped, sourceOf } from "#src/console/app/flows/asking"
import type { Kind } from "#src/console/app/flows/graph"

type Way = Kind | "own" | "template"

/** A question after it was asked in one way after the other. */
const passed = (ask: Ask, ...ways: ReadonlyArray<Way>) =>
  ways.reduce<{ readonly ask: Ask; readonly aside: Aside }>(
    (now, way) => {
      const aside = laidAside(now.aside, now.ask)
      const next = way === "own" || way === "template" ? resourced(now.ask, way, aside) : retyped(now.ask, way, aside)
      return { ask: next, aside }
    },
    { ask, aside: {} }
  ).ask

const choice: Ask = { type: "choice", question: "Which?", options: { a: "first", b: null }, model: "svc-english" }

describe("A question that is asked in another way", () => {
  test("has its options again once its type has some", () => {
    expect(passed(choice, "yes_no")).toEqual({ type: "yes_no", question: "Which?", model: "svc-english" })
    expect(passed(choice, "yes_no", "score")).toEqual({ ...choice, type: "score" })
    expect(passed(choice, "yes_no", "score", "yes_no", "choice")).toEqual(choice)
    expect(passed({ type: "yes_no", question: "" }, "choice").options).toEqual(["", ""])
  })

  test("is what it was when it comes back from a template, and so is the template", () => {
    expect(passed(choice, "template")).toEqual({ template: "support_intent", model: "svc-english" })
    expect(passed(choice, "template", "own")).toEqual(choice)
    expect(passed(choice, "yes_no", "template", "own", "choice")).toEqual(choice)
    expect(passed({ template: "spam" }, "own", "template")).toEqual({ template: "spam" })
    expect(passed({ template: "spam" }, "own")).toEqual({ type: "yes_no", question: "" })
    expect([choice, { template: "spam" }].map(sourceOf)).toEqual(["own", "template"])
  })

  test("keeps the model that was chosen in between", () => {
    const aside = laidAside({}, choice)
    expect(resourced({ template: "spam" }, "own", aside).model).toBeUndefined()
    expect(resourced({ template: "spam", model: "svc-auto", lang: "de" }, "own", aside)).toMatchObject({ lang: "de" })
  })
})
