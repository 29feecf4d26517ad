/** `npm run bench [-- CASE…]`: runs measurements and writes the table of results. See bench/README.md. */
import * as Machine from "./Machine.ts"
import * as Results from "./Results.ts"
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Cause, Console, Effect, Exit } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { OrphanGuard } from "../src/process/Program.ts"
import { agents } from "./agents.ts"
import { backup } from "./backup.ts"
import { edge } from "./edge.ts"
import { deliver } from "./deliveries/deliver.ts"
import { latency } from "./deliveries/latency.ts"
import { soak } from "./deliveries/soak.ts"
import { balancer } from "./deployment/balancer.ts"
import { audit } from "./growth/audit.ts"
import { duplicates } from "./growth/duplicates.ts"
import { erasure } from "./growth/erasure.ts"
import { restore } from "./growth/restore.ts"
import { growth, growthLines } from "./growth/growth.ts"
import { mandates } from "./growth/mandates.ts"
import { matches } from "./growth/matches.ts"
import { sweep, sweepMillion } from "./growth/sweep.ts"
import { create, list, read, readUnchanged } from "./http/comparison.ts"
import { Setup } from "./http/Setup.ts"
import { isMet, type Line, type Measured, type Measurement } from "./Measurement.ts"
import { consoleLists } from "./console.ts"
import { importLines, imports } from "./imports/imports.ts"
import { memory } from "./memory.ts"
import { say } from "./Report.ts"
import { start } from "./start.ts"

/** Measurements of one shared service and its peers. Those that add data come last. */
const sharedSetup: ReadonlyArray<Measurement<Setup>> = [read, readUnchanged, list, create]

/** Measurements with a set-up of their own, which run after the others. */
const ownSetup: ReadonlyArray<Measurement> = [
  deliver,
  latency,
  growth,
  sweep,
  mandates,
  matches,
  duplicates,
  imports,
  consoleLists,
  agents,
  edge,
  memory,
  start,
  backup
]

/** Parts of measurements, and those that take long or need another program: they run only if they are named. */
const onlyNamed: ReadonlyArray<Measurement> = [
  ...growthLines,
  ...importLines,
  audit,
  sweepMillion,
  erasure,
  restore,
  soak,
  balancer
]

const named = [...sharedSetup, ...ownSetup, ...onlyNamed]

const names = () => named.map(({ name, summary }) => `${name.padEnd(21)} ${summary}`).join("\n")

const config = {
  names: Argument.String("case").pipe(
    Argument.withDescription("What to measure; by default everything but single lines, soak and balancer"),
    Argument.variadic()
  ),
  list: Flag.Boolean("list").pipe(Flag.withDescription("Only name the cases"), Flag.withDefault(false)),
  quick: Flag.Boolean("quick").pipe(
    Flag.withDescription(
      "Only see that it works: short rounds on little data, whose figures mean nothing and are not kept"
    ),
    Flag.withDefault(false)
  ),
  first: Flag.Boolean("first").pipe(
    Flag.withDescription("Keep the figures as the first, which later ones stand beside"),
    Flag.withDefault(false)
  )
}

/** Runs measurements one after the other. Continues after a failure, and returns those that failed. */
const runAll = <R>(
  measurements: ReadonlyArray<Measurement<R>>,
  quick: boolean,
  keep: (name: string, measured: Measured) => void
) =>
  Effect.gen(function* () {
    const lines: Array<Line> = []
    const failures: Array<string> = []
    for (const { name, run } of measurements) {
      yield* say(`${name} begins`)
      const exit = yield* Effect.exit(Effect.scoped(run({ quick })))
      if (Exit.isSuccess(exit)) {
        yield* Effect.sync(() => keep(name, exit.value))
        lines.push(...exit.value.lines)
        if (exit.value.report !== undefined) yield* Console.log(`${exit.value.report}\n`)
        for (const line of exit.value.lines) {
          yield* say(
            `${line.name}: ${line.ours}${line.ratio === undefined ? "" : `, ${line.ratio.median.toFixed(2)} of ${line.theirs}`}`
          )
          if (line.details !== undefined) yield* Console.error(`  ${JSON.stringify(line.details)}`)
        }
      } else if (Cause.hasInterruptsOnly(exit.cause)) {
        return yield* Effect.interrupt
      } else {
        failures.push(name)
        yield* say(`${name} failed: ${Cause.pretty(exit.cause)}`)
      }
    }
    return { lines, failures }
  })

const bench = Command.make("bench", config, ({ first, list: onlyList, names: wanted, quick }) =>
  Effect.scoped(
    Effect.gen(function* () {
      if (onlyList) return yield* Console.log(names())
      const unknown = wanted.filter((name) => !named.some((measurement) => measurement.name === name))
      if (unknown.length > 0) {
        return yield* Effect.fail(new Error(`There is no case ${unknown.join(", ")}. There are:\n${names()}`))
      }
      yield* OrphanGuard.watch
      const chosen = <R>(measurements: ReadonlyArray<Measurement<R>>) =>
        measurements.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
      const [machine, commit] = yield* Effect.promise(() => Promise.all([Machine.describe(), Machine.commit()]))
      const keep = (measurement: string, { lines }: Measured) => {
        if (quick) return
        const origin = { at: new Date().toISOString(), commit, machine }
        Results.keep({ measurement, lines, origin, order: named.map(({ name }) => name), first })
      }
      const nothing = { lines: [], failures: [] }
      const staged = chosen(sharedSetup)
      const results = [
        staged.length === 0
          ? nothing
          : yield* runAll(staged, quick, keep).pipe(Effect.provide(Setup.layer({ quick })), Effect.scoped),
        yield* runAll(chosen(ownSetup), quick, keep),
        yield* runAll(
          onlyNamed.filter(({ name }) => wanted.includes(name)),
          quick,
          keep
        )
      ]
      const lines = results.flatMap((result) => result.lines)
      const failures = results.flatMap((result) => result.failures)
      yield* Console.log(Results.show(lines, Results.firsts()).join("\n"))
      if (quick)
        yield* Console.log(
          "\nThis was a quick run: that it works is all it says. Its figures mean nothing and were not kept."
        )
      const missed = lines.filter((line) => isMet(line) === false).map(({ name }) => name)
      if (missed.length > 0 && !quick) yield* say(`Targets that were missed: ${missed.join(", ")}`)
      if (failures.length > 0) return yield* Effect.fail(new Error(`No figures of ${failures.join(", ")}`))
    })
  )
).pipe(Command.withDescription("Measure the service beside hand-written ones and beside the limits of this machine"))

NodeRuntime.runMain(Command.run(bench, { version: "" }).pipe(Effect.provide(NodeServices.layer)))
