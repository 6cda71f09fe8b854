import { expect } from "bun:test"
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
