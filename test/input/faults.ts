/** Requests that break one rule each, and the 422 entries that they should get. */
export interface Fault {
  readonly name: string
  readonly body: unknown
  readonly detail: ReadonlyArray<{
    readonly loc: ReadonlyArray<string | number>
    readonly msg: unknown
    readonly type: string
  }>
}

type Words = readonly [type: string, msg: string]

export const words = {
  missing: ["missing", "Field required"],
  string: ["string_type", "Input should be a valid string"],
  list: ["list_type", "Input should be a valid list"],
  dict: ["dict_type", "Input should be a valid dictionary"],
  boolean: ["bool_type", "Input should be a valid boolean"],
  object: ["model_attributes_type", "Input should be a valid dictionary or object to extract fields from"],
  type: ["literal_error", "Input should be 'choice', 'yes_no' or 'score'"],
  setType: ["literal_error", "Input should be 'choice', 'noul' or 'score'"],
  template: [
    "literal_error",
    "Input should be 'moderation', 'spam', 'support_intent', 'routing', 'sentiment', 'priority', 'prompt_injection', 'pii' or 'language'"
  ],
  long: (most: number): Words => ["string_too_long", `String should have at most ${most} characters`],
  few: (kind: "List" | "Dictionary", least: number, size: number): Words => [
    "too_short",
    `${kind} should have at least ${least} item${least === 1 ? "" : "s"} after validation, not ${size}`
  ],
  many: (kind: "List" | "Dictionary", most: number, size: number): Words => [
    "too_long",
    `${kind} should have at most ${most} items after validation, not ${size}`
  ],
  rule: (rule: string): Words => ["value_error", `Value error, ${rule}`]
} as const

/** The fault of `value` in `field` of a body that is otherwise sound; `undefined` leaves the field out. */
export const fault =
  (sound: Record<string, unknown>) =>
  (field: string, value: unknown, [type, msg]: Words, ...below: ReadonlyArray<string | number>): Fault => {
    const shown = JSON.stringify(value) ?? "nothing"
    return {
      name: `${field}: ${shown.length > 60 ? `${shown.slice(0, 50)}… (${shown.length})` : shown}`,
      body: { ...sound, [field]: value },
      detail: [{ loc: ["body", field, ...below], msg, type }]
    }
  }

/** The fault of a body as a whole. */
export const broken = (name: string, body: unknown, [type, msg]: Words): Fault => ({
  name,
  body,
  detail: [{ loc: ["body"], msg, type }]
})
