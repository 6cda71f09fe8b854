import type { ReactNode } from "react"

/** A table that may be wider than the screen: it scrolls sideways, by keyboard too. */
export const ScrollFrame = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  <section className="table-frame" tabIndex={0} aria-label={label}>
    {children}
  </section>
)
