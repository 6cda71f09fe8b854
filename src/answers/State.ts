import { isRecord } from "#schema/Field"

/** Whether an item is a part and holds nothing else: anything else in it is something to be read, and such a list is no list of parts. */
const isPart = (part: unknown): boolean => {
  if (!isRecord(part)) return false
  const { type, providerOptions: _, ...held } = part
  const own = type === "text" && typeof part.text === "string" ? "text" : type === "json" ? "value" : undefined
  return own !== undefined && own in part && Object.keys(held).length === 1
}

const partText = (part: unknown): string =>
  isRecord(part) && part.type === "text" ? String(part.text) : isRecord(part) ? rendered(part.value) : ""

/**
 * A JSON value as the models read it: text as it is, anything else as compact JSON.
 * A list of `{type: "text"}` and `{type: "json"}` parts is read as what the parts hold.
 */
export const rendered = (value: unknown): string => {
  if (typeof value === "string") return value
  if (Array.isArray(value) && value.length > 0 && value.every(isPart)) return value.map(partText).join("\n\n")
  return JSON.stringify(value) ?? ""
}
