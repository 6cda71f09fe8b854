import { Clock, Effect } from "effect"

const width = 30
/** Milliseconds between two drawings. */
const pace = 100

const duration = (seconds: number) =>
  seconds < 90
    ? `${Math.ceil(seconds)} s`
    : seconds < 5_400
      ? `${Math.ceil(seconds / 60)} min`
      : `${(seconds / 3_600).toFixed(1)} h`

/** One line: a bar, how much of `all` is done, and how long the rest takes if it goes on as since the start, where `had` was done. */
export const drawn = (
  { done, had, all }: { readonly done: number; readonly had: number; readonly all: number },
  seconds: number,
  shown: (amount: number) => string = String
): string => {
  const full = all === 0 ? width : Math.max(0, Math.min(width, Math.floor((done / all) * width)))
  const left = done <= had || done >= all ? "" : `  ${duration((seconds / (done - had)) * (all - done))} left`
  return `${"█".repeat(full)}${"░".repeat(width - full)} ${shown(done)}/${shown(all)}${left}`
}

const write = (text: string) => Effect.sync(() => void process.stderr.write(text))

/** A line on standard error about what is being done. */
export const note = (text: string) => write(`${text}\n`)

/** A bar on standard error that grows with what is done; silent where that is no terminal. */
export const progress = (all: number, shown?: (amount: number) => string) =>
  Effect.map(Clock.currentTimeMillis, (started) => {
    const visible = process.stderr.isTTY === true
    let done = 0
    let had = 0
    let last = Number.NEGATIVE_INFINITY
    const draw = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (!visible || (now - last < pace && done !== all)) return
      last = now
      yield* write(`\r${drawn({ done, had, all }, (now - started) / 1_000, shown)}\u001b[K`)
    })
    const add = (amount: number) =>
      Effect.suspend(() => {
        done += amount
        return draw
      })
    return {
      add,
      step: add(1),
      /** What was done before the start. */
      skip: (amount: number) =>
        Effect.suspend(() => {
          had += amount
          return add(amount)
        }),
      end: visible ? write("\n") : Effect.void
    }
  })
