import { connect, createServer, type Socket } from "node:net"
import { Effect, type Scope } from "effect"

/** A hop of TCP that can fail in the ways networks do. */
export interface Proxy {
  readonly port: number
  /** Swallows what the far side says from now on, until `hear`. */
  readonly mute: () => void
  readonly hear: () => void
  /** Statements of PostgreSQL that came through so far: each ends with a Sync. */
  readonly statements: () => number
  /** Breaks every open connection. */
  readonly reset: () => void
}

const sync = "S\0\0\0\x04"

/** Carries connections to a port of the loopback. */
export const proxy = (to: number): Effect.Effect<Proxy, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const open = new Set<Socket>()
      let muted = false
      let statements = 0
      const server = createServer((near) => {
        const far = connect(to, "127.0.0.1")
        for (const [one, other] of [
          [near, far],
          [far, near]
        ] as const) {
          open.add(one)
          one.on("error", () => {})
          one.on("data", (chunk: Buffer) => {
            if (one === near) statements += chunk.toString("latin1").split(sync).length - 1
            if (!(muted && one === far)) other.write(chunk)
          })
          one.on("close", () => {
            open.delete(one)
            other.destroy()
          })
        }
      })
      const port = await new Promise<number>((done) => {
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          done(typeof address === "object" && address !== null ? address.port : 0)
        })
      })
      const reset = () => {
        for (const socket of open) socket.resetAndDestroy()
      }
      const say = (value: boolean) => () => {
        muted = value
      }
      return {
        port,
        statements: () => statements,
        mute: say(true),
        hear: say(false),
        reset,
        close: () => server.close()
      }
    }),
    ({ reset, close }) =>
      Effect.sync(() => {
        reset()
        close()
      })
  )
