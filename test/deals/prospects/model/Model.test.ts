/** Random sequences of all operations on the prospects of a project, compared with a model after each of them. */
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { times } from "../../../support/campaign.ts"
import { TestService } from "../../../support/TestService.ts"
import { operation } from "./arbitraries.ts"
import type { Model } from "./Model.ts"
import { type Operation, textOf } from "./operations.ts"
import { isPossible } from "./steps.ts"
import { withinOneDay } from "./withinOneDay.ts"
import * as fixture from "./fixture.ts"

type Fixture = Effect.Success<ReturnType<typeof fixture.make>>

/**
 * `MODEL_RUNS=400` runs more sequences, `MODEL_SEED` others. The default seed is fixed, so that every run of the suite does
 * the same; a failure reports the seed and the path to the shrunk sequence.
 */
const runs = times("MODEL_RUNS", 3, 60)
const seed = Number(process.env["MODEL_SEED"] ?? 20_261_122)

class Command implements fc.AsyncCommand<Model, Fixture> {
  readonly operation: Operation
  constructor(operation: Operation) {
    this.operation = operation
  }
  check(model: Model) {
    return isPossible(model, this.operation)
  }
  run(_: Model, { run }: Fixture) {
    return Effect.runPromise(run(this.operation))
  }
  toString() {
    return `\n  ${textOf(this.operation)}`
  }
}

/** How each sequence begins: most operations need somebody on the list. */
const initialOperations: ReadonlyArray<Operation> = [
  { do: "batch", items: [{ whom: "anna" }, { whom: "ben" }, { whom: "cleo" }, { whom: "tal", refs: ["crm:1"] }] },
  { do: "task", whom: "anna", type: "call", due: 5, assignee: false },
  { do: "note", whom: "anna" }
]

/** Sequences that found faults. */
const regressions: ReadonlyArray<Operation> = [
  // A milestone below the override does not show in the answer.
  { do: "patch", whom: "tal", change: { stage: "bid" }, match: "none" },
  { do: "milestone", whom: "tal", milestone: "im_shared" },
  // A restored prospect releases a reference that the next item takes.
  { do: "remove", whom: "tal" },
  {
    do: "batch",
    items: [
      { whom: "tal", refs: [] },
      { whom: "dora", refs: ["crm:1"] }
    ]
  },
  // Nor does a milestone of an absorbed prospect.
  { do: "patch", whom: "anna", change: { stage: "bid" }, match: "present" },
  { do: "milestone", whom: "ben", milestone: "im_shared" },
  { do: "merge", whom: "anna", from: ["ben"] },
  { do: "withdraw", whom: "anna" },
  // The tombstone of a prospect that was removed before.
  { do: "add", item: { whom: "val" } },
  { do: "remove", whom: "tal" },
  { do: "project", move: "delete" },
  { do: "merge", whom: "tal", from: ["val"] }
]

const commands = fc.noBias(fc.commands([operation.map((one) => new Command(one))], { maxCommands: 50, size: "max" }))

layer(TestService.layer, { excludeTestServices: true })("The prospects of a project", (it) => {
  it.effect(
    "equals the model after each operation of any sequence",
    () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<Effect.Services<ReturnType<typeof fixture.make>>>()
        const run = Effect.runPromiseWith(context)
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(commands, (sequence) =>
              withinOneDay(async () => {
                const real = await run(
                  Effect.tap(fixture.make(), (created) => Effect.forEach(initialOperations, created.run))
                )
                await fc.asyncModelRun(() => ({ model: real.model, real }), sequence)
                await run(real.finish)
              })
            ),
            {
              numRuns: runs + 1,
              examples: [[regressions.map((one) => new Command(one))]],
              seed
            }
          )
        )
      }),
    3_600_000
  )
})
