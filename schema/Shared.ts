import { Schema } from "effect"
import { about, boolean, optional, string } from "./Field.ts"

/** What a request may say for svc-auto. */
export const alias = "Any name that ends in -latest is svc-auto."

/** The hint that spares a request the guess of its language. */
export const lang = optional(string).annotations({
  description: "ISO 639-1 code of the text; svc-auto then does not guess it."
})

/** Whether a request has to do with the cache. */
export const cache = optional(boolean).annotations({
  description:
    "Whether the answer may come from the cache and is kept there. Default true. Cached answers are billed like others."
})

/** How sure an answer is, whatever its type. */
export const confidence = about(
  Schema.Number,
  "0 (all options alike) to 1 (certain). choice: (pmax − 1/K)/(1 − 1/K) of K options; yes_no and noul: |2p − 1|; score: how close the probabilities stand to the chosen level."
)

/** Numbers by the names of what they are the probabilities of. */
export const Probabilities = Schema.Record({ key: Schema.String, value: Schema.Number })

/** Those of everything that a decision could have been. */
export const probabilities = about(
  Probabilities,
  "Probability of each option, of each level, or of `yes` and `no`: six decimals, of sum 1."
)

/** The name of the request that an answer is for. */
export const requestId = about(Schema.String, "The same as in the header `x-request-id`.")
