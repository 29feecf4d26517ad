import * as Migrations from "./Migrations.ts"
import { Effect } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { Database } from "./Database.ts"
import { isOfStandby } from "./DatabaseUnavailable.ts"
import type { MigrationError } from "./MigrationFiles.ts"

/** Whether a service can work on a database, or why not: it is a standby, which takes no writes, or not migrated. */
export type Readiness = "ready" | "standby" | "unmigrated"

/** Asks a database that answers. */
export const check = Effect.fnUntraced(
  function* (sql: Database["Service"]): Effect.fn.Return<Readiness, MigrationError | SqlError> {
    // It fails on a standby, whose connection is given up then: the next one may lead to the primary.
    yield* sql`select pg_current_wal_insert_lsn() is not null as is_primary`
    return (yield* Migrations.pending(sql)) ? ("unmigrated" as const) : ("ready" as const)
  },
  Effect.catchIf(
    (error) => isSqlError(error) && isOfStandby(error),
    () => Effect.succeed("standby" as const)
  )
)
