import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { Tensor } from "onnxruntime-node"
import { numbers } from "#src/inference/Session"
import { live } from "../support/effect.ts"

describe("The numbers of a run", () => {
  live("are read from a graph of half precision too", () =>
    Effect.gen(function* () {
      const logits = new Tensor("float16", Uint16Array.of(0x3800, 0xc000), [2])
      expect(yield* numbers({ logits }, "logits")).toEqual(Float32Array.from([0.5, -2]))
    })
  )

  live("of another type are refused with what to do, and so are those that are none", () =>
    Effect.gen(function* () {
      const refusal = (logits: Tensor) => Effect.map(Effect.flip(numbers({ logits }, "logits")), (it) => it.message)
      expect(yield* refusal(new Tensor("float64", Float64Array.from([1]), [1]))).toBe(
        "the graph gives float64 logits, not float32; choose another graph"
      )
      expect(yield* refusal(new Tensor("float32", Float32Array.from([Number.NaN]), [1]))).toBe(
        "the graph gave no finite logits"
      )
      expect((yield* Effect.flip(numbers({}, "logits"))).message).toContain("gives no logits")
    })
  )
})
