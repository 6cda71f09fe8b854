import { createHmac, randomInt } from "node:crypto"
import { crc32 } from "node:zlib"
import { base62Digits } from "../database/id.ts"

const shape = /^svc_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

const base62 = (value: number, digits: number): string =>
  digits === 0 ? "" : base62(Math.floor(value / 62), digits - 1) + base62Digits.charAt(value % 62)

const checksum = (body: string) => base62(crc32(body), 6)

/** A new API key: `svc_`, 30 random base62 digits (178 bits) and 6 of the CRC32 over them. */
export const makeSecret = (): string => {
  const body = Array.from({ length: 30 }, () => base62Digits.charAt(randomInt(62))).join("")
  return `svc_${body}${checksum(body)}`
}

/** Whether `secret` can be a key at all: a typo is caught here, without a look-up. */
export const isSecret = (secret: string): boolean => {
  const [, body, sum] = shape.exec(secret) ?? []
  return body !== undefined && checksum(body) === sum
}

/** The form in which a key is stored: HMAC-SHA-256 under a pepper that the database does not hold. */
export const hashSecret = (pepper: string, secret: string): Uint8Array =>
  createHmac("sha256", pepper).update(secret, "utf8").digest()
