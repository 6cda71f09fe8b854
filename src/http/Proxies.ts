import { BlockList, isIP } from "node:net"
import { Option } from "effect"

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4")

/** Addresses and networks like `10.0.0.0/8`; none where a text is neither. */
export const proxiesOf = (texts: ReadonlyArray<string>): Option.Option<BlockList> => {
  const proxies = new BlockList()
  for (const text of texts) {
    const [, address = "", bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
    const all = isIP(address) === 6 ? 128 : 32
    if (isIP(address) === 0 || Number(bits ?? all) > all) return Option.none()
    proxies.addSubnet(address, Number(bits ?? all), familyOf(address))
  }
  return Option.some(proxies)
}

/** Some proxies write a port too. */
const bare = (hop: string) => hop.trim().replace(/^\[(.+)\](:\d+)?$|^([\d.]+):\d+$/, "$1$3")

/**
 * Where a request comes from, by its peer and `x-forwarded-for`: the last address that is none of the trusted proxies'.
 * What stands before it anybody can write, and what a proxy wrote that is no address says nothing.
 */
export const originOf = (proxies: BlockList, peer: string, forwarded: string): string => {
  const hops = [...forwarded.split(",").map(bare), peer]
  const origin = hops.findLast((hop) => isIP(hop) === 0 || !proxies.check(hop, familyOf(hop))) ?? hops[0]
  return origin === undefined || isIP(origin) === 0 ? peer : origin
}
