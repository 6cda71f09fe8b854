/** Starts the service with answers from a function and lets Schemathesis look for requests that break its OpenAPI document. */

import { Command, FileSystem, Path } from "@effect/platform"
import { BunContext, BunRuntime } from "@effect/platform-bun"
import { Console, Data, Effect } from "effect"
import { published } from "#test/flows/scene"
import { TestApp, testApp } from "#test/support/app"

class ContractBroken extends Data.TaggedError("ContractBroken")<{}> {
  override readonly message = "Schemathesis found requests that break the document."
}

class NotInstalled extends Data.TaggedError("NotInstalled")<{}> {
  override readonly message = "Schemathesis cannot be installed here: it takes Python 3 and its package index."
}

/** Exit code where nothing was found since nothing could be run; that of a service that is not there. */
const notInstalled = 69

const here = new URL(".", import.meta.url).pathname

const run = (command: Command.Command) =>
  Command.exitCode(command.pipe(Command.stdout("inherit"), Command.stderr("inherit")))

/** Schemathesis in a folder of its own, installed once. */
const schemathesis = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const venv = path.join(here, ".venv")
  const bin = path.join(venv, "bin", "schemathesis")
  if (yield* fs.exists(bin)) return bin
  const pip = ["install", "--quiet", "--retries", "1", "-r", path.join(here, "requirements.txt")]
  for (const step of [Command.make("python3", "-m", "venv", venv), Command.make(path.join(venv, "bin", "pip"), ...pip)])
    if ((yield* run(step)) !== 0) return yield* new NotInstalled()
  return bin
}).pipe(
  Effect.timeout("3 minutes"),
  Effect.mapError(() => new NotInstalled())
)

const contract = Effect.fn("contract")(function* (bin: string) {
  const app = yield* TestApp
  const { accountId, key } = yield* app.customer({ decisions: 1_000_000_000, rateLimit: 1_000_000 })
  yield* published(accountId, "front-door")
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
  if (code !== 0) return yield* new ContractBroken()
  yield* Console.log("The service keeps its contract.")
})

schemathesis.pipe(
  Effect.flatMap((bin) => Effect.provide(contract(bin), testApp())),
  Effect.catchTag("NotInstalled", ({ message }) =>
    Effect.zipRight(
      Console.error(message),
      Effect.sync(() => {
        process.exitCode = notInstalled
      })
    )
  ),
  Effect.scoped,
  Effect.provide(BunContext.layer),
  BunRuntime.runMain
)
