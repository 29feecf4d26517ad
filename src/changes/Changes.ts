/**
 * The one way to change something: the rows, the timeline, the events and the jobs commit in one transaction, or not
 * at all (ARCHITECTURE.md, One change, one transaction).
 */
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Actor } from "../auth/CurrentActor.ts"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import * as Transaction from "../db/Transaction.ts"
import * as Id from "../Id.ts"
import { affecting, DryRun } from "./DryRun.ts"
import type { ChangeRecord } from "./ChangeRecord.ts"
import * as Recording from "./Recording.ts"
import { now } from "../fields/Span.ts"

/** A running change: its time, which every row of it gets, and what happened so far. */
export interface Change {
  /** Later changes never have an earlier time; see `begin_change` in sql/. */
  readonly at: Date
  readonly actor: Actor
  readonly newId: Effect.Effect<string>
  readonly record: (record: ChangeRecord) => void
  /**
   * Runs a part of the change in a savepoint: when it fails or dies, nothing of it stays, neither its rows nor what it
   * recorded with the change that it is given, and the change can go on. What was recorded before is written before it.
   * Parts may have parts; two that are begun at once run one after the other.
   */
  readonly attempt: <A, E, R>(part: (change: Change) => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/**
 * Where the time of changes comes from. The database's clock in production: it is one clock, whichever host writes.
 * Tests set `"application"`, so that their clock rules.
 */
export const ChangeClock = Context.Reference<"database" | "application">("changes/ChangeClock", {
  defaultValue: () => "database"
})

interface RolledBack {
  readonly _tag: "RolledBack"
}

interface Ran<A> {
  readonly value: A
  readonly written: ReadonlyArray<ChangeRecord>
  readonly left: ReadonlyArray<ChangeRecord>
}

const leavesSomething = ({ event, subjects, timeline }: ChangeRecord): boolean =>
  event !== undefined || (timeline !== undefined && subjects.length > 0)

/** Commits changes. */
export class Changes extends Context.Service<
  Changes,
  {
    /**
     * Runs `write` in a transaction and records what it says happened. With `Prefer: dry-run` everything is done but
     * the commit.
     */
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

      /** Writes what leaves a row or an event; of the rest only a dry run tells. */
      const record = (
        begun: Recording.OpenTransaction,
        changeRecords: ReadonlyArray<ChangeRecord>,
        promises: boolean
      ) => recording(begun, changeRecords.filter(leavesSomething), promises)

      const begin = Effect.fnUntraced(function* (actor: Actor) {
        const source = yield* ChangeClock
        const time = source === "database" ? null : yield* now
        const [begun] = yield* orDie(
          sql<{ at: Date; transaction_id: string; number: string }>`
            select changed_at as at, transaction_id::text, nextval('action_numbers')::text as number
            from begin_change(${time}::timestamptz)`
        )
        if (begun === undefined) return yield* Effect.die(new Error("begin_change answered nothing"))
        const { at, number, transaction_id } = begun
        return { actor, at, transactionId: transaction_id, numbers: [Number(number)] }
      })

      /** Runs a change, or a part of it. Answers what happened in it too: what was written, and what is left to write. */
      const run = Effect.fnUntraced(function* <A, E, R>(
        begun: Recording.OpenTransaction,
        write: (change: Change) => Effect.Effect<A, E, R>
      ): Effect.fn.Return<Ran<A>, E, R> {
        const written: Array<ChangeRecord> = []
        const left: Array<ChangeRecord> = []
        const attempt = <A, E, R>(part: (change: Change) => Effect.Effect<A, E, R>) =>
          Effect.gen(function* () {
            // In the order in which it happened.
            const before = left.splice(0)
            yield* record(begun, before, false)
            for (const record of before) written.push(record)
            const ran = yield* Transaction.run(Effect.tap(run(begun, part), ({ left }) => record(begun, left, false)))
            for (const record of [...ran.written, ...ran.left]) written.push(record)
            return ran.value
          }).pipe(Effect.provideService(Database, sql)) as Effect.Effect<A, E, R>
        const value = yield* write({
          at: begun.at,
          actor: begun.actor,
          newId: random.uuidV7(),
          record: (record) => {
            left.push(record)
          },
          attempt
        })
        return { value, written, left }
      })

      const commit = <A, E, R>(actor: Actor, write: (change: Change) => Effect.Effect<A, E, R>) =>
        Effect.gen(function* () {
          const dryRun = yield* DryRun
          let rehearsed: A | undefined
          const transaction = Effect.gen(function* () {
            const begun = yield* begin(actor)
            const { left, value, written } = yield* run(begun, write)
            const changeRecords = [...written, ...left]
            yield* record(
              begun,
              left,
              changeRecords.some(({ event }) => event !== undefined)
            )
            if (dryRun === undefined) return value
            const told = changeRecords.map(({ change, event, resource }) => {
              const id = Id.fromUuid(resource.type, resource.id)
              if (event !== undefined) dryRun.events.push({ event: event.type, resource_id: id })
              return { type: Id.nounOf(resource.type), id, change }
            })
            dryRun.affected = affecting(dryRun.affected, told)
            rehearsed = value
            return yield* Effect.fail<RolledBack>({ _tag: "RolledBack" })
          })
          return yield* Transaction.run(transaction).pipe(
            Effect.provideService(Database, sql),
            Effect.catchIf(
              (error): error is RolledBack & typeof error =>
                typeof error === "object" && error !== null && "_tag" in error && error._tag === "RolledBack",
              () => Effect.succeed(rehearsed as A)
            )
          ) as Effect.Effect<A, E, R>
        })

      return Changes.of({ commit })
    })
  )
}
