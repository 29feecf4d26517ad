/** Knows the standbys of a process: asks each of them, and the primary, a few times a second how far it is. */
import { PgConnection, type PgPool } from "@effect/sql-pg"
import { Effect, Redacted, type Scope } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import type { Connections } from "./PoolUsage.ts"
import { onWallClock } from "./WallClock.ts"
import type { Standby, Standbys } from "./StandbyReads.ts"
import { type Mark, meets, type Needs, type Refusal, refusalOf, type Report, withMark } from "./StandbyChoice.ts"
import { parseLsn, parseServer, type ServerName, serverName } from "./WalPosition.ts"

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
export const make = Effect.fnUntraced(function* (
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

    return { offer, watch: watch(config, check, lose) }
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
    }
  }
})
