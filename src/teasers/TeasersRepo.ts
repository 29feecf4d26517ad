/** The SQL of teasers, scoped by team. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../changes/Changes.ts"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import { type ChosenOptions, eachPart } from "./projection/modes.ts"
import type { Design } from "./projection/project.ts"
import type { StoredTeaser, Times } from "./rules.ts"
import type { SubjectType } from "./Teaser.ts"

interface Row {
  readonly subject_type: SubjectType
  readonly version: bigint
  readonly created_at: Date
  readonly updated_at: Date
  readonly change_type: string
  readonly change_origin: string
  readonly published_at: Date | null
  readonly verified_at: Date | null
  readonly communicated_at: Date | null
  readonly options: ChosenOptions
  readonly tags: ReadonlyArray<string> | null
  readonly title: string | null
}

const toStored = (row: Row): StoredTeaser => ({
  version: Number(row.version),
  audit: {
    createdUtc: row.created_at.toISOString(),
    updatedUtc: row.updated_at.toISOString(),
    changeType: row.change_type,
    changeOrigin: row.change_origin
  },
  publishedUtc: row.published_at?.toISOString() ?? null,
  verifiedUtc: row.verified_at?.toISOString() ?? null,
  communicatedUtc: row.communicated_at?.toISOString() ?? null,
  // Parts of a later release are left out.
  options: Object.fromEntries(
    Object.entries(eachPart((part) => row.options[part])).filter(([, mode]) => mode !== undefined)
  ),
  tags: row.tags,
  title: row.title
})

/** A subject by its UUID. */
export interface SubjectRef {
  readonly type: SubjectType
  readonly uuid: string
}

/** The teasers of teams. */
export class TeasersRepo extends Context.Service<
  TeasersRepo,
  {
    /** The teaser of a subject. */
    readonly find: (teamId: string, subject: SubjectRef) => Effect.Effect<StoredTeaser | undefined>
    /** As `find`, and locks it until the transaction of `change` ends. */
    readonly lock: (change: Change, subject: SubjectRef) => Effect.Effect<StoredTeaser | undefined>
    /** Writes the next version of a teaser; undefined if another transaction wrote it first. */
    readonly save: (
      change: Change,
      subject: SubjectRef,
      readVersion: number | undefined,
      next: Design & Times
    ) => Effect.Effect<StoredTeaser | undefined>
    /** Removes the teasers of these subjects (UUIDs) for good. */
    readonly remove: (teamId: string, type: SubjectType, uuids: ReadonlyArray<string>) => Effect.Effect<void>
  }
>()("teasers/TeasersRepo") {
  static readonly layer = Layer.effect(
    TeasersRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const columns = sql`subject_type, version, created_at, updated_at, change_type, change_origin, published_at,
        verified_at, communicated_at, options, tags, title`

      const find = Effect.fn("TeasersRepo.find")(function* (teamId: string, { type, uuid }: SubjectRef) {
        const [row] = yield* orDie(sql<Row>`
          select ${columns} from teasers
          where team_id = ${teamId} and subject_type = ${type} and subject_id = ${uuid}`)
        return row === undefined ? undefined : toStored(row)
      })

      const lock = Effect.fn("TeasersRepo.lock")(function* (change: Change, { type, uuid }: SubjectRef) {
        const [row] = yield* orDie(sql<Row>`
          select ${columns} from teasers
          where team_id = ${change.actor.teamId} and subject_type = ${type} and subject_id = ${uuid} for update`)
        return row === undefined ? undefined : toStored(row)
      })

      const save = Effect.fn("TeasersRepo.save")(function* (
        change: Change,
        { type, uuid }: SubjectRef,
        readVersion: number | undefined,
        { communicatedUtc, options, publishedUtc, tags, title, verifiedUtc }: Design & Times
      ) {
        const { actor, at } = change
        const [row] = yield* orDie(sql<Row>`
          insert into teasers (
            subject_type, subject_id, team_id, version, created_at, updated_at, change_type, change_origin,
            published_at, verified_at, communicated_at, options, tags, title
          )
          values (
            ${type}, ${uuid}, ${actor.teamId}, 1, ${at}, ${at}, 'created', ${actor.origin},
            ${publishedUtc}::timestamptz, ${verifiedUtc}::timestamptz, ${communicatedUtc}::timestamptz,
            ${sql.json(options)}, ${tags}::text[], ${title}
          )
          on conflict (subject_type, subject_id) do update set
            version = teasers.version + 1, updated_at = excluded.updated_at, change_type = 'updated',
            change_origin = excluded.change_origin, published_at = excluded.published_at,
            verified_at = excluded.verified_at, communicated_at = excluded.communicated_at,
            options = excluded.options, tags = excluded.tags, title = excluded.title
          where teasers.team_id = excluded.team_id and teasers.version = ${readVersion ?? 0}
          returning ${columns}`)
        return row === undefined ? undefined : toStored(row)
      })

      const remove = Effect.fn("TeasersRepo.remove")(function* (
        teamId: string,
        type: SubjectType,
        uuids: ReadonlyArray<string>
      ) {
        yield* orDie(sql`
          delete from teasers
          where team_id = ${teamId} and subject_type = ${type} and subject_id = any(${uuids}::uuid[])`)
      })

      return TeasersRepo.of({ find, lock, save, remove })
    })
  )
}
