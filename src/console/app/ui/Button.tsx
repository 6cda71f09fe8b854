import type { ComponentProps } from "react"

type Kind = "primary" | "plain" | "quiet" | "danger"

/** A button; `busy` keeps its size and the focus, does nothing when pressed, and says that something is under way. */
export const Button = ({
  kind = "plain",
  busy = false,
  className = "",
  onClick,
  ...props
}: ComponentProps<"button"> & { readonly kind?: Kind; readonly busy?: boolean }) => (
  <button
    type="button"
    {...props}
    className={`button ${kind} ${className}`}
    aria-busy={busy}
    aria-disabled={busy}
    onClick={busy ? (event) => event.preventDefault() : onClick}
  />
)

/** A small square button that shows a sign only; `label` is its name. Where it can do no more, it keeps the focus. */
export const IconButton = ({
  label,
  disabled = false,
  onClick,
  className = "",
  ...props
}: ComponentProps<"button"> & { readonly label: string }) => (
  <button
    type="button"
    {...props}
    className={`icon-button ${className}`}
    aria-label={label}
    title={label}
    aria-disabled={disabled}
    onClick={disabled ? undefined : onClick}
  />
)
