import * as Id from "../../../src/core/Id.ts"
import * as Tenant from "../../support/Tenant.ts"
import * as JournalClient from "./JournalClient.ts"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { actAs, operatorOf } from "../../../src/core/auth/CurrentActor.ts"
import { Changes } from "../../../src/core/mutation/Changes.ts"
import { EntriesRepo } from "../../../src/webhooks/changes/EntriesRepo.ts"
import type { JournalEntry } from "../../../src/webhooks/changes/Entry.ts"
import { Journal } from "../../../src/webhooks/changes/Journal.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { faultsOf } from "../../support/faults.ts"
import {
  bulkLoad,
  planOf,
  readsOf,
  type SentStatement,
  service,
  statementsOf,
  statementsSentBy
} from "../../support/Statements.ts"

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

const seqs = (entries: ReadonlyArray<JournalEntry>) => entries.map(({ seq }) => seq)

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

/** A writer whose transaction began, and which writes its event and commits on a signal. */
const openWriter = Effect.fnUntraced(function* (teamId: string) {
  const changes = yield* Changes
  const began = yield* Deferred.make<string>()
  const letGo = yield* Deferred.make<void>()
  const fiber = yield* Effect.forkChild(
    changes.commit(operatorOf(teamId), (change) =>
      Effect.gen(function* () {
        const id = yield* change.newId
        const resource = { type: "contact" as const, id }
        yield* Deferred.succeed(began, Id.fromUuid("contact", id))
        yield* Deferred.await(letGo)
        const event = { type: "contact.created" as const, resource: "contact" as const, extras: {} }
        change.record({ change: "created", resource, subjects: [], event })
      })
    )
  )
  return {
    id: yield* Deferred.await(began),
    commit: Effect.andThen(Deferred.succeed(letGo, undefined), Fiber.join(fiber))
  }
})

const bigTables = ["events", "journal", "journals", "deliveries"]

// On a Postgres of its own: an open writer holds back the journals of every database of its server.
layer(service, { excludeTestServices: true, timeout: 60_000 })("The journal", (it) => {
  it.effect("returns stored payloads, numbered 1, 2, 3 in the order of the changes", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const tenant = yield* JournalClient.make()
      assert.deepStrictEqual(yield* tenant.read(), { data: [], page: { nextAfter: 0, pageSize: 50, hasMore: false } })
      const { body: contact } = yield* tenant.create({ firstName: "Anna" })
      yield* tenant.patch(contact.id, { email: "anna@example.com" })
      yield* tenant.delete(contact.id)
      const { data, page } = yield* tenant.read()
      assert.deepStrictEqual(page, { nextAfter: 3, pageSize: 50, hasMore: false })
      const stored = yield* sql<{ body: string }>`select body from events where team_id = ${tenant.teamId} order by seq`
      assert.deepStrictEqual(
        data as ReadonlyArray<unknown>,
        stored.map(({ body }, index) => ({ seq: index + 1, ...JSON.parse(body) }))
      )
      assert.deepStrictEqual(
        data.map(({ event }) => event),
        ["contact.created", "contact.updated", "contact.deleted"]
      )
      assert.deepStrictEqual(yield* tenant.read("?after=3"), {
        data: [],
        page: { nextAfter: 3, pageSize: 50, hasMore: false }
      })
    })
  )

  it.effect("can be paged with any page size, from any number", () =>
    Effect.gen(function* () {
      const tenant = yield* JournalClient.make()
      yield* JournalClient.written(tenant.teamId, { count: 2600 })
      const first = yield* tenant.read("?page_size=2")
      assert.deepStrictEqual([seqs(first.data), first.page], [[1, 2], { nextAfter: 2, pageSize: 2, hasMore: true }])
      assert.deepStrictEqual(seqs((yield* tenant.walk(499)).entries), upTo(2600))
      assert.deepStrictEqual(seqs((yield* tenant.walk(3, 2591)).entries), upTo(2600).slice(2591))
      const last = yield* tenant.read("?page_size=100&after=2500")
      assert.deepStrictEqual([last.data.length, last.page.hasMore], [100, false])
    })
  )

  it.effect("returns only the events of the caller's team", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* JournalClient.make(), yield* JournalClient.make()]
      yield* one.create({ firstName: "Anna" })
      yield* other.create({ firstName: "Ben" })
      yield* one.create({ firstName: "Cleo" })
      const [ours, theirs] = [yield* one.walk(50), yield* other.walk(50)]
      assert.deepStrictEqual([seqs(ours.entries), seqs(theirs.entries)], [[1, 2], [1]])
      const ids = new Set([...ours.entries, ...theirs.entries].map((entry) => entry.resource_id))
      assert.strictEqual(ids.size, 3)
    })
  )

  it.effect("holds back changes that began after an open transaction, and reports no more for now", () =>
    Effect.gen(function* () {
      const tenant = yield* JournalClient.make()
      const { body: before } = yield* tenant.create({ firstName: "before" })
      const late = yield* openWriter(tenant.teamId)
      const { body: after } = yield* tenant.create({ firstName: "after" })
      const held = yield* tenant.read()
      assert.deepStrictEqual(
        held.data.map((entry) => entry.resource_id),
        [before.id]
      )
      assert.deepStrictEqual(held.page, { nextAfter: 1, pageSize: 50, hasMore: false })
      yield* late.commit
      const { data } = yield* tenant.read("?after=1")
      assert.deepStrictEqual(
        data.map((entry) => entry.resource_id),
        [late.id, after.id]
      )
    })
  )

  // Seen to fail with numbers for all that is committed, settled or not: the late event came below what was read.
  it.effect("loses and repeats nothing for two pollers beside six writers, one of which commits late", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const tenant = yield* JournalClient.make()
      const late = yield* openWriter(tenant.teamId)
      let writing = true
      const aPoller = (pageSize: number) =>
        Effect.gen(function* () {
          const seen: Array<JournalEntry> = []
          let after = 0
          for (let last = false; !last;) {
            last = !writing
            const { entries, nextAfter } = yield* tenant.walk(pageSize, after)
            seen.push(...entries)
            after = nextAfter
          }
          return seen
        })
      const polling = yield* Effect.forkChild(Effect.all([aPoller(3), aPoller(50)], { concurrency: 2 }))
      const aWriter = Effect.forEach(upTo(12), (step) => tenant.create({ firstName: `${step}` }), { discard: true })
      const writers = Effect.all(
        Array.from({ length: 5 }, () => aWriter),
        { concurrency: "unbounded" }
      )
      yield* writers
      yield* late.commit
      yield* writers
      writing = false
      const [one = [], other = []] = yield* Fiber.join(polling)
      assert.deepStrictEqual(seqs(one), upTo(121))
      assert.deepStrictEqual(one, other)
      assert.include(
        one.map((entry) => entry.resource_id),
        late.id
      )
      const stored = yield* sql<{ number: number }>`
        select (body::jsonb->>'action_id')::int as number from events where team_id = ${tenant.teamId}
        order by occurred_at, transaction_id, seq`
      assert.deepStrictEqual(
        one.map((entry) => entry.action_id),
        stored.map(({ number }) => number)
      )
    })
  )

  it.effect("gives each event one number when many clients read it for the first time at once", () =>
    Effect.gen(function* () {
      const tenant = yield* JournalClient.make()
      yield* tenant.read()
      yield* JournalClient.written(tenant.teamId, { count: 300 })
      const pages = yield* Effect.all(
        Array.from({ length: 12 }, () => tenant.read("?page_size=500")),
        {
          concurrency: "unbounded"
        }
      )
      for (const { data, page } of pages) {
        assert.deepStrictEqual(data, pages[0]?.data)
        assert.deepStrictEqual([seqs(data), page.nextAfter], [upTo(300), 300])
      }
    })
  )

  it.effect("is unchanged after a reader dies while it numbers events", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const repo = yield* EntriesRepo
      const tenant = yield* JournalClient.make()
      yield* JournalClient.written(tenant.teamId, { count: 3 })
      const dead = yield* Effect.exit(
        sql.withTransaction(Effect.andThen(repo.number(tenant.teamId), Effect.fail("killed")))
      )
      assert.strictEqual(dead._tag, "Failure")
      assert.isEmpty(yield* sql`select from journals where team_id = ${tenant.teamId}`)
      assert.deepStrictEqual(seqs((yield* tenant.read()).data), [1, 2, 3])
    })
  )

  it.effect("filters by one or more types, repeated or separated by commas, and keeps the numbers", () =>
    Effect.gen(function* () {
      const { ask, read, teamId } = yield* JournalClient.make()
      for (const type of ["contact.created", "link.created", "contact.deleted", "link.created", "company.created"]) {
        yield* JournalClient.written(teamId, { type })
      }
      const found = (query: string) =>
        Effect.map(read(query), ({ data, page }) => [seqs(data), page.nextAfter, page.hasMore])
      assert.deepStrictEqual(yield* found("?types=link.created"), [[2, 4], 5, false])
      for (const types of ["types=contact.created,contact.deleted", "types=contact.deleted&types=contact.created"]) {
        assert.deepStrictEqual(yield* found(`?${types}`), [[1, 3], 5, false])
      }
      assert.deepStrictEqual(yield* found("?types=link.created,link.created&types=company.created"), [
        [2, 4, 5],
        5,
        false
      ])
      assert.deepStrictEqual(yield* found("?types=link.created&page_size=1"), [[2], 2, true])
      assert.deepStrictEqual(yield* found("?types=link.created&page_size=1&after=2"), [[4], 5, false])
      assert.deepStrictEqual(yield* found("?types=project.created"), [[], 5, false])
      for (const types of ["task.*", "link.created,nothing", "link.created,", "link.created&types=nothing"]) {
        const refused = yield* ask<Record<string, unknown>>(`?types=${types}`)
        assert.deepStrictEqual([refused.status, faultsOf(refused)], [400, ["query /types not_allowed"]])
        assert.strictEqual(refused.text.split("prospect.task_completed").length, 2, "the known types are listed once")
      }
      const misspelt = yield* ask<Record<string, unknown>>("?types=link.created,prospect.task_complete")
      assert.deepStrictEqual([misspelt.status, faultsOf(misspelt)], [400, ["query /types not_allowed"]])
      assert.include(misspelt.text, 'Did you mean \\"prospect.task_completed\\"?')
      assert.notInclude(misspelt.text, "prospect.task_added")
      const blank = yield* ask<Record<string, unknown>>("?types=")
      assert.deepStrictEqual([blank.status, faultsOf(blank)], [400, ["query /types blank"]])
    })
  )

  it.effect("scans a bounded number of events per page, so an empty page may have more after it", () =>
    Effect.gen(function* () {
      const { read, teamId, walk } = yield* JournalClient.make()
      yield* JournalClient.written(teamId, { count: 6000 })
      yield* JournalClient.written(teamId, { type: "link.deleted" })
      yield* walk(500)
      const first = yield* read("?types=link.deleted")
      assert.deepStrictEqual(first, { data: [], page: { nextAfter: 5000, pageSize: 50, hasMore: true } })
      const second = yield* read("?types=link.deleted&after=5000")
      assert.deepStrictEqual(
        [seqs(second.data), second.page],
        [[6001], { nextAfter: 6001, pageSize: 50, hasMore: false }]
      )
    })
  )

  it.effect("rejects an invalid `after` or page size, and unknown parameters", () =>
    Effect.gen(function* () {
      const { ask } = yield* JournalClient.make()
      const refused = (query: string) =>
        Effect.map(ask<Record<string, unknown>>(query), (reply) => [reply.status, faultsOf(reply)])
      for (const after of ["-1", "1.5", "01", "x", "1e3", "9007199254740992"]) {
        assert.deepStrictEqual(yield* refused(`?after=${after}`), [400, ["query /after out_of_range"]])
      }
      assert.deepStrictEqual(yield* refused("?after=1&after=2"), [400, ["query /after repeated"]])
      assert.deepStrictEqual(yield* refused("?page_size=501"), [400, ["query /page_size out_of_range"]])
      assert.deepStrictEqual(yield* refused("?page_sze=5&cursor=x"), [
        400,
        ["query /page_sze unknown_parameter", "query /cursor unknown_parameter"]
      ])
    })
  )

  it.effect("asks a reader with a number that was never assigned to resynchronize, as after a restore", () =>
    Effect.gen(function* () {
      const { ask, create, read } = yield* JournalClient.make()
      yield* create({ firstName: "Anna" })
      const early = yield* ask<Record<string, unknown>>("?after=1")
      assert.deepStrictEqual([early.status, early.body["code"]], [410, "resync_required"])
      yield* read()
      assert.deepStrictEqual((yield* read("?after=1")).data, [])
      const refused = yield* ask<Record<string, unknown>>("?after=2")
      assert.deepStrictEqual([refused.status, refused.body["code"]], [410, "resync_required"])
      assert.include(refused.text, "continue here with after=1.")
    })
  )

  it.effect("continues after a restore that restarts transaction ids, with a clock that is behind", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { read, teamId } = yield* JournalClient.make()
      const at = new Date(Date.now() - 60_000)
      const [first] = yield* JournalClient.written(teamId, {
        at: new Date(at.getTime() - 1),
        transaction: 4_000_000_001
      })
      const [second] = yield* JournalClient.written(teamId, { at, transaction: 4_000_000_000 })
      assert.deepStrictEqual(seqs((yield* read()).data), [1, 2])
      // At the very time of the last event, and then later.
      const [third] = yield* JournalClient.written(teamId, { at })
      const [fourth] = yield* JournalClient.written(teamId, { at })
      const [fifth] = yield* JournalClient.written(teamId)
      assert.deepStrictEqual(seqs((yield* read("?after=2&page_size=1")).data), [3])
      assert.deepStrictEqual(seqs((yield* read("?after=3")).data), [4, 5])
      const numbered = yield* sql<{
        id: string
      }>`select event_id as id from journal where team_id = ${teamId} order by seq`
      assert.deepStrictEqual(
        numbered.map(({ id }) => id),
        [first, second, third, fourth, fifth]
      )
    })
  )

  // Seen to fail with numbers for all that is settled: what was restored was never numbered.
  it.effect("numbers nothing after an event from before a restore whose transaction looks open", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { read, teamId } = yield* JournalClient.make()
      const [young] = yield* JournalClient.written(teamId)
      const late = yield* openWriter(teamId)
      const [{ open } = { open: 0 }] = yield* sql<{ open: number }>`
        select pg_snapshot_xmin(pg_current_snapshot())::text::int as open`
      const [old] = yield* JournalClient.written(teamId, { at: daysAgo(1), transaction: open + 1 })
      assert.deepStrictEqual(yield* read(), { data: [], page: { nextAfter: 0, pageSize: 50, hasMore: false } })
      yield* late.commit
      assert.deepStrictEqual(seqs((yield* read()).data), [1, 2, 3])
      const numbered = yield* sql<{
        id: string
      }>`select event_id as id from journal where team_id = ${teamId} order by seq`
      assert.deepStrictEqual(
        numbered.slice(0, 2).map(({ id }) => id),
        [old, young]
      )
    })
  )

  it.effect("streams the stored events since a moment, with their message ids, to commands", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const journal = yield* Journal
      const { create, teamId } = yield* JournalClient.make()
      const stranger = yield* Tenant.make()
      yield* JournalClient.written(teamId, { at: daysAgo(2), count: 250, type: "link.created" })
      yield* JournalClient.written(teamId, { at: daysAgo(3) })
      yield* JournalClient.written(stranger.teamId)
      yield* create({ firstName: "Anna" })
      const since = (moment: Date) => Stream.runCollect(journal.since(moment)).pipe(actAs(operatorOf(teamId)))
      const stored = yield* sql<{ messageId: string; body: string }>`
        select message_id as "messageId", body from events where team_id = ${teamId} order by occurred_at, seq`
      const summaries = (events: ReadonlyArray<{ readonly messageId: string; readonly body: string }>) =>
        events.map(({ body, messageId }) => ({ messageId, body }))
      assert.deepStrictEqual(summaries(yield* since(new Date(0))), summaries(stored))
      assert.deepStrictEqual(summaries(yield* since(daysAgo(2.5))), summaries(stored.slice(1)))
      assert.deepStrictEqual(
        (yield* since(daysAgo(1))).map(({ eventType }) => eventType),
        ["contact.created"]
      )
    })
  )

  it.effect("purges events after 90 days unless they have a delivery, and never reuses their numbers", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { purge } = yield* Journal
      const { ask, create, read, request, teamId, token } = yield* JournalClient.make()
      const status = (query: string) => Effect.map(ask(query), (reply) => reply.status)
      const kept = Effect.map(sql<{ id: string }>`select id from events where team_id = ${teamId}`, (rows) =>
        rows.map(({ id }) => id).sort()
      )
      const hook = yield* request<{ id: string }>("POST", "/api/v1/webhooks", {
        token,
        json: { url: "http://127.0.0.1:9/hook", events: ["link.created"] }
      })
      const [delivered = ""] = yield* JournalClient.written(teamId, { at: daysAgo(92) })
      yield* sql`
        insert into deliveries (id, team_id, webhook_id, event_id, event_type, status, created_at)
        values (gen_random_uuid(), ${teamId}, ${Id.toUuid("webhook", hook.body.id) ?? null}, ${delivered}, 'contact.created', 'delivered', now())`
      yield* JournalClient.written(teamId, { at: daysAgo(91), count: 3 })
      const [young = ""] = yield* JournalClient.written(teamId, { at: daysAgo(89) })
      assert.deepStrictEqual(seqs((yield* read()).data), upTo(5))
      assert.strictEqual(yield* purge(2), 2)
      assert.strictEqual(yield* purge(2), 1)
      assert.strictEqual(yield* purge(2), 0)
      assert.deepStrictEqual(yield* kept, [delivered, young].sort())
      assert.deepStrictEqual(seqs((yield* read()).data), [5])
      assert.deepStrictEqual(seqs((yield* read("?after=4")).data), [5])
      const refused = yield* ask<Record<string, unknown>>("?after=3")
      assert.deepStrictEqual([refused.status, refused.body["code"]], [410, "resync_required"])
      assert.include(refused.text, "up to number 4 were deleted")
      assert.include(refused.text, "continue here with after=4.")
      assert.strictEqual(yield* status("?after=0"), 410)
      yield* sql`delete from deliveries where event_id = ${delivered}`
      assert.strictEqual(yield* purge(2), 1)
      assert.deepStrictEqual(yield* sql`select seq::int from journal where team_id = ${teamId}`, [{ seq: 5 }])
      yield* sql`update events set occurred_at = ${daysAgo(91)} where id = ${young}`
      assert.strictEqual(yield* purge(1000), 1)
      assert.deepStrictEqual(yield* read(), { data: [], page: { nextAfter: 5, pageSize: 50, hasMore: false } })
      yield* create({ firstName: "Anna" })
      assert.deepStrictEqual(seqs((yield* read("?after=5")).data), [6])
    })
  )

  it.effect("answers 410 when events were purged before anyone read them", () =>
    Effect.gen(function* () {
      const { purge } = yield* Journal
      const { ask, read, teamId } = yield* JournalClient.make()
      assert.strictEqual((yield* read()).page.nextAfter, 0)
      yield* JournalClient.written(teamId, { at: daysAgo(91), count: 2 })
      yield* JournalClient.written(teamId)
      assert.strictEqual(yield* purge(1000), 2)
      assert.strictEqual((yield* ask("?after=0")).status, 410)
      const { data, page } = yield* read()
      assert.deepStrictEqual([seqs(data), page.nextAfter], [[3], 3])
    })
  )

  it.effect("reads any page with one indexed statement, and numbers events with a few", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { purge } = yield* Journal
      const { create, read, teamId } = yield* JournalClient.make()
      yield* read()
      yield* bulkLoad(
        bigTables,
        Effect.gen(function* () {
          yield* sql`
          insert into teams (id, name, plan, created_at)
          select md5('journal ' || n)::uuid, 'Team ' || n, 'plus', now() from generate_series(1, 300) n`
          yield* sql`
          with made as (
            insert into events (id, transaction_id, team_id, message_id, type, resource_type, resource_id, occurred_at, body)
            select gen_random_uuid(), pg_current_xact_id(), case when n % 4 = 0 then md5('journal ' || n % 300 + 1)::uuid else ${teamId}::uuid end,
              'msg', case when n % 100 = 1 then 'link.deleted' else 'contact.created' end, 'contact', gen_random_uuid(), at,
              '{"event":"contact.created"}'
            from generate_series(1, 40000) n, lateral (select now() - (40000 - n) * interval '1 minute' as at) as moment
            returning id, team_id, occurred_at, seq
          ), delivered as (
            insert into deliveries (id, team_id, webhook_id, event_id, event_type, status, created_at)
            select gen_random_uuid(), team_id, gen_random_uuid(), id, 'contact.created', 'delivered', occurred_at from made
          )
          insert into journal (team_id, seq, event_id)
          select team_id, row_number() over (partition by team_id order by occurred_at, seq), id from made
          where team_id not in (select team_id from journal)`
          yield* sql`
          insert into journals (team_id) select md5('idle ' || n)::uuid from generate_series(1, 5000) n`
          yield* sql`
          insert into journals (team_id, last_seq, at, transaction_id, event_seq)
          select distinct on (n.team_id) n.team_id, n.seq, e.occurred_at, e.transaction_id, e.seq
          from journal n join events e on e.id = n.event_id
          order by n.team_id, n.seq desc
          on conflict (team_id) do update set last_seq = excluded.last_seq, at = excluded.at,
            transaction_id = excluded.transaction_id, event_seq = excluded.event_seq`
        })
      )
      const scans = (statements: ReadonlyArray<SentStatement>) =>
        Effect.map(
          Effect.forEach(statements, (one) => readsOf(one, bigTables)),
          (reads) => reads.flat()
        )
      for (const query of [
        "",
        "after=29000&",
        "after=30000&",
        "after=100&types=link.deleted&",
        "after=20000&types=link.updated&",
        "after=25000&types=contact.created,link.deleted&page_size=500&"
      ]) {
        const { reply, statements } = yield* statementsOf(read(`?${query}`))
        assert.lengthOf(statements, 2, query)
        assert.isAtLeast(reply.page.nextAfter, 50)
        const reads = yield* scans(statements)
        assert.isNotEmpty(reads)
        const bound = query.includes("types") ? 5000 : 60
        for (const { by, rows } of reads) {
          assert.match(by, /^Index (?:Only )?Scan/, query)
          assert.isAtMost(rows, bound, `${query} ${by}`)
        }
      }
      yield* create({ firstName: "Anna" })
      const numbering = yield* statementsOf(read("?after=30000"))
      assert.deepStrictEqual(seqs(numbering.reply.data), [30_001])
      yield* JournalClient.written(teamId, { at: daysAgo(91), count: 3 })
      const { reply: purged, statements: purging } = yield* statementsSentBy(purge(1000))
      assert.strictEqual(purged, 3)
      const own = numbering.statements.filter(({ text }) => /\bjournals?\b/.test(text))
      assert.deepStrictEqual([own.length, purging.length], [4, 3])
      for (const statement of [...own, ...purging]) {
        const found = (yield* planOf(statement)).filter((node) => node["Node Type"] === "Seq Scan")
        const tables = found.map((node) => node["Relation Name"]).filter((name) => bigTables.includes(name ?? ""))
        assert.deepStrictEqual(tables, [], statement.text)
      }
    })
  )
})
