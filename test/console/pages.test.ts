import { expect } from "bun:test"
import { Effect } from "effect"
import { TestApp } from "#test/support/app"
import { http } from "#test/support/service"

const encoded = (base: string, path: string) =>
  Effect.promise(async () => {
    const response = await fetch(base + path, { headers: { "accept-encoding": "br" }, decompress: false })
    return { headers: response.headers, status: response.status, bytes: await response.bytes() }
  })

const named = (page: string) =>
  [...page.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, path = ""]) => path)

http("The console's page", (it) => {
  it("is the same at every path, and lets nothing in but its own files", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const here = yield* app.send("GET", "/console")
      const there = yield* app.send("GET", "/console/flows/flow_1")
      expect(there.body).toBe(here.body)
      const policy = here.headers.get("content-security-policy") ?? ""
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toContain("unsafe")
      expect(here.headers.get("cache-control")).toBe("no-cache")
      expect(here.body).not.toMatch(/https?:\/\/(?!www\.w3\.org)/)
    }))

  it("does not stand in for an unknown address of the console's interface", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const reply = yield* app.send("GET", "/console/api/nothing")
      expect([reply.status, reply.body.detail.error_type]).toEqual([404, "not_found"])
    }))

  it("paints first from less than 200 KB", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const page = yield* app.send("GET", "/console")
      const files = yield* Effect.forEach(["/console", ...named(page.body)], (path) => encoded(app.base, path))
      expect(files.length).toBeGreaterThan(2)
      expect(files.every(({ headers }) => headers.get("content-encoding") === "br")).toBe(true)
      expect(files.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThan(200_000)
    }))

  it("is sent as the browser takes it", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      for (const [accept, encoding] of [
        ["gzip, deflate, br", "br"],
        ["br;q=0.5, gzip", "br"],
        ["br;q=0, gzip", "gzip"],
        ["gzip;q=0, br ; q=0.00", null],
        ["identity", null]
      ] as const) {
        const headers = { "accept-encoding": accept }
        const response = yield* Effect.promise(() => fetch(`${app.base}/console`, { headers, decompress: false }))
        expect([accept, response.headers.get("content-encoding")]).toEqual([accept, encoding])
      }
    }))

  it("names files that never change, and no others", () =>
    Effect.gen(function* () {
      const app = yield* TestApp
      const page = yield* app.send("GET", "/console")
      const [path = ""] = named(page.body)
      const file = yield* encoded(app.base, path)
      expect(file.headers.get("cache-control")).toContain("immutable")
      expect((yield* encoded(app.base, "/console/assets/..%2f..%2fpackage.json")).status).toBe(404)
      const none = yield* app.send("GET", "/console/assets/none.js")
      expect([none.status, none.body]).toMatchObject([404, { detail: { error_type: "not_found" } }])
    }))
})
