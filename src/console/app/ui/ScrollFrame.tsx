import type { ReactNode } from "react"

/** A table that may be wider than the screen: it scrolls sideways, by keyboard too; as `cards` its rows are stacked there. */
export const ScrollFrame = ({
  label,
  cards = false,
  children
}: {
  readonly label: string
  readonly cards?: boolean
  readonly children: ReactNode
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  <section className={cards ? "table-frame cards" : "table-frame"} tabIndex={0} aria-label={label}>
    {children}
  </section>
)
