// The canvas looks for nodes and handles by selectors that hold their ids unescaped.
const unsafe = /["\\%\p{Cc}]/gu

/** The name under which the canvas knows an id, which may hold any sign. */
export const drawnId = (id: string): string => id.replaceAll(unsafe, encodeURIComponent)

/** The id that the canvas knows under this name. */
export const idOf = (drawn: string): string => decodeURIComponent(drawn)
