import { Limits } from "#schema/Limits"
import { mostTexts } from "#schema/rpc/Asking"

/**
 * The texts in their order, cut into what goes into one call: so many, and as JSON in UTF-8 with room for the rest of the
 * request in what the service reads of one. No text is cut.
 */
export const slices = (texts: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const all: Array<Array<string>> = []
  let bytes = 0
  for (const text of texts) {
    const size = Buffer.byteLength(JSON.stringify(text)) + 1
    const last = all.at(-1)
    if (last === undefined || last.length === mostTexts || bytes + size > Limits.bodyBytes / 2) {
      all.push([text])
      bytes = size
    } else {
      last.push(text)
      bytes += size
    }
  }
  return all
}
