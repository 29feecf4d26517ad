/** The SQL of messages. Their texts belong to rows of timelines, and only the pages of their conversation have them. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"

/** A message, or the note of a call. Ids are UUIDs. */
export interface NewMessage {
  /** The row of the prospect's timeline that tells of it. */
  readonly actionUuid: string
  readonly sender: "broker" | "investor"
  readonly userUuid: string | null
  readonly text: string
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** Keeps a text, in the team of the broker, whose change it is. */
  const insert = Effect.fn("MessagesRepo.insert")(function* (
    change: Change,
    { actionUuid, sender, text, userUuid }: NewMessage
  ) {
    yield* orDie(sql`
      insert into messages (action_id, team_id, sender, user_id, text, created_at)
      values (${actionUuid}, ${change.actor.teamId}, ${sender}, ${userUuid}, ${text}, ${change.at})`)
  })

  /** The texts of rows (UUIDs) of timelines of the broker's team, by the UUID of the row. */
  const textsOf = Effect.fn("MessagesRepo.textsOf")(function* (teamId: string, actionUuids: ReadonlyArray<string>) {
    if (actionUuids.length === 0) return new Map<string, string>()
    const rows = yield* orDie(sql<{ readonly action_id: string; readonly text: string }>`
      select action_id, text from messages where team_id = ${teamId} and action_id = any(${actionUuids}::uuid[])`)
    return new Map(rows.map(({ action_id, text }) => [action_id, text]))
  })

  /** Removes at most `limit` texts from before `until`; the rows of timelines that tell of them stay. Returns how many. */
  const purge = Effect.fn("MessagesRepo.purge")(function* (until: Date, limit: number) {
    const purged = yield* orDie(sql`
      delete from messages where action_id = any(array(
        select action_id from messages where created_at < ${until} order by created_at limit ${limit}
      )) returning action_id`)
    return purged.length
  })

  return { insert, textsOf, purge }
})

/** The texts of messages. */
export class MessagesRepo extends Context.Service<MessagesRepo, Effect.Success<typeof make>>()(
  "deals/messages/MessagesRepo"
) {
  static readonly layer = Layer.effect(MessagesRepo, make)
}
