/** A tenant whose journal is read, and events that are written below the service. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { JournalEntry, JournalPage } from "../../../src/webhooks/changes/Entry.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import * as ContactsClient from "../../support/ContactsClient.ts"

const path = "/api/v1/changes"

/** The tenant, with a client of its journal. */
export const make = Effect.fn("JournalClient.make")(function* () {
  const tenant = yield* ContactsClient.make()
  /** Whatever is answered. */
  const ask = <Body = JournalPage>(query = "") =>
    tenant.request<Body>("GET", `${path}${query}`, { token: tenant.token })
  const read = Effect.fnUntraced(function* (query = "") {
    const { body, status, text } = yield* ask(query)
    assert.strictEqual(status, 200, text)
    return body
  })
  /** All from here on, page by page. */
  const walk = Effect.fnUntraced(function* (pageSize: number, after?: number) {
    const entries: Array<JournalEntry> = []
    let query = after === undefined ? "" : `&after=${after}`
    for (;;) {
      const { data, page } = yield* read(`?page_size=${pageSize}${query}`)
      entries.push(...data)
      query = `&after=${page.nextAfter}`
      if (!page.hasMore) return { entries, nextAfter: page.nextAfter }
    }
  })
  return { ...tenant, ask, read, walk }
})

/** What an event is like that somebody wrote. */
export interface Written {
  readonly type?: string
  readonly at?: Date
  /** The id of the transaction, where it is not that which writes. */
  readonly transaction?: number
  readonly count?: number
}

/** Writes events of a team as changes do, `count` of them at once; their ids. */
export const written = Effect.fnUntraced(function* (
  teamId: string,
  { at = new Date(), count = 1, transaction, type = "contact.created" }: Written = {}
) {
  const sql = yield* Database
  const rows = yield* Effect.orDie(sql<{ id: string }>`
    insert into events (id, team_id, message_id, type, resource_type, resource_id, occurred_at, transaction_id, body)
    select gen_random_uuid(), ${teamId}::uuid, 'msg_' || n, ${type}::text, 'contact', gen_random_uuid(), ${at}::timestamptz,
      coalesce(${transaction === undefined ? null : String(transaction)}::xid8, pg_current_xact_id()),
      jsonb_build_object('event', ${type}::text, 'action_id', n)::text
    from generate_series(1, ${count}::int) n
    returning id`)
  return rows.map(({ id }) => id)
})
