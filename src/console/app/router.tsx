import { type ComponentProps, useSyncExternalStore } from "react"

const listeners = new Set<() => void>()

const announce = () => {
  for (const listener of listeners) listener()
}

let here = location.pathname
let question: string | undefined

/** Whether nothing speaks against leaving the page, or the person leaves all the same. */
export const mayLeave = () => question === undefined || confirm(question)

/** Has links and Back ask a question first, until what is returned is called. */
export const askBeforeLeaving = (words: string) => {
  question = words
  return () => {
    question = undefined
  }
}

addEventListener("popstate", () => {
  if (location.pathname === here || mayLeave()) {
    here = location.pathname
    announce()
  } else {
    // The browser has gone there already.
    history.pushState(null, "", here)
  }
})

/** Goes to another page of the console. */
export const navigate = (to: string, { replace = false } = {}) => {
  if (replace) history.replaceState(null, "", to)
  else history.pushState(null, "", to)
  here = location.pathname
  announce()
  scrollTo(0, 0)
}

/** The path below /console, without a slash at its end. */
export const usePath = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => location.pathname.replace(/^\/console\/?/, "").replace(/\/$/, "")
  )

/** A link to another page of the console. */
export const Link = ({ to, onClick, ...props }: ComponentProps<"a"> & { readonly to: string }) => (
  <a
    {...props}
    href={to}
    onClick={(event) => {
      onClick?.(event)
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      if (mayLeave()) navigate(to)
    }}
  />
)
