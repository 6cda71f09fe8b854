import { expect, test } from "bun:test"
import { BlockList } from "node:net"
import { ConfigProvider, Effect, Exit, Option } from "effect"
import { randomId } from "#src/database/id"
import { networkOf } from "#src/http/Network"
import { originOf, proxiesOf } from "#src/http/Proxies"
import { Settings } from "#src/Settings"
import { startFailure } from "#src/startFailure"
import { fromPage } from "#test/console/visitor"
import { TestApp, testApp } from "#test/support/app"
import { effect, withLayer } from "#test/support/effect"

const configured = (value: string) =>
  Effect.map(Settings, ({ trustedProxies }) => trustedProxies).pipe(
    Effect.provide(Settings.layer),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["TRUSTED_PROXIES", value]])))
  )

effect("A request comes from the last address that is no trusted proxy's", () =>
  Effect.gen(function* () {
    const proxies = yield* configured("10.0.0.0/8, 2001:db8::/32,192.0.2.1")
    const origin = (peer: string, forwarded: string) => originOf(proxies, peer, forwarded)
    expect(origin("198.51.100.7", "203.0.113.9")).toBe("198.51.100.7")
    expect(origin("10.1.2.3", "203.0.113.9")).toBe("203.0.113.9")
    expect(origin("::ffff:10.1.2.3", "203.0.113.9")).toBe("203.0.113.9")
    expect(origin("10.1.2.3", "1.1.1.1, 203.0.113.9,192.0.2.1 , 2001:db8::5")).toBe("203.0.113.9")
    expect(origin("10.1.2.3", "made up, 203.0.113.9")).toBe("203.0.113.9")
    expect(origin("10.1.2.3", "203.0.113.9:4711")).toBe("203.0.113.9")
    expect(origin("10.1.2.3", "[2a00::9]:4711")).toBe("2a00::9")
    expect(origin("10.1.2.3", "2a00::9")).toBe("2a00::9")
    expect(origin("10.1.2.3", "10.9.9.9, 10.8.8.8")).toBe("10.9.9.9")
    for (const nothing of ["", ",", "unknown", "_hidden", "203.0.113.9, unknown", "203.0.113.999", "203.0.113.9,"])
      expect([nothing, origin("10.1.2.3", nothing)]).toEqual([nothing, "10.1.2.3"])
  })
)

effect("TRUSTED_PROXIES that are no addresses stop the start with what to change", () =>
  Effect.gen(function* () {
    for (const wrong of [
      "2",
      "proxy.internal",
      "10.0.0.0/33",
      "10.0.0.0/8/8",
      "::1/129",
      "10.0.0.1,",
      "fe80::1%eth0"
    ]) {
      const exit = yield* Effect.exit(configured(wrong))
      expect([wrong, Exit.isFailure(exit) ? startFailure(exit.cause) : ""]).toEqual([
        wrong,
        "Wrong setting: TRUSTED_PROXIES should be addresses or networks like 10.0.0.0/8, separated by commas"
      ])
    }
  })
)

test("Addresses of one IPv6 network count as one visitor", () => {
  for (const [address, network] of [
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["::FFFF:cb00:7109", "203.0.113.9"],
    ["0:0:0:0:0:ffff:cb00:7109", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:1:2::6", "2001:db8:1:2::/64"],
    ["2001:db8::6", "2001:db8:0:0::/64"],
    ["2001::3:4:5:6:7:8", "2001:0:3:4::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["", ""]
  ] as const)
    expect([address, networkOf(address)]).toEqual([address, network])
})

const signUp = (forwarded: string) =>
  Effect.flatMap(TestApp, ({ send }) =>
    send("POST", "/console/api/account", {
      body: { email: `${randomId().toLowerCase()}@example.com`, password: "correct horse battery" },
      headers: { ...fromPage, "x-forwarded-for": forwarded }
    })
  )

const signIn = (password: string, forwarded: string) =>
  Effect.flatMap(TestApp, ({ send }) =>
    send("POST", "/console/api/session", {
      body: { email: "someone@example.com", password },
      headers: { ...fromPage, "x-forwarded-for": forwarded }
    })
  )

const trustedProxies = Option.getOrElse(proxiesOf(["127.0.0.0/8", "::1"]), () => new BlockList())

withLayer(testApp({ settings: { trustedProxies } }))("Behind a trusted proxy", (it) => {
  it("what one visitor does closes the console to no other", () =>
    Effect.gen(function* () {
      for (let n = 0; n < 30; n++) expect((yield* signUp("203.0.113.1")).status).toBe(200)
      expect((yield* signUp("203.0.113.1")).status).toBe(429)
      expect((yield* signUp("10.0.0.1, 203.0.113.1")).status).toBe(429)
      expect((yield* signUp("203.0.113.2")).status).toBe(200)
      for (let n = 0; n < 30; n++) expect((yield* signUp(`2a00:1:2:3::${n}`)).status).toBe(200)
      expect((yield* signUp("2a00:1:2:3:ffff::1")).status).toBe(429)
      expect((yield* signUp("2a00:1:2:4::1")).status).toBe(200)
      for (let n = 0; n < 10; n++) expect((yield* signIn("not the password", "203.0.113.1")).status).toBe(400)
      expect((yield* signIn("not the password", "203.0.113.1")).status).toBe(429)
      expect((yield* signIn("not the password", "203.0.113.2")).status).toBe(400)
    }))
})

withLayer(testApp())("Where no proxy is trusted", (it) => {
  it("nobody gets more tries by what they say of themselves", () =>
    Effect.gen(function* () {
      for (let n = 0; n < 10; n++) expect((yield* signIn("not the password", `203.0.113.${n}`)).status).toBe(400)
      expect((yield* signIn("not the password", "203.0.113.99")).status).toBe(429)
    }))
})
