/** Starts the service with answers from a function and lets Schemathesis look for requests that break its OpenAPI document. */

import { Command, FileSystem, Path } from "@effect/platform"
import { BunRuntime } from "@effect/platform-bun"
import { Console, Data, Effect } from "effect"
import { published } from "#test/flows/scene"
import { TestApp, testApp } from "#test/support/app"

class ContractBroken extends Data.TaggedError("ContractBroken")<{ readonly message: string }> {}

const here = new URL(".", import.meta.url).pathname

const run = (command: Command.Command) =>
  Command.exitCode(command.pipe(Command.stdout("inherit"), Command.stderr("inherit")))

/** Schemathesis in a folder of its own, installed once. */
const schemathesis = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const venv = path.join(here, ".venv")
  const bin = path.join(venv, "bin", "schemathesis")
  if (!(yield* fs.exists(bin))) {
    yield* run(Command.make("python3", "-m", "venv", venv))
    yield* run(
      Command.make(path.join(venv, "bin", "pip"), "install", "--quiet", "-r", path.join(here, "requirements.txt"))
    )
  }
  return bin
})

const contract = Effect.gen(function* () {
  const app = yield* TestApp
  const { accountId, key } = yield* app.customer({ decisions: 1_000_000_000, rateLimit: 1_000_000 })
  yield* published(accountId, "front-door")
  const bin = yield* schemathesis
  const code = yield* run(
    Command.make(
      bin,
      "--config-file",
      `${here}schemathesis.toml`,
      "run",
      `${app.base}/openapi.json`,
      "--checks",
      "all",
      "--header",
      `Authorization: Bearer ${key}`,
      ...process.argv.slice(2)
    ).pipe(Command.workingDirectory(here))
  )
  if (code !== 0) return yield* new ContractBroken({ message: "Schemathesis found requests that break the document." })
  yield* Console.log("The service keeps its contract.")
})

BunRuntime.runMain(contract.pipe(Effect.provide(testApp()), Effect.scoped))
