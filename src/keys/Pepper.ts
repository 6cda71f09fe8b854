import { randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { Settings } from "../Settings.ts"

const made = (folder: string) => {
  const file = join(folder, "pepper")
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(32).toString("base64url"), { flag: "wx", mode: 0o600 })
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause
  }
  const pepper = readFileSync(file, "utf8").trim()
  // A start that broke off, or a full disk, leaves nothing in it: everybody knows that secret.
  if (pepper === "")
    throw new Error(
      `${file} is empty. Put back what was in it; if that is lost, remove it for a new one, under which no API key made so far is known.`
    )
  return pepper
}

const unshared = (folder: string) =>
  Effect.logWarning(
    `KEY_PEPPER is not set: keys are hashed under the secret in ${join(folder, "pepper")}, and an instance with another folder knows none of them. Where several share DATABASE_URL, set the same KEY_PEPPER on all.`
  )

/** The secret under which keys and sessions are hashed: `KEY_PEPPER`, else made once into the data folder. */
export class Pepper extends Context.Tag("svc/Pepper")<Pepper, Redacted.Redacted>() {
  static readonly layer = Layer.effect(
    Pepper,
    Effect.flatMap(Settings, ({ keyPepper, dataDir, databaseUrl }) =>
      Option.match(keyPepper, {
        onSome: Effect.succeed,
        onNone: () =>
          Effect.zipRight(
            Effect.when(unshared(dataDir), () => Option.isSome(databaseUrl)),
            Effect.sync(() => Redacted.make(made(dataDir)))
          )
      })
    )
  )
}
