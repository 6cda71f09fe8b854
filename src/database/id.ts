import { randomFillSync } from "node:crypto"

/** The digits of base62, in order. */
export const base62Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const pool = new Uint8Array(4096)
let at = pool.length

/** 21 random base62 digits (125 bits), for ids that are never guessed and never collide. */
export const randomId = (): string => {
  let id = ""
  while (id.length < 21) {
    if (at === pool.length) {
      randomFillSync(pool)
      at = 0
    }
    const byte = pool[at++] ?? 255
    // 248 is the largest multiple of 62 in a byte: above it, digits would not be equally likely.
    if (byte < 248) id += base62Digits.charAt(byte % 62)
  }
  return id
}
