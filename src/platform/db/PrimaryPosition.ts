import * as BatchedQuery from "./BatchedQuery.ts"
import { Effect } from "effect"
import { Database } from "./Database.ts"
import { orDie } from "./DatabaseUnavailable.ts"
import { parseLsn, parseServer, serverName, type WalPosition } from "./Standbys.ts"

/**
 * Makes the effect that asks the primary for the place of its log. A server that has replayed it shows all that was committed before.
 * One statement answers all who ask at one moment.
 */
export const makePrimaryPosition = Effect.gen(function* () {
  const sql = yield* Database
  const position = sql.literal(`${serverName} as server, pg_current_wal_insert_lsn()::text as lsn`)
  const ask = yield* BatchedQuery.make((asked: ReadonlyArray<undefined>) =>
    Effect.flatMap(orDie(sql<{ readonly server: string; readonly lsn: string }>`select ${position}`), ([row]) => {
      if (row === undefined) return Effect.die(new Error("the primary did not say where its log is"))
      const found: WalPosition = { ...parseServer(row.server), lsn: parseLsn(row.lsn) }
      return Effect.succeed(asked.map(() => found))
    })
  )
  return Effect.suspend(() => ask(undefined))
})
