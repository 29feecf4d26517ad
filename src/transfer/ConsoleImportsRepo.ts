/** The SQL of imports in the console. */
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../core/auth/CurrentActor.ts"
import { Database } from "../platform/db/Database.ts"
import { orDie } from "../platform/db/DatabaseUnavailable.ts"
import type { Choices, ConsoleImport, Counts, Header, Report, State } from "./ConsoleImport.ts"

/** A stored import: with the ids of its objects. */
export interface StoredImport extends ConsoleImport {
  readonly content: string
  readonly receipts: string | null
}

type Row = Omit<StoredImport, "createdUtc" | "changedUtc" | "hasReceipts" | "size"> & {
  readonly size: string
  readonly createdAt: Date
  readonly changedAt: Date
}

/** A new import. */
export type NewImport = Pick<ConsoleImport, "id" | "kind" | "format" | "fileName" | "size" | "choices" | "counts"> & {
  readonly content: string
  readonly at: Date
}

const toStored = ({ changedAt, createdAt, size, ...row }: Row): StoredImport => ({
  ...row,
  size: Number(size),
  hasReceipts: row.receipts !== null,
  createdUtc: createdAt.toISOString(),
  changedUtc: changedAt.toISOString()
})

const make = Effect.gen(function* () {
  const sql = yield* Database

  const selected = sql`
    select i.id, i.user_id as "userId", u.name as "userName", i.kind, i.format, i.file_name as "fileName",
      i.size::text as size, i.content, i.header, i.options as choices, i.state, i.counts, i.report, i.detail, i.receipts,
      i.created_at as "createdAt", i.changed_at as "changedAt"
    from imports i left join users u on u.id = i.user_id`

  const find = Effect.fn("ConsoleImportsRepo.find")(function* (teamId: string, id: string) {
    const [row] = yield* orDie(sql<Row>`${selected} where i.team_id = ${teamId} and i.id = ${id}`)
    return row === undefined ? undefined : toStored(row)
  })

  /** The imports of a team, the latest first. */
  const list = Effect.fn("ConsoleImportsRepo.list")(function* (teamId: string, limit: number) {
    const rows = yield* orDie(
      sql<Row>`${selected} where i.team_id = ${teamId} order by i.created_at desc, i.id desc limit ${limit}`
    )
    return rows.map(toStored)
  })

  const insert = Effect.fn("ConsoleImportsRepo.insert")(function* (actor: Actor, of: NewImport) {
    const header: Header = { names: [], example: [] }
    yield* orDie(sql`
      insert into imports (
        team_id, id, user_id, kind, format, file_name, size, content, header, options, state, counts, created_at, changed_at
      ) values (
        ${actor.teamId}, ${of.id}, ${actor.userId}, ${of.kind}, ${of.format}, ${of.fileName}, ${of.size}, ${of.content},
        ${sql.json(header)}, ${sql.json(of.choices)}, 'uploaded', ${sql.json(of.counts)}, ${of.at}, ${of.at}
      )`)
  })

  /** Writes what the file of a new import has, or why it cannot be read. */
  const settle = Effect.fn("ConsoleImportsRepo.settle")(function* (
    teamId: string,
    id: string,
    header: Header,
    detail: string | null
  ) {
    yield* orDie(sql`
      update imports set header = ${sql.json(header)}, detail = ${detail},
        state = case when ${detail}::text is null then state else 'refused' end
      where team_id = ${teamId} and id = ${id}`)
  })

  /**
   * Lets a job begin with an import that is in one of these states. None does while another one of the team runs; those that are asked for
   * in the same instant wait for one another.
   */
  const begin = Effect.fn("ConsoleImportsRepo.begin")(function* (
    teamId: string,
    id: string,
    {
      at,
      choices,
      counts,
      from,
      to
    }: {
      readonly from: ReadonlyArray<State>
      readonly to: State
      readonly choices: Choices
      readonly counts: Counts
      readonly at: Date
    }
  ) {
    yield* orDie(sql`select pg_advisory_xact_lock(hashtextextended(${`imports ${teamId}`}, 0))`)
    // A separate statement, so that it sees what the previous holder of the lock began.
    const begun = yield* orDie(sql`
      update imports set state = ${to}, options = ${sql.json(choices)}, counts = ${sql.json(counts)}, detail = null,
        attempt = null, changed_at = ${at}
      where team_id = ${teamId} and id = ${id} and state = any(${from}::text[]) and not exists (
        select from imports other where other.team_id = ${teamId} and other.state in ('checking', 'importing')
      )
      returning id`)
    return begun.length > 0
  })

  /** Takes over a running import for an attempt of the job: one before may write no more. */
  const claim = Effect.fn("ConsoleImportsRepo.claim")(function* (teamId: string, id: string, attempt: string) {
    const claimed = yield* orDie(sql`
      update imports set attempt = ${attempt}
      where team_id = ${teamId} and id = ${id} and state in ('checking', 'importing')
      returning id`)
    return claimed.length === 0 ? undefined : yield* find(teamId, id)
  })

  /** Writes how far an attempt is; false if another one has taken over. */
  const progress = Effect.fn("ConsoleImportsRepo.progress")(function* (
    teamId: string,
    id: string,
    attempt: string,
    counts: Counts,
    at: Date
  ) {
    const written = yield* orDie(sql`
      update imports set counts = ${sql.json(counts)}, changed_at = ${at}
      where team_id = ${teamId} and id = ${id} and attempt = ${attempt}
      returning id`)
    return written.length > 0
  })

  /** Writes how an attempt ended; false if another one has taken over. */
  const finish = Effect.fn("ConsoleImportsRepo.finish")(function* (
    teamId: string,
    id: string,
    attempt: string,
    end: {
      readonly state: State
      readonly at: Date
      readonly detail: string | null
      readonly counts: Counts | undefined
      readonly report: Report | null
      readonly receipts: string | null
    }
  ) {
    const written = yield* orDie(sql`
      update imports set state = ${end.state}, detail = ${end.detail}, receipts = ${end.receipts}, attempt = null,
        report = ${end.report === null ? null : sql.json(end.report)},
        ${end.counts === undefined ? sql`` : sql`counts = ${sql.json(end.counts)},`}
        changed_at = ${end.at}
      where team_id = ${teamId} and id = ${id} and attempt = ${attempt}
      returning id`)
    return written.length > 0
  })

  /** Deletes imports of a team; returns the ids of their objects. */
  const remove = Effect.fn("ConsoleImportsRepo.remove")(function* (teamId: string, ids: ReadonlyArray<string>) {
    const removed = yield* orDie(sql<{ readonly content: string; readonly receipts: string | null }>`
      delete from imports
      where team_id = ${teamId} and id = any(${ids}::uuid[])
      returning content, receipts`)
    return { count: removed.length, objects: removed.flatMap((one) => [one.content, one.receipts ?? []].flat()) }
  })

  /** Imports from before `until` on which no job has worked since, of other teams than these. */
  const findOld = Effect.fn("ConsoleImportsRepo.findOld")(function* (
    until: Date,
    { failed, limit }: { readonly failed: ReadonlyArray<string>; readonly limit: number }
  ) {
    return yield* orDie(sql<{ readonly teamId: string; readonly id: string }>`
      select team_id as "teamId", id from imports
      where created_at < ${until} and changed_at < ${until} and team_id <> all(${failed}::uuid[])
      order by created_at limit ${limit}`)
  })

  return { find, list, insert, settle, begin, claim, progress, finish, remove, findOld }
})

/** The rows of imports. */
export class ConsoleImportsRepo extends Context.Service<ConsoleImportsRepo, Effect.Success<typeof make>>()(
  "transfer/ConsoleImportsRepo"
) {
  static readonly layer = Layer.effect(ConsoleImportsRepo, make)
}
