/** A worker process that takes a job, prints "taken", and never finishes: `node hangingWorker.ts <postgres url>`. */
import * as Job from "../../src/platform/jobs/Job.ts"
import * as GraphileWorker from "../../src/platform/jobs/GraphileWorker.ts"
import { makeHandler, WorkerSession } from "../../src/platform/jobs/Worker.ts"
import { Effect, Layer, Redacted, Schema } from "effect"

export const Hang = Job.make("test/hang", { payload: Schema.Null })

if (import.meta.main) {
  const hang = makeHandler(Hang, () =>
    Effect.andThen(
      Effect.sync(() => console.log("taken")),
      Effect.never
    )
  )
  const worker = Layer.launch(
    GraphileWorker.layer([hang], { url: Redacted.make(process.argv[2] ?? "") }).pipe(Layer.provide(WorkerSession.layer))
  )
  Effect.runFork(worker)
}
