/**
 * Starts the service with answers from a function, asks it through OpenAI's Python client, and lets Schemathesis look for
 * requests that break its OpenAPI document.
 */

import { Command, FileSystem, Path } from "@effect/platform"
import { BunContext, BunRuntime } from "@effect/platform-bun"
import { Console, Data, Effect } from "effect"
import { published } from "#test/flows/scene"
import { TestApp, testApp } from "#test/support/app"

class ContractBroken extends Data.TaggedError("ContractBroken")<{}> {
  override readonly message = "The service does not keep its contract: see above."
}

class NotInstalled extends Data.TaggedError("NotInstalled")<{}> {
  override readonly message =
    "OpenAI's client and Schemathesis cannot be installed here: they take Python 3 and its package index."
}

/** Exit code where nothing was found since nothing could be run; that of a service that is not there. */
const notInstalled = 69

const here = new URL(".", import.meta.url).pathname

const run = (command: Command.Command) =>
  Command.exitCode(command.pipe(Command.stdout("inherit"), Command.stderr("inherit")))

/** The folder of the programs of an environment of its own; what is there already is not fetched again. */
const installed = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const venv = path.join(here, ".venv")
  const bin = path.join(venv, "bin")
  const made = yield* fs.exists(path.join(bin, "pip"))
  const pip = ["install", "--quiet", "--retries", "1", "-r", path.join(here, "requirements.txt")]
  for (const step of [
    ...(made ? [] : [Command.make("python3", "-m", "venv", venv)]),
    Command.make(path.join(bin, "pip"), ...pip)
  ])
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
  const asked = Command.make(`${bin}/python`, "moderations.py", app.base, key)
  const examined = Command.make(
    `${bin}/schemathesis`,
    "--config-file",
    "schemathesis.toml",
    "run",
    `${app.base}/openapi.json`,
    "--checks",
    "all",
    "--header",
    `Authorization: Bearer ${key}`,
    ...process.argv.slice(2)
  )
  for (const command of [asked, examined])
    if ((yield* run(Command.workingDirectory(command, here))) !== 0) return yield* new ContractBroken()
  yield* Console.log("The service keeps its contract.")
})

installed.pipe(
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
