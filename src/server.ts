/** The API process: `npm run api`, against the Postgres of `DATABASE_URL`. */
import * as App from "./App.ts"
import * as Http from "./Http.ts"
import * as Announcement from "./process/Listening.ts"
import * as DatabaseStart from "./process/DatabaseStart.ts"
import * as Environment from "./process/Environment.ts"
import * as Program from "./process/Program.ts"
import { OrphanGuard, platformLayer, reports } from "./process/Program.ts"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { Draining } from "./http/Health.ts"
import { Replays } from "./privacy/Replays.ts"
import { Jobs } from "./platform/jobs/Jobs.ts"

const program = Effect.gen(function* () {
  const { app, databaseUrl, settings } = yield* Environment.external
  yield* (yield* Program.StopTimeout).extendBy(settings.drainSeconds * 1000)
  const leave = Layer.effectDiscard(
    Effect.flatMap(Draining, ({ drain }) => Effect.addFinalizer(() => drain(settings.drainSeconds)))
  )
  const announce = Layer.unwrap(
    Effect.map(HttpServer.HttpServer, ({ address }) =>
      Announcement.layer({
        start: `The API listens on ${"port" in address ? `port ${address.port}` : "its socket"}.`,
        stop: "The API stops."
      })
    )
  )
  const api = leave.pipe(
    Layer.provideMerge(announce),
    Layer.provideMerge(Http.layer(settings)),
    Layer.provideMerge(Replays.atStart),
    Layer.provide(reports(settings)),
    Layer.provide(App.layer(app)),
    Layer.provide(Jobs.layer)
  )
  const platform = OrphanGuard.layer.pipe(
    Layer.provideMerge(
      platformLayer(settings, {
        url: databaseUrl,
        replicas: settings.replicas,
        applicationName: "property-network api"
      })
    )
  )
  return yield* DatabaseStart.guarding(app.secretKeys, "/readyz answers 503 until then.", Layer.launch(api)).pipe(
    Effect.provide(platform)
  )
})

Program.run(Effect.scoped(program))
