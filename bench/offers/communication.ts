/**
 * `npm run bench:communication`: communicates a teaser to many prospects, each an investor in a team of their own. Measures statements
 * and seconds. See bench/README.md.
 */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, type Context, Effect, Layer, Logger, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { CurrentTransformer } from "effect/sql/Statement"
import { randomBytes } from "node:crypto"
import * as App from "../../src/App.ts"
import { CurrentActor } from "../../src/core/auth/CurrentActor.ts"
import { asOperator } from "../../src/core/auth/Operator.ts"
import { Database } from "../../src/platform/db/Database.ts"
import * as MemoryFileStore from "../../src/platform/fileStore/Memory.ts"
import * as Id from "../../src/core/Id.ts"
import { OnBehalf } from "../../src/identity/users/OnBehalf.ts"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import { Communications } from "../../src/deals/offers/Communications.ts"
import * as UseCaseRequest from "../../src/core/usecase/UseCaseRequest.ts"
import { count, table } from "../Figures.ts"
import * as Service from "../Service.ts"
import { say } from "../Progress.ts"

const flags = {
  prospects: Flag.Int("prospects").pipe(
    Flag.withDescription("How many prospects, each with an investor of a team of their own"),
    Flag.withDefault(1_000)
  )
}

/** The use-cases in this process, with a count of their statements. */
const useCases = Effect.fnUntraced(function* (url: Redacted.Redacted<string>, secretKey: Uint8Array) {
  const statements = { count: 0 }
  const counting: typeof CurrentTransformer.Service = (statement) =>
    Effect.sync(() => {
      statements.count++
      return statement
    })
  const services = yield* Layer.build(
    App.layer({
      secretKeys: { current: Redacted.make(secretKey), previous: undefined },
      webhooks: false,
      webhookAllowHttp: true,
      webhookAllowedNetworks: ["127.0.0.0/8"],
      webhookRetryDelays: undefined,
      rateLimits: { pat: 1_000_000, client: 1_000_000 },
      fileStore: MemoryFileStore.layer
    }).pipe(
      Layer.provide(Jobs.layer),
      Layer.provide(Database.layer({ url, applicationName: "property-network counted" })),
      Layer.provide(Logger.layer([]))
    )
  )
  return { services, statements, counting }
})

/** A broker, their project with a published teaser, and investors who are its prospects, by SQL. */
const fill = Effect.fnUntraced(function* (prospects: number) {
  const sql = yield* Database
  const random = yield* SecureRandom.SecureRandom
  const [team, user, property, project] = [
    yield* random.uuidV7(),
    yield* random.uuidV7(),
    yield* random.uuidV7(),
    yield* random.uuidV7()
  ]
  const email = `${user}@example.com`
  const audit = sql`1, now(), now(), 'created', 'api'`
  yield* sql`insert into teams (id, name, plan, created_at) values (${team}, 'Berg & Co', 'plus', now())`
  yield* sql`
    insert into users (id, email, email_confirmed, name, broker, created_at)
    values (${user}, ${email}, true, 'Anna Berg', 'active', now())`
  yield* sql`
    insert into memberships (team_id, user_id, role, status, is_primary, joined_at, sort_name)
    values (${team}, ${user}, 'admin', 'active', true, now(), 'anna')`
  yield* sql`
    insert into properties (id, team_id, version, created_at, updated_at, change_type, change_origin, name, country, categories, tenants, parcels, areas_by_use)
    values (${property}, ${team}, ${audit}, 'Turm', 'DE', '{office}', '[]', '[]', '[]')`
  yield* sql`
    insert into projects (id, team_id, version, created_at, updated_at, change_type, change_origin, name, is_portfolio, property_ids)
    values (${project}, ${team}, ${audit}, 'Quartier', false, ${[property]}::uuid[])`
  yield* sql`
    insert into teasers (team_id, subject_type, subject_id, version, created_at, updated_at, change_type, change_origin, options, published_at)
    values (${team}, 'project', ${project}, ${audit}, '{}', now())`
  yield* sql`
    with people as (
      select new_uuid_v7(now()) as team, new_uuid_v7(now()) as id, new_uuid_v7(now()) as contact, number
      from generate_series(1, ${prospects}::int) as number
    ), teams_added as (
      insert into teams (id, name, plan, created_at) select team, 'Investor ' || number, 'plus', now() from people
    ), users_added as (
      insert into users (id, email, email_confirmed, name, investor, created_at)
      select id, id || '@example.com', true, 'Nora ' || number, 'active', now() from people
    ), memberships_added as (
      insert into memberships (team_id, user_id, role, status, is_primary, joined_at, sort_name)
      select team, id, 'admin', 'active', true, now(), 'nora' from people
    ), contacts_added as (
      insert into contacts (id, team_id, version, created_at, updated_at, change_type, change_origin, first_name, email)
      select contact, ${team}::uuid, ${audit}, 'Nora', id || '@example.com' from people
    )
    insert into prospects (
      id, team_id, version, created_at, updated_at, change_type, change_origin, project_id, project_created_at, contact_id,
      name, email, classification, stage, milestone_stage, milestone_stage_since_override, accepted, chat, invitation,
      note_count, open_task_count, overdue_when_written
    )
    select new_uuid_v7(now()), ${team}::uuid, ${audit}, ${project}::uuid, now(), contact, 'Nora', id || '@example.com',
      'not_contacted', 'not_contacted', 'not_contacted', 'not_contacted', false, false, false, 0, 0, false
    from people`
  yield* sql`vacuum analyze`
  return { email, projectId: Id.fromUuid("project", project) }
})

const measure = Effect.fnUntraced(function* (service: Service.Service, secretKey: Uint8Array, prospects: number) {
  yield* say(`${count(prospects)} prospects are added`)
  const { email, projectId } = yield* fill(prospects)
  const { counting, services, statements } = yield* useCases(service.url, secretKey)
  const rows: Array<ReadonlyArray<string | number>> = []
  const communicate = Effect.fnUntraced(function* (name: string, expected: number) {
    yield* say(`${name} begins`)
    const before = statements.count
    const began = performance.now()
    const { value } = yield* Effect.gen(function* () {
      const { actorOf } = yield* OnBehalf
      const communications = yield* Communications
      const actor = yield* asOperator(actorOf(email, undefined))
      const request = UseCaseRequest.make({ operation: "bench", query: {}, body: { all: true } })
      return yield* Effect.provideService(communications.communicate(projectId, request), CurrentActor, actor)
    }).pipe(
      Effect.provideService(CurrentTransformer, counting),
      Effect.provideContext(services as Context.Context<Communications | OnBehalf>)
    )
    const offers = value.communicated.reduce((sum, { offerIds }) => sum + offerIds.length, 0)
    if (offers !== expected) return yield* Effect.fail(new Error(`${offers} offers, not ${expected}`))
    rows.push([name, statements.count - before, Math.round(performance.now() - began), offers])
  })
  yield* communicate("First", prospects)
  yield* communicate("Again, with the same teaser", prospects)
  const sql = yield* Database
  yield* sql`update properties set categories = '{hotel}'`
  yield* communicate("Again, with another teaser", prospects)
  yield* Console.log(
    [
      `## A teaser for ${count(prospects)} prospects, each in a team of their own`,
      "",
      ...table(["Communication", "Statements", "Milliseconds", "Offers"], rows)
    ].join("\n")
  )
})

const communication = Command.make("communication", flags, ({ prospects }) =>
  Effect.scoped(
    Effect.gen(function* () {
      const secretKey = new Uint8Array(randomBytes(32))
      const service = yield* Service.make({ SECRET_KEY: Buffer.from(secretKey).toString("base64") })
      yield* measure(service, secretKey, prospects).pipe(
        Effect.provide(
          Layer.merge(
            Database.layer({ url: service.url, applicationName: "property-network bench" }),
            SecureRandom.layerWebCrypto
          )
        )
      )
    })
  )
).pipe(Command.withDescription("Communicate a teaser to many prospects"))

NodeRuntime.runMain(Command.run(communication, { version: "" }).pipe(Effect.provide(NodeServices.layer)))
