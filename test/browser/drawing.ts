import type { Locator, Page } from "playwright-core"

/** A node of the drawing, by what stands in it. */
export const node = (page: Page, name: string) => page.locator(".react-flow__node").filter({ hasText: name })

/** The middle of something, once it is there. */
export const middle = async (what: Locator) => {
  await what.waitFor()
  const box = await what.boundingBox()
  if (box === null) throw new Error("It cannot be seen.")
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Presses the mouse, moves it, and lets go. */
export const dragged = async (page: Page, start: { x: number; y: number }, end: { x: number; y: number }) => {
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 })
  await page.mouse.move(end.x, end.y, { steps: 4 })
  await page.mouse.up()
}

/** Draws a way from an answer of a question to another node, with the mouse. */
export const draw = async (page: Page, from: string, answer: string, to: string) => {
  const exit = node(page, from).locator("li.exit").filter({ hasText: answer }).locator(".react-flow__handle")
  await dragged(page, await middle(exit), await middle(node(page, to).locator(".react-flow__handle.target")))
}

/** Everything has been saved. */
export const saved = (page: Page) => page.locator('.save-state[data-state="saved"]').waitFor()

/** The view moves no more. */
export const settled = (page: Page) => page.waitForTimeout(350)

/** There are so many of them. */
export const count = (page: Page, what: string, wanted: number) =>
  page.waitForFunction(([what, wanted]) => document.querySelectorAll(what).length === wanted, [what, wanted] as const)

export const edges = ".react-flow__edge"
export const nodes = ".react-flow__node"
