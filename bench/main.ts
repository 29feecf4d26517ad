/** `npm run bench [-- NAME…]`: runs measurements and writes the table of results. See bench/README.md. */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Cause, Console, Effect, Exit } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { OrphanGuard } from "../src/process/OrphanGuard.ts"
import { Setup } from "./http/Setup.ts"
import * as Machine from "./Machine.ts"
import { isMet, type Line, type Measured, type Measurement } from "./Measurement.ts"
import { ownSetup, parts, sharedSetup } from "./Measurements.ts"
import * as Results from "./Results.ts"
import { say } from "./Progress.ts"

const all = [...sharedSetup, ...ownSetup]

const config = {
  names: Argument.String("name").pipe(
    Argument.withDescription("What to measure; defaults to everything"),
    Argument.variadic()
  ),
  list: Flag.Boolean("list").pipe(Flag.withDescription("Only name the measurements"), Flag.withDefault(false)),
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

const named = [...all, ...parts]

const names = () => named.map(({ name, summary }) => `${name.padEnd(12)} ${summary}`).join("\n")

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

const bench = Command.make("bench", config, ({ first, list, names: wanted, quick }) =>
  Effect.scoped(
    Effect.gen(function* () {
      if (list) return yield* Console.log(names())
      const unknown = wanted.filter((name) => !named.some((measurement) => measurement.name === name))
      if (unknown.length > 0) {
        return yield* Effect.fail(new Error(`There is no measurement ${unknown.join(", ")}. There are:\n${names()}`))
      }
      yield* OrphanGuard.watch
      const chosen = <R>(measurements: ReadonlyArray<Measurement<R>>) =>
        measurements.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
      const [machine, commit] = yield* Effect.promise(() => Promise.all([Machine.describe(), Machine.commit()]))
      const keep = (measurement: string, { charts = [], lines }: Measured) => {
        if (quick) return
        const origin = { at: new Date().toISOString(), commit, machine }
        Results.keep({ measurement, lines, charts, origin, order: named.map(({ name }) => name), first })
      }
      const nothing = { lines: [], failures: [] }
      const staged = chosen(sharedSetup)
      const results = [
        staged.length === 0
          ? nothing
          : yield* runAll(staged, quick, keep).pipe(Effect.provide(Setup.layer({ quick })), Effect.scoped),
        yield* runAll(chosen(ownSetup), quick, keep),
        yield* runAll(
          parts.filter(({ name }) => wanted.includes(name)),
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
