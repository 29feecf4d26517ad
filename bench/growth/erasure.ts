/** `erasure`: how long it takes to erase a person in a team with a million contacts, rows of timelines and events. See bench/README.md. */
import * as Bulk from "../data/Bulk.ts"
import * as contacts from "../data/contacts.ts"
import * as Id from "../../src/core/Id.ts"
import * as Service from "../Service.ts"
import * as Tenant from "../../test/support/Tenant.ts"
import { Effect } from "effect"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Erasures } from "../../src/privacy/Erasures.ts"
import type { Line, Measurement } from "../Measurement.ts"
import { count, quantile, say } from "../Report.ts"

const sizesOf = (quick: boolean) =>
  quick ? { rows: 2000, notes: 20, people: 3 } : { rows: 1_000_000, notes: 500, people: 20 }

/** The most that erasing one person may take, in milliseconds. */
const most = 2000

// A note on each contact, with its event.
const insertNotes = `
  with numbered as (
    select id, first_name, last_name, created_at, row_number() over (order by id) as i from contacts where team_id = $1::uuid
  ), noted as (
    insert into actions (id, team_id, type, occurred_at, origin, details)
    select gen_random_uuid(), $1::uuid, 'note', created_at, 'api',
      jsonb_build_object('kind', 'note', 'message', 'Called ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '') ||
        ', who looks for core-plus offices, lot ' || i)
    from numbered
    returning id, occurred_at, details
  ), paired as (
    select numbered.id as contact, noted.id, noted.occurred_at
    from numbered join noted on noted.occurred_at = numbered.created_at
  ), subjects as (
    insert into action_subjects (subject_type, subject_id, action_id, team_id, occurred_at, partition)
    select distinct on (id) 'contact', contact, id, $1::uuid, occurred_at, 'note' from paired
  )
  insert into events (id, transaction_id, team_id, message_id, type, resource_type, resource_id, occurred_at, body)
  select distinct on (id) gen_random_uuid(), pg_current_xact_id(), $1::uuid, 'msg_' || id, 'note.created', 'note', id, occurred_at,
    json_build_object('event', 'note.created', 'contact_id', contact, 'action_id', 1)::text
  from paired`

// $1 is the team, $2 the contact, $3 how many.
const insertMore = `
  with noted as (
    insert into actions (id, team_id, type, occurred_at, origin, details)
    select gen_random_uuid(), $1::uuid, 'note', now() - n * interval '1 minute', 'api',
      jsonb_build_object('kind', 'note', 'message', 'Note ' || n)
    from generate_series(1, $3::int) as n returning id, occurred_at
  )
  insert into action_subjects (subject_type, subject_id, action_id, team_id, occurred_at, partition)
  select 'contact', $2::uuid, id, $1::uuid, occurred_at, 'note' from noted`

const run = Effect.fnUntraced(function* ({ quick }: { readonly quick: boolean }) {
  const sizes = sizesOf(quick)
  const { url, services } = yield* Service.inProcess
  return yield* Effect.gen(function* () {
    const session = yield* Bulk.session(url)
    const { teamId } = yield* Tenant.make()
    yield* say(`erasure fills ${count(sizes.rows)} contacts, notes and events`)
    yield* Bulk.fill(session, "contacts", contacts.add(session, teamId, sizes.rows))
    yield* Bulk.fill(session, "actions", Effect.asVoid(session.query(insertNotes, [teamId])))
    yield* session.query("vacuum analyze")
    const people = yield* session.query<{ readonly id: string }>(
      `select id from contacts where team_id = $1 and email is not null order by md5(id::text) limit ${sizes.people}`,
      [teamId]
    )
    for (const { id } of people) yield* session.query(insertMore, [teamId, id, sizes.notes])
    const { erase } = yield* Erasures
    const times: Array<number> = []
    for (const { id } of people) {
      const begun = performance.now()
      const { what } = yield* asOperator(erase(Id.fromUuid("contact", id), { team: Id.fromUuid("team", teamId) }))
      times.push(performance.now() - begun)
      const redacted = what.find(({ table }) => table === "actions")?.count ?? 0
      if (redacted < sizes.notes) return yield* Effect.die(new Error(`only ${redacted} rows were redacted`))
    }
    const worst = quantile(times, 1)
    const line: Line = {
      name: "erasure",
      work: `erasing a person with ${sizes.notes} notes, beside ${count(sizes.rows)} contacts, notes and events`,
      ours: `${Math.round(worst)} ms at most`,
      value: { amount: worst, unit: "ms" },
      target: { most },
      details: { median: quantile(times, 0.5), worst, people: times.length }
    }
    return { lines: [line] }
  }).pipe(Effect.provide(services))
})

/** The measurement. */
export const erasure: Measurement = {
  name: "erasure",
  summary: "How long it takes to erase a person beside a million rows",
  run
}
