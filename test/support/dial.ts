import { connect, type Socket } from "node:net"

/** Opens a connection, says something, and collects what comes back. */
export const dial = (base: string, text: string) =>
  new Promise<{ readonly socket: Socket; readonly heard: () => string; readonly ended: Promise<string> }>((done) => {
    let heard = ""
    const socket = connect(Number(new URL(base).port), "127.0.0.1", () =>
      socket.write(text, () => done({ socket, heard: () => heard, ended }))
    )
    socket.on("data", (chunk) => {
      heard += String(chunk)
    })
    socket.on("error", () => {})
    const ended = new Promise<string>((end) => socket.on("close", () => end(heard)))
  })
