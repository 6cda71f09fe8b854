/** A node as a way sees it: something to go around. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Point {
  readonly x: number
  readonly y: number
}

const clearance = 12
const lead = 26

/** Height of the plain curve between two points, at a share of its width. */
const heightAt = (from: Point, to: Point, x: number) => {
  const t = Math.min(1, Math.max(0, (x - from.x) / (to.x - from.x)))
  return from.y + (to.y - from.y) * t * t * (3 - 2 * t)
}

const between = (from: Point, to: Point, boxes: ReadonlyArray<Box>) =>
  boxes.filter(({ x, width }) => x > from.x && x + width < to.x)

const isHit = (from: Point, to: Point, { x, y, width, height }: Box) => {
  const ends = [heightAt(from, to, x), heightAt(from, to, x + width)]
  return Math.max(...ends) > y - clearance && Math.min(...ends) < y + height + clearance
}

const curve = (from: Point, to: Point) => {
  const middle = (from.x + to.x) / 2
  return `C ${middle} ${from.y}, ${middle} ${to.y}, ${to.x} ${to.y}`
}

/**
 * How a way is drawn: a curve where nothing stands in between; else along the nearest height at which it passes
 * above, below or between all that does.
 */
export const route = (from: Point, to: Point, boxes: ReadonlyArray<Box>): string => {
  const start = `M ${from.x} ${from.y}`
  const inside = between(from, to, boxes)
  if (!inside.some((box) => isHit(from, to, box))) return `${start} ${curve(from, to)}`
  const free = inside
    .flatMap(({ y, height }) => [y - clearance - 2, y + height + clearance + 2])
    .filter((at) => inside.every(({ y, height }) => at < y - clearance || at > y + height + clearance))
  const far = (at: number) => Math.abs(at - from.y) + Math.abs(at - to.y)
  const height = free.reduce((best, at) => (far(at) < far(best) ? at : best), free[0] ?? from.y)
  const left = { x: Math.max(from.x + clearance, Math.min(...inside.map(({ x }) => x)) - lead), y: height }
  const right = {
    x: Math.min(to.x - clearance, Math.max(...inside.map(({ x, width }) => x + width)) + lead),
    y: height
  }
  return `${start} ${curve(from, left)} L ${right.x} ${right.y} ${curve(right, to)}`
}
