/**
 * `npm run chaos [-- --minutes 10]`: two API processes, two workers, a primary with a synchronous standby and receivers of webhooks, to
 * which every few seconds something bad is done. At the end every answered write must be there, every event delivered, and whoever
 * followed the deltas must have the same as the list. Needs Linux, root, and Postgres with its tools (Debian's, or `PG_BIN`).
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Migrations from "../../src/platform/db/Migrations.ts"
import * as Machine from "../Machine.ts"
import * as Service from "../Service.ts"
import * as Setup from "../deployment/Installation.ts"
import * as Traffic from "../deployment/Traffic.ts"
import * as Cluster from "./Cluster.ts"
import * as Files from "./Files.ts"
import * as Network from "./Network.ts"
import { Console, Effect, Exit, Scope } from "effect"
import { Command, Flag } from "effect/cli"
import { writeFile } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { OrphanGuard } from "../../src/process/Program.ts"
import type { Program } from "../Programs.ts"
import { count, duration, say, table } from "../Report.ts"
import { type Fault, faults, type Installation, type Kept, lead } from "./Faults.ts"

/** How long the service may answer 503 after there is a primary again: connections are opened and leases taken again. */
const graceMs = 5_000

/** How soon writes go on after a fault. */
const recoveryMs = 30_000

interface Options {
  readonly minutes: number
  readonly pause: number
  readonly only: string
}

interface Happened {
  readonly fault: Fault
  readonly begun: number
  /** When there was a primary again, and when all was repaired. */
  readonly mended: number
  readonly ended: number
}

/** Keeps a process running. */
const keep = Effect.fnUntraced(function* (name: string, start: Effect.Effect<Program, never, Scope.Scope>) {
  const scope = yield* Effect.scope
  const begin = Effect.gen(function* () {
    const own = yield* Scope.fork(scope)
    return { own, program: yield* Scope.provide(start, own) }
  })
  const complaints: Array<string> = []
  let current = yield* begin
  const kept: Kept = {
    name,
    program: () => current.program,
    replace: Effect.gen(function* () {
      yield* current.program.kill
      complaints.push(...current.program.complaints)
      yield* Scope.close(current.own, Exit.void)
      current = yield* begin
    }),
    complaints: () => [...complaints, ...current.program.complaints]
  }
  return kept
})

const install = Effect.gen(function* () {
  const bin = Cluster.binaries()
  if (process.platform !== "linux" || process.getuid?.() !== 0 || bin === undefined) {
    return yield* Effect.fail(
      new Error("Needs Linux, root, and Postgres with pg_basebackup: Debian's package postgresql, or PG_BIN.")
    )
  }
  const [one, two] = yield* Network.machines(2)
  if (one === undefined || two === undefined) return yield* Effect.die("There are no machines.")
  const cluster = yield* Cluster.make([one, two], bin)
  const primaryAddress = yield* Network.movingAddress
  const standbyAddress = yield* Network.movingAddress
  const urlAt = (port: number) => `postgres://app@127.0.0.1:${port}/postgres`
  const url = urlAt(primaryAddress.port)
  const filesDisk = yield* Files.disk("files", 20, "0")
  const environment = {
    ...Setup.environmentOf(url),
    DATABASE_REPLICA_URLS: urlAt(standbyAddress.port),
    FILE_STORE: join(filesDisk, "files")
  }
  const ports = [yield* Setup.freePort, yield* Setup.freePort] as const
  const api = (port: number) => Effect.map(Setup.startApi(environment, port), ({ program }) => program)
  primaryAddress.move(cluster.primary().machine.address, 5432)
  yield* Migrations.run(Setup.redacted(url))
  const installation: Omit<Installation, "upload"> = {
    cluster,
    primaryAddress,
    standbyAddress,
    filesDisk,
    apis: [yield* keep("API 1", api(ports[0])), yield* keep("API 2", api(ports[1]))],
    workers: [
      yield* keep("worker 1", Setup.startWorker(environment)),
      yield* keep("worker 2", Setup.startWorker(environment))
    ]
  }
  yield* lead(installation)
  return { installation, url, bases: ports.map((port) => `http://127.0.0.1:${port}`) }
})

/** Does one fault after the other until the time is over. */
const harm = Effect.fnUntraced(function* (
  installation: Installation,
  chosen: ReadonlyArray<Fault>,
  { minutes, pause }: Options
) {
  const happened: Array<Happened> = []
  const end = Date.now() + minutes * 60_000
  for (let turn = 0; Date.now() < end; turn++) {
    const fault = chosen[turn % chosen.length]
    if (fault === undefined) break
    yield* say(fault.name)
    const begun = Date.now()
    let mended: number | undefined
    yield* fault.run(installation, () => {
      mended = Date.now()
    })
    happened.push({ fault, begun, mended: mended ?? Date.now(), ended: Date.now() })
    yield* Effect.sleep(pause * 1000)
  }
  return happened
})

const isAllowed = ({ at, status }: Traffic.Failure, happened: ReadonlyArray<Happened>): boolean =>
  status === 503 &&
  happened.some(({ begun, fault, mended }) => fault.withoutPrimary && at >= begun && at <= mended + graceMs)

const run = Effect.fnUntraced(function* (options: Options) {
  const { minutes, only, pause } = options
  const chosen = faults.filter(({ name }) => name.includes(only))
  const { bases, installation: installed, url } = yield* install
  return yield* Effect.gen(function* () {
    const subscribed = yield* Setup.teams(4, bases[0] ?? "")
    const [anyone] = subscribed
    if (anyone === undefined) return yield* Effect.die("There are no teams.")
    const installation: Installation = { ...installed, upload: Files.uploader(bases[1] ?? "", anyone.team) }
    let turn = 0
    const traffic = Traffic.start({
      base: () => bases[turn++ % bases.length] ?? "",
      teams: subscribed.map(({ team }) => team),
      pause: 25,
      timeout: 20_000,
      persistent: true
    })
    yield* Effect.sleep("5 seconds")
    const began = Date.now()
    const happened = yield* harm(installation, chosen, options)
    yield* Effect.sleep("10 seconds")
    yield* say("The clients stop.")
    yield* Effect.promise(() => traffic.stop())
    const lasted = Date.now() - began
    yield* say("Accounting")
    const open = yield* Setup.untilDelivered(subscribed, 120)
    const accounts = yield* Setup.accountsOf(subscribed, traffic.created())
    const states = yield* Effect.promise(() => traffic.faults())
    const { failures, writes } = traffic

    /** The time from a fault until a write was answered after it, at its end or before. */
    const recoveryOf = ({ begun, fault, mended }: Happened) =>
      (writes.find((at) => at > (fault.withoutPrimary ? mended : begun)) ?? Number.NaN) - begun
    const rows = faults.flatMap((fault) => {
      const times = happened.filter((one) => one.fault === fault)
      if (times.length === 0) return []
      const during = failures.filter(({ at }) =>
        times.some(({ begun, ended }) => at >= begun && at <= ended + pause * 1000)
      )
      return [
        [
          fault.name,
          times.length,
          duration(Math.max(...times.map(recoveryOf))),
          during.filter(({ status }) => status === 503).length,
          during.filter(({ status }) => status !== undefined && status !== 503).length,
          during.filter(({ status }) => status === undefined).length
        ]
      ]
    })
    const wrong = failures.filter(({ status }) => status !== undefined && status !== 503)
    const early = failures.filter((failure) => failure.status === 503 && !isAllowed(failure, happened))
    const slow = happened.filter((one) => !(recoveryOf(one) <= recoveryMs))
    const checks: ReadonlyArray<readonly [demand: string, faults: ReadonlyArray<string>]> = [
      ["Every answered write is there, and the deltas lead to the same as the list", states],
      [
        "Every event was delivered, or its failure shows",
        [...accounts.faults, ...(open === 0 ? [] : [`${open} are open.`])]
      ],
      ["No answer was 5xx but 503", Traffic.summary(wrong)],
      ["No answer was 503 while there was a primary", Traffic.summary(early)],
      [`Writes went on within ${recoveryMs / 1000} s`, slow.map(({ fault }) => fault.name)]
    ]
    const lines = [
      `${count(traffic.answered())} answers in ${Math.round(lasted / 60_000)} minutes, ${happened.length} faults, ${count(traffic.created().length)} contacts created, ${count(accounts.events)} events, ${count(accounts.delivered)} of them delivered, ${count(accounts.visible)} visible as failed.`,
      "",
      ...table(["Fault", "Times", "Writes again after", "503", "Other answers", "No answer"], rows),
      "",
      ...table(
        ["Demand", "Met"],
        checks.map(([demand, found]) => [demand, found.length === 0 ? "yes" : `**no** (${found.length})`])
      )
    ]
    yield* Console.log(lines.join("\n"))
    const processes = [...installation.apis, ...installation.workers]
    const errors = processes
      .flatMap(({ complaints }) => complaints())
      .filter(
        (line) =>
          line.includes('"level":"ERROR"') &&
          !/The database cannot be reached|graphile-worker|DatabaseUnavailable/.test(line)
      )
    yield* say(`${errors.length} errors were logged besides those of the database that is away`)
    for (const line of errors.slice(0, 20)) yield* Console.error(line.slice(0, 2000))
    const unmet = checks.filter(([, found]) => found.length > 0)
    for (const [demand, found] of unmet) yield* Console.error(`${demand}:\n${found.slice(0, 20).join("\n")}`)
    const commit = yield* Effect.promise(() => Machine.commit())
    const [server] = yield* Effect.promise(() =>
      installation.cluster
        .primary()
        .query<{ readonly version: string }>("select current_setting('server_version') as version")
    )
    const text = [
      "# Chaos",
      "",
      `Written by \`npm run chaos -- --minutes ${minutes}\` at ${commit}, with Node ${process.version} and Postgres ${server?.version}, on ${availableParallelism()} cores.`,
      "",
      ...lines,
      ""
    ]
    if (only === "") yield* Effect.promise(() => writeFile(new URL("./results.md", import.meta.url), text.join("\n")))
    if (unmet.length > 0) return yield* Effect.fail(new Error("A demand is not met."))
  }).pipe(Effect.provide(Service.store({ url: Setup.redacted(url) })))
})

const flags = {
  minutes: Flag.Int("minutes").pipe(Flag.withDescription("For how long faults are done"), Flag.withDefault(10)),
  only: Flag.String("only").pipe(
    Flag.withDescription("Only the faults with this text in their names; nothing is kept"),
    Flag.withDefault("")
  ),
  pause: Flag.Int("pause").pipe(Flag.withDescription("Seconds between one fault and the next"), Flag.withDefault(6))
}

const command = Command.make("chaos", flags, (options) =>
  Effect.scoped(Effect.andThen(OrphanGuard.watch, run(options)))
).pipe(Command.withDescription("Kill, stop, cut off and promote while clients write, and account for everything"))

NodeRuntime.runMain(Command.run(command, { version: "1" }).pipe(Effect.provide(NodeServices.layer)))
