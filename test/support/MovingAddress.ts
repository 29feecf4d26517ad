/** An address that leads to a server, and at a fail-over to another one, as a proxy or a virtual address does. */
import { Effect } from "effect"
import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"

/** The address. */
export interface MovingAddress {
  readonly port: number
  /** Leads new connections to another port. Those that exist are broken, unless they are `kept`. */
  readonly moveTo: (port: number, options?: { readonly kept?: boolean }) => void
}

/** Opens an address for the scope. */
export const make = (first: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      let target = first
      const sockets = new Set<Socket>()
      const server = createServer((client) => {
        const upstream = connect(target, "127.0.0.1")
        for (const [socket, other] of [
          [client, upstream],
          [upstream, client]
        ] as const) {
          sockets.add(socket)
          socket.setNoDelay(true)
          socket.on("error", () => other.destroy())
          socket.on("close", () => {
            sockets.delete(socket)
            other.destroy()
          })
        }
        client.pipe(upstream)
        upstream.pipe(client)
      }).listen(0, "127.0.0.1")
      await once(server, "listening")
      const bound = server.address()
      const breakAll = () => {
        for (const socket of sockets) socket.destroy()
      }
      const address: MovingAddress = {
        port: typeof bound === "object" && bound !== null ? bound.port : 0,
        moveTo: (port, { kept = false } = {}) => {
          target = port
          if (!kept) breakAll()
        }
      }
      return { address, close: () => (breakAll(), server.close()) }
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ address }) => address))
