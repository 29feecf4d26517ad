/** Fan-outs that tests start without a job. */
import { Effect } from "effect"
import { Database } from "../../src/platform/db/Database.ts"
import { Dispatcher } from "../../src/webhooks/deliveries/Dispatcher.ts"
import type { fanOut as fanOutJob } from "../../src/core/mutation/Event.ts"

/** A committed transaction of a team. */
export type Committed = typeof fanOutJob.payload.Type

/** Inserts the row of an outstanding fan-out, as the transaction of a change does. */
export const insertFanOut = ({ at, teamId, transactionId }: Committed) =>
  Effect.flatMap(
    Database,
    (sql) => sql`
      insert into fan_outs (team_id, transaction_id, at)
      values (${teamId}, ${transactionId}::xid8, ${at}::timestamptz) on conflict do nothing`
  ).pipe(Effect.orDie)

/** Fans a transaction out, even if a job has done so before. */
export const fanOut = (committed: Committed) =>
  Effect.andThen(
    insertFanOut(committed),
    Effect.flatMap(Dispatcher, (dispatcher) => dispatcher.fanOut(committed))
  )
