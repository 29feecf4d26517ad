/**
 * Multiplies what a team has. Every row of every table of teams is copied, with ids, times and unique texts of its own, so that a table that
 * is added later grows as well. A copy refers to the copies of what its original refers to, and to what is kept as it is.
 */
import * as Id from "../../src/core/Id.ts"
import { Effect } from "effect"
import { tablesOf, type TeamTable } from "../../src/platform/db/TeamTables.ts"
import type { Database } from "../../src/platform/db/Database.ts"
import * as Bulk from "./Bulk.ts"
import * as contacts from "./contacts.ts"

/** The time between a copy and the next, which is older. */
const secondsApart = 1

/** The UUID of copy number `copy` of a row: that of its original with the time of the copy, and the same random part. */
export const uuidOfCopy = (uuid: string, copy: number): string => {
  const hex = uuid.replaceAll("-", "")
  const time = BigInt.asUintN(64, BigInt(`0x${hex.slice(0, 16)}`) - BigInt(copy) * BigInt(secondsApart * 1000 * 65_536))
  return `${time.toString(16).padStart(16, "0")}${hex.slice(16)}`.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

/** A text of copy number `copy`: with the public ids of the copies, but for those whose UUIDs are kept. */
export const textOfCopy = (text: string, kept: ReadonlySet<string>, copy: number): string =>
  text.replaceAll(/\b[a-z]+_[0-7][0-9a-z]{25}\b/g, (id) => {
    const prefix = Id.prefixOf(id)
    const uuid = prefix === undefined ? undefined : Id.toUuid(prefix, id)
    return prefix === undefined || uuid === undefined || kept.has(uuid)
      ? id
      : Id.fromUuid(prefix, uuidOfCopy(uuid, copy))
  })

const functions = [
  `create function pg_temp.uuid_of_copy(id uuid, k bigint) returns uuid language sql immutable
   return encode(
     int8send(('x' || substr(encode(uuid_send(id), 'hex'), 1, 16))::bit(64)::bigint - k * ${secondsApart * 1000 * 65_536}) ||
     substr(uuid_send(id), 9), 'hex')::uuid`,
  `create function pg_temp.word(k bigint) returns text language sql immutable
   return pg_temp.one_of(k, 2, 1, '{${contacts.onsets.join(",")}}') || pg_temp.one_of(k, 3, 1, '{${contacts.vowels.join(",")}}') ||
     pg_temp.one_of(k, 4, 1, '{${contacts.codas.join(",")}}') || pg_temp.one_of(k, 5, 1, '{${contacts.endings.join(",")}}')`
]

/** Tables whose rows are no records of a team, and say what is under way. */
const leftOut: ReadonlyArray<string> = [
  "delivery_wake_ups",
  "fan_outs",
  "grants",
  "imports",
  "journal",
  "webhook_attempts",
  "webhook_subscriptions"
]

const named = (column: string) => `t.${column} || ' ' || pg_temp.word(k)`
const numbered = (column: string) => `t.${column} || '-' || k`
const address = `regexp_replace(t.email, '@', '.' || k || '@')`

/** What copies have in some columns. */
const values: { readonly [table: string]: { readonly [column: string]: string } } = {
  audit_counts: { key: numbered("key") },
  communications: { email: address },
  companies: {
    name: named("name"),
    name_key: "t.name_key || ' ' || lower(pg_temp.word(k))",
    domain: "k || '.' || t.domain"
  },
  contacts: { last_name: named("last_name"), email: address },
  external_references: { external_id: numbered("external_id") },
  idempotency_keys: { scope: "sha256(t.scope || int8send(k))" },
  invitations: { hash: "sha256(t.hash || int8send(k))", email: address },
  mandates: { name: named("name") },
  projects: { name: named("name") },
  properties: { name: named("name") },
  prospects: { name: named("name"), email: address },
  questions: { number: "t.number + 1000 * k" },
  room_document_numbers: { path: numbered("path") },
  room_documents: { path: numbered("path") },
  tokens: { hash: "sha256(t.hash || int8send(k))" },
  // Numbers of the whole installation, by their sequence.
  actions: { number: "nextval('action_numbers')" }
}

/** The value of a column in copy `k` of row `t`. $2 are the ids that are kept. */
const valueOf = (table: string, { name, type }: TeamTable["columns"][number]): string => {
  const own = values[table]?.[name]
  if (own !== undefined) return own
  const copied = (value: string) =>
    `case when ${value} = any($2::uuid[]) then ${value} else pg_temp.uuid_of_copy(${value}, k) end`
  if (type === "uuid") return copied(`t.${name}`)
  if (type === "uuid[]") return `array(select ${copied("one")} from unnest(t.${name}) as one)`
  if (type === "timestamp with time zone") return `t.${name} - k * interval '${secondsApart} seconds'`
  return `t.${name}`
}

const copyOf = (table: TeamTable): string => {
  const { columns, key, name } = table
  const isMoved = key.map((column) => `t.${column.name} is distinct from ${valueOf(name, column)}`)
  return `
    insert into ${name} (${columns.map((column) => column.name).join(", ")})
    select ${columns.map((column) => valueOf(name, column)).join(", ")}
    from ${name} as t, generate_series(1, $3::int) as k
    where t.team_id = $1::uuid and (${isMoved.join(" or ")})
    order by k desc`
}

/** What restores bring back has public ids, which no statement can copy. */
const restorable = ["deleted_records", "deletion_effects"]

const copyRestorable = Effect.fnUntraced(function* ({ query }: Bulk.Session, { copies, kept, team }: Original) {
  const all = new Set(kept)
  for (const table of restorable) {
    // Those of the originals are the newest.
    const rows = yield* query<{ id: string; fields: string }>(
      `select distinct on (substr(id::text, 20)) id, fields::text as fields from ${table} where team_id = $1
       order by substr(id::text, 20), id desc`,
      [team]
    )
    for (const { fields, id } of rows) {
      const numbers = Array.from({ length: copies }, (_, place) => place + 1)
      yield* query(
        `update ${table} as t set fields = made.fields::jsonb from unnest($2::uuid[], $3::text[]) as made (id, fields)
         where t.team_id = $1 and t.id = made.id`,
        [team, numbers.map((copy) => uuidOfCopy(id, copy)), numbers.map((copy) => textOfCopy(fields, all, copy))]
      )
    }
  }
})

/** What is multiplied. */
export interface Original {
  /** The UUID of the team. */
  readonly team: string
  /** UUIDs of what is not copied: users, and records that all copies belong to. */
  readonly kept: ReadonlyArray<string>
  /** How many copies there will be. */
  readonly copies: number
}

/** Copies all that a team has. The journal has all of its events. */
export const multiply = Effect.fnUntraced(function* (
  session: Bulk.Session,
  sql: Database["Service"],
  { copies, kept, team }: Original
) {
  const { query } = session
  yield* contacts.createFunctions(session)
  yield* Effect.forEach(functions, (text) => query(text), { discard: true })
  // Neither keys of other tables nor usage are checked row by row.
  yield* query("set session_replication_role = replica")
  const tables = (yield* tablesOf(sql)).filter(({ key, name }) => key.length > 0 && !leftOut.includes(name))
  for (const table of tables) {
    const insert = query(copyOf(table), [team, [team, ...kept], copies])
    yield* Bulk.fill(session, table.name, Effect.asVoid(insert))
  }
  yield* query("update team_usage set used = used * $2 where team_id = $1", [team, copies + 1])
  yield* query("delete from fan_outs where team_id = $1", [team])
  yield* query("delete from journal where team_id = $1", [team])
  yield* query(
    `insert into journal (team_id, seq, event_id)
     select team_id, row_number() over (order by occurred_at, transaction_id, seq), id from events where team_id = $1`,
    [team]
  )
  yield* query(
    `insert into journals (team_id, last_seq, at, transaction_id, event_seq)
     select team_id, (select max(seq) from journal where team_id = $1), occurred_at, transaction_id, seq from events
     where team_id = $1
     order by occurred_at desc, transaction_id desc, seq desc limit 1
     on conflict (team_id) do update set last_seq = excluded.last_seq, at = excluded.at, transaction_id = excluded.transaction_id,
       event_seq = excluded.event_seq`,
    [team]
  )
  yield* copyRestorable(session, { copies, kept, team })
  yield* query("set session_replication_role = origin")
  yield* query("vacuum analyze")
  yield* query("checkpoint")
})
