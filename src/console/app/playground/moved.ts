/** The list with the item at `from` put where `to` was. */
export const moved = <A>(items: ReadonlyArray<A>, from: number, to: number): ReadonlyArray<A> => {
  const item = items[from]
  if (item === undefined || to < 0 || to >= items.length) return items
  return items.filter((_, place) => place !== from).toSpliced(to, 0, item)
}
