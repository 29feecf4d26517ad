/** Everything that can befall the prospects of a project, in random sequences, against a model of them. */
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { TestService } from "../../support/TestService.ts"
import { operation } from "./arbitraries.ts"
import type { Model } from "./Model.ts"
import { type Operation, textOf } from "./operations.ts"
import { isPossible } from "./steps.ts"
import * as world from "./world.ts"

type World = Effect.Success<ReturnType<typeof world.make>>

/** Long runs, and one that is to be seen again (the seed that its failure names), are asked for by the environment. */
const runs = Number(process.env["MODEL_RUNS"] ?? 10)
const seed = process.env["MODEL_SEED"]

class Command implements fc.AsyncCommand<Model, World> {
  readonly operation: Operation
  constructor(operation: Operation) {
    this.operation = operation
  }
  check(model: Model) {
    return isPossible(model, this.operation)
  }
  run(_: Model, { run }: World) {
    return Effect.runPromise(run(this.operation))
  }
  toString() {
    return `\n  ${textOf(this.operation)}`
  }
}

/** Where each sequence begins: most of what can be done needs somebody on the list. */
const beginning: ReadonlyArray<Operation> = [
  { do: "batch", items: [{ whom: "anna" }, { whom: "ben" }, { whom: "cleo" }, { whom: "tal", refs: ["crm:1"] }] },
  { do: "task", whom: "anna", type: "call", due: 5, assignee: false },
  { do: "note", whom: "anna" }
]

/** What was wrong once. */
const remembered: ReadonlyArray<Operation> = [
  // What happens below a correction is not answered.
  { do: "patch", whom: "tal", change: { stage: "bid" }, match: "none" },
  { do: "happen", whom: "tal", what: "im_shared" },
  // Who comes back lets go of a reference, which the next takes.
  { do: "remove", whom: "tal" },
  {
    do: "batch",
    items: [
      { whom: "tal", refs: [] },
      { whom: "dora", refs: ["crm:1"] }
    ]
  },
  // Nor is what happened to one that became part of another.
  { do: "patch", whom: "anna", change: { stage: "bid" }, match: "present" },
  { do: "happen", whom: "ben", what: "im_shared" },
  { do: "merge", whom: "anna", from: ["ben"] },
  { do: "withdraw", whom: "anna" },
  // A tombstone of one that was removed before.
  { do: "add", item: { whom: "val" } },
  { do: "remove", whom: "tal" },
  { do: "project", move: "delete" },
  { do: "merge", whom: "tal", from: ["val"] }
]

const commands = fc.noBias(fc.commands([operation.map((one) => new Command(one))], { maxCommands: 50, size: "max" }))

layer(TestService.layer, { excludeTestServices: true })("The prospects of a project", (it) => {
  it.effect(
    "are what the model says, after each of any operations",
    () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<Effect.Services<ReturnType<typeof world.make>>>()
        const run = Effect.runPromiseWith(context)
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(commands, async (sequence) => {
              const real = await run(Effect.tap(world.make(), (made) => Effect.forEach(beginning, made.run)))
              try {
                await fc.asyncModelRun(() => ({ model: real.model, real }), sequence)
                await run(real.finish)
              } catch (fault) {
                // At midnight tasks become overdue: the model has but one day.
                if (real.isToday()) throw fault
              }
            }),
            {
              numRuns: runs + 1,
              examples: [[remembered.map((one) => new Command(one))]],
              ...(seed === undefined ? {} : { seed: Number(seed) })
            }
          )
        )
      }),
    3_600_000
  )
})
