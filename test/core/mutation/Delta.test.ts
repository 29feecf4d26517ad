import pg from "pg"
import * as App from "../../../src/App.ts"
import * as Id from "../../../src/core/Id.ts"
import * as ContactsClient from "../../support/ContactsClient.ts"
import * as OwnPostgres from "../../support/OwnPostgres.ts"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Logger, Random, Redacted } from "effect"
import { actorOf } from "../../support/Tenant.ts"
import { Changes } from "../../../src/core/mutation/Changes.ts"
import type { Range } from "../../../src/core/mutation/DeltaList.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { layer as httpLayer } from "../../../src/Http.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import type { Contact } from "../../../src/network/contacts/Contact.ts"
import { ContactsRepo } from "../../../src/network/contacts/ContactsRepo.ts"
import { blank } from "../../../src/network/contacts/rules.ts"
import { times } from "../../support/campaign.ts"
import { pollUntil } from "../../support/polling.ts"
import { TestDatabase, testUrl } from "../../support/TestDatabase.ts"
import { repositories } from "../../support/repositories.ts"
import { options, TestService } from "../../support/TestService.ts"

// A Postgres of its own: an open writer holds back the deltas of every database of its server, so that the ones here
// would be felt by other test files, and theirs here.
const ownPostgres = Layer.effect(
  TestDatabase,
  Effect.map(OwnPostgres.start(), ({ url }) => ({ url: Redacted.make(url) }))
)

const service = TestService.layerServer.pipe(
  Layer.provideMerge(httpLayer({ baseUrl: undefined, host: "127.0.0.1", port: 0 })),
  Layer.provideMerge(Layer.merge(App.layer(options), repositories)),
  Layer.provideMerge(Jobs.layerMemory),
  Layer.provideMerge(Layer.unwrap(Effect.map(testUrl, (url) => Database.layer({ url, maxConnections: 12 })))),
  Layer.provideMerge(ownPostgres),
  Layer.provide(Logger.layer([]))
)

/** A connection below the service. */
const connection = Effect.gen(function* () {
  const client = new pg.Client({ connectionString: Redacted.value(yield* testUrl) })
  yield* Effect.acquireRelease(
    Effect.promise(() => client.connect()),
    () => Effect.promise(() => client.end())
  )
  return {
    raw: client,
    query: <Row extends pg.QueryResultRow>(text: string, values: ReadonlyArray<unknown> = []) =>
      Effect.map(
        Effect.promise(() => client.query<Row>(text, [...values])),
        ({ rows }) => rows
      )
  }
})

type Tenant = Effect.Success<ReturnType<typeof ContactsClient.make>>

/** A writer whose transaction began, has written a contact, and commits on request. */
const openWriter = Effect.fnUntraced(function* (tenant: Tenant) {
  const changes = yield* Changes
  const repo = yield* ContactsRepo
  const written = yield* Deferred.make<Contact>()
  const letGo = yield* Deferred.make<void>()
  const fiber = yield* Effect.forkChild(
    changes.commit(actorOf(tenant), (change) =>
      Effect.gen(function* () {
        const uuid = yield* change.newId
        yield* repo.insert(change, [
          { uuid, readVersion: 0, version: 1, changeType: "created", fields: { ...blank, firstName: "late" } }
        ])
        const [late] = yield* repo.findAll(change.actor.teamId, [uuid])
        yield* Deferred.succeed(written, late!.resource)
        yield* Deferred.await(letGo)
      })
    )
  )
  return {
    contact: yield* Deferred.await(written),
    commit: Effect.andThen(Deferred.succeed(letGo, undefined), Fiber.join(fiber))
  }
})

/** A client that mirrors the contacts as the README describes: always from the greatest `updatedUtc` that it has seen. */
const aReader = (tenant: Tenant, pageSize: number) => {
  const model = new Map<string, Contact>()
  let greatest = new Date(Date.now() - 3_600_000).toISOString()
  const page = Effect.fnUntraced(function* (since: string, cursor: string | null) {
    const reply = yield* tenant.list(
      `?updated_since=${since}&include_deleted=true&page_size=${pageSize}${cursor === null ? "" : `&cursor=${cursor}`}`
    )
    assert.strictEqual(reply.status, 200, reply.text)
    for (const contact of reply.body.data) {
      assert.isAtLeast(Date.parse(contact.updatedUtc), Date.parse(model.get(contact.id)?.updatedUtc ?? since))
      model.set(contact.id, contact)
      if (contact.updatedUtc > greatest) greatest = contact.updatedUtc
    }
    return reply.body.page.nextCursor
  })
  const poll = Effect.gen(function* () {
    const since = greatest
    let cursor = yield* page(since, null)
    while (cursor !== null) cursor = yield* page(since, cursor)
  })
  return { model, page, poll, since: () => greatest }
}

const etags = (contacts: Iterable<Contact>) =>
  [...contacts].map(({ etag, id, updatedUtc }) => `${id} ${etag} ${updatedUtc}`).sort()

/** The rows of the database, tombstones included. */
const stored = Effect.fnUntraced(function* (tenant: Tenant) {
  const sql = yield* Database
  const rows = yield* sql<{ id: string; version: string; updated_at: Date }>`
    select id, version::text, updated_at from contacts where team_id = ${tenant.teamId}`
  return rows.map((row) => `${Id.fromUuid("contact", row.id)} "v${row.version}" ${row.updated_at.toISOString()}`).sort()
})

/** Creates contacts, and changes and deletes those of all writers, at random from a seed. Completes after the last step. */
const aWriter = (tenant: Tenant, shared: Array<string>, steps: number, seed: string) =>
  Effect.gen(function* () {
    for (let step = 0; step < steps; step++) {
      const id = shared[Math.floor((yield* Random.next) * shared.length)]
      const dice = yield* Random.next
      if (id === undefined || dice < 0.35) {
        shared.push((yield* tenant.create({ firstName: `${step}` })).body.id)
      } else if (dice < 0.9) {
        const reply = yield* tenant.patch(id, { firstName: `${seed} ${step}` })
        assert.include([200, 404, 409], reply.status, reply.text)
      } else {
        assert.include([204, 404, 409], (yield* tenant.delete(id)).status)
      }
    }
  }).pipe(Random.withSeed(seed))

/** How many changes each writer makes, while another one is late and afterwards. */
const writes = times("DELTA_WRITES", 12, 40)

layer(service, { excludeTestServices: true, timeout: 60_000 })("Deltas", (it) => {
  // Seen to fail, as the next two were, without the condition of `settled` (changes/Delta.ts): the late contact was never
  // read.
  it.effect("a delta reader beside eight writers, one of which commits late, misses nothing", () =>
    Effect.gen(function* () {
      const tenant = yield* ContactsClient.make()
      const shared: Array<string> = []
      for (let index = 0; index < 10; index++) shared.push((yield* tenant.create({ firstName: "first" })).body.id)
      // Small pages, so that most polls go on from cursor to cursor while the writers write.
      const reader = aReader(tenant, 7)
      const late = yield* openWriter(tenant)
      let writing = true
      const reading = yield* Effect.forkChild(
        Effect.gen(function* () {
          while (writing) yield* reader.poll
        })
      )
      const writers = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 7 }, (_, writer) => aWriter(tenant, shared, writes, `before ${writer}`)),
          { concurrency: "unbounded" }
        )
      )
      yield* Fiber.join(writers)
      yield* late.commit
      // Once more beside the reader, with nobody late: deltas flow again.
      yield* Effect.all(
        Array.from({ length: 8 }, (_, writer) => aWriter(tenant, shared, writes, `after ${writer}`)),
        { concurrency: "unbounded" }
      )
      writing = false
      yield* Fiber.join(reading)
      yield* reader.poll
      assert.isTrue(reader.model.has(late.contact.id))
      assert.isAbove([...reader.model.values()].filter(({ changeType }) => changeType === "deleted").length, 0)
      assert.deepStrictEqual(etags(reader.model.values()), yield* stored(tenant))
    })
  )

  it.effect("hold back what transactions wrote that began after an open one", () =>
    Effect.gen(function* () {
      const tenant = yield* ContactsClient.make()
      const before = yield* tenant.create({ firstName: "before" })
      const late = yield* openWriter(tenant)
      const after = yield* tenant.create({ firstName: "after" })
      const seen = (query: string) =>
        Effect.map(tenant.list(query), ({ body }) => body.data.map(({ firstName }) => firstName))
      const since = `?updated_since=${before.body.updatedUtc}`
      assert.deepStrictEqual(yield* seen(since), ["before"])
      // Only deltas hold rows back: the plain list shows them.
      assert.deepStrictEqual(yield* seen(""), ["before", "after"])
      yield* late.commit
      assert.deepStrictEqual(yield* seen(since), ["before", "late", "after"])
      assert.isAtLeast(Date.parse(after.body.updatedUtc), Date.parse(late.contact.updatedUtc))
    })
  )

  // Seen to fail with the horizon of each page's own moment, as it was: "between" was never read.
  it.effect("list a restored row, though this server reaches the transaction id that it has from another one", () =>
    Effect.gen(function* () {
      const tenant = yield* ContactsClient.make()
      const { query } = yield* connection
      const dumped = (yield* tenant.create({ firstName: "Dumped" })).body.id
      const newer = (yield* tenant.create({ firstName: "Newer" })).body.id
      yield* query(
        `update contacts set updated_at = '2025-01-01', transaction_id = (pg_current_xact_id()::text::bigint + 20)::text::xid8
        where id = $1`,
        [Id.toUuid("contact", dumped)]
      )
      yield* query("update contacts set updated_at = '2025-06-01' where id = $1", [Id.toUuid("contact", newer)])
      const writer = yield* openWriter(tenant)
      for (let spent = 0; spent < 30; spent++) yield* query("select pg_current_xact_id()")
      const reply = yield* tenant.list("?updated_since=2024-01-01&include_deleted=true")
      assert.deepStrictEqual(
        reply.body.data.map(({ id }) => id),
        [dumped, newer]
      )
      yield* writer.commit
    })
  )

  it.effect("do not miss what a late writer commits between two pages, at the time at which the first page ended", () =>
    Effect.gen(function* () {
      const tenant = yield* ContactsClient.make()
      const below = yield* connection
      // The clock of the database jumps ahead and back: until it has caught up, all changes have one time.
      const at = new Date(Date.now() + 60_000)
      yield* below.query("select begin_change($1, $2)", [tenant.teamId, at])
      yield* tenant.create({ firstName: "first" })
      yield* tenant.create({ firstName: "second" })
      yield* below.query("begin")
      yield* below.query("select begin_change($1, null)", [tenant.teamId])
      yield* below.query(
        `insert into contacts (id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, first_name)
        values ('00000000-0000-7000-8000-000000000001', $1, 1, pg_current_xact_id(), $2, $2, 'created', 'api', 'between')`,
        [tenant.teamId, at]
      )
      const reader = aReader(tenant, 1)
      const cursor = yield* reader.page(at.toISOString(), null)
      yield* below.query("commit")
      yield* below.query("select begin_change($1, $2)", [tenant.teamId, new Date(at.getTime() + 1)])
      yield* tenant.create({ firstName: "third" })
      assert.isNotNull(cursor)
      let next = yield* reader.page(at.toISOString(), cursor)
      while (next !== null) next = yield* reader.page(at.toISOString(), next)
      yield* reader.poll
      assert.deepStrictEqual([...reader.model.values()].map(({ firstName }) => firstName).sort(), [
        "between",
        "first",
        "second",
        "third"
      ])
    })
  )

  // As when pages come from a primary and from a standby that is late. Seen to fail with the horizon of the first page alone.
  it.effect("lose nothing when a page is read from a server that is behind the first page's", () =>
    Effect.gen(function* () {
      const tenant = yield* ContactsClient.make()
      const repo = yield* ContactsRepo
      const range = { since: new Date(0), includeDeleted: true, after: undefined, limit: 10 }
      const list = (of: Partial<Range>) => repo.list(tenant.teamId, { ...range, position: undefined, ...of }, {})
      const names = (fetched: Effect.Success<ReturnType<typeof list>>) =>
        fetched.rows.map(({ resource }) => resource.firstName)
      yield* tenant.create({ firstName: "first" })
      const first = yield* list({ limit: 1 })
      const late = yield* openWriter(tenant)
      yield* tenant.create({ firstName: "later" })
      const ahead = { ...first.position, horizon: String(BigInt(first.position.horizon) + 1_000_000n) }
      // A page with rows, and one without.
      for (const after of [undefined, { at: "2100-01-01T00:00:00Z", id: "00000000-0000-0000-0000-000000000000" }]) {
        const page = yield* list({ position: ahead, after })
        assert.deepStrictEqual(names(page), after === undefined ? ["first"] : [])
        assert.isBelow(Number(page.position.horizon), Number(ahead.horizon))
        const next = yield* list({ since: page.position })
        assert.deepStrictEqual(names(next), [])
      }
      const behind = yield* list({ position: ahead })
      yield* late.commit
      assert.deepStrictEqual(names(yield* list({ since: behind.position })), ["late", "later"])
    })
  )

  // One change may write what another one wrote that began after it: in the table, the time of the contact goes back then.
  it.effect(
    "never see the updatedUtc of a contact go backwards under concurrent patches, and end with the last one",
    () =>
      Effect.gen(function* () {
        const tenant = yield* ContactsClient.make()
        const {
          body: { id }
        } = yield* tenant.create({ firstName: "contended" })
        const reader = aReader(tenant, 1)
        const polling = yield* Effect.forkChild(Effect.forever(reader.poll))
        const patches = yield* Effect.all(
          Array.from({ length: 8 }, (_, writer) =>
            Effect.forEach(
              Array.from({ length: 6 }, (_, step) => `${writer} ${step}`),
              (firstName) => tenant.patch(id, { firstName })
            )
          ),
          { concurrency: "unbounded" }
        )
        const versions = patches
          .flat()
          .filter(({ status }) => status === 200)
          .map(({ body }) => body.etag)
        assert.isAbove(versions.length, 8)
        assert.strictEqual(new Set(versions).size, versions.length)
        yield* Fiber.interrupt(polling)
        yield* reader.poll
        assert.deepStrictEqual(etags(reader.model.values()), yield* stored(tenant))
      })
  )
})

/** Teams: the first two are in one bucket. */
const [ofBucket, alsoOfBucket, ofAnother] = [
  "0195d6a0-0000-7000-8000-000000000005",
  "0195d6a0-0000-7000-8000-000000000145",
  "0195d6a0-0000-7000-8000-000000000006"
] as const

layer(ownPostgres, { excludeTestServices: true, timeout: 60_000 })("begin_change", (it) => {
  type Begun = { readonly id: bigint; readonly at: number }
  const ofTeam = "select transaction_id::text as id, changed_at as at from begin_change($1, $2)"
  type Query = Effect.Success<typeof connection>["query"]
  const begin = (query: Query, text: string, values: ReadonlyArray<unknown>) =>
    Effect.map(query<{ id: string; at: Date }>(text, values), ([row]): Begun => ({
      id: BigInt(row?.id ?? 0),
      at: row?.at.getTime() ?? 0
    }))

  // Each caller loops on the server, so that calls overlap. Times are ahead of the database's clock, and on average later with every
  // step, so that they move.
  const callers = `
    do $$
    declare
      teams constant uuid[] := '{${ofBucket},${alsoOfBucket},${ofAnother}}';
      home uuid;
      away uuid;
      at timestamptz;
      one record;
    begin
      for step in 1..150 loop
        home := teams[1 + floor(random() * 3)];
        away := teams[1 + floor(random() * 3)];
        at := date_trunc('hour', now()) + interval '2 hours' + (step + 5 * random()) * interval '20 milliseconds';
        if random() < 0.1 then at := null; end if;
        select * into one from begin_change(home, at);
        insert into begun values (home, one.transaction_id, one.changed_at);
        if home <> away and random() < 0.5 then
          select * into one from begin_change(away, one.changed_at);
          insert into begun values (away, one.transaction_id, one.changed_at);
        end if;
        if random() < 0.2 then rollback; else commit; end if;
      end loop;
    end
    $$`

  // Seen to fail without the lock, and with the transaction's own id in teams that it reaches later.
  it.effect("gives times in the order of ids in each team: 16 at once, across teams, clocks that jump back", () =>
    Effect.gen(function* () {
      const { query } = yield* connection
      yield* query("create unlogged table begun (team uuid, id xid8, at timestamptz)")
      yield* Effect.forEach(
        Array.from({ length: 16 }),
        () => Effect.flatMap(connection, (caller) => caller.query(callers)),
        { concurrency: "unbounded" }
      )
      const [found] = yield* query(
        `select count(*) filter (where at < before)::int as backward, count(*) filter (where id = former)::int as repeated,
          count(distinct at) > 50 as "movesOn", count(*) > 2000 as "isMany"
        from (
          select at, id, lag(id) over ids as former, max(at) over (ids rows between unbounded preceding and 1 preceding) as before
          from begun window ids as (partition by team order by id)
        ) as ordered`
      )
      assert.deepStrictEqual(found, { backward: 0, repeated: 0, movesOn: true, isMany: true })
    })
  )

  it.effect("gives a transaction its own id first, and in a team that it reaches later one of the order there", () =>
    Effect.gen(function* () {
      const crossing = yield* connection
      const other = yield* connection
      yield* crossing.query("begin")
      const first = yield* begin(crossing.query, ofTeam, [ofBucket, null])
      const [own] = yield* crossing.query<{ id: string }>("select pg_current_xact_id()::text as id")
      assert.strictEqual(first.id, BigInt(own?.id ?? 0))
      // Ahead of all clocks.
      const meanwhile = yield* begin(other.query, ofTeam, [ofAnother, new Date(Date.now() + 86_400_000)])
      const reached = yield* begin(crossing.query, ofTeam, [ofAnother, new Date(first.at)])
      const [{ open } = {}] = yield* other.query<{ open: boolean }>(
        "select $1::xid8 >= pg_snapshot_xmin(pg_current_snapshot()) as open",
        [String(reached.id)]
      )
      yield* crossing.query("commit")
      const [{ settled } = {}] = yield* other.query<{ settled: boolean }>(
        "select $1::xid8 < pg_snapshot_xmin(pg_current_snapshot()) as settled",
        [String(reached.id)]
      )
      assert.deepStrictEqual({ open, settled }, { open: true, settled: true })
      // The control: with its own id, which is lesser, it would have to be before what is after all clocks.
      assert.isTrue(first.id < meanwhile.id && meanwhile.id < reached.id)
      assert.isAtLeast(reached.at, meanwhile.at)
      assert.isBelow(first.at, meanwhile.at)
    })
  )

  const isRefused = (client: pg.Client, text: string) =>
    Effect.promise(() =>
      client.query(text).then(
        () => undefined,
        (error: { readonly code: string }) => error.code
      )
    )

  it.effect("waits for changes of the same bucket, and for no others", () =>
    Effect.gen(function* () {
      const holder = yield* connection
      const waiter = yield* connection
      yield* waiter.query("set statement_timeout = '50ms'")
      const waits = Effect.map(
        Effect.forEach(
          [
            `select begin_change('${ofBucket}', null)`,
            `select begin_change('${alsoOfBucket}', null)`,
            `select begin_change('${ofAnother}', null)`
          ],
          (text) => isRefused(waiter.raw, text)
        ),
        (codes) => codes.map((code) => code === "57014")
      )
      yield* holder.query("select pg_advisory_lock(7065001, 5)")
      assert.deepStrictEqual(yield* waits, [true, true, false])
    })
  )

  const heldLocks = "select pid from pg_locks where locktype = 'advisory'"

  it.effect("timed out while it waits, leaves no lock behind", () =>
    Effect.gen(function* () {
      const holder = yield* connection
      const waiter = yield* connection
      yield* holder.query("select pg_advisory_lock(7065001, 5)")
      yield* waiter.query("set statement_timeout = '20ms'")
      assert.strictEqual(yield* isRefused(waiter.raw, `select begin_change('${ofBucket}', null)`), "57014")
      yield* holder.query("select pg_advisory_unlock(7065001, 5)")
      assert.isEmpty(yield* holder.query(heldLocks))
      assert.lengthOf(yield* holder.query(`select begin_change('${ofBucket}', null)`), 1)
      assert.isEmpty(yield* holder.query(heldLocks))
    })
  )

  // Seen to fail, about every fifth time, with a lock of the session in begin_change: the cancellation that came at the
  // moment when the lock was given left it held, and no change could be made until that connection was closed.
  it.effect("canceled when it gets the lock, leaves no lock behind", () =>
    Effect.gen(function* () {
      const holder = yield* connection
      const waiter = yield* connection
      const canceler = yield* connection
      const [self] = yield* waiter.query<{ pid: number }>("select pg_backend_pid() as pid")
      let canceled = 0
      for (let turn = 0; turn < 300; turn++) {
        yield* holder.query("select pg_advisory_lock(7065001, 5)")
        const begun = waiter.raw.query(`select begin_change('${ofBucket}', null)`).catch(() => canceled++)
        const waiting = canceler.query("select from pg_locks where pid = $1 and not granted", [self?.pid])
        yield* pollUntil("a statement that waits for the lock", waiting, (rows) => rows.length > 0)
        yield* Effect.promise(() =>
          Promise.all([
            holder.raw.query("select pg_advisory_unlock(7065001, 5)"),
            canceler.raw.query("select pg_cancel_backend($1)", [self?.pid]),
            begun
          ])
        )
        assert.isEmpty(yield* canceler.query(heldLocks))
      }
      assert.isAbove(canceled, 0)
    })
  )
})
