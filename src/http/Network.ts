import { isIPv6 } from "node:net"

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

/** The IPv4 address in the last two groups. */
const mapped = ([one = "", two = ""]: ReadonlyArray<string>) =>
  [one, two].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join(".")

/** The network that counts as one visitor: an IPv4 address, or the /64 of an IPv6 one, in which a single customer has as many as they like. */
export const networkOf = (address: string): string => {
  const [bare = ""] = address.split("%")
  if (!isIPv6(bare)) return address
  const all = groups(bare)
  return all.slice(0, 6).join(":") === "0:0:0:0:0:ffff" ? mapped(all.slice(6)) : `${all.slice(0, 4).join(":")}::/64`
}
