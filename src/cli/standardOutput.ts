import { Console, Effect } from "effect"

// Without a listener a reader that left ends the process, with words of its own.
process.stdout.on("error", () => {})

/** Colours are for terminals. */
const plainIn = (stream: { readonly isTTY?: boolean }) => (text: unknown) =>
  typeof text === "string" && stream.isTTY !== true ? Bun.stripANSI(text) : text

/** Ends once the text is with its reader, however slow that is; dies where it is lost. */
const written = (text: string) =>
  Effect.async<void>((resume) => {
    process.stdout.write(text, (cause) => resume(cause ? Effect.die(cause) : Effect.void))
  })

/** A program whose console passes over nothing that a full disk, or a reader that left, does not take, and is plain where no terminal is. */
export const printing = <A, E, R>(program: Effect.Effect<A, E, R>) =>
  Console.consoleWith((console) =>
    Effect.withConsole(program, {
      ...console,
      log: (...all) => written(`${all.map(plainIn(process.stdout)).join(" ")}\n`),
      error: (...all) => console.error(...all.map(plainIn(process.stderr)))
    })
  )
