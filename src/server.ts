/** The API process: `npm run api`, against the Postgres of `DATABASE_URL`. */
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import * as App from "./App.ts"
import { Database } from "./db/Database.ts"
import * as Http from "./Http.ts"
import { Jobs } from "./jobs/Jobs.ts"
import * as Metrics from "./metrics/Metrics.ts"
import { OrphanGuard } from "./OrphanGuard.ts"
import * as Environment from "./process/Environment.ts"
import * as Logging from "./process/Logging.ts"
import * as Program from "./process/Program.ts"
import * as Tracing from "./telemetry/Tracing.ts"

const program = Effect.gen(function* () {
  const { app, databaseUrl, settings } = yield* Environment.external
  const announce = Layer.effectDiscard(
    Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
      Effect.logInfo(`The API listens on ${"port" in address ? `port ${address.port}` : "its socket"}.`)
    )
  )
  const api = announce.pipe(
    Layer.provideMerge(Http.layer(settings)),
    Layer.provide(Metrics.layer(settings)),
    Layer.provide(App.layer(app)),
    Layer.provide(Jobs.layer),
    Layer.provide(
      Database.layer({ url: databaseUrl, slowQueryMs: settings.slowQueryMs, applicationName: "property-network api" })
    ),
    Layer.provide(OrphanGuard.layer),
    Layer.provide(Tracing.layer(settings.telemetry)),
    Layer.provide(Logging.layer(settings.logLevel))
  )
  return yield* Layer.launch(api)
})

Program.run(Effect.scoped(program))
