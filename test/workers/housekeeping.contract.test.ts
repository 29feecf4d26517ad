import * as Tenant from "../support/Tenant.ts"
import * as Receiver from "../core/outbound/Receiver.ts"
import { assert, describe, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { parseCrontab } from "graphile-worker"
import { randomBytes, randomUUID } from "node:crypto"
import { Database } from "../../src/platform/db/Database.ts"
import type { HandlerServices as Services } from "../../src/platform/jobs/Worker.ts"
import { housekeeping } from "../../workers/housekeeping.ts"
import { crontab, handlers } from "../../workers/handlers.ts"
import { advance } from "../support/advance.ts"
import { aTeam, serviceWithWorker } from "../webhooks/fixture.ts"

type Housekeeping = Services<(typeof housekeeping)[number]>

/** Runs all recurring tasks of the schedule. */
const tidyUp: Effect.Effect<void, never, Housekeeping> = Effect.forEach(
  housekeeping as ReadonlyArray<{ readonly run: (json: unknown) => Effect.Effect<void, never, Housekeeping> }>,
  (task) => task.run({ _cron: { ts: "2026-11-21T09:07:00.000Z", backfilled: false } }),
  { discard: true }
)

const ago = (hours: number) => Effect.map(Clock.currentTimeMillis, (now) => new Date(now - hours * 3_600_000))

layer(serviceWithWorker)("Housekeeping", (it) => {
  const start = TestClock.setTime(new Date("2026-11-21T09:00:00Z").getTime())

  describe("removes", () => {
    it.effect("stored responses of idempotent creates after a day, in batches", () =>
      Effect.gen(function* () {
        yield* start
        const sql = yield* Database
        const { teamId: team } = yield* aTeam()
        yield* sql`
          insert into idempotency_keys (team_id, scope, body_hash, answer, created_at)
          select ${team}::uuid, decode(md5(${team} || n::text), 'hex'), ''::bytea, ''::bytea, ${yield* ago(25)}::timestamptz
          from generate_series(1, 2500) as n`
        yield* sql`
          insert into idempotency_keys (team_id, scope, body_hash, answer, created_at)
          values (${team}, ${randomBytes(32)}, ''::bytea, ''::bytea, ${yield* ago(23)})`
        yield* tidyUp
        assert.deepStrictEqual(
          yield* sql`select count(*)::int as count from idempotency_keys where team_id = ${team}`,
          [{ count: 1 }]
        )
      })
    )

    it.effect("tokens a week after they expired, and the counters of closed rate windows", () =>
      Effect.gen(function* () {
        yield* start
        const sql = yield* Database
        const { teamId } = yield* aTeam()
        const [[user]] = [yield* sql<{ id: string }>`select user_id as id from memberships where team_id = ${teamId}`]
        const token = (name: string, expires: Date) => sql`
          insert into tokens (id, kind, hash, user_id, team_id, name, scopes, created_at, expires_at)
          values (${randomUUID()}, 'personal', ${randomBytes(32)}, ${user?.id ?? null}, ${teamId}, ${name}, '{}',
            ${expires}, ${expires})`
        yield* token("old", yield* ago(7 * 24 + 1))
        yield* token("recent", yield* ago(7 * 24 - 1))
        const [stale, open] = [randomUUID(), randomUUID()]
        yield* sql`
          insert into rate_windows (subject, opened_at, requests)
          values (${stale}, ${yield* ago(2)}, 1), (${open}, ${yield* ago(0.5)}, 1)`
        yield* tidyUp
        assert.deepStrictEqual(
          yield* sql`select name from tokens where team_id = ${teamId} and name in ('old', 'recent')`,
          [{ name: "recent" }]
        )
        assert.deepStrictEqual(yield* sql`select subject from rate_windows where subject in (${stale}, ${open})`, [
          { subject: open }
        ])
      })
    )

    it.effect(
      "sessions and unused apps a week after they were over, and at once links, and attempts that no longer count",
      () =>
        Effect.gen(function* () {
          yield* start
          const sql = yield* Database
          const { userId } = yield* Tenant.make()
          const [week, now] = [yield* ago(7 * 24 + 1), yield* ago(0)]
          const [old, recent] = [randomUUID(), randomUUID()]
          yield* sql`
          insert into sessions (id, hash, user_id, created_at, last_used_at, expires_at)
          select gen_random_uuid(), decode(md5(${old} || n::text), 'hex'), ${userId}::uuid, now(), now(), ${week}::timestamptz
          from generate_series(1, 1500) as n`
          yield* sql`
          insert into sessions (id, hash, user_id, created_at, last_used_at, expires_at)
          values (${recent}, ${randomBytes(32)}, ${userId}, now(), now(), ${yield* ago(7 * 24 - 1)})`
          const [used, good] = [new Uint8Array(randomBytes(32)), new Uint8Array(randomBytes(32))]
          yield* sql`
          insert into sign_in_links (hash, user_id, created_at, expires_at)
          values (${used}, ${userId}, now(), ${yield* ago(0.1)}), (${good}, ${userId}, now(), ${yield* ago(-0.1)})`
          yield* sql`
          insert into attempts (subject, opened_at, attempts)
          values (${`old ${old}`}, ${yield* ago(0.3)}, 1), (${`open ${old}`}, ${yield* ago(0.2)}, 1)`
          yield* sql`
          insert into apps (id, name, kind, redirect_uris, is_registered, created_at) values
            (${old}, 'Unused', 'public', '{}', true, ${week}), (${recent}, 'New', 'public', '{}', true, ${now}),
            (${randomUUID()}, 'Created', 'public', '{}', false, ${week})`
          yield* tidyUp
          assert.deepStrictEqual(yield* sql`select id from sessions where user_id = ${userId}`, [{ id: recent }])
          const links = yield* sql<{ hash: Uint8Array }>`select hash from sign_in_links where user_id = ${userId}`
          assert.deepStrictEqual(
            links.map(({ hash }) => new Uint8Array(hash)),
            [good]
          )
          assert.deepStrictEqual(yield* sql`select subject from attempts where subject like ${`%${old}`}`, [
            { subject: `open ${old}` }
          ])
          assert.deepStrictEqual(
            yield* sql`select name from apps where id in (${old}, ${recent}) or name = 'Created' order by name`,
            [{ name: "Created" }, { name: "New" }]
          )
        })
    )

    it.effect("what people granted a week after it was revoked, and what a sign-in led to a week after it ended", () =>
      Effect.gen(function* () {
        yield* start
        const sql = yield* Database
        const { teamId, userId } = yield* Tenant.make()
        const [week, recent] = [yield* ago(7 * 24 + 1), yield* ago(7 * 24 - 1)]
        const grantOf = Effect.fnUntraced(function* (name: string, revoked: Date | null) {
          const [app, grant] = [randomUUID(), randomUUID()]
          yield* sql`
            insert into apps (id, name, kind, redirect_uris, created_at)
            values (${app}, ${name}, 'public', '{}', ${week})`
          yield* sql`
            insert into grants (id, user_id, app_id, team_id, scopes, created_at, updated_at, revoked_at)
            values (${grant}, ${userId}, ${app}, ${teamId}, '{}', ${week}, ${week}, ${revoked})`
          return grant
        })
        /** Sign-ins that ended at this time, each with a code, a token and a refresh token that expire later. */
        const families = (grant: string, end: Date, count: number) => sql`
          with family as (
            insert into grant_families (id, grant_id, scopes, created_at, ends_at)
            select gen_random_uuid(), ${grant}::uuid, '{}', ${week}::timestamptz, ${end}::timestamptz
            from generate_series(1, ${count}) returning id
          ), codes as (
            insert into authorization_codes (hash, family_id, redirect_uri, challenge, expires_at)
            select decode(md5(id::text), 'hex'), id, '', '', ${recent}::timestamptz from family
          ), refreshes as (
            insert into refresh_tokens (hash, family_id, created_at, expires_at)
            select decode(md5(id::text), 'hex'), id, ${week}::timestamptz, ${recent}::timestamptz from family
          )
          insert into tokens (id, kind, hash, user_id, team_id, family_id, scopes, created_at, expires_at)
          select gen_random_uuid(), 'granted', decode(md5(id::text), 'hex'), ${userId}::uuid, ${teamId}::uuid, id, '{}',
            ${week}::timestamptz, ${recent}::timestamptz
          from family`
        const [revoked, ended, live] = [
          yield* grantOf("revoked", week),
          yield* grantOf("revoked lately", recent),
          yield* grantOf("live", null)
        ]
        yield* families(revoked, recent, 3)
        yield* families(ended, recent, 1)
        yield* families(live, week, 1100)
        yield* families(live, recent, 2)
        yield* tidyUp
        assert.deepStrictEqual(
          yield* sql`
            select a.name, count(f.id)::int as families, count(c.hash)::int as codes, count(r.hash)::int as refreshes,
              count(t.hash)::int as tokens
            from grants g
            join apps a on a.id = g.app_id
            left join grant_families f on f.grant_id = g.id
            left join authorization_codes c on c.family_id = f.id
            left join refresh_tokens r on r.family_id = f.id
            left join tokens t on t.family_id = f.id
            where g.user_id = ${userId} group by a.name order by a.name`,
          [
            { name: "live", families: 2, codes: 2, refreshes: 2, tokens: 2 },
            { name: "revoked lately", families: 1, codes: 1, refreshes: 1, tokens: 1 }
          ]
        )
        const [left] = yield* sql<{ tokens: number }>`
          select count(*)::int as tokens from tokens where user_id = ${userId} and kind = 'granted'`
        assert.deepStrictEqual(left, { tokens: 3 })
      })
    )

    it.effect("deliveries after 30 days, and after 90 days waiting ones, events and tombstones of contacts", () =>
      Effect.gen(function* () {
        yield* start
        const sql = yield* Database
        const team = yield* aTeam()
        const receiver = yield* Receiver.make((response) => response.writeHead(204).end())
        const webhook = { url: `http://hooks.example.com:${receiver.port}/`, events: ["contact.deleted"] }
        yield* team.subscribe(webhook)
        yield* team.patch((yield* team.subscribe(webhook)).value.id, { status: "paused" })
        yield* advance("1 second")
        yield* team.removeContact((yield* team.addContact).id)
        const kept = Effect.map(
          sql<{ contacts: number; deliveries: number; attempts: number; events: number }>`
            select
              (select count(*)::int from contacts where team_id = ${team.teamId}) as contacts,
              (select count(*)::int from deliveries where team_id = ${team.teamId}) as deliveries,
              (select count(*)::int from delivery_attempts a join deliveries d on d.id = a.delivery_id
                where d.team_id = ${team.teamId}) as attempts,
              (select count(*)::int from events where team_id = ${team.teamId}) as events`,
          ([row]) => row
        )
        yield* advance("29 days")
        yield* tidyUp
        assert.deepStrictEqual(yield* kept, { contacts: 1, deliveries: 2, attempts: 1, events: 2 })
        yield* advance("2 days")
        yield* tidyUp
        assert.deepStrictEqual(yield* kept, { contacts: 1, deliveries: 1, attempts: 0, events: 2 })
        yield* advance("60 days")
        yield* tidyUp
        assert.deepStrictEqual(yield* kept, { contacts: 0, deliveries: 0, attempts: 0, events: 0 })
      })
    )

    it.effect(
      "tombstones of contacts, companies, links and mandates after 90 days, except those that redirect to a record",
      () =>
        Effect.gen(function* () {
          yield* start
          const sql = yield* Database
          const { teamId } = yield* aTeam()
          const [old, recent] = [yield* ago(90 * 24 + 1), yield* ago(90 * 24 - 1)]
          const audit = sql`id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin`
          const made = sql`${teamId}::uuid, 1, pg_current_xact_id(), now(), now(), 'deleted', 'import'`
          for (const table of ["contacts", "companies"]) {
            const [lives, dead] = [randomUUID(), randomUUID()]
            const [name, firstName] = [sql.literal(table), sql.literal(table === "contacts" ? "first_name" : "name")]
            yield* sql`
            insert into ${name} (${audit}, ${firstName}, deleted_at, merged_into) values
              (${lives}, ${made}, 'lives', null, null),
              (${dead}, ${made}, 'old', ${old}, null),
              (${randomUUID()}, ${made}, 'recent', ${recent}, null),
              (${randomUUID()}, ${made}, 'leads to one that lives', ${old}, ${lives}),
              (${randomUUID()}, ${made}, 'leads to one that goes', ${old}, ${dead}),
              (${randomUUID()}, ${made}, 'leads nowhere', ${old}, ${randomUUID()})`
          }
          const pair = () => sql`${randomUUID()}, ${randomUUID()}`
          yield* sql`
          insert into links (${audit}, job_title, deleted_at, contact_id, company_id) values
            (${randomUUID()}, ${made}, 'lives', null, ${pair()}),
            (${randomUUID()}, ${made}, 'old', ${old}, ${pair()}),
            (${randomUUID()}, ${made}, 'recent', ${recent}, ${pair()})`
          yield* sql`
          insert into mandates (${audit}, name, deleted_at) values
            (${randomUUID()}, ${made}, 'lives', null),
            (${randomUUID()}, ${made}, 'old', ${old}),
            (${randomUUID()}, ${made}, 'recent', ${recent})`
          // A purge goes team by team: one run comes to all of them.
          const others = [(yield* aTeam()).teamId, (yield* aTeam()).teamId]
          yield* sql`
          insert into links (${audit}, deleted_at, contact_id, company_id)
          select gen_random_uuid(), team_id, 1, pg_current_xact_id(), now(), now(), 'deleted', 'import', ${old}::timestamptz, ${pair()}
          from unnest(${others}::uuid[]) as team (team_id)`
          yield* tidyUp
          assert.lengthOf(yield* sql`select from links where team_id = any(${others}::uuid[])`, 0)
          yield* tidyUp
          const names = Effect.all([
            sql`select first_name as name from contacts where team_id = ${teamId} order by name`,
            sql`select name from companies where team_id = ${teamId} order by name`,
            sql`select job_title as name from links where team_id = ${teamId} order by name`,
            sql`select name from mandates where team_id = ${teamId} order by name`
          ])
          const kept = ["leads to one that lives", "lives", "recent"].map((name) => ({ name }))
          assert.deepStrictEqual(yield* names, [kept, kept, kept.slice(1), kept.slice(1)])
        })
    )

    it.effect(
      "timelines of contacts and companies with their tombstones, except rows that are on other timelines too",
      () =>
        Effect.gen(function* () {
          yield* start
          const sql = yield* Database
          const { teamId } = yield* aTeam()
          const [old, recent] = [yield* ago(90 * 24 + 1), yield* ago(90 * 24 - 1)]
          const [contact, company, other] = [randomUUID(), randomUUID(), randomUUID()]
          const audit = sql`id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, deleted_at`
          const made = sql`${teamId}::uuid, 1, pg_current_xact_id(), now(), now(), 'deleted', 'import'`
          yield* sql`insert into contacts (${audit}) values (${contact}, ${made}, ${old}), (${other}, ${made}, ${recent})`
          yield* sql`insert into companies (${audit}) values (${company}, ${made}, ${old})`
          const row = Effect.fnUntraced(function* (event: string, subjects: ReadonlyArray<string>) {
            const id = randomUUID()
            const [drawn] = yield* sql<{ number: string }>`select nextval('action_numbers')::text as number`
            yield* sql`
            insert into actions (id, number, team_id, type, event, occurred_at, origin, details)
            values (${id}, ${drawn?.number ?? null}::bigint, ${teamId}, 'audit', ${event}, now(), 'import', '{"kind":"audit"}')`
            yield* sql`
            insert into action_subjects (subject_type, subject_id, action_id, team_id, occurred_at)
            select 'contact', subject, ${id}::uuid, ${teamId}::uuid, now() from unnest(${subjects}::uuid[]) as subject`
          })
          yield* row("contact's", [contact])
          yield* row("company's", [company])
          yield* row("both's", [contact, company])
          yield* row("the other's", [other])
          yield* row("everybody's", [contact, company, other])
          yield* tidyUp
          assert.deepStrictEqual(
            yield* sql`
            select event, subject_id as subject from actions join action_subjects on action_id = id
            where actions.team_id = ${teamId} order by event`,
            ["everybody's", "the other's"].map((event) => ({ event, subject: other }))
          )
          const left = yield* sql`select from actions where team_id = ${teamId}`
          assert.lengthOf(left, 2)
          assert.deepStrictEqual(yield* sql`select id from contacts where team_id = ${teamId}`, [{ id: other }])
          assert.deepStrictEqual(yield* sql`select id from companies where team_id = ${teamId}`, [])
        })
    )

    it.effect("subscriptions a week after they ended, and webhooks 30 days after their deletion", () =>
      Effect.gen(function* () {
        yield* start
        const sql = yield* Database
        const team = yield* aTeam()
        const receiver = yield* Receiver.make((response) => response.writeHead(204).end())
        const url = `http://hooks.example.com:${receiver.port}/`
        const events = ["contact.created", "contact.deleted"]
        const deleted = (yield* team.subscribe({ url, events })).value
        const live = (yield* team.subscribe({ url, events })).value
        const kept = Effect.map(
          sql<{ live: number; ended: number; webhooks: number }>`
            select
              (select count(*)::int from webhook_subscriptions where team_id = ${team.teamId} and until_at is null) as live,
              (select count(*)::int from webhook_subscriptions where team_id = ${team.teamId} and until_at is not null)
                as ended,
              (select count(*)::int from webhooks where team_id = ${team.teamId}) as webhooks`,
          ([row]) => row
        )
        yield* team.patch(live.id, { events: ["contact.deleted"] })
        yield* team.unsubscribe(deleted.id)
        yield* advance("6 days")
        yield* tidyUp
        assert.deepStrictEqual(yield* kept, { live: 1, ended: 3, webhooks: 2 })
        yield* advance("2 days")
        yield* tidyUp
        assert.deepStrictEqual(yield* kept, { live: 1, ended: 0, webhooks: 2 })
        // A late fan-out created this delivery: the webhook stays as long as it has deliveries.
        const event = randomUUID()
        yield* sql`
          insert into events (id, transaction_id, team_id, message_id, type, resource_type, resource_id, occurred_at, body)
          values (${event}, pg_current_xact_id(), ${team.teamId}, 'msg', 'contact.created', 'contact', gen_random_uuid(),
            now(), '{}')`
        yield* sql`
          insert into deliveries (id, team_id, webhook_id, event_id, event_type, status, created_at)
          select new_uuid_v7(${yield* ago(0)}::timestamptz), ${team.teamId}::uuid, id, ${event}::uuid, 'contact.created',
            'delivered', ${yield* ago(0)}::timestamptz
          from webhooks where team_id = ${team.teamId} and deleted_at is not null`
        yield* advance("25 days")
        yield* tidyUp
        assert.deepStrictEqual(yield* kept, { live: 1, ended: 0, webhooks: 2 })
        yield* advance("6 days")
        yield* tidyUp
        assert.deepStrictEqual(yield* kept, { live: 1, ended: 0, webhooks: 1 })
      })
    )
  })

  it.effect("runs every hour, each task at its own minute, and what ends or was lost is looked for every minute", () =>
    Effect.sync(() => {
      const items = parseCrontab(crontab)
      const everyMinute = ["offers/expiry", "rooms/ends", "webhooks/reconcile"]
      assert.deepStrictEqual(
        items.map(({ task }) => task),
        [...housekeeping.map(({ job }) => job.name), "prospects/overdue", ...everyMinute]
      )
      const minutes = crontab.split("\n").map((line) => line.split(" ")[0])
      assert.lengthOf(new Set(minutes.slice(0, -everyMinute.length)), housekeeping.length + 1)
      assert.deepStrictEqual(
        minutes.slice(-everyMinute.length),
        everyMinute.map(() => "*")
      )
      assert.lengthOf(new Set(handlers.map(({ job }) => job.name)), handlers.length)
    })
  )
})
