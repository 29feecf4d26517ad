/**
 * The one way to change something: rows, timeline, events and jobs are committed in one transaction, or not at all
 * (docs/adr/0001-one-transaction-per-change.md). README.md introduces the files of this folder.
 */
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Actor } from "../auth/CurrentActor.ts"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import * as Transaction from "../db/Transaction.ts"
import { DryRun, report } from "./DryRun.ts"
import type { ChangeRecord } from "./ChangeRecord.ts"
import { eventsOf } from "./Events.ts"
import * as Recording from "./Recording.ts"
import { now } from "../fields/Time.ts"

/** A running change, which use-cases record what happened in. */
export interface Change {
  /** The time of all its rows. Later changes never have an earlier one; see `begin_change` in sql/0002_changes.sql. */
  readonly at: Date
  /** The id that all its rows get: the order of ids is that of times. See `begin_change`, too. */
  readonly transactionId: string
  readonly actor: Actor
  readonly newId: Effect.Effect<string>
  readonly record: (record: ChangeRecord) => void
  /**
   * Runs a part of the change in a savepoint. When the part fails or dies, its rows and the records that it made with the change
   * that it is given are dropped, and the change can continue. Records that were made before are written first. Parts can be
   * nested; concurrent ones run one after the other.
   */
  readonly attempt: <A, E, R>(part: (change: Change) => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/**
 * The clock that gives changes their time. In production it is that of the database, because it is one clock for all hosts. Tests set
 * `"application"` to use their own clock.
 */
export const ChangeClock = Context.Reference<"database" | "application">("changes/ChangeClock", {
  defaultValue: () => "database"
})

/** The change records of a change, or of a part of it. */
interface Recorded {
  readonly saved: Array<ChangeRecord>
  readonly unsaved: Array<ChangeRecord>
}

// Rolls a dry run back, with the value that it would return.
class RolledBack<A> {
  readonly value: A
  constructor(value: A) {
    this.value = value
  }
}

/** Whether a change record makes a timeline row or an event. Others only show in dry runs. */
const isWritten = ({ event, subjects, timeline }: ChangeRecord): boolean =>
  event !== undefined || (timeline !== undefined && subjects.length > 0)

const teamOf = (actor: Actor, { teamId }: ChangeRecord): string => teamId ?? actor.teamId

/** Commits changes. */
export class Changes extends Context.Service<
  Changes,
  {
    /** Runs `write` in a transaction and writes what it records. In a dry run, everything happens except the commit. */
    readonly commit: <A, E, R>(
      actor: Actor,
      write: (change: Change) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
  }
>()("changes/Changes") {
  static readonly layer = Layer.effect(
    Changes,
    Effect.gen(function* () {
      const sql = yield* Database
      const random = yield* SecureRandom.SecureRandom
      const recording = yield* Recording.make

      const begin = Effect.fnUntraced(function* (actor: Actor) {
        const source = yield* ChangeClock
        const time = source === "database" ? null : yield* now
        const [begun] = yield* orDie(
          sql<{ at: Date; transaction_id: string; number: string }>`
            select changed_at as at, transaction_id::text, nextval('action_numbers')::text as number
            from begin_change(${time}::timestamptz)`
        )
        if (begun === undefined) return yield* Effect.die(new Error("begin_change returned no row"))
        const { at, number, transaction_id } = begun
        return { actor, at, transactionId: transaction_id, numbers: [Number(number)] }
      })

      /** Writes the unsaved change records; `outboxes` are for the last call: the teams in which the transaction has events. */
      const save = Effect.fnUntraced(function* (
        begun: Recording.OpenTransaction,
        { saved, unsaved }: Recorded,
        outboxes: ReadonlyArray<string> = []
      ) {
        const records = unsaved.splice(0)
        yield* recording(begun, records.filter(isWritten), outboxes)
        for (const record of records) saved.push(record)
      })

      const openChange = (begun: Recording.OpenTransaction, recorded: Recorded): Change => ({
        at: begun.at,
        transactionId: begun.transactionId,
        actor: begun.actor,
        newId: random.uuidV7(),
        record: (record) => {
          recorded.unsaved.push(record)
        },
        attempt: <A, E, R>(part: (change: Change) => Effect.Effect<A, E, R>) =>
          Effect.gen(function* () {
            // First what happened before the part, so that rows are in the order of what happened.
            yield* save(begun, recorded)
            const ofPart: Recorded = { saved: [], unsaved: [] }
            const value = yield* Transaction.run(Effect.tap(part(openChange(begun, ofPart)), () => save(begun, ofPart)))
            for (const record of ofPart.saved) recorded.saved.push(record)
            return value
          }).pipe(Effect.provideService(Database, sql)) as Effect.Effect<A, E, R>
      })

      const commit = <A, E, R>(actor: Actor, write: (change: Change) => Effect.Effect<A, E, R>) =>
        Effect.gen(function* () {
          const dryRun = yield* DryRun
          const begun = yield* begin(actor)
          const recorded: Recorded = { saved: [], unsaved: [] }
          const value = yield* write(openChange(begun, recorded))
          const teamsWithEvents = new Set(
            [...recorded.saved, ...recorded.unsaved]
              .filter((record) => eventsOf(record).length > 0)
              .map((record) => teamOf(actor, record))
          )
          yield* save(begun, recorded, [...teamsWithEvents])
          if (dryRun === undefined) return value
          // What happens in other teams is not the caller's to see.
          report(
            dryRun,
            recorded.saved.filter((record) => teamOf(actor, record) === actor.teamId)
          )
          return yield* Effect.fail(new RolledBack(value))
        }).pipe(
          Transaction.run,
          Effect.provideService(Database, sql),
          Effect.catchIf(
            (error) => error instanceof RolledBack,
            ({ value }) => Effect.succeed(value)
          )
        ) as Effect.Effect<A, E, R>

      return Changes.of({ commit })
    })
  )
}
