/** The SQL of notes, scoped by team. `Changes` inserts a note, as a row of timelines: docs/behaviour/timelines-notes-files.md#notes. */
import type * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { type NoteAction, notePartition, type RollUp, type Subject } from "../../core/mutation/Timeline.ts"
import { actionColumns, type ActionRow, makeUserNames, toNote } from "../../core/mutation/Timelines.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import type { TimelineSubject } from "../../core/mutation/ChangeRecord.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { ConcurrencyConflict } from "../../core/usecase/Problem.ts"
import type { NoteState } from "./Note.ts"
import { marksOf, type NoteText, stateOf } from "./rules.ts"

/** A stored note. Ids are UUIDs. */
export interface StoredNote {
  readonly uuid: string
  readonly version: number
  readonly state: NoteState
  readonly text: NoteText
  readonly note: NoteAction
}

const lostRace = ConcurrencyConflict.of("note")

const toStored = (row: ActionRow): StoredNote => {
  const note = toNote(row)
  return {
    uuid: row.id,
    version: Number(row.version),
    state: stateOf({ archived: row.archived_at !== null, superseded: row.superseded_by !== null }),
    text: { message: note.details.message ?? "", contentFormat: row.content_format === "markdown" ? "markdown" : null },
    note
  }
}

const make = Effect.gen(function* () {
  const sql = yield* Database
  const names = yield* makeUserNames

  /** Finds a note of the subject itself; not one that is rolled up from a prospect. */
  const find = Effect.fn("NotesRepo.find")(function* (subject: Subject, id: string) {
    const rows = yield* orDie(sql<ActionRow>`
      select ${actionColumns(sql, names.of("a.actor_user_id"))} from actions a
      where a.id = ${id} and a.team_id = ${subject.teamId} and a.type = 'note' and exists (
        select from action_subjects s
        where s.action_id = a.id and s.team_id = a.team_id and s.subject_id = ${subject.id} and s.subject_type = ${subject.type}
          and strpos(s.partition, ':') = 0
      )`)
    const [row] = yield* names.complete(rows, [["actor_user_id", "actor_name"]])
    return row === undefined ? undefined : toStored(row)
  })

  /** The subjects whose timelines contain the note, its own and those that it is rolled up to. */
  const subjectsOf = Effect.fn("NotesRepo.subjectsOf")(function* (teamId: string, id: string) {
    const rows = yield* orDie(sql<{ type: Id.Prefix; id: string; roll_up: RollUp | null }>`
      select subject_type as type, subject_id as id, substring(partition from '^(.*):') as roll_up from action_subjects
      where action_id = ${id} and team_id = ${teamId} order by subject_id`)
    return rows.map(({ id, roll_up, type }): TimelineSubject =>
      roll_up === null ? { type, id } : { type, id, rollUp: roll_up }
    )
  })

  /** The name of a user; null without a user. */
  const nameOf = Effect.fn("NotesRepo.nameOf")(function* (userId: string | null) {
    if (userId === null) return null
    const [row] = yield* orDie(sql<{ readonly name: string }>`select name from users where id = ${userId}`)
    return row?.name ?? null
  })

  /**
   * Changes the state of the note and returns its new version. `successor` is the UUID of the note that replaces it.
   * Fails when another change came first.
   */
  const mark = Effect.fn("NotesRepo.mark")(function* (
    change: Change,
    stored: StoredNote,
    state: NoteState,
    successor?: string
  ) {
    const marks = marksOf(state)
    const marked = yield* orDie(sql`
      with marked as (
        update actions set
          version = version + 1,
          archived_at = ${marks.archived ? sql`coalesce(archived_at, ${change.at})` : sql`null`},
          superseded_by = coalesce(superseded_by, ${successor ?? null}::uuid)
        where id = ${stored.uuid} and team_id = ${change.actor.teamId} and version = ${stored.version}
        returning id
      )
      update action_subjects set partition = regexp_replace(partition, '[^:]*$', ${notePartition(marks)}) from marked
      where action_subjects.action_id = marked.id and action_subjects.team_id = ${change.actor.teamId}
      returning marked.id`)
    if (marked.length === 0) return yield* lostRace
    return stored.version + 1
  })

  /** Removes the texts of at most `limit` notes from before `until`, which stay on their timelines. Returns how many. */
  const redact = Effect.fn("NotesRepo.redact")(function* (until: Date, limit: number) {
    const redacted = yield* orDie(sql`
      update actions set details = details || '{"message": null, "erased": true}', version = version + 1
      where id = any(array(
        select id from actions
        where type = 'note' and details ->> 'erased' is null and occurred_at < ${until}
        order by occurred_at limit ${limit}
      )) and details ->> 'erased' is null
      returning id`)
    return redacted.length
  })

  return { find, subjectsOf, nameOf, mark, redact }
})

/** The rows of notes. */
export class NotesRepo extends Context.Service<NotesRepo, Effect.Success<typeof make>>()("content/notes/NotesRepo") {
  static readonly layer = Layer.effect(NotesRepo, make)
}
