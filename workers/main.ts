/** A worker process: `npm run worker`, against the Postgres of `DATABASE_URL`. */
import * as App from "../src/App.ts"
import * as GraphileWorker from "../src/platform/jobs/GraphileWorker.ts"
import * as Announcement from "../src/process/Listening.ts"
import * as DatabaseStart from "../src/process/DatabaseStart.ts"
import * as Environment from "../src/process/Environment.ts"
import * as Program from "../src/process/Program.ts"
import { OrphanGuard, platformLayer, reports } from "../src/process/Program.ts"
import { Effect, Layer } from "effect"
import { Replays } from "../src/privacy/Replays.ts"
import { Jobs } from "../src/platform/jobs/Jobs.ts"
import { crontab, handlers } from "./handlers.ts"

// An attempt may take 10 seconds, and a stop should not cause a repetition. A worker without attempts in flight stops at
// once.
const gracePeriod = "12 seconds"
const stopTimeout = 15_000

const program = Effect.gen(function* () {
  const { app, databaseUrl, settings } = yield* Environment.external
  const worker = Announcement.layer({ start: "The worker is ready.", stop: "The worker stops." }).pipe(
    Layer.provideMerge(GraphileWorker.layer(handlers, { url: databaseUrl, crontab, gracePeriod })),
    Layer.provideMerge(Replays.atStart),
    Layer.provide(reports(settings)),
    Layer.provide(App.layer(app)),
    Layer.provide(Jobs.layer)
  )
  const platform = OrphanGuard.layer.pipe(
    Layer.provideMerge(platformLayer(settings, { url: databaseUrl, applicationName: "property-network worker" }))
  )
  return yield* DatabaseStart.wait(app.secretKeys, "The worker waits for it.").pipe(
    Effect.andThen(Layer.launch(worker)),
    Effect.provide(platform)
  )
})

Program.run(Effect.scoped(program), { stopTimeout })
