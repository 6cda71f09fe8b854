/** Pages that did not come over https or from this machine have no clipboard of their own: then the old way, by selecting. */
const selected = (text: string): boolean => {
  const focused = document.activeElement
  const place = document.querySelector("dialog[open]") ?? document.body
  const area = document.createElement("textarea")
  area.value = text
  area.className = "hidden"
  place.append(area)
  area.select()
  const done = document.execCommand("copy")
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return done
}

/** Puts a text into the clipboard; false where the browser does not let it. */
export const copied = async (text: string): Promise<boolean> => {
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (clipboard === undefined) return selected(text)
  return clipboard.writeText(text).then(
    () => true,
    () => selected(text)
  )
}
