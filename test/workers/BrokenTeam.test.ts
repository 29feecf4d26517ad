/** Jobs that look at all teams: one whose rows cannot be changed stops no other's. */
import * as Id from "../../src/core/Id.ts"
import * as Tenant from "../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Logger } from "effect"
import { Database } from "../../src/platform/db/Database.ts"
import type { JobHandler, HandlerServices } from "../../src/platform/jobs/Worker.ts"
import {
  purgeContactTombstones,
  purgeIdempotencyKeys,
  purgeProjects,
  purgeWebhooks
} from "../../workers/housekeeping.ts"
import { recordEndedOffers, recordRoomEnds } from "../../workers/handlers.ts"
import { open as openRoom } from "../deals/rooms/fixture.ts"
import { TestService } from "../support/TestService.ts"

type Owner = Effect.Success<ReturnType<typeof Tenant.make>>

const payload = { _cron: { ts: "2026-11-28T00:00:00.000Z", backfilled: false } }

const created = Effect.fnUntraced(function* (owner: Owner, path: string, json: unknown) {
  const { request } = yield* TestService
  const { body } = yield* request<{ readonly id: string }>("POST", path, { token: owner.token, json })
  return body.id
})

const aDeletedContact = Effect.fnUntraced(function* (owner: Owner) {
  const { request } = yield* TestService
  const sql = yield* Database
  const id = yield* created(owner, "/api/v1/network/contacts", { firstName: "Anna" })
  yield* request("DELETE", `/api/v1/network/contacts/${id}`, { token: owner.token })
  yield* sql`
    update contacts set deleted_at = deleted_at - interval '1 year', updated_at = updated_at - interval '1 year'
    where id = ${Id.toUuid("contact", id) ?? ""}`
})

const aRoomThatWoundDown = Effect.fnUntraced(function* (owner: Owner) {
  const sql = yield* Database
  const room = yield* openRoom(owner, yield* created(owner, "/api/v1/projects", { name: "Tal" }))
  yield* sql`
    update rooms set status = 'winding_down', winding_down_at = now() - interval '1 year'
    where id = ${Id.toUuid("room", room.id) ?? ""}`
})

const anOfferThatEnded = Effect.fnUntraced(function* ({ teamId }: Owner) {
  const sql = yield* Database
  yield* sql`
    insert into offers (
      id, team_id, version, created_at, updated_at, change_type, change_origin, user_id, broker_team_id, project_id,
      category, status, expires_at
    )
    select new_uuid_v7(now()), team_id, 1, now(), now(), 'created', 'app', user_id, team_id, gen_random_uuid(),
      'invitation', 'pending', now() - interval '1 hour'
    from memberships where team_id = ${teamId}`
})

const aDeletedProject = Effect.fnUntraced(function* (owner: Owner) {
  const { request } = yield* TestService
  const sql = yield* Database
  const id = yield* created(owner, "/api/v1/projects", { name: "Tal" })
  yield* request("DELETE", `/api/v1/projects/${id}`, { token: owner.token })
  yield* sql`
    update projects set deleted_at = deleted_at - interval '40 days' where id = ${Id.toUuid("project", id) ?? ""}`
})

const anExpiredAnswer = Effect.fnUntraced(function* ({ teamId }: Owner) {
  const sql = yield* Database
  yield* sql`
    insert into idempotency_keys (team_id, scope, body_hash, answer, created_at)
    values (${teamId}, decode(md5(${teamId}::text), 'hex'), ''::bytea, ''::bytea, now() - interval '2 days')`
})

const anEndedSubscription = Effect.fnUntraced(function* ({ teamId }: Owner) {
  const sql = yield* Database
  yield* sql`
    with webhook as (
      insert into webhooks (
        id, team_id, version, created_at, updated_at, change_type, change_origin, name, url, events, status, secret_sealed,
        consecutive_exhausted
      )
      values (
        gen_random_uuid(), ${teamId}, 1, now(), now(), 'created', 'api', 'CRM', 'https://hooks.example.com/', '{contact.created}',
        'active', '', 0
      )
      returning id
    )
    insert into webhook_subscriptions (webhook_id, team_id, event_type, from_at, from_transaction, until_at, until_transaction)
    select id, ${teamId}, 'contact.created', now() - interval '2 years', pg_current_xact_id(), now() - interval '1 year', pg_current_xact_id()
    from webhook`
})

interface Case<R> {
  readonly task: JobHandler<R>
  readonly prepare: (owner: Owner) => ReturnType<typeof aRoomThatWoundDown | typeof anOfferThatEnded>
  readonly table: string
  readonly event: "delete" | "update"
  /** Which rows are left to be changed. */
  readonly left: string
}

/** Each job, and what it has to do for a team. */
const jobs: ReadonlyArray<
  Case<
    | HandlerServices<typeof purgeContactTombstones>
    | HandlerServices<typeof purgeProjects>
    | HandlerServices<typeof purgeIdempotencyKeys>
    | HandlerServices<typeof purgeWebhooks>
    | HandlerServices<typeof recordEndedOffers>
    | HandlerServices<typeof recordRoomEnds>
  >
> = [
  {
    task: purgeContactTombstones,
    prepare: aDeletedContact,
    table: "contacts",
    event: "delete",
    left: "deleted_at is not null"
  },
  {
    task: purgeProjects,
    prepare: aDeletedProject,
    table: "projects",
    event: "update",
    left: "deleted_at is not null and purged_at is null"
  },
  {
    task: purgeIdempotencyKeys,
    prepare: anExpiredAnswer,
    table: "idempotency_keys",
    event: "delete",
    left: "true"
  },
  {
    task: purgeWebhooks,
    prepare: anEndedSubscription,
    table: "webhook_subscriptions",
    event: "delete",
    left: "true"
  },
  {
    task: recordRoomEnds,
    prepare: aRoomThatWoundDown,
    table: "rooms",
    event: "update",
    left: "status = 'winding_down'"
  },
  {
    task: recordEndedOffers,
    prepare: anOfferThatEnded,
    table: "offers",
    event: "update",
    left: "expired_at is null"
  }
]

layer(TestService.layerOwn, { excludeTestServices: true })("A team whose rows cannot be changed", (it) => {
  for (const { event, left, prepare, table, task } of jobs) {
    it.effect(`stops no other team's part of ${task.job.name}, and has its own once they can`, () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const [broken, sound] = [yield* Tenant.make(), yield* Tenant.make()]
        yield* prepare(broken)
        yield* prepare(sound)
        const teamsLeft = Effect.map(
          sql<{ readonly teamId: string }>`
            select team_id as "teamId" from ${sql(table)}
            where ${sql.literal(left)} and team_id = any(${[broken.teamId, sound.teamId]}::uuid[])`,
          (rows) => rows.map(({ teamId }) => teamId)
        )
        assert.sameMembers(yield* teamsLeft, [broken.teamId, sound.teamId])
        yield* sql`
          create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`
        yield* sql.unsafe(`
          create trigger refused before ${event} on ${table} for each row
          when (old.team_id = '${broken.teamId}') execute function refuse()`)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(task.run(payload))))
        assert.deepStrictEqual(yield* teamsLeft, [broken.teamId])
        yield* sql.unsafe(`drop trigger refused on ${table}`)
        yield* task.run(payload)
        assert.deepStrictEqual(yield* teamsLeft, [])
      }).pipe(Effect.provide(Logger.layer([])))
    )
  }
})
