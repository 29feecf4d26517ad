/** What is done to an installation in the chaos run. Each fault returns when it has been repaired. */
import { Effect } from "effect"
import type { Cluster, Node } from "./Cluster.ts"
import * as Files from "./Files.ts"
import type { MovingAddress } from "./Network.ts"
import type { Program } from "../Programs.ts"

/** A process that is replaced when it was killed. */
export interface Kept {
  readonly name: string
  readonly program: () => Program
  /** Kills the process, and waits until another one is ready. */
  readonly replace: Effect.Effect<void>
  /** The warnings and errors of all of them. */
  readonly complaints: () => ReadonlyArray<string>
}

/** The installation. */
export interface Installation {
  readonly cluster: Cluster
  /** The address of the primary, and that of the standby. */
  readonly primaryAddress: MovingAddress
  readonly standbyAddress: MovingAddress
  readonly apis: readonly [Kept, Kept]
  readonly workers: readonly [Kept, Kept]
  /** The disk of files, and how one is uploaded. */
  readonly filesDisk: string
  readonly upload: () => Promise<number>
}

/** A fault. */
export interface Fault {
  readonly name: string
  /** Whether the service has no primary for a while: then, and only then, may requests be answered 503. */
  readonly withoutPrimary: boolean
  /** `mended` is called when there is a primary again. */
  readonly run: (installation: Installation, mended: () => void) => Effect.Effect<void>
}

const promise = (run: () => Promise<unknown>) => Effect.promise(async () => void (await run()))

const seconds = (count: number) => Effect.sleep(count * 1000)

const port = 5432

/** Leads both addresses to the servers that are there now. */
export const lead = ({
  cluster,
  primaryAddress,
  standbyAddress
}: Pick<Installation, "cluster" | "primaryAddress" | "standbyAddress">) =>
  Effect.sync(() => {
    primaryAddress.move(cluster.primary().machine.address, port)
    standbyAddress.move(cluster.standby().machine.address, port)
  })

/** What a tool for fail-over does: makes sure that the former primary is at its end, promotes, and makes the former one a standby. */
const failOver = (
  installation: Installation,
  mended: () => void,
  {
    before = () => {},
    between = () => {}
  }: { readonly before?: (former: Node) => void; readonly between?: (former: Node) => void } = {}
) =>
  Effect.gen(function* () {
    const { cluster, primaryAddress, standbyAddress } = installation
    const former = cluster.primary()
    before(former)
    // As long as a tool takes to believe it.
    yield* seconds(2)
    yield* promise(former.kill)
    yield* promise(cluster.promote)
    primaryAddress.move(cluster.primary().machine.address, port)
    mended()
    yield* seconds(5)
    between(former)
    yield* promise(cluster.rebuild)
    standbyAddress.move(cluster.standby().machine.address, port)
  })

/** Lets commits go on without the standby, as long as it is away. */
const withoutStandby = (installation: Installation, away: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const { cluster } = installation
    yield* seconds(1.5)
    yield* promise(() => cluster.setSynchronous(false))
    yield* away
    yield* promise(() => cluster.setSynchronous(true))
    yield* promise(async () => {
      for (let tries = 0; !(await cluster.isSynchronous().catch(() => false)); tries++) {
        if (tries > 300) throw new Error("The standby does not stream again.")
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    })
  })

const first = <A>([one]: readonly [A, A]): A => one

/** The faults, in the order in which they come again and again. */
export const faults: ReadonlyArray<Fault> = [
  {
    name: "an API process is killed",
    withoutPrimary: false,
    run: ({ apis }) => first(apis).replace
  },
  {
    name: "the primary is killed, the standby promoted",
    withoutPrimary: true,
    run: (installation, mended) => failOver(installation, mended, { before: (former) => former.signal("SIGKILL") })
  },
  {
    name: "a worker is killed",
    withoutPrimary: false,
    run: ({ workers }) => first(workers).replace
  },
  {
    name: "the standby is killed and comes back",
    withoutPrimary: false,
    run: (installation) => {
      const standby = installation.cluster.standby()
      return Effect.andThen(
        promise(standby.kill),
        withoutStandby(installation, Effect.andThen(seconds(4), promise(standby.start)))
      )
    }
  },
  {
    name: "a worker stands still for 15 s",
    withoutPrimary: false,
    run: ({ workers: [, worker] }) =>
      Effect.gen(function* () {
        worker.program().signal("SIGSTOP")
        yield* seconds(15)
        worker.program().signal("SIGCONT")
      })
  },
  {
    name: "the primary stands still, the standby is promoted",
    withoutPrimary: true,
    run: (installation, mended) => failOver(installation, mended, { before: (former) => former.signal("SIGSTOP") })
  },
  {
    name: "an API process stands still for 8 s",
    withoutPrimary: false,
    run: ({ apis: [, api] }) =>
      Effect.gen(function* () {
        api.program().signal("SIGSTOP")
        yield* seconds(8)
        api.program().signal("SIGCONT")
      })
  },
  {
    name: "the primary is cut off for 6 s",
    withoutPrimary: true,
    run: ({ cluster }, mended) =>
      Effect.gen(function* () {
        const { machine } = cluster.primary()
        machine.cutOff()
        yield* seconds(6)
        machine.reconnect()
        mended()
      })
  },
  {
    name: "primary and standby lose each other for 6 s",
    withoutPrimary: false,
    run: (installation) =>
      Effect.suspend(() => {
        const { cluster } = installation
        const [primary, standby] = [cluster.primary().machine, cluster.standby().machine]
        primary.lose(standby)
        return withoutStandby(
          installation,
          Effect.andThen(
            seconds(4.5),
            Effect.sync(() => primary.deliver(standby))
          )
        )
      })
  },
  {
    name: "the primary's disk is full, the standby is promoted",
    withoutPrimary: true,
    run: (installation, mended) =>
      Effect.gen(function* () {
        const primary = installation.cluster.primary()
        primary.fillDisk()
        // Until the segments of the log that are left are used up.
        yield* promise(async () => {
          for (let tries = 0; tries < 40; tries++) {
            await primary.query("select pg_switch_wal()").catch(() => {})
          }
        })
        yield* failOver(installation, mended, { between: (former) => former.freeDisk() })
      })
  },
  {
    name: "the disk of files is full",
    withoutPrimary: false,
    run: ({ filesDisk, upload }) =>
      promise(async () => {
        const statuses = [await upload()]
        Files.fill(filesDisk)
        statuses.push(await upload())
        Files.free(filesDisk)
        statuses.push(await upload())
        if (String(statuses) !== "201,503,201") throw new Error(`Uploads were answered ${statuses}.`)
      })
  },
  {
    name: "the primary is cut off, the standby promoted",
    withoutPrimary: true,
    run: (installation, mended) =>
      failOver(installation, mended, {
        before: (former) => former.machine.cutOff(),
        between: (former) => former.machine.reconnect()
      })
  },
  {
    name: "all connections to the primary break",
    withoutPrimary: true,
    run: (installation, mended) =>
      Effect.map(lead(installation), () => {
        mended()
      })
  },
  {
    name: "both workers are killed",
    withoutPrimary: false,
    run: ({ workers }) => Effect.forEach(workers, ({ replace }) => replace, { concurrency: 2, discard: true })
  },
  {
    name: "the primary is killed and starts again",
    withoutPrimary: true,
    run: ({ cluster }, mended) =>
      Effect.gen(function* () {
        const primary = cluster.primary()
        yield* promise(primary.kill)
        yield* promise(primary.start)
        mended()
      })
  }
]
