import { isRecord } from "#schema/Field"

// Anything else in an item is something to be read: such a list is no list of parts.
const partOf = new Set(["type", "text", "value", "providerOptions"])

const isPart = (part: unknown): boolean =>
  isRecord(part) &&
  ((part.type === "text" && typeof part.text === "string") || (part.type === "json" && "value" in part)) &&
  Object.keys(part).every((key) => partOf.has(key))

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
