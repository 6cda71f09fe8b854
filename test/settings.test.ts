import { expect } from "bun:test"
import { availableParallelism } from "node:os"
import { ConfigProvider, Effect, Exit, Redacted } from "effect"
import { Settings } from "#src/Settings"
import { startFailure } from "#src/startFailure"
import { effect } from "#test/support/effect"

const configured = (env: Readonly<Record<string, string>>) =>
  Settings.pipe(
    Effect.provide(Settings.layer),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(env)))),
    Effect.exit
  )

effect("Every setting that is wrong is named where the start is refused, and no secret is printed", () =>
  Effect.gen(function* () {
    const wrong = {
      PORT: "80x",
      DATABASE_URL: "mysql://x",
      WORKERS: "0",
      PRICE_MICROS: "-1",
      SIGN_UP: "maybe",
      TRUSTED_PROXIES: "me",
      INTERNAL_TOKEN: "billing:secret",
      RPC_PORT: "0",
      LOG_FORMAT: "xml"
    }
    const exit = yield* configured(wrong)
    const said = Exit.isFailure(exit) ? startFailure(exit.cause) : ""
    const faults = said.replace("Wrong setting: ", "").split("; ")
    expect(faults.map((fault) => fault.split(" ")[0])).toEqual(Object.keys(wrong))
    expect(said).not.toContain("secret")
  })
)

effect("A setting that is there but empty is a wrong one, and a list with nothing in it", () =>
  Effect.gen(function* () {
    const numbers = [
      "PORT",
      "WORKERS",
      "PRICE_MICROS",
      "STARTING_MICROS",
      "RATE_LIMIT",
      "CACHE_ENTRIES",
      "DRAIN_SECONDS"
    ]
    for (const name of [...numbers, "DATA_DIR", "MODELS_DIR", "DATABASE_URL", "KEY_PEPPER", "SIGN_UP", "LOG_FORMAT"]) {
      const exit = yield* configured({ [name]: "" })
      expect(Exit.isFailure(exit) ? startFailure(exit.cause) : "").toStartWith(`Wrong setting: ${name} `)
    }
    for (const text of [" ", "1e3", "0x10", "15.0"])
      expect(Exit.isFailure(yield* configured({ PRICE_MICROS: text }))).toBe(true)
    expect((yield* Effect.flatten(configured({ PORT: " 80\r" }))).port).toBe(80)
    const none = yield* Effect.flatten(configured({ OPERATOR_EMAILS: "", INTERNAL_TOKEN: " ", TRUSTED_PROXIES: "" }))
    expect([none.operatorEmails.size, none.internalTokens.length]).toEqual([0, 0])
  })
)

effect("INTERNAL_TOKEN lists names and tokens", () =>
  Effect.gen(function* () {
    const token = "0123456789abcdefghijklmn"
    const { internalTokens } = yield* Effect.flatten(configured({ INTERNAL_TOKEN: `billing:${token},mail:${token}:x` }))
    expect(internalTokens.map((one) => [one.name, Redacted.value(one.token)])).toEqual([
      ["billing", token],
      ["mail", `${token}:x`]
    ])
  })
)

effect("An empty environment gives the defaults that the README lists", () =>
  Effect.gen(function* () {
    const given = yield* Effect.flatten(configured({}))
    const listed = yield* Effect.promise(() => Bun.file(new URL("../README.md", import.meta.url)).text())
    const rows = listed.split("## Settings")[1]?.split("What one client can do")[0] ?? ""
    const defaults = Object.fromEntries(
      [...rows.matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \| ?([^|]*?) ?\|/gm)].flatMap(([, names = "", values = ""]) =>
        names
          .split(", ")
          .map((name, i) => [name.replaceAll("`", ""), values.split(", ")[i]?.replaceAll("`", "").trim()])
      )
    )
    const { signUp, databaseUrl, keyPepper, operatorEmails, internalTokens, rpcPort, ...settings } = given
    expect(defaults).toEqual({
      PORT: String(settings.port),
      DATA_DIR: settings.dataDir,
      DATABASE_URL: "",
      MODELS_DIR: settings.modelsDir,
      WORKERS: "cores",
      QUEUE_LIMIT: String(settings.queueLimit),
      RUN_SECONDS: String(settings.runSeconds),
      PRICE_MICROS: String(settings.priceMicros),
      STARTING_MICROS: String(settings.startingMicros),
      RATE_LIMIT: String(settings.rateLimit),
      KEY_PEPPER: "made once into DATA_DIR",
      CACHE_ENTRIES: String(settings.cacheEntries),
      CACHE_SECONDS: String(settings.cacheSeconds),
      BODY_SECONDS: String(settings.bodySeconds),
      DRAIN_SECONDS: String(settings.drainSeconds),
      SIGN_UP: String(signUp),
      OPERATOR_EMAILS: "",
      TRUSTED_PROXIES: "",
      INTERNAL_TOKEN: "",
      RPC_PORT: "on PORT",
      LOG_FORMAT: settings.logFormat
    })
    expect([settings.priceMicros, settings.startingMicros, settings.rateLimit]).toEqual([15, 1_000_000, 600])
    expect(settings.workers).toBe(availableParallelism())
    expect([databaseUrl, keyPepper, rpcPort].map((one) => one._tag)).toEqual(["None", "None", "None"])
    expect([operatorEmails.size, internalTokens.length]).toEqual([0, 0])
  })
)
