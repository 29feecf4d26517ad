/** `admin cell move`: a team goes to another cell while its people work. */
import * as CellMove from "../../src/platform/db/CellMove.ts"
import * as MemoryWorker from "../../src/platform/jobs/MemoryWorker.ts"
import * as Admin from "../support/Admin.ts"
import * as Receiver from "../core/outbound/Receiver.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Ref } from "effect"
import { CurrentCell, FreshFor, inTeam } from "../../src/platform/db/Cells.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { Worker } from "../../src/platform/jobs/Worker.ts"
import type { DeltaPage } from "../../src/core/usecase/Page.ts"
import { handlers } from "../../workers/handlers.ts"
import { broker, deal } from "../deals/offers/OffersClient.ts"
import { untilSettled } from "../support/RecordsClient.ts"
import { pollUntil } from "../support/polling.ts"
import { TestService } from "../support/TestService.ts"

type Broker = Effect.Success<ReturnType<typeof broker>>

interface Listed {
  readonly id: string
}

const contacts = "/api/v1/network/contacts"

const onCoordinator = Effect.provideService(CurrentCell, undefined)

/** The cell that a team is in, and one that it is not in. */
const cellsOf = Effect.fnUntraced(function* (teamId: string) {
  const sql = yield* Database
  const [row] = yield* sql<{ readonly cell: string; readonly state: string | null }>`
    select cell, state from team_cells where team_id = ${teamId}`.pipe(Effect.orDie, onCoordinator)
  return { cell: row?.cell ?? "", state: row?.state, other: row?.cell === "cell_a" ? "cell_b" : "cell_a" }
})

/** The number of rows of a team in each table of a cell that has any. */
const rowsIn = Effect.fnUntraced(function* (teamId: string, cell: string) {
  const sql = yield* Database
  const tables = yield* Effect.orDie(sql<{ readonly name: string }>`
    select relname as name from pg_class
    where relnamespace = ${cell}::regnamespace and relkind in ('r', 'p')
      and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'team_id')
    order by relname`)
  const counts = yield* Effect.forEach(tables, ({ name }) =>
    Effect.orDie(sql<{ readonly rows: number }>`
      select count(*)::int as rows from ${sql.literal(`${cell}.${name}`)} where team_id = ${teamId}`).pipe(
      Effect.map(([row]) => [name, row?.rows ?? 0] as const)
    )
  )
  return Object.fromEntries(counts.filter(([name, rows]) => rows > 0 && name !== "team_usage"))
}, onCoordinator)

/** Reads all pages of a list or delta. */
const readAll = Effect.fnUntraced(function* (token: string, query: string) {
  const { request } = yield* TestService
  const ids: Array<string> = []
  let since = ""
  for (let cursor = ""; ;) {
    const { body, status, text } = yield* request<DeltaPage<Listed>>(
      "GET",
      `${contacts}?page_size=20${query}${cursor === "" ? "" : `&cursor=${cursor}`}`,
      { token }
    )
    assert.strictEqual(status, 200, text)
    ids.push(...body.data.map(({ id }) => id))
    since = body.page.nextSince ?? since
    if (body.page.nextCursor === null) return { ids, since }
    cursor = body.page.nextCursor
  }
})

/** Creates contacts until it is stopped. Each answer is 201, or 503 while the team is moved. */
const writer = Effect.fnUntraced(function* ({ token }: Broker, isOver: Ref.Ref<boolean>) {
  const { request } = yield* TestService
  const created: Array<string> = []
  let refused = 0
  for (let n = 0; !(yield* Ref.get(isOver)); n++) {
    const { body, headers, status, text } = yield* request<Listed>("POST", `${contacts}?force=true`, {
      token,
      json: { firstName: `Nora ${n}` }
    })
    if (status === 201) created.push(body.id)
    else {
      assert.strictEqual(status, 503, text)
      assert.isNotNull(headers.get("retry-after"))
      refused++
    }
  }
  return { created, refused }
})

interface Entry {
  readonly seq: number
  readonly event: string
  readonly resource_id: string
}

/** Reads the journal of a team after an entry. */
const journal = Effect.fnUntraced(function* (token: string, start = 0) {
  const { request } = yield* TestService
  const entries: Array<Entry> = []
  for (let after = start; ;) {
    const { body, status, text } = yield* request<{
      readonly data: ReadonlyArray<Entry>
      readonly page: { readonly nextAfter: number; readonly hasMore: boolean }
    }>("GET", `/api/v1/changes?after=${after}`, { token })
    assert.strictEqual(status, 200, text)
    entries.push(...body.data)
    after = body.page.nextAfter
    if (!body.page.hasMore) return { entries, after }
  }
})

/** The numbers of events in the journal of a team that do not follow the one before, or are not in the order of the events. */
const gapsOf = Effect.fnUntraced(function* (teamId: string) {
  const sql = yield* Database
  return yield* sql`
    select n.seq from journal n
    join (
      select id, row_number() over (order by occurred_at, transaction_id, seq) as place from events where team_id = ${teamId}
    ) e on e.id = n.event_id
    where n.team_id = ${teamId} and n.seq <> e.place`.pipe(Effect.orDie, inTeam(teamId))
})

/** What the triggers counted for a team, by kind. */
const usageOf = Effect.fnUntraced(function* (teamId: string) {
  const sql = yield* Database
  const rows = yield* sql<{ readonly kind: string; readonly used: number }>`
    select kind, sum(used)::int as used from team_usage where team_id = ${teamId} group by kind`.pipe(
    Effect.orDie,
    inTeam(teamId)
  )
  return Object.fromEntries(rows.map(({ kind, used }) => [kind, used]))
})

/** Completes when deltas show everything that was written for a team. */
const settledIn = (teamId: string) => inTeam(teamId)(untilSettled("contacts"))

const freshFor = 300

const service = MemoryWorker.layer(handlers).pipe(
  Layer.provideMerge(TestService.layerOwn),
  Layer.provide(Layer.succeed(FreshFor, freshFor))
)

layer(service, { excludeTestServices: true })("A team that is moved to another cell", (it) => {
  it.effect("keeps every row, while its people get 201 or 503", () =>
    Effect.gen(function* () {
      const { seller } = yield* deal()
      const worker = yield* Worker
      const { port, received } = yield* Receiver.make((response) => response.writeHead(204).end())
      yield* seller.companyFor(["a@example.com", "b@example.com"])
      yield* seller.ask("POST", "/api/v1/webhooks", { url: `http://127.0.0.1:${port}/`, events: ["contact.*"] })
      // The events of one change have one time, and are numbered in the order in which it wrote them.
      const items = Array.from({ length: 30 }, (_, n) => ({ firstName: "Nora", lastName: `Lind ${30 - n}` }))
      const upserted = yield* seller.ask("POST", `${contacts}/batch/upsert?force=true`, { items })
      assert.strictEqual(upserted.status, 207, upserted.text)
      yield* seller.prospectFor("c@example.com")
      yield* worker.drain
      yield* settledIn(seller.teamId)
      const before = yield* readAll(seller.token, "")
      const journalBefore = yield* journal(seller.token)
      const { cell, other } = yield* cellsOf(seller.teamId)

      const isOver = yield* Ref.make(false)
      const writers = yield* Effect.forkChild(
        Effect.all([writer(seller, isOver), writer(seller, isOver)], { concurrency: "unbounded" })
      )
      const draining = yield* Effect.forkChild(Effect.forever(Effect.andThen(worker.drain, Effect.sleep("20 millis"))))
      yield* pollUntil("a few contacts", readAll(seller.token, ""), ({ ids }) => ids.length > before.ids.length + 5)
      const moved = yield* CellMove.run(seller.teamId, other)
      const after = yield* readAll(seller.token, "")
      yield* pollUntil(
        "contacts in the new cell",
        readAll(seller.token, ""),
        ({ ids }) => ids.length > after.ids.length + 5
      )
      yield* Ref.set(isOver, true)
      const written = yield* Fiber.join(writers)
      yield* Fiber.interrupt(draining)
      yield* worker.drain

      const created = written.flatMap((one) => one.created)
      assert.isAbove(created.length, 10)
      assert.isAbove(
        written.reduce((sum, { refused }) => sum + refused, 0),
        0
      )
      assert.deepInclude(yield* cellsOf(seller.teamId), { cell: other, state: null })
      assert.deepStrictEqual(yield* rowsIn(seller.teamId, cell), {})
      const now = yield* rowsIn(seller.teamId, other)
      for (const { rows, table } of moved) assert.isAtLeast(now[table] ?? 0, rows, table)
      assert.containsAllKeys(now, [
        "actions",
        "companies",
        "contacts",
        "deliveries",
        "delivery_attempts",
        "events",
        "links",
        "projects",
        "properties",
        "prospects",
        "teasers",
        "webhook_subscriptions",
        "webhooks"
      ])

      yield* settledIn(seller.teamId)
      const all = yield* readAll(seller.token, "")
      assert.sameMembers([...all.ids], [...before.ids, ...created])
      // The delta goes on: all of the last moment before may be listed again, and nothing else.
      const delta = yield* readAll(seller.token, `&updated_since=${before.since}`)
      assert.includeMembers([...delta.ids], created)
      assert.lengthOf(new Set(delta.ids), delta.ids.length)
      assert.isAtMost(delta.ids.length, created.length + 1)
      assert.deepStrictEqual((yield* readAll(seller.token, `&updated_since=${delta.since}`)).ids, [])
      const messages = new Set(received.map(({ headers }) => headers["webhook-id"]))
      assert.strictEqual(messages.size, created.length + 31)

      const { entries } = yield* journal(seller.token, journalBefore.after)
      assert.sameMembers(
        entries.filter(({ event }) => event === "contact.created").map(({ resource_id }) => resource_id),
        created
      )
      assert.deepStrictEqual(yield* gapsOf(seller.teamId), [])
      const recounted = yield* usageOf(seller.teamId)
      assert.deepInclude(recounted, { contacts: all.ids.length })
      for (const kind of ["contacts", "companies", "links", "projects", "prospects", "properties"]) {
        assert.strictEqual(recounted[kind], (yield* rowsIn(seller.teamId, other))[kind] ?? 0, kind)
      }
    })
  )

  it.effect("goes on with the pages of a list that it began before, there and back", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const seller = yield* broker()
      for (const address of ["a@example.com", "b@example.com", "c@example.com"]) yield* seller.prospectFor(address)
      // The ids of transactions of one server are greater than those of the other: in one of the directions, they go back.
      for (const name of ["There", "Back"]) {
        yield* settledIn(seller.teamId)
        const page = (cursor: string) =>
          request<DeltaPage<Listed>>("GET", `${contacts}?page_size=2${cursor}`, { token: seller.token })
        const first = yield* page("")
        const changed = first.body.data[0]?.id ?? ""
        yield* seller.ask("PATCH", `${contacts}/${changed}`, { firstName: name })
        yield* CellMove.run(seller.teamId, (yield* cellsOf(seller.teamId)).other)
        const last = yield* page(`&cursor=${first.body.page.nextCursor ?? ""}`)
        assert.strictEqual(last.status, 200, last.text)
        assert.lengthOf(last.body.data, 1)
        const delta = yield* readAll(seller.token, `&updated_since=${last.body.page.nextSince ?? ""}`)
        assert.include(delta.ids, changed)
      }
    })
  )

  it.effect("has its offers seen by brokers of other cells", () =>
    Effect.gen(function* () {
      const { buyer, offerId, prospect, seller } = yield* deal()
      const { other } = yield* cellsOf(buyer.teamId)
      const { err, ok, out } = yield* Admin.runToEnd(["cell", "move", buyer.team, other]).pipe(
        Effect.provideService(FreshFor, freshFor)
      )
      assert.isTrue(ok, err)
      assert.match(out, /^TABLE +ROWS\n(?:.+\n)*offers +1$/m)
      assert.deepStrictEqual(
        (yield* buyer.offers()).map(({ id }) => id),
        [offerId]
      )
      yield* buyer.accept(offerId)
      assert.deepInclude(yield* seller.prospect(prospect.id), { stage: "teaser", accepted: true })
    })
  )

  it.effect("stays where it is, and takes changes, when what follows former ones does not end", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const seller = yield* broker()
      const { cell, other } = yield* cellsOf(seller.teamId)
      // Whoever follows the changes so far would follow the next one as well.
      yield* pollUntil(
        "the end of what follows the changes",
        Effect.orDie(sql`select from ${sql.literal(cell)}.fan_outs where team_id = ${seller.teamId}`),
        (rows) => rows.length === 0
      )
      yield* Effect.orDie(sql`
        insert into ${sql.literal(cell)}.fan_outs (team_id, transaction_id, at) values (${seller.teamId}, '5'::xid8, now())`)
      const { message } = yield* Effect.flip(CellMove.run(seller.teamId, other, { patience: 100 }))
      assert.match(message, /Do workers run\?/)
      assert.deepInclude(yield* cellsOf(seller.teamId), { cell, state: null })
      yield* seller.prospectFor("a@example.com")
    })
  )

  it.effect("takes changes again after an interrupted move when it is moved to the cell that it is in", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const sql = yield* Database
      const seller = yield* broker()
      const { cell } = yield* cellsOf(seller.teamId)
      const setState = (state: string) =>
        sql`update team_cells set state = ${state} where team_id = ${seller.teamId}`.pipe(Effect.orDie, onCoordinator)
      const status = (method: string) =>
        Effect.map(
          request(method, contacts, {
            token: seller.token,
            ...(method === "POST" ? { json: { lastName: "Lind" } } : {})
          }),
          (reply) => reply.status
        )
      const statuses = Effect.all([status("GET"), status("POST")])
      yield* setState("draining")
      yield* pollUntil("refused changes", statuses, ([read, write]) => read === 200 && write === 503)
      yield* setState("moving")
      assert.deepStrictEqual(yield* statuses, [503, 503])
      assert.deepStrictEqual(yield* CellMove.run(seller.teamId, cell), [])
      assert.deepStrictEqual(yield* statuses, [200, 201])
    })
  )
})
