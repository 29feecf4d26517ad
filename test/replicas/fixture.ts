/** The service on a primary with standbys. */
import * as App from "../../src/App.ts"
import { Effect, Layer, Logger, Redacted } from "effect"
import { Database } from "../../src/platform/db/Database.ts"
import { layer as httpLayer } from "../../src/Http.ts"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import type { Needs } from "../../src/platform/db/Standbys.ts"
import { pollUntil } from "../support/polling.ts"
import type { Server } from "../support/ReplicatedPostgres.ts"
import { repositories } from "../support/repositories.ts"
import { options, TestService } from "../support/TestService.ts"

/** The service at this address of the primary. Standbys may be `maxLagMs` milliseconds late, by default so many that none is. */
export const service = (primary: string, standbys: ReadonlyArray<Server>, maxLagMs = 60_000) =>
  TestService.layerServer.pipe(
    Layer.provideMerge(httpLayer({ baseUrl: undefined, host: "127.0.0.1", port: 0 })),
    Layer.provideMerge(Layer.merge(App.layer(options), repositories)),
    Layer.provideMerge(Jobs.layerMemory),
    Layer.provideMerge(
      Database.layer({
        url: Redacted.make(primary),
        replicas: { urls: standbys.map(({ url }) => Redacted.make(url)), maxLagMs }
      })
    ),
    Layer.provide(Logger.layer([]))
  )

/** Waits until a standby answers reads with these needs. */
export const untilRead = (needs: Partial<Needs> = {}) =>
  Effect.flatMap(Database, ({ standbys }) =>
    pollUntil(
      "a standby that is read from",
      Effect.sync(() => standbys?.choose({ writes: [], seen: [], ...needs })),
      (standby) => standby !== undefined
    )
  )
