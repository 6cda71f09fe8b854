/** Names of the service's own models, which nobody else may take. */
export const isBuiltIn = (name: string): boolean => name.startsWith("svc-")

/** A name that a model of one's own may have: a plain folder name, and no alias of `svc-auto`. */
export const isOwnName = (name: string): boolean =>
  /^[A-Za-z0-9][\w.-]{0,99}$/.test(name) && !isBuiltIn(name) && !name.endsWith("-latest")

/** What `isOwnName` asks for, in words. */
export const nameRule =
  'begins with a letter or digit, has up to 100 letters, digits, ".", "_" and "-", and neither begins with "svc-" nor ends with "-latest"'
