/** Inserts deliveries of a webhook, with their events. */
import { Effect } from "effect"
import type { Session } from "./Bulk.ts"

// $1 is the team, $2 the webhook, $3 the number. One in two hundred was given up.
const insert = `
  with made as (
    insert into events (id, transaction_id, team_id, message_id, type, resource_type, resource_id, occurred_at, body)
    select new_uuid_v7(at), pg_current_xact_id(), $1::uuid, 'msg_' || number, 'contact.created', 'contact', new_uuid_v7(at), at,
      '{"event":"contact.created"}'
    from generate_series(1, $3::int) as number,
      lateral (select date_trunc('milliseconds', now() - interval '30 days' + number * interval '20 seconds') as at) as times
    returning id, seq, type, occurred_at
  ), added as (
    insert into deliveries (id, team_id, webhook_id, event_id, event_type, status, attempt_count, created_at)
    select new_uuid_v7(occurred_at), $1::uuid, $2::uuid, id, type, case when seq % 200 = 1 then 'exhausted' else 'delivered' end, 1,
      occurred_at
    from made
    returning id
  )
  select id from added limit 1`

/** Inserts this number of deliveries, and returns the id of one (a UUID). */
export const add = Effect.fnUntraced(function* (
  { query }: Session,
  { count, team, webhook }: { readonly count: number; readonly team: string; readonly webhook: string }
) {
  const [first] = yield* query<{ id: string }>(insert, [team, webhook, count])
  return first?.id ?? ""
})
