import { Clock, Effect, Ref } from "effect"

const width = 30

const drawn = (done: number, all: number, seconds: number) => {
  const full = all === 0 ? width : Math.round((done / all) * width)
  const left = done === 0 ? "" : `  ${Math.ceil((seconds / done) * (all - done))} s left`
  return `\r${"█".repeat(full)}${"░".repeat(width - full)} ${done}/${all}${left}   `
}

const write = (text: string) => Effect.sync(() => void process.stderr.write(text))

/** A bar on standard error that grows with each step; silent where that is no terminal. */
export const progress = (all: number) =>
  Effect.gen(function* () {
    const done = yield* Ref.make(0)
    const started = yield* Clock.currentTimeMillis
    const shown = process.stderr.isTTY === true
    return {
      step: Effect.gen(function* () {
        const now = yield* Ref.updateAndGet(done, (n) => n + 1)
        if (shown) yield* write(drawn(now, all, ((yield* Clock.currentTimeMillis) - started) / 1000))
      }),
      end: shown ? write("\n") : Effect.void
    }
  })
