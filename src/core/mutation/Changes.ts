/**
 * The one way to change something: rows, timeline, events and jobs are committed in one transaction, or not at all
 * (docs/adr/0001-one-transaction-per-change.md). README.md introduces the files of this folder.
 */
import * as Transaction from "../../platform/db/Transaction.ts"
import * as Recording from "./Recording.ts"
import * as Id from "../Id.ts"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { type Actor, systemOf } from "../auth/CurrentActor.ts"
import { inTeam } from "../../platform/db/Cells.ts"
import { Database } from "../../platform/db/Database.ts"
import { type Cause, type ChangeRecord, DryRun, eventsOf, reportChanges } from "./ChangeRecord.ts"
import { type Begun, makeBeginChange } from "./Recording.ts"
import { now } from "../../platform/Time.ts"

/** A running change, which use-cases record what happened in. */
export interface Change {
  /**
   * The time of all its rows in the actor's team. Later changes there never have an earlier one; see `begin_change` in
   * sql/0004_changes.sql.
   */
  readonly at: Date
  /** The id that all its rows in the actor's team get, which later changes there have greater ones of. */
  readonly transactionId: string
  readonly actor: Actor
  readonly newId: Effect.Effect<string>
  readonly record: (record: ChangeRecord) => void
  /** Writes what was recorded so far, of a change that records much. The rest is written at its end. */
  readonly writeRecords: Effect.Effect<void>
  /**
   * Runs a part of the change in a savepoint. When the part fails or dies, its rows and the records that it made with the change
   * that it is given are dropped, and the change can continue. Records that were made before are written first. Parts can be
   * nested; concurrent ones run one after the other.
   */
  readonly attempt: <A, E, R>(part: (change: Change) => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** The id and time of what it does in each of these teams (UUIDs). Only `inTeams` needs it (Crossing.ts). */
  readonly beginIn: (teamIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, Begun>>
}

/**
 * The clock that gives changes their time. In production it is that of the database, because it is one clock for all hosts. Tests set
 * `"application"` to use their own clock.
 */
export const ChangeClock = Context.Reference<"database" | "application">("core/mutation/ChangeClock", {
  defaultValue: () => "database"
})

const teamOf = (actor: Actor, { teamId }: ChangeRecord): string => teamId ?? actor.teamId

/** Commits changes. */
export class Changes extends Context.Service<
  Changes,
  {
    /**
     * Runs `write` in a transaction and writes what it records. In a dry run, everything happens except the commit. `lock` takes locks that
     * can be named beforehand, and looks up what they are for: it is sent with what begins the change.
     */
    readonly commit: <A, E, R, Locked = void>(
      actor: Actor,
      write: (change: Change, locked: Locked) => Effect.Effect<A, E, R>,
      lock?: Effect.Effect<Locked>
    ) => Effect.Effect<A, E, R>
  }
>()("core/mutation/Changes") {
  static readonly layer = Layer.effect(
    Changes,
    Effect.gen(function* () {
      const sql = yield* Database
      const random = yield* SecureRandom.SecureRandom
      const save = yield* Recording.make
      const beginChange = makeBeginChange(sql)

      const begin = Effect.fnUntraced(function* (actor: Actor) {
        const source = yield* ChangeClock
        const time = source === "database" ? null : yield* now
        const { begun: own, numbers } = yield* beginChange.begin(actor.teamId, time)
        const open: Recording.OpenTransaction = {
          actor,
          begun: new Map([[actor.teamId, own]]),
          numbers
        }
        return { open, own }
      })

      /** Begins the change in further teams, at its time or, where a later one was given before, at that. */
      const beginIn = Effect.fnUntraced(function* (
        { begun }: Recording.OpenTransaction,
        { at }: Begun,
        teamIds: ReadonlyArray<string>
      ): Effect.fn.Return<ReadonlyMap<string, Begun>> {
        const further = [...new Set(teamIds)].filter((teamId) => !begun.has(teamId))
        if (further.length === 0) return begun
        const rows = yield* beginChange.beginIn(further, at)
        for (const { teamId, ...row } of rows) if (!begun.has(teamId)) begun.set(teamId, row)
        return begun
      })

      const openChange = (
        { open, own }: Effect.Success<ReturnType<typeof begin>>,
        recorded: Recording.Recorded
      ): Change => ({
        ...own,
        actor: open.actor,
        newId: random.uuidV7(),
        record: (record) => {
          recorded.unsaved.push(record)
        },
        writeRecords: save(open, recorded),
        attempt: <A, E, R>(part: (change: Change) => Effect.Effect<A, E, R>) =>
          Effect.gen(function* () {
            // First what happened before the part, so that rows are in the order of what happened.
            yield* save(open, recorded)
            const ofPart: Recording.Recorded = { saved: [], unsaved: [] }
            const value = yield* Transaction.run(
              Effect.tap(part(openChange({ open, own }, ofPart)), () => save(open, ofPart))
            )
            for (const record of ofPart.saved) recorded.saved.push(record)
            return value
          }).pipe(Effect.provideService(Database, sql)) as Effect.Effect<A, E, R>,
        beginIn: (teamIds) => beginIn(open, own, teamIds)
      })

      const commit = <A, E, R, Locked = void>(
        actor: Actor,
        write: (change: Change, locked: Locked) => Effect.Effect<A, E, R>,
        lock: Effect.Effect<Locked> = Effect.void as Effect.Effect<never>
      ) =>
        Effect.flatMap(DryRun, (dryRun) => {
          const writing = Effect.gen(function* () {
            const [begun, locked] = yield* Transaction.together(begin(actor), lock)
            const recorded: Recording.Recorded = { saved: [], unsaved: [] }
            const value = yield* write(openChange(begun, recorded), locked)
            const teamsWithEvents = new Set(
              [...recorded.saved, ...recorded.unsaved]
                .filter((record) => eventsOf(record).length > 0)
                .map((record) => teamOf(actor, record))
            )
            yield* save(begun.open, recorded, [...teamsWithEvents])
            if (dryRun !== undefined) {
              // What happens in other teams is not the caller's to see.
              reportChanges(
                dryRun,
                recorded.saved.filter((record) => teamOf(actor, record) === actor.teamId)
              )
            }
            return value
          })
          return dryRun === undefined ? Transaction.run(writing) : Transaction.runAndRollBack(writing)
        }).pipe(inTeam(actor.teamId), Effect.provideService(Database, sql)) as Effect.Effect<A, E, R>

      return Changes.of({ commit })
    })
  )
}

// What follows from what: the causes of change records. See docs/behaviour/webhooks.md#causes.

/** The event that names a change record as the cause of others. */
export const causeOf = (record: ChangeRecord): Cause | undefined => {
  const [event] = eventsOf(record)
  return event === undefined ? undefined : { event: event.type, resource: record.resource }
}

/**
 * The change, for what follows from something else that it does: its records get the cause that `find` returns for them, unless they
 * have one. Those of other teams get none: the ids of this one are not for them.
 */
export const following = (change: Change, find: (record: ChangeRecord) => Cause | undefined): Change => ({
  ...change,
  record: (record) => {
    const isOwn = record.teamId === undefined || record.teamId === change.actor.teamId
    const cause = record.cause ?? (isOwn ? find(record) : undefined)
    change.record(cause === undefined ? record : { ...record, cause })
  }
})

/** The cause of what follows from the deletion of this contact, company or property, by its public id. */
export const deletionOf = (
  type: "company" | "contact" | "property",
  id: string | null | undefined
): Cause | undefined => {
  const uuid = Id.toUuid(type, id ?? "")
  return uuid === undefined ? undefined : { event: `${type}.deleted`, resource: { type, id: uuid } }
}

/** The cause of what follows from the restore of this record (UUID). */
export const restoreOf = (type: "company" | "contact" | "property", uuid: string): Cause => ({
  event: `${type}.restored`,
  resource: { type, id: uuid }
})

/** The change, for what follows from the deletion of those contacts or companies that its records name. */
export const followingDeletions = (change: Change, type: "company" | "contact"): Change =>
  following(change, ({ names }) => deletionOf(type, names?.[`${type}_id`]))

// Changes that cross teams: what one team does reaches another one in the same transaction. What they write in the other team is read
// and written as that team, with an id and a time of the order that it has there, and what they record there names no user of this one.

const crossing = (change: Change, teamId: string, begun: Pick<Change, "at" | "transactionId">): Change => ({
  ...change,
  ...begun,
  actor: { ...systemOf(teamId), origin: change.actor.origin },
  record: (record) => change.record({ actor: { userId: null, clientId: null }, teamId, ...record }),
  attempt: (part) => change.attempt((within) => part(crossing(within, teamId, begun)))
})

/**
 * Makes the change, for what it does in any of these teams (UUIDs): repositories filter by that team, and its records belong to it. One
 * statement begins it in all of them.
 */
export const inTeams = Effect.fnUntraced(function* (change: Change, teamIds: ReadonlyArray<string>) {
  const begun = yield* change.beginIn(teamIds)
  return (teamId: string): Change => {
    const found = begun.get(teamId)
    if (found === undefined) throw new Error("the change was not begun in the team")
    return crossing(change, teamId, found)
  }
})

/** Runs what the change does in another team (UUID), where it reads and writes that team's rows. */
export const crossInto = <A, E, R>(
  change: Change,
  teamId: string,
  run: (there: Change) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => inTeam(teamId)(Effect.flatMap(inTeams(change, [teamId]), (of) => run(of(teamId))))
