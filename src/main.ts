/** API and worker in one process: `npm start`. Starts the embedded Postgres unless `DATABASE_URL` names another. */
import * as App from "./App.ts"
import * as Migrations from "./platform/db/Migrations.ts"
import * as Demo from "./process/Demo.ts"
import * as Http from "./Http.ts"
import * as GraphileWorker from "./platform/jobs/GraphileWorker.ts"
import * as DatabaseStart from "./process/DatabaseStart.ts"
import * as Environment from "./process/Environment.ts"
import * as Program from "./process/Program.ts"
import * as Welcome from "./process/Listening.ts"
import { OrphanGuard, platformLayer, reports } from "./process/Program.ts"
import { Effect, Layer } from "effect"
import { crontab, handlers } from "../workers/handlers.ts"
import { asOperator } from "./core/auth/CurrentActor.ts"
import { BaseUrl } from "./platform/Config.ts"
import { Replays } from "./privacy/Replays.ts"
import { Teams } from "./identity/teams/Teams.ts"
import { Jobs } from "./platform/jobs/Jobs.ts"

const program = Effect.gen(function* () {
  yield* OrphanGuard.watch
  const { app, databaseUrl, embedded, keepDatabase, settings } = yield* Environment.externalOrEmbedded("start")
  yield* Migrations.run(databaseUrl)

  const welcome = Layer.effectDiscard(
    Effect.gen(function* () {
      const teams = yield* Teams
      const isNew = (yield* asOperator(teams.oldest(1))).length === 0
      const token = embedded ? yield* Demo.token(settings.dataDir, isNew) : undefined
      const link = token === undefined ? undefined : yield* Demo.signInLink
      yield* Welcome.print(
        yield* BaseUrl,
        token === undefined || link === undefined ? undefined : { token, link },
        settings
      )
      if (token !== undefined) yield* Effect.forkScoped(Demo.fill(settings.dataDir))
    })
  )
  const service = welcome.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Http.layer(settings),
        GraphileWorker.layer(handlers, { url: databaseUrl, crontab, gracePeriod: "2 seconds" })
      )
    ),
    Layer.provideMerge(Replays.atStart),
    Layer.provide(reports(settings)),
    Layer.provideMerge(App.layer(app)),
    Layer.provide(Jobs.layer)
  )
  const platform = platformLayer(settings, { url: databaseUrl, replicas: settings.replicas })
  return yield* DatabaseStart.wait(app.secretKeys, "The start waits for it.").pipe(
    Effect.andThen(Layer.launch(service)),
    Effect.raceFirst(keepDatabase),
    Effect.provide(platform)
  )
})

Program.run(Effect.scoped(program))
