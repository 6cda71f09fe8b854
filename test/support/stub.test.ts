import { expect } from "bun:test"
import { Effect } from "effect"
import { Keys } from "#src/keys/Keys"
import { effect } from "./effect.ts"
import { stub } from "./stub.ts"

effect("a stub answers with what it was given, and names what is missing", () =>
  Effect.gen(function* () {
    const keys = yield* Keys
    expect(yield* keys.list("acc_1")).toEqual([])
    expect(() => keys.revoke("acc_1", "key_1")).toThrow('svc/Keys has no "revoke" in this test: give it to stub(…)')
  }).pipe(Effect.provide(stub(Keys)({ list: () => Effect.succeed([]) })))
)
