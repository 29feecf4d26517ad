/** Machines of the chaos run: network namespaces of Linux on one bridge, which can be cut off, and addresses that move between them. */
import { Effect, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

const ip = (...args: ReadonlyArray<string>) => execFileSync("ip", args, { stdio: ["ignore", "ignore", "pipe"] })

/** A machine. */
export interface Machine {
  readonly name: string
  readonly address: string
  /** What comes before a command that runs on it. */
  readonly prefix: ReadonlyArray<string>
  /** Cuts it off from all others, or connects it again. */
  readonly cutOff: () => void
  readonly reconnect: () => void
  /** Loses what goes from here to another machine, or delivers it again. */
  readonly lose: (to: Machine) => void
  readonly deliver: (to: Machine) => void
}

const bridge = `pn-${process.pid % 100_000}`

const machineOf = (index: number): Machine => {
  const name = `${bridge}-${index}`
  const address = `10.231.77.${10 + index}`
  return {
    name,
    address,
    prefix: ["ip", "netns", "exec", name],
    cutOff: () => ip("-n", name, "link", "set", "eth0", "down"),
    reconnect: () => ip("-n", name, "link", "set", "eth0", "up"),
    lose: (to) => ip("-n", name, "route", "add", "blackhole", `${to.address}/32`),
    deliver: (to) => ip("-n", name, "route", "del", "blackhole", `${to.address}/32`)
  }
}

const add = (machine: Machine, index: number) => {
  const outer = `${bridge}v${index}`
  ip("netns", "add", machine.name)
  ip("link", "add", outer, "type", "veth", "peer", "name", "eth0", "netns", machine.name)
  ip("link", "set", outer, "master", bridge, "up")
  ip("-n", machine.name, "addr", "add", `${machine.address}/24`, "dev", "eth0")
  ip("-n", machine.name, "link", "set", "lo", "up")
  ip("-n", machine.name, "link", "set", "eth0", "up")
}

/** As many machines, until the scope ends. Fails where namespaces are not permitted. */
export const machines = (count: number): Effect.Effect<ReadonlyArray<Machine>, Error, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const all = Array.from({ length: count }, (_, index) => machineOf(index))
        ip("link", "add", bridge, "type", "bridge")
        ip("addr", "add", "10.231.77.1/24", "dev", bridge)
        ip("link", "set", bridge, "up")
        all.forEach(add)
        return all
      },
      catch: (cause) => new Error("Network namespaces are not permitted here: run as root.", { cause })
    }),
    (all) =>
      Effect.sync(() => {
        for (const { name } of all) ip("netns", "del", name)
        ip("link", "del", bridge)
      })
  )

/** An address that stands for one server after the other. */
export interface MovingAddress {
  readonly port: number
  /** Leads to another server from now on, and ends the connections to the one before, as its own end would. */
  readonly move: (host: string, port: number) => void
}

/** An address on the loopback that leads to no server yet. */
export const movingAddress: Effect.Effect<MovingAddress, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.promise(async () => {
      const pairs = new Set<readonly [Socket, Socket]>()
      let target: { readonly host: string; readonly port: number } | undefined
      const server = createServer({ noDelay: true }, (incoming) => {
        if (target === undefined) {
          incoming.destroy()
          return
        }
        const outgoing = connect({ ...target, noDelay: true })
        const pair = [incoming, outgoing] as const
        pairs.add(pair)
        const end = () => {
          pairs.delete(pair)
          incoming.destroy()
          outgoing.destroy()
        }
        for (const socket of pair) socket.on("error", end).on("close", end)
        incoming.pipe(outgoing)
        outgoing.pipe(incoming)
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const endAll = () => {
        for (const [incoming, outgoing] of pairs) {
          incoming.destroy()
          outgoing.destroy()
        }
      }
      const move = (host: string, port: number) => {
        target = { host, port }
        endAll()
      }
      return { server, endAll, move }
    }),
    ({ endAll, server }) =>
      Effect.sync(() => {
        server.close()
        endAll()
      })
  ),
  ({ move, server }) => ({ port: (server.address() as AddressInfo).port, move })
)
