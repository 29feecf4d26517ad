/**
 * Reads that standbys answer (docs/adr/0028-read-replicas.md). From top to bottom: places in the log of a server, and how they are spelt as
 * tokens (docs/behaviour/http.md#consistency); which standby may answer a read; where a read is sent, of which repositories know
 * nothing; and what asks each standby, and the primary, a few times a second how far it is.
 */
import { Cause, Context, Effect, Fiber, Redacted, type Scope } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import { DatabaseUnavailable } from "./DatabaseUnavailable.ts"
import type { SqlConnection, SqlError } from "effect/sql"
import type { Connections } from "./PoolUsage.ts"
import { PgConnection, type PgPool } from "@effect/sql-pg"
import { onWallClock } from "../Time.ts"

/** A server in one state of its history: the cluster, and the timeline, of which each promotion begins a new one. */
interface ServerName {
  /** The cluster's `system_identifier`. */
  readonly system: bigint
  readonly timeline: bigint
}

/** A place in the log of a server. */
export interface WalPosition extends ServerName {
  readonly lsn: bigint
}

const maxUnsigned = 2n ** 64n - 1n

/** Reads a position as Postgres writes it, such as `16/B374D848`. */
export const parseLsn = (text: string): bigint => {
  const [high = "", low = ""] = text.split("/")
  return BigInt(`0x${high}`) * 2n ** 32n + BigInt(`0x${low}`)
}

/** Reads the name of a server as {@link serverName} writes it. */
export const parseServer = (name: string): ServerName => {
  const [system = "", timeline = ""] = name.split(".")
  return { system: BigInt(system), timeline: BigInt(`0x${timeline}`) }
}

/**
 * The SQL of the name of a primary. It fails on a standby, which does not know its timeline. As text of a statement, not as a
 * fragment: it has no parameters.
 */
export const serverName =
  "((pg_control_system()).system_identifier || '.' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))"

const radix = 36
const numberPattern = /^[0-9a-z]{1,13}$/

const parseNumber = (text: string): bigint | undefined => {
  if (!numberPattern.test(text)) return undefined
  let value = 0n
  for (const digit of text) value = value * BigInt(radix) + BigInt(Number.parseInt(digit, radix))
  return value <= maxUnsigned ? value : undefined
}

/** Spells a position as a token. */
export const toToken = ({ lsn, system, timeline }: WalPosition): string =>
  [system, timeline, lsn].map((number) => number.toString(radix)).join(".")

/** Reads a token; undefined if it is none. */
export const parseToken = (token: string): WalPosition | undefined => {
  const [system, timeline, lsn, ...rest] = token.split(".").map(parseNumber)
  return system === undefined || timeline === undefined || lsn === undefined || rest.length > 0
    ? undefined
    : { system, timeline, lsn }
}

// Decides which standby may answer a read. Pure: times are milliseconds of this process, such as `performance.now()`.

/** Where the log of the primary was, at the latest, when this process asked for it. */
export interface Mark {
  readonly askedAt: number
  readonly lsn: bigint
}

/** What a standby says of itself. */
export interface Report {
  readonly isStandby: boolean
  readonly system: bigint
  /** Whether it has replayed what was written on the primary's timeline. */
  readonly hasTimeline: boolean
  /** How far it has replayed the log. */
  readonly replayed: bigint
  /** The oldest transaction that had not ended there. */
  readonly horizon: bigint
}

/** What a read needs of a standby besides not being late. */
export interface Needs {
  /** The writes that its caller must see; undefined when they are not known, so that only the primary may answer. */
  readonly writes: ReadonlyArray<WalPosition> | undefined
  /** Transactions that the caller has seen: all before a horizon, on the server with that name. */
  readonly seen: ReadonlyArray<{ readonly server: string; readonly horizon: string }>
}

/** Why a standby is not read from. */
export type Refusal = "promoted" | "foreign" | "diverged" | "late"

/** The marks after one more. Of those that are older than `maxLag`, none can show that a standby is not late. */
export const withMark = (marks: ReadonlyArray<Mark>, mark: Mark, maxLag: number): ReadonlyArray<Mark> => [
  ...marks.filter(({ askedAt }) => mark.askedAt - askedAt <= maxLag),
  mark
]

/**
 * The time up to which a standby has everything: when the primary was asked for the latest mark that it has replayed. The time of the
 * last transaction that it replayed says less, since a primary that writes nothing gets no older.
 */
export const caughtUpTo = (marks: ReadonlyArray<Mark>, replayed: bigint): number =>
  marks.findLast(({ lsn }) => lsn <= replayed)?.askedAt ?? -Infinity

/** Why a standby with this report may not be read from; undefined if it may. */
export const refusalOf = (
  report: Report,
  primary: ServerName & { readonly marks: ReadonlyArray<Mark> },
  { maxLag, now }: { readonly maxLag: number; readonly now: number }
): Refusal | undefined => {
  if (!report.isStandby) return "promoted"
  if (report.system !== primary.system) return "foreign"
  if (!report.hasTimeline) return "diverged"
  return now - caughtUpTo(primary.marks, report.replayed) <= maxLag ? undefined : "late"
}

/**
 * Whether a standby of the primary has replayed a write. It has the primary's timeline, and with it all that this one took over from
 * former ones: what it did not take over is lost, and no server has it. Of a later timeline this process has not heard.
 */
const hasReplayed = (replayed: bigint, primary: ServerName, write: WalPosition): boolean =>
  write.system === primary.system && write.timeline <= primary.timeline && write.lsn <= replayed

/** Whether a standby shows everything that a read needs. */
export const meets = (
  { horizon, replayed }: Pick<Report, "horizon" | "replayed">,
  primary: ServerName & { readonly name: string },
  { seen, writes }: Needs
): boolean =>
  writes !== undefined &&
  writes.every((write) => hasReplayed(replayed, primary, write)) &&
  seen.every((one) => one.server !== primary.name || BigInt(one.horizon) <= horizon)

// Reads that a standby may answer: lists, deltas, searches, timelines and the journal. Where they are read is decided here, and for the
// whole read: repositories do not know of it. See docs/adr/0028-read-replicas.md.

/** A standby that answers reads. */
interface Standby {
  /** Its host and port, for logs. */
  readonly address: string
  readonly connections: Connections
  /** A connection of the caller's own for a read that can be slow (see usecase/TeamBudget.ts). */
  readonly slowReads: SqlConnection.Acquirer
  /** The name of the primary that it follows. */
  readonly serverName: string
  /** Calls `listener` when the standby stops answering. Returns a function that forgets the listener. */
  readonly onLoss: (listener: () => void) => () => void
}

/** The standby that the running read is sent to. Statements in transactions are sent to the primary all the same. */
export const CurrentStandby = Context.Reference<Standby | undefined>("platform/db/CurrentStandby", {
  defaultValue: () => undefined
})

/** The standbys of a process. */
export interface Standbys {
  /** One that meets the needs of a read; undefined if none does. */
  readonly choose: (needs: Needs) => Standby | undefined
  readonly lags: () => ReadonlyArray<StandbyLag>
}

/** How late a standby is. */
export interface StandbyLag {
  /** Its place in `DATABASE_REPLICA_URLS`, from 1. */
  readonly number: number
  /** Since when it lacks something of the primary, or does not answer, as far as the process knows. */
  readonly seconds: number
  /** Whether reads are sent to it. */
  readonly isRead: boolean
}

/** Leave to read from standbys. Without it, everything is read from the primary. */
export interface Leave {
  readonly standbys: Standbys
  /** The writes that the caller must see; undefined where they are not known, which leaves the primary. */
  readonly writes: ReadonlyArray<WalPosition> | undefined
}

/** The leave of the running request. */
export const StandbyLeave = Context.Reference<Leave | undefined>("platform/db/StandbyLeave", {
  defaultValue: () => undefined
})

const isOfDatabase = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(
    (reason) => Cause.isDieReason(reason) && (reason.defect instanceof DatabaseUnavailable || isSqlError(reason.defect))
  )

/** Waits for a read at a standby. It is given up when the standby is lost: one that hangs reports no error. */
const unlessLost = <A, E>(fiber: Fiber.Fiber<A, E>, standby: Standby): Effect.Effect<A, E> => {
  const already = fiber.pollUnsafe()
  if (already !== undefined) return already
  return Effect.callback<A, E>((resume) => {
    const forget = standby.onLoss(() => {
      resume(Effect.die(new DatabaseUnavailable({ cause: "the standby does not answer" })))
      // Not awaited: a hanging statement needs seconds to stop.
      fiber.interruptUnsafe()
    })
    fiber.addObserver((exit) => {
      forget()
      resume(exit)
    })
    return Effect.suspend(() => {
      forget()
      return Fiber.interrupt(fiber)
    })
  })
}

const readAt = <A, E, R>(standby: Standby, read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(
    Effect.forkDetach(Effect.provideService(read, CurrentStandby, standby), { startImmediately: true }),
    (fiber) => unlessLost(fiber, standby)
  )

/**
 * Runs a read at a standby if the request may do so and one shows what it has `seen`, else on the primary. `accept` gets the read at the
 * standby, which is run on the primary if the database fails there, and the read on the primary.
 */
const orPrimary = <A, E, R>(
  read: Effect.Effect<A, E, R>,
  seen: Needs["seen"],
  accept: (answered: Effect.Effect<A, E, R>, onPrimary: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const leave = fiber.getRef(StandbyLeave)
    if (leave === undefined || fiber.getRef(CurrentStandby) !== undefined) return read
    const standby = leave.standbys.choose({ writes: leave.writes, seen })
    // Decided for all of the read: a part of it would not know what it must show.
    const onPrimary = Effect.provideService(read, StandbyLeave, undefined)
    if (standby === undefined) return onPrimary
    const answered = Effect.catchCauseIf(readAt(standby, read), isOfDatabase, (cause) =>
      Effect.logDebug("A standby failed; the primary answers.", cause).pipe(
        Effect.annotateLogs("standby", standby.address),
        Effect.andThen(onPrimary)
      )
    )
    return accept(answered, onPrimary)
  })

/**
 * Runs a read at a standby if the request may do so and one shows what the caller has `seen`, else on the primary. If the database
 * fails there, for whatever reason, it is run again on the primary: it must write nothing.
 */
export const atStandby = <A, E, R>(read: Effect.Effect<A, E, R>, seen: Needs["seen"] = []): Effect.Effect<A, E, R> =>
  orPrimary(read, seen, (answered) => answered)

/** Runs a read as {@link atStandby} does, and again on the primary if what a standby answers does not suffice, or is a refusal. */
export const atStandbyIf = <A, E, R>(
  read: Effect.Effect<A, E, R>,
  suffices: (value: A) => boolean
): Effect.Effect<A, E, R> =>
  orPrimary(read, [], (answered, onPrimary) =>
    Effect.matchEffect(answered, {
      onFailure: () => onPrimary,
      onSuccess: (value) => (suffices(value) ? Effect.succeed(value) : onPrimary)
    })
  )

// Knows the standbys of a process: asks each of them, and the primary, a few times a second how far it is.

/** A standby, and the connections to it. */
export interface Opened {
  readonly config: PgPool.Config & { readonly url: Redacted.Redacted<string> }
  readonly shared: { readonly connections: Connections }
  readonly slowReads: { readonly connection: SqlConnection.Acquirer }
}

const checkInterval = "250 millis"

/** A server that takes longer does not answer. */
const answerTimeout = "1 second"

/** The least time between two log lines about one standby, in milliseconds. */
const logInterval = 10_000

// Null on a standby.
const askPrimary = `
  select case when not pg_is_in_recovery() then ${serverName} end,
    case when not pg_is_in_recovery() then pg_current_wal_flush_lsn()::text end`

// What the primary writes once on each timeline: a standby that shows it follows the primary there, and does not go on by itself.
const recordTimeline = "insert into server_timelines (name) values ($1) on conflict do nothing"

const askStandby = `
  select pg_is_in_recovery(), (pg_control_system()).system_identifier::text,
    exists (select from server_timelines where name = $1),
    coalesce(pg_last_wal_replay_lsn()::text, '0/0'), pg_snapshot_xmin(pg_current_snapshot())::text`

interface Primary extends ServerName {
  readonly name: string
  readonly marks: ReadonlyArray<Mark>
}

type State = "unknown" | "ready" | "unreachable" | Refusal

const meaning: Readonly<Record<Exclude<State, "unknown">, string>> = {
  ready: "A standby answers reads.",
  unreachable: "A standby does not answer. The primary answers its reads.",
  promoted: "A standby was promoted, and is none any more. The primary answers its reads.",
  foreign: "What DATABASE_REPLICA_URLS names is a standby of another server. The primary answers its reads.",
  diverged: "A standby does not follow the primary since that one was promoted. The primary answers its reads.",
  late: "A standby is late. The primary answers its reads."
}

/** Asks a server again and again on a connection of its own; opens another one when it does not answer. */
const watch = (
  config: PgPool.Config,
  check: (connection: PgConnection.PgConnection) => Effect.Effect<void, SqlError.SqlError>,
  onFailure: Effect.Effect<void>
): Effect.Effect<never, never, Scope.Scope> =>
  // On a connection that is shared, an interrupted statement is not waited for.
  PgConnection.make({ ...config, connectTimeout: answerTimeout, multiplex: true }).pipe(
    Effect.flatMap((connection) =>
      check(connection).pipe(Effect.timeout(answerTimeout), Effect.andThen(Effect.sleep(checkInterval)), Effect.forever)
    ),
    Effect.scoped,
    Effect.catchCause(() => Effect.andThen(onFailure, Effect.sleep(checkInterval))),
    Effect.forever
  )

const addressOf = (url: string): string => {
  const { host, searchParams } = new URL(url)
  return searchParams.get("host") ?? host
}

/** Watches the standbys of a primary for as long as the scope is open. None is chosen that is more than `maxLag` milliseconds late. */
export const makeStandbys = Effect.fnUntraced(function* (
  primaryConfig: PgPool.Config,
  opened: ReadonlyArray<Opened>,
  maxLag: number
): Effect.fn.Return<Standbys, never, Scope.Scope> {
  let primary: Primary | undefined

  const checkPrimary = Effect.fnUntraced(function* (connection: PgConnection.PgConnection) {
    const askedAt = performance.now()
    const [[name, lsn] = []] = yield* connection.queryValues(askPrimary)
    if (typeof name !== "string" || typeof lsn !== "string") {
      primary = undefined
      return
    }
    if (primary?.name !== name) yield* connection.queryValues(recordTimeline, [name])
    const marks = primary?.name === name ? primary.marks : []
    primary = { name, ...parseServer(name), marks: withMark(marks, { askedAt, lsn: parseLsn(lsn) }, maxLag) }
  })

  const members = opened.map(({ config, shared: { connections }, slowReads: { connection: slowReads } }) => {
    const address = addressOf(Redacted.value(config.url))
    const listeners = new Set<() => void>()
    const onLoss = (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
    let report: (Report & { readonly askedFor: string }) | undefined
    let caughtUpAt = performance.now()
    let logged: State = "unknown"
    let loggedAt = -Infinity

    const refusal = (known: Primary, now: number): Refusal | "unreachable" | undefined =>
      report === undefined
        ? "unreachable"
        : refusalOf({ ...report, hasTimeline: report.hasTimeline && report.askedFor === known.name }, known, {
            maxLag,
            now
          })

    const log = Effect.suspend(() => {
      const now = performance.now()
      if (primary === undefined || now - loggedAt < logInterval) return Effect.void
      const state = refusal(primary, now) ?? "ready"
      if (state === logged) return Effect.void
      logged = state
      loggedAt = now
      return (state === "ready" ? Effect.logInfo(meaning[state]) : Effect.logWarning(meaning[state])).pipe(
        Effect.annotateLogs("standby", address)
      )
    })

    const check = Effect.fnUntraced(function* (connection: PgConnection.PgConnection) {
      const askedFor = primary?.name ?? ""
      const [[isStandby, system, hasTimeline, replayed, horizon] = []] = yield* connection.queryValues(askStandby, [
        askedFor
      ])
      report = {
        askedFor,
        isStandby: isStandby === true,
        system: BigInt(String(system)),
        hasTimeline: hasTimeline === true,
        replayed: parseLsn(String(replayed)),
        horizon: BigInt(String(horizon))
      }
      if (primary !== undefined) caughtUpAt = Math.max(caughtUpAt, caughtUpTo(primary.marks, report.replayed))
      yield* log
    })

    const lose = Effect.suspend(() => {
      report = undefined
      for (const listener of listeners) listener()
      return log
    })

    /** The standby, if it meets the needs of a read. */
    const offer = (known: Primary, needs: Needs): Standby | undefined =>
      report !== undefined && refusal(known, performance.now()) === undefined && meets(report, known, needs)
        ? { address, connections, slowReads, onLoss, serverName: known.name }
        : undefined

    const lag = (number: number): StandbyLag => {
      const at = performance.now()
      const isRead = primary !== undefined && refusal(primary, at) === undefined
      return { number, seconds: Math.max(0, at - caughtUpAt) / 1000, isRead }
    }

    return { lag, offer, watch: watch(config, check, lose) }
  })

  yield* Effect.forEach(
    [watch(primaryConfig, checkPrimary, Effect.void), ...members.map((member) => member.watch)],
    (watching) => watching.pipe(Effect.withTracerEnabled(false), onWallClock, Effect.forkScoped),
    { discard: true }
  )

  let turn = 0
  return {
    choose: (needs) => {
      if (primary === undefined) return undefined
      turn += 1
      for (let index = 0; index < members.length; index++) {
        const standby = members[(turn + index) % members.length]?.offer(primary, needs)
        if (standby !== undefined) return standby
      }
      return undefined
    },
    lags: () => members.map(({ lag }, index) => lag(index + 1))
  }
})
