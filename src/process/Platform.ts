/** What the service stands on in every process, and what each process reports about itself. */
import * as Metrics from "./metrics/Metrics.ts"
import * as Tracing from "../platform/telemetry/Tracing.ts"
import * as Announcement from "./Listening.ts"
import * as DatabaseWatch from "./DatabaseStart.ts"
import * as Logging from "./Logging.ts"
import { Layer, type Redacted } from "effect"
import type { Settings } from "../platform/Config.ts"
import { Database, type Replicas } from "../platform/db/Database.ts"

/** The database with the standbys that answer reads, traces and logs. Postgres shows the `applicationName` beside the connections. */
export const layer = (
  settings: Settings,
  database: {
    readonly url: Redacted.Redacted<string>
    readonly replicas?: Replicas | undefined
    readonly applicationName?: string
  }
) =>
  Database.layer({
    ...database,
    citus: settings.citus,
    slowQueryMs: settings.slowQueryMs,
    slowReadMs: settings.searchTimeoutMs
  }).pipe(Layer.provideMerge(Tracing.layer(settings.telemetry)), Layer.provideMerge(Logging.layer(settings.logLevel)))

/** Metrics, and log lines about the database and about webhooks that are off. */
export const reports = (settings: Settings) =>
  Layer.mergeAll(Metrics.layer(settings), DatabaseWatch.layer, Announcement.webhooksOff(settings))
