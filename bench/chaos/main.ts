/**
 * What clients and the ledger see when parts of the service die: `bun bench/chaos/main.ts [kills] [minutes]`.
 * Two instances and a PostgreSQL on the loopback, retrying clients, one fault after another; ends by itself.
 */
import { Console, Effect } from "effect"
import { cluster } from "./Cluster.ts"
import { type Fault, faults } from "./Faults.ts"
import { askedAgain, requestIdOf, startLoad } from "./Load.ts"

const kills = Number(process.argv[2] ?? 200)
const minutes = Number(process.argv[3] ?? 20)
const deadline = performance.now() + minutes * 60_000

const columns = [
  "fault",
  "times",
  "requests",
  "answered",
  "503/529",
  "broken",
  "other",
  "lost",
  "double",
  "uncharged",
  "unanswered",
  "ledger",
  "recovery"
]
const row = (cells: ReadonlyArray<string | number>) => `| ${cells.join(" | ")} |`

const program = Effect.gen(function* () {
  const place = yield* cluster
  const { apiKey, places } = place
  const bases = places.map(({ base }) => base)
  let known = new Set<string>()
  let spent = 0
  let broken = false

  const round = Effect.fn(function* (fault: Fault) {
    const load = startLoad(bases, apiKey, fault.loses !== true)
    yield* Effect.sleep("1 second")
    let times = 0
    let slowest = 0
    for (; times < fault.times && performance.now() < deadline; times++) {
      yield* fault.strike(place, times)
      const since = performance.now()
      const [took] = yield* Effect.all(
        [Effect.promise(() => load.answeredAfter(since)), fault.repair?.(place, times) ?? Effect.void],
        { concurrency: 2 }
      )
      slowest = Math.max(slowest, took)
    }
    yield* Effect.promise(load.stop)
    yield* place.quiet
    const { seen } = load
    const answered = seen.jobs.flatMap(({ answer, keyed }) =>
      answer === undefined ? [] : [{ id: requestIdOf(answer), keyed }]
    )
    const answers = answered.map(({ id }) => id)
    const double =
      answers.length -
      new Set(answers).size +
      (yield* Effect.promise(() => askedAgain(bases[0] ?? "", apiKey, seen.jobs)))
    const charged = yield* place.charged
    const uncharged = answered.filter(({ id }) => !charged.has(id))
    const unanswered = [...charged].filter((id) => !known.has(id) && !answers.includes(id)).length
    const difference = (yield* place.spent) - spent - (answers.length - uncharged.length) * 15
    const wrong = yield* place.wrong
    known = charged
    spent = yield* place.spent
    const lost = seen.jobs.filter(({ answer, keyed }) => keyed && answer === undefined).length
    const other = [...seen.other].map(([status, count]) => `${status}×${count}`).join(" ") || 0
    const fails =
      times < fault.times ||
      lost + double + unanswered + wrong > 0 ||
      // What an instance had just answered when it was killed goes back, where no key leads to the answer again.
      uncharged.some(({ keyed }) => keyed || !fault.breaks) ||
      difference !== 0 ||
      other !== 0 ||
      slowest > 5_000 ||
      (seen.broken > 0 && !fault.breaks)
    if (fails) broken = true
    yield* Console.log(
      row([
        fault.name,
        times,
        seen.requests,
        answers.length,
        seen.unavailable,
        seen.broken,
        other,
        lost,
        double,
        uncharged.length,
        unanswered,
        `${difference}${wrong > 0 ? ` (${wrong} accounts wrong)` : ""}`,
        `${(slowest / 1_000).toFixed(1)} s${fails ? " ✗" : ""}`
      ])
    )
  })

  yield* Console.log(
    `${place.disk.mounted ? "The database lies on a small tmpfs." : "No tmpfs can be mounted: a trigger plays the full disk."}\n`
  )
  yield* Console.log(`${row(columns)}\n|${"---|".repeat(columns.length)}`)
  yield* Effect.forEach(faults(kills), round, { discard: true })
  return broken ? 1 : 0
})

process.exit(await Effect.runPromise(Effect.scoped(program)))
