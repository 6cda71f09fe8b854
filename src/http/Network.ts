import { isIPv6 } from "node:net"

const mapped = /^::ffff:([\d.]+)$/i

/** The eight groups of an IPv6 address. */
const groups = (address: string): ReadonlyArray<string> => {
  const { hostname } = new URL(`http://[${address}]`)
  const [before = [], after] = hostname
    .slice(1, -1)
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""))
  if (after === undefined) return before
  return [...before, ...new Array<string>(8 - before.length - after.length).fill("0"), ...after]
}

/** The network that counts as one visitor: an IPv4 address, or the /64 of an IPv6 one, in which a single customer has as many as they like. */
export const networkOf = (address: string): string => {
  const [bare = ""] = address.split("%")
  if (!isIPv6(bare)) return address
  return mapped.exec(bare)?.[1] ?? `${groups(bare).slice(0, 4).join(":")}::/64`
}
