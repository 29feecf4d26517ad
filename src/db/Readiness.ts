import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Database } from "./Database.ts"
import * as Migrations from "./Migrations.ts"
import type { MigrationError } from "./MigrationError.ts"

/** Whether a service can work on a database, or why not: it is a standby, which takes no writes, or not migrated. */
export type Readiness = "ready" | "standby" | "unmigrated"

/** Asks a database that answers. */
export const check = Effect.fnUntraced(function* (
  sql: Database["Service"]
): Effect.fn.Return<Readiness, MigrationError | SqlError> {
  const [row] = yield* sql<{ readonly standby: boolean }>`select pg_is_in_recovery() as standby`
  if (row?.standby === true) return "standby"
  return (yield* Migrations.pending(sql)) ? "unmigrated" : "ready"
})
