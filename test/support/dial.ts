import { connect, type Socket } from "node:net"

interface Dialled {
  readonly socket: Socket
  /** All that came back so far. */
  readonly heard: () => string
  /** What came back first. */
  readonly answered: Promise<string>
  /** All that came back, once the connection is closed. */
  readonly ended: Promise<string>
}

/** Opens a connection, says something, and collects what comes back. */
export const dial = (base: string, text: string) =>
  new Promise<Dialled>((done) => {
    let heard = ""
    const socket = connect(Number(new URL(base).port), "127.0.0.1", () =>
      socket.write(text, () => done({ socket, heard: () => heard, answered, ended }))
    )
    const answered = new Promise<string>((first) => socket.once("data", (chunk) => first(String(chunk))))
    socket.on("data", (chunk) => {
      heard += String(chunk)
    })
    socket.on("error", () => {})
    const ended = new Promise<string>((end) => socket.on("close", () => end(heard)))
  })
