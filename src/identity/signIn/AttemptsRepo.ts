/** The SQL of windows of attempts. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { type AttemptKind, attemptLimits, maxWindowMillis } from "./rules.ts"

/** What an attempt is counted for: an account, an address, a client. */
export interface AttemptSubject {
  readonly kind: AttemptKind
  /** Unique among all kinds. */
  readonly subject: string
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** Counts an attempt of each subject; returns their windows. */
  // The order of subjects is the same in all processes, so that their statements cannot deadlock.
  const count = Effect.fn("AttemptsRepo.count")(function* (subjects: ReadonlyArray<AttemptSubject>, now: Date) {
    const rows = yield* orDie(sql<{ subject: string; opened_at: Date; attempts: number }>`
      with counted as (
        select subject, since from unnest(
          ${subjects.map(({ subject }) => subject)}::text[],
          ${subjects.map(({ kind }) => new Date(now.getTime() - attemptLimits[kind].windowMillis))}::timestamptz[]
        ) as one (subject, since)
      )
      insert into attempts as w (subject, opened_at, attempts)
      select subject, ${now}::timestamptz, 1 from counted order by subject
      on conflict (subject) do update set (opened_at, attempts) = (
        select
          case when w.opened_at > since then w.opened_at else excluded.opened_at end,
          case when w.opened_at > since then least(w.attempts, 1000000) + 1 else 1 end
        from counted where counted.subject = excluded.subject
      )
      returning subject, opened_at, attempts`)
    const windows = new Map(rows.map((row) => [row.subject, row]))
    return subjects.flatMap(({ kind, subject }) => {
      const window = windows.get(subject)
      return window === undefined ? [] : [{ kind, openedAt: window.opened_at, attempts: window.attempts }]
    })
  })

  /** Forgets the attempts of a subject. */
  const forget = Effect.fn("AttemptsRepo.forget")(function* (subject: string) {
    yield* orDie(sql`delete from attempts where subject = ${subject}`)
  })

  /** Deletes windows that are over, at most `limit`; returns how many. */
  const purge = Effect.fn("AttemptsRepo.purge")(function* (now: Date, limit: number) {
    const until = new Date(now.getTime() - maxWindowMillis)
    const purged = yield* orDie(sql`
      delete from attempts where subject in (
        select subject from attempts where opened_at < ${until} limit ${limit}
      ) and opened_at < ${until}
      returning subject`)
    return purged.length
  })

  return { count, forget, purge }
})

/** Counts attempts. */
export class AttemptsRepo extends Context.Service<AttemptsRepo, Effect.Success<typeof make>>()(
  "identity/signIn/AttemptsRepo"
) {
  static readonly layer = Layer.effect(AttemptsRepo, make)
}
