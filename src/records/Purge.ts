/** How records are removed for good: their timelines first, and then they. */
import { Effect } from "effect"
import { Timelines } from "../changes/Timelines.ts"
import { Database } from "../db/Database.ts"
import * as Transaction from "../db/Transaction.ts"

/** Which records go, and how. They are named by their UUIDs. */
export interface PurgeCandidates {
  /** Some that are to go, at most `limit`, which nobody else can write until the transaction ends. */
  readonly purgeCandidates: (limit: number) => Effect.Effect<ReadonlyArray<string>>
  /** Removes these, whose timelines are empty. */
  readonly remove: (uuids: ReadonlyArray<string>) => Effect.Effect<void>
}

/**
 * Makes a step of a removal for good: rows of the timelines of records, and then they, at most `limit`. It answers how many
 * there were; 0 when nothing is left to do. Each step is a transaction, and the next one goes on where it ended.
 */
export const make = Effect.gen(function* () {
  const sql = yield* Database
  const timelines = yield* Timelines
  return ({ purgeCandidates, remove }: PurgeCandidates) =>
    (limit: number): Effect.Effect<number> =>
      Effect.gen(function* () {
        // Locked as long as this lasts: what became part of another meanwhile, or came back, took its timeline along.
        const uuids = yield* purgeCandidates(limit)
        if (uuids.length === 0) return 0
        const rows = yield* timelines.clear(uuids, limit)
        if (rows > 0) return rows
        yield* remove(uuids)
        return uuids.length
      }).pipe(Transaction.run, Effect.provideService(Database, sql))
})
