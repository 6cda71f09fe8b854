import { describe, expect, test } from "bun:test"
import { Schema } from "effect"
import { FlowDraft } from "#schema/FlowDraft"
import { contentOf, isOwn, sameContent } from "#src/console/app/flows/content"
import { type Content, emptyGraph } from "#src/console/app/flows/graph"

const drawn = (options: unknown, x = 0): Content => ({
  name: "Gate",
  definition: {
    ...emptyGraph,
    nodes: [{ x, id: "which", ask: { options, type: "choice", question: "Which?" }, label: "", kind: "ask" }]
  }
})
const mine = drawn({ spam: null, ham: "what is wanted" })

/** The draft as the service answers it once it holds the content. */
const stored = (content: Content) =>
  Schema.decodeUnknownSync(FlowDraft)({
    id: "flow_1",
    slug: "gate",
    description: null,
    ...JSON.parse(JSON.stringify(content)),
    revision: 7,
    published_version: null,
    published_revision: null,
    updated_at: "2026-11-22T00:00:00.000Z"
  })

describe("A draft that has moved on", () => {
  test("is this window's own where it holds what was sent, even if that was not the last", () => {
    const later = { ...mine, name: "Gate of ours" }
    expect(isOwn(stored(mine), [mine, later])).toBe(true)
    expect(isOwn(stored(later), [mine, later])).toBe(true)
    const described = { ...mine, description: "What it is for" }
    expect(isOwn(stored(described), [described])).toBe(true)
  })

  test("is somebody else's where anything else is in it, the order of options too", () => {
    for (const theirs of [
      { ...mine, name: "Theirs" },
      { ...mine, description: "Theirs" },
      { ...mine, definition: emptyGraph },
      drawn({ spam: null, ham: "what is wanted" }, 1),
      drawn({ ham: "what is wanted", spam: null })
    ])
      expect(isOwn(stored(theirs), [mine])).toBe(false)
    expect(isOwn(stored(mine), [])).toBe(false)
  })

  test("is read with its fields in another order, and never taken for what could not be sent", () => {
    expect(JSON.stringify(contentOf(stored(mine)))).not.toBe(JSON.stringify(mine))
    expect(sameContent(contentOf(stored(mine)), mine)).toBe(true)
    const tooLong = { ...mine, name: "x".repeat(300) }
    expect(sameContent(tooLong, tooLong)).toBe(false)
  })
})
