import { type ReactNode, useId, useLayoutEffect, useRef } from "react"

/** Whether there is a dialog above the page: what is behind it heeds no keys. */
export const dialogOpen = () => document.querySelector("dialog[open]") !== null

/** A question or a form above the page; Escape and a press beside it close it, focus goes back where it was. */
export const Dialog = ({
  title,
  onClose,
  wide = false,
  children
}: {
  readonly title: string
  /** Absent where the person has to decide. */
  readonly onClose?: () => void
  readonly wide?: boolean
  readonly children: ReactNode
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const beside = useRef(false)
  const id = useId()
  // A dialog gives the focus back only while it is still in the page.
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      className={wide ? "dialog wide" : "dialog"}
      aria-labelledby={id}
      closedby={onClose === undefined ? "none" : "closerequest"}
      onCancel={(event) => {
        // A field for a file inside says so too, where none is chosen.
        if (event.target !== dialog.current) return
        event.preventDefault()
        onClose?.()
      }}
      onClose={() => {
        // A browser closes it all the same where Escape is pressed again and again.
        if (onClose === undefined) dialog.current?.showModal()
        else onClose()
      }}
      onPointerDown={(event) => {
        beside.current = event.target === dialog.current
      }}
      onClick={(event) => {
        // Who marks text and lets go beside the dialog clicks there too, without meaning to.
        if (beside.current && event.target === dialog.current) onClose?.()
      }}
    >
      <div className="dialog-body">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
