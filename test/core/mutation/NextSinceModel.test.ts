/** Random interleavings of writers, purges and one reader, who must end with what the table has, and see no version twice. */
import * as fc from "fast-check"
import pg from "pg"
import * as App from "../../../src/App.ts"
import * as Id from "../../../src/core/Id.ts"
import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import * as OwnPostgres from "../../support/OwnPostgres.ts"
import * as Tenant from "../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import { CurrentActor } from "../../../src/core/auth/CurrentActor.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import { Contacts } from "../../../src/network/contacts/Contacts.ts"
import { ContactsRepo } from "../../../src/network/contacts/ContactsRepo.ts"
import type { Contact, ContactListQuery } from "../../../src/network/contacts/Contact.ts"
import { times } from "../../support/campaign.ts"
import { repositories } from "../../support/repositories.ts"
import { options } from "../../support/TestService.ts"

const writers = 3
const records = 6
const day = 86_400_000

/** A step of an interleaving. Each writer has a connection, on which a transaction can stay open over many steps. */
type Step =
  | { readonly do: "begin" | "commit" | "rollback"; readonly writer: number }
  | { readonly do: "write"; readonly writer: number; readonly record: number; readonly deleted: boolean }
  | { readonly do: "pass" }
  | { readonly do: "page"; readonly size: number }
  /** After 91 days, in which no transaction stays open. */
  | { readonly do: "purge" }
  | { readonly do: "resync"; readonly size: number; readonly withDeleted: boolean }

const writer = fc.nat({ max: writers - 1 })
const size = fc.integer({ min: 1, max: 4 })

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("begin" as const, "commit" as const), writer }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("rollback" as const), writer }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("write" as const),
      writer,
      record: fc.nat({ max: records - 1 }),
      deleted: fc.boolean()
    })
  },
  // Most changes share their time with others.
  { weight: 1, arbitrary: fc.record({ do: fc.constant("pass" as const) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("page" as const), size }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("purge" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("resync" as const), size, withDeleted: fc.boolean() }) }
)

const service = Layer.merge(App.layer(options), repositories).pipe(
  Layer.provideMerge(Jobs.layerMemory),
  Layer.provideMerge(
    Layer.unwrap(Effect.map(OwnPostgres.start(), ({ url }) => Database.layer({ url: Redacted.make(url) })))
  ),
  Layer.provide(Logger.layer([]))
)

/** A writer's connection: transactions as `begin_change` begins them. */
class Writer {
  readonly #client: pg.Client
  #isOpen = false
  readonly #locked = new Set<number>()
  constructor(client: pg.Client) {
    this.#client = client
  }
  async begin(team: string, at: number) {
    if (this.#isOpen) return
    await this.#client.query("begin")
    await this.#client.query(
      `select set_config('test.at', changed_at::text, true), set_config('test.id', transaction_id::text, true)
      from begin_change($1, $2)`,
      [team, new Date(at)]
    )
    this.#isOpen = true
  }
  async end(how: "commit" | "rollback") {
    if (this.#isOpen) await this.#client.query(how)
    this.#isOpen = false
    this.#locked.clear()
  }
  /** Whether another writer would wait for this one to write the record. */
  holds(record: number) {
    return this.#locked.has(record)
  }
  async write(uuid: string, team: string, record: number, { at, deleted }: { at: number; deleted: boolean }) {
    const alone = !this.#isOpen
    await this.begin(team, at)
    this.#locked.add(record)
    await this.#client.query(
      `insert into contacts as former (
        id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, first_name, deleted_at,
        deleted_refs
      )
      select $1, $2, 1, current_setting('test.id')::xid8, at, at, 'created', 'api', 'n', case when $3 then at end,
        case when $3 then '[]'::jsonb end
      from (select current_setting('test.at')::timestamptz as at) as change
      on conflict (id) do update set version = former.version + 1, updated_at = excluded.updated_at,
        transaction_id = excluded.transaction_id, deleted_at = excluded.deleted_at, deleted_refs = excluded.deleted_refs`,
      [uuid, team, deleted]
    )
    if (alone) await this.end("commit")
  }
}

/** A reader who only goes by `nextSince`. */
const aReader = (list: (query: ContactListQuery) => Effect.Effect<Awaited<Page>, { readonly _tag: string }>) => {
  const model = new Map<string, Contact>()
  const versions = new Set<string>()
  let since: string | null = null
  let cursor: string | null = null
  let isFull = true
  let withDeleted = false
  let unread = new Set<string>()

  const resync = (includeDeleted: boolean) => {
    since = cursor = null
    isFull = true
    withDeleted = includeDeleted
    unread = new Set(model.keys())
    versions.clear()
  }
  /** Reads one page; starts over when the service asks for it. */
  const page = (page_size: number): Effect.Effect<void> =>
    list({
      page_size,
      ...(cursor === null ? {} : { cursor }),
      ...(since === null ? {} : { updated_since: since }),
      include_deleted: isFull ? withDeleted : true
    }).pipe(
      Effect.map(({ data, page }) => {
        for (const contact of data) {
          const version = `${contact.id} ${contact.etag} ${contact.updatedUtc}`
          assert.isFalse(versions.has(version), `${version} came twice`)
          versions.add(version)
          unread.delete(contact.id)
          model.set(contact.id, contact)
        }
        assert.strictEqual(page.nextSince === null, page.hasMore)
        cursor = page.nextCursor
        if (page.nextSince === null) return
        since = page.nextSince
        if (isFull) for (const id of unread) model.delete(id)
        isFull = false
      }),
      Effect.catch((problem) => {
        assert.strictEqual(problem._tag, "ResyncRequired")
        resync(false)
        return Effect.void
      })
    )
  const isAtRest = () => cursor === null && !isFull
  return { page, resync, isAtRest, living: () => [...model.values()].filter(({ deletedUtc }) => deletedUtc === null) }
}

type Page = Promise<Effect.Success<ReturnType<Contacts["Service"]["list"]>>>

layer(service, { excludeTestServices: true, timeout: 120_000 })("A reader who goes by nextSince alone", (it) => {
  it.effect("ends with what the table has and sees no version twice, whatever happens meanwhile", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { config } = sql
      const contacts = yield* Contacts
      const repo = yield* ContactsRepo
      const connect = Effect.acquireRelease(
        Effect.promise(async () => {
          const client = new pg.Client({ connectionString: Redacted.value(config.url!) })
          await client.connect()
          return client
        }),
        (client) => Effect.promise(() => client.end())
      )
      const clients = yield* Effect.all(Array.from({ length: writers }, () => connect))
      let now = Date.parse("2027-01-01T00:00:00Z")
      const context = yield* Effect.context<Database | SecureRandom.SecureRandom>()

      const run = (steps: ReadonlyArray<Step>) =>
        Effect.gen(function* () {
          const tenant = yield* Tenant.make()
          const reader = aReader((query) =>
            Effect.provideService(
              contacts.list(UseCaseRequest.make({ operation: "test", query })),
              CurrentActor,
              Tenant.actorOf(tenant)
            )
          )
          const uuids = yield* Effect.forEach(Array.from({ length: records }), () =>
            Effect.map(sql<{ id: string }>`select new_uuid_v7(now()) as id`, ([row]) => row?.id ?? "")
          )
          const all = clients.map((client) => new Writer(client))
          const settle = (how: "commit" | "rollback") =>
            Effect.promise(async () => {
              for (const one of all) await one.end(how)
            })
          for (const one of steps) {
            if (one.do === "page") yield* reader.page(one.size)
            else if (one.do === "resync") reader.resync(one.withDeleted)
            else if (one.do === "pass") now += 1
            else if (one.do === "purge") {
              yield* settle("commit")
              now += 91 * day
              const until = new Date(now - 90 * day)
              const found = yield* repo.findPurgeable(until, { limit: 100, failed: [] })
              if (found !== undefined) {
                yield* sql.withTransaction(Effect.flatMap(repo.lockPurgeable(until, found), repo.purge))
              }
            } else {
              const chosen = all[one.writer]
              if (one.do === "begin") yield* Effect.promise(() => chosen!.begin(tenant.teamId, now))
              else if (one.do !== "write") {
                const how = one.do
                yield* Effect.promise(() => chosen!.end(how))
              } else if (!all.some((other) => other !== chosen && other.holds(one.record))) {
                const write = chosen!.write(uuids[one.record] ?? "", tenant.teamId, one.record, { ...one, at: now })
                yield* Effect.promise(() => write)
              }
            }
          }
          yield* settle("commit")
          do yield* reader.page(3)
          while (!reader.isAtRest())
          do yield* reader.page(3)
          while (!reader.isAtRest())
          const rows = yield* sql<{ id: string; version: string }>`
            select id, version::text from contacts where team_id = ${tenant.teamId} and deleted_at is null`
          assert.deepStrictEqual(
            reader
              .living()
              .map(({ etag, id }) => `${id} ${etag}`)
              .sort(),
            rows.map(({ id, version }) => `${Id.fromUuid("contact", id)} "v${version}"`).sort()
          )
          now += 1
        }).pipe(Effect.orDie)

      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) =>
            Effect.runPromiseWith(context)(run(steps)).finally(() =>
              Promise.all(clients.map((client) => client.query("rollback")))
            )
          ),
          { numRuns: times("MODEL_RUNS", 60, 300), seed: Number(process.env["MODEL_SEED"] ?? 20_261_122) }
        )
      )
    })
  )
})
