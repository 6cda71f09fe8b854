import { useSyncExternalStore } from "react"

/** `auto` follows the system. */
export type Theme = "auto" | "light" | "dark"

const listeners = new Set<() => void>()
const announce = () => {
  for (const listener of listeners) listener()
}
const system = matchMedia("(prefers-color-scheme: dark)")
system.addEventListener("change", announce)

const read = (): Theme => {
  const theme = document.documentElement.dataset.theme
  return theme === "light" || theme === "dark" ? theme : "auto"
}

/** Chooses a theme, in this browser. */
export const setTheme = (theme: Theme) => {
  document.documentElement.dataset.theme = theme
  localStorage.setItem("theme", theme)
  announce()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The theme that is chosen in this browser; the component is drawn anew when it changes. */
export const useTheme = () => useSyncExternalStore(subscribe, read)

/** The theme that is seen: the chosen one, or the system's. */
export const useShownTheme = () =>
  useSyncExternalStore(subscribe, () => {
    const theme = read()
    return theme === "auto" ? (system.matches ? "dark" : "light") : theme
  })
