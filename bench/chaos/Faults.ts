import { Effect } from "effect"
import type { Cluster } from "./Cluster.ts"

/** Something that goes wrong while clients ask; returns when clients may expect answers again. */
export interface Fault {
  readonly name: string
  readonly times: number
  /** Whether clients may find connections broken. */
  readonly breaks: boolean
  /** Whether an answer may get lost on its way to a client, which nobody but the client notices. */
  readonly loses?: true
  readonly strike: (cluster: Cluster, turn: number) => Effect.Effect<void>
  /** What a supervisor does afterwards; answers are expected meanwhile. */
  readonly repair?: (cluster: Cluster, turn: number) => Effect.Effect<void>
}

const place = ({ places }: Cluster, turn: number) => places[turn % places.length]
const worker = (cluster: Cluster, turn: number) => place(cluster, turn)?.node().workers()[0]
const kill = (pid: number | undefined, signal: NodeJS.Signals) => {
  try {
    if (pid !== undefined) process.kill(pid, signal)
  } catch {
    // It has ended by itself.
  }
}

/** Stops, waits, and lets go on. */
const stopped = (seconds: number, signal: (name: NodeJS.Signals) => void) =>
  Effect.sync(() => signal("SIGSTOP")).pipe(
    Effect.zipRight(Effect.sleep(`${seconds} seconds`)),
    Effect.zipRight(Effect.sync(() => signal("SIGCONT")))
  )

const repeatedly = (times: number, pause: number, strike: () => void) =>
  Effect.repeatN(Effect.zipRight(Effect.sync(strike), Effect.sleep(pause)), times - 1)

const restarted = ({ database }: Cluster) => Effect.promise(database.restart)

/** The database refuses to write, as with a full disk, where none can be filled. */
const refusing = ({ sql }: Cluster) =>
  sql.unsafe(`
    create or replace function full_disk() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
    create trigger full_disk before insert on reservations for each row execute function full_disk();
    create trigger full_disk before insert on ledger for each row execute function full_disk()`)

const accepting = ({ sql }: Cluster) =>
  sql.unsafe("drop trigger full_disk on reservations; drop trigger full_disk on ledger")

/** All faults; the kills are shared out over workers, instances and the database. */
export const faults = (kills: number): ReadonlyArray<Fault> => [
  { name: "none", times: 1, breaks: false, strike: () => Effect.sleep("5 seconds") },
  {
    name: "kill -9 PostgreSQL",
    times: Math.floor(kills * 0.3),
    breaks: false,
    strike: (cluster) =>
      Effect.zipRight(
        Effect.sync(() => cluster.database.kill("SIGKILL")),
        restarted(cluster)
      ),
    repair: () => Effect.sleep("500 millis")
  },
  {
    name: "SIGSTOP an instance, 10 s",
    times: 2,
    breaks: true,
    loses: true,
    strike: (cluster, turn) => stopped(10, (name) => place(cluster, turn)?.node().kill(name))
  },
  {
    name: "SIGSTOP an instance beyond its lease, 40 s",
    times: 1,
    breaks: true,
    loses: true,
    strike: (cluster, turn) => stopped(40, (name) => place(cluster, turn)?.node().kill(name))
  },
  {
    name: "SIGSTOP a worker, 10 s",
    times: 2,
    breaks: false,
    strike: (cluster, turn) =>
      Effect.suspend(() => {
        const pid = worker(cluster, turn)
        return stopped(10, (name) => kill(pid, name))
      })
  },
  {
    name: "SIGSTOP PostgreSQL, 10 s",
    times: 2,
    breaks: true,
    loses: true,
    strike: (cluster) => stopped(10, cluster.database.kill)
  },
  {
    name: "reset connections of clients",
    times: 1,
    breaks: true,
    loses: true,
    strike: ({ places }) =>
      repeatedly(25, 200, () => {
        for (const { front } of places) front.reset()
      })
  },
  {
    name: "reset connections of the database",
    times: 1,
    breaks: false,
    strike: ({ line }) => repeatedly(25, 200, line.reset)
  },
  {
    name: "the database's disk is full, 5 s",
    times: 2,
    breaks: false,
    strike: (cluster) => {
      const { disk, database } = cluster
      if (!disk.mounted)
        return refusing(cluster).pipe(
          Effect.zipRight(Effect.sleep("5 seconds")),
          Effect.zipRight(accepting(cluster)),
          Effect.orDie
        )
      return Effect.sync(disk.fill).pipe(
        Effect.zipRight(Effect.sleep("5 seconds")),
        Effect.zipRight(Effect.promise(disk.empty)),
        // Without room for its log the server gives up altogether.
        Effect.zipRight(Effect.suspend(() => (database.running() ? Effect.void : restarted(cluster))))
      )
    }
  },
  {
    name: "kill -9 an instance",
    times: Math.ceil(kills * 0.1),
    breaks: true,
    strike: (cluster, turn) => Effect.sync(() => place(cluster, turn)?.node().kill("SIGKILL")),
    repair: (cluster, turn) => place(cluster, turn)?.replace ?? Effect.void
  },
  {
    name: "kill -9 a worker",
    times: Math.ceil(kills * 0.6),
    breaks: false,
    strike: (cluster, turn) => Effect.sync(() => kill(worker(cluster, turn), "SIGKILL")),
    // Long enough for the next worker to be up: a supervisor could do no better.
    repair: () => Effect.sleep("1500 millis")
  }
]
