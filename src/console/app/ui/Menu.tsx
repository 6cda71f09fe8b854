import { type ReactNode, useRef } from "react"

/** Rarer things to do, behind a button; closes when one is chosen, by Escape, and when the focus goes elsewhere. */
export const Menu = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => {
  const menu = useRef<HTMLDetailsElement>(null)
  const button = useRef<HTMLElement>(null)
  const close = () => {
    if (menu.current !== null) menu.current.open = false
  }
  const done = () => {
    // What is hidden cannot keep the focus, nor get it back from a dialog.
    button.current?.focus()
    close()
  }
  return (
    <details
      ref={menu}
      className="menu"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close()
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") done()
      }}
    >
      <summary ref={button} className="button">
        {label}
      </summary>
      {/* A browser that gives a pressed button no focus gives it to what is around it: so it stays in the menu. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: pressing a button by keyboard is a click */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is handled here comes up from the buttons inside */}
      <div className="menu-items" tabIndex={-1} onClick={done}>
        {children}
      </div>
    </details>
  )
}
