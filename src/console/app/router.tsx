import { type ComponentProps, useLayoutEffect, useRef, useSyncExternalStore } from "react"

const listeners = new Set<() => void>()

const announce = () => {
  for (const listener of listeners) listener()
}

let here = location.pathname

/** Whether the page that comes next is to have the focus. */
let arriving = false

const arrive = () => {
  arriving ||= location.pathname !== here
  here = location.pathname
  announce()
}

/** Has the focus follow to the main part of a page that somebody goes to, and from one that only kept its place. */
export const useArrival = () => {
  const main = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const part = main.current
    if (arriving) part?.focus({ preventScroll: true })
    arriving = false
    return () => {
      arriving ||= document.activeElement === part
    }
  }, [])
  return main
}

/** Whether the page may be left; a promise where something has to be done before. */
type Hold = () => true | Promise<boolean>

const free: Hold = () => true
let hold = free

/** Whether nothing speaks against leaving the page. */
export const mayLeave = () => hold()

/** Has links, Back and signing out ask first, until what is returned is called. */
export const holdLeaving = (asked: Hold) => {
  hold = asked
  return () => {
    hold = free
  }
}

let wanted: (() => void) | undefined

/** Leaves the page once it may be left, unless another way was chosen since. */
const leave = async (may: Promise<boolean>, go: () => void) => {
  wanted = go
  if ((await may) && wanted === go) go()
}

addEventListener("popstate", () => {
  const may = location.pathname === here || mayLeave()
  if (may === true) {
    arrive()
    return
  }
  // The browser has gone there already.
  history.pushState(null, "", here)
  void leave(may, () => {
    hold = free
    history.back()
  })
})

/** Goes to another page of the console. */
export const navigate = (to: string, { replace = false } = {}) => {
  if (replace) history.replaceState(null, "", to)
  else history.pushState(null, "", to)
  arrive()
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
      const may = mayLeave()
      if (may === true) navigate(to)
      else void leave(may, () => navigate(to))
    }}
  />
)
