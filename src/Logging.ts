import { Effect, Layer, Logger } from "effect"
import { Settings } from "./Settings.ts"

/** Log lines as JSON for machines, or for people who read a terminal. */
export const Logging = Layer.unwrapEffect(
  Effect.map(Settings, ({ logFormat }) => (logFormat === "json" ? Logger.json : Logger.pretty))
)
