/** The SQL of what clients delete in an hour. The rows are those of a team: they commit and roll back with the deletion. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { windowSeconds } from "./Deletion.ts"

/** What a client may delete. */
export interface Granted {
  readonly quota: number
  readonly granted: number
  readonly openedAt: Date
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  /**
   * Counts deletions of a client or user (UUID), as many of them as the team's quota allows; returns how many. Undefined, and nothing
   * written or locked, if the team has no quota.
   */
  const take = Effect.fn("DeletionsRepo.take")(function* (teamId: string, subject: string, wanted: number, now: Date) {
    const [bound] = yield* orDie(sql<{ readonly quota: number }>`
      select quota::float8 as quota from team_quotas where team_id = ${teamId} and kind = 'deletions_per_hour'`)
    if (bound === undefined) return undefined
    yield* orDie(sql`
      insert into deletion_windows (team_id, subject, opened_at, deletions)
      values (${teamId}, ${subject}, ${now}, 0)
      on conflict (team_id, subject) do nothing`)
    const [former] = yield* orDie(sql<{ readonly openedAt: Date; readonly deletions: number }>`
      select opened_at as "openedAt", deletions::float8 as deletions from deletion_windows
      where team_id = ${teamId} and subject = ${subject} for update`)
    const isOpen = former !== undefined && now.getTime() - former.openedAt.getTime() < windowSeconds * 1000
    const present = isOpen ? former : { openedAt: now, deletions: 0 }
    const granted = Math.max(0, Math.min(wanted, bound.quota - present.deletions))
    yield* orDie(sql`
      update deletion_windows set
        opened_at = ${present.openedAt}, deletions = ${present.deletions + granted}::bigint,
        announced_at = case when ${isOpen} then announced_at end
      where team_id = ${teamId} and subject = ${subject}`)
    const taken: Granted = { quota: bound.quota, granted, openedAt: present.openedAt }
    return taken
  })

  /** Marks the window of a client or user as announced; false if it was, or if there is none. */
  const announce = Effect.fn("DeletionsRepo.announce")(function* (teamId: string, subject: string, now: Date) {
    const announced = yield* orDie(sql`
      insert into deletion_windows as w (team_id, subject, opened_at, deletions, announced_at)
      values (${teamId}, ${subject}, ${now}, 0, ${now})
      on conflict (team_id, subject) do update set announced_at = excluded.announced_at
      where w.announced_at is null
      returning subject`)
    return announced.length > 0
  })

  /** Windows of other teams than these that opened before `until`, at most `limit`. */
  const findOld = Effect.fn("DeletionsRepo.findOld")(function* (
    until: Date,
    { failed, limit }: { readonly failed: ReadonlyArray<string>; readonly limit: number }
  ) {
    return yield* orDie(sql<{ readonly teamId: string; readonly subject: string }>`
      select team_id as "teamId", subject from deletion_windows
      where opened_at < ${until} and team_id <> all(${failed}::uuid[]) order by opened_at limit ${limit}`)
  })

  /** Deletes windows of a team that opened before `until`; returns how many. */
  const purge = Effect.fn("DeletionsRepo.purge")(function* (
    teamId: string,
    subjects: ReadonlyArray<string>,
    until: Date
  ) {
    const purged = yield* orDie(sql`
      delete from deletion_windows
      where team_id = ${teamId} and subject = any(${subjects}::uuid[]) and opened_at < ${until}
      returning subject`)
    return purged.length
  })

  return { take, announce, findOld, purge }
})

/** Stores what clients deleted in an hour. */
export class DeletionsRepo extends Context.Service<DeletionsRepo, Effect.Success<typeof make>>()(
  "core/deletions/DeletionsRepo"
) {
  static readonly layer = Layer.effect(DeletionsRepo, make)
}
