import type { ComponentProps } from "react"

type Kind = "primary" | "plain" | "quiet" | "danger"

/** A button; `busy` keeps its size and says that something is under way. */
export const Button = ({
  kind = "plain",
  busy = false,
  className = "",
  disabled,
  ...props
}: ComponentProps<"button"> & { readonly kind?: Kind; readonly busy?: boolean }) => (
  <button
    type="button"
    {...props}
    className={`button ${kind} ${className}`}
    aria-busy={busy}
    disabled={disabled === true || busy}
  />
)

/** A small square button that shows a sign only; `label` is its name. */
export const IconButton = ({
  label,
  className = "",
  ...props
}: ComponentProps<"button"> & { readonly label: string }) => (
  <button type="button" {...props} className={`icon-button ${className}`} aria-label={label} title={label} />
)
