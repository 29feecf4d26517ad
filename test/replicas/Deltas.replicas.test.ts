/** Deltas whose pages come from a primary and from standbys, one of which is late, beside eight writers. */
import * as Id from "../../src/core/Id.ts"
import * as ContactsClient from "../support/ContactsClient.ts"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Random } from "effect"
import type { Range } from "../../src/core/mutation/DeltaList.ts"
import { CurrentStandby } from "../../src/platform/db/Standbys.ts"
import { Database } from "../../src/platform/db/Database.ts"
import type { Contact } from "../../src/network/contacts/Contact.ts"
import { ContactsRepo } from "../../src/network/contacts/ContactsRepo.ts"
import { pollUntil } from "../support/polling.ts"
import { type Server, start } from "../support/ReplicatedPostgres.ts"
import { service } from "./fixture.ts"

class Servers extends Context.Service<
  Servers,
  { readonly primary: Server; readonly near: Server; readonly late: Server }
>()("test/replicas/Servers") {
  static readonly layer = Layer.effect(
    Servers,
    Effect.gen(function* () {
      const primary = yield* start("primary")
      const near = yield* start("near", { follows: primary })
      return { primary, near, late: yield* start("late", { follows: primary, recovery_min_apply_delay: "2s" }) }
    })
  )
}

const running = Layer.unwrap(Effect.map(Servers, ({ late, near, primary }) => service(primary.url, [near, late]))).pipe(
  Layer.provideMerge(Servers.layer)
)

type Tenant = Effect.Success<ReturnType<typeof ContactsClient.make>>

const pageSize = 2

/** Creates, changes and deletes contacts with eight writers while `reading` is repeated, and until all standbys have all of it. */
const besideWriters = Effect.fnUntraced(function* (
  tenant: Tenant,
  reading: Effect.Effect<void> | ((isWriting: () => boolean) => Effect.Effect<void>)
) {
  const { late, near, primary } = yield* Servers
  const ids: Array<string> = []
  const writer = (seed: string) =>
    Effect.gen(function* () {
      for (let step = 0; step < 40; step++) {
        const id = ids[Math.floor((yield* Random.next) * ids.length)]
        const dice = yield* Random.next
        if (id === undefined || dice < 0.6) ids.push((yield* tenant.create({ firstName: seed })).body.id)
        else if (dice < 0.95) yield* tenant.patch(id, { firstName: `${seed} ${step}` })
        else yield* tenant.delete(id)
      }
    }).pipe(Random.withSeed(seed))
  let isWriting = true
  const reader = yield* Effect.forkChild(
    Effect.gen(function* () {
      while (isWriting) yield* typeof reading === "function" ? reading(() => isWriting) : reading
    })
  )
  yield* Effect.all(
    Array.from({ length: 8 }, (_, number) => writer(`writer ${number}`)),
    { concurrency: "unbounded" }
  )
  isWriting = false
  yield* Fiber.join(reader)
  const count = (server: Server) =>
    Effect.promise(() => server.query<{ all: string }>("select json_agg(c order by id)::text as all from contacts c"))
  const [written] = yield* count(primary)
  for (const standby of [near, late]) {
    yield* pollUntil("all writes", count(standby), ([row]) => row?.all === written?.all)
  }
})

/** The versions of the tenant's contacts, tombstones included. */
const stored = Effect.fnUntraced(function* (tenant: Tenant) {
  const sql = yield* Database
  const rows = yield* sql<{ id: string; version: string }>`
    select id, version::text from contacts where team_id = ${tenant.teamId}`
  return rows.map(({ id, version }) => `${Id.fromUuid("contact", id)} "v${version}"`).sort()
})

const versions = (contacts: Iterable<Pick<Contact, "etag" | "id">>) =>
  [...contacts].map(({ etag, id }) => `${id} ${etag}`).sort()

const versionOf = (contact: Contact | undefined) => (contact === undefined ? 0 : Number(contact.etag.slice(2, -1)))

/** A server for the next page, at random. */
const eitherOf = <A>(choices: ReadonlyArray<A>): Effect.Effect<A> =>
  Effect.map(Random.next, (random) => choices[Math.floor(random * choices.length)] as A)

layer(running, { excludeTestServices: true, timeout: 120_000 })("Deltas over a primary and standbys", (it) => {
  it.effect("miss nothing and repeat nothing", () =>
    Effect.gen(function* () {
      const tenant = yield* ContactsClient.make()
      const model = new Map<string, Contact>()
      const seen = new Set<string>()
      const answered = { primary: 0, standby: 0 }
      let since: string | null = null
      const reading = Effect.gen(function* () {
        let cursor: string | null = null
        for (;;) {
          // A text that is no token leads to the primary.
          const from = yield* eitherOf(["primary", "standby", "standby"] as const)
          const query = new URLSearchParams({
            page_size: String(pageSize),
            include_deleted: "true",
            ...(since === null ? {} : { updated_since: since }),
            ...(cursor === null ? {} : { cursor })
          })
          const { body, status, text } = yield* tenant.request<{
            readonly data: ReadonlyArray<Contact>
            readonly page: { readonly nextCursor: string | null; readonly nextSince: string | null }
          }>("GET", `${ContactsClient.path}?${query}`, {
            token: tenant.token,
            ...(from === "primary" ? { headers: { "x-consistency-token": "none" } } : {})
          })
          assert.strictEqual(status, 200, text)
          answered[from] += 1
          for (const contact of body.data) {
            const version = `${contact.id} ${contact.etag}`
            assert.isFalse(seen.has(version), `${version} came twice`)
            seen.add(version)
            model.set(contact.id, contact)
          }
          cursor = body.page.nextCursor
          if (cursor !== null) continue
          since = body.page.nextSince
          return
        }
      })
      yield* besideWriters(tenant, reading)
      yield* reading
      yield* reading
      assert.deepStrictEqual(versions(model.values()), yield* stored(tenant))
      assert.isAbove(Math.min(answered.primary, answered.standby), 20)
    }).pipe(Random.withSeed(21))
  )

  it.effect("miss nothing even if pages come from standbys that are behind", () =>
    Effect.gen(function* () {
      const tenant = yield* ContactsClient.make()
      const repo = yield* ContactsRepo
      const { standbys } = yield* Database
      const model = new Map<string, Contact>()
      let since: Range["since"] = new Date(0)
      let lowered = 0
      const reading = Effect.gen(function* () {
        let range: Pick<Range, "after" | "position"> = { after: undefined, position: undefined }
        for (;;) {
          // The horizon of the first page is the primary's.
          const either = yield* eitherOf([undefined, standbys?.choose({ writes: [], seen: [] })])
          const standby = range.position === undefined ? undefined : either
          const fetched = yield* Effect.provideService(
            repo.list(tenant.teamId, { ...range, since, includeDeleted: true, limit: pageSize }, {}),
            CurrentStandby,
            standby
          )
          for (const { resource } of fetched.rows) {
            if (versionOf(resource) >= versionOf(model.get(resource.id))) model.set(resource.id, resource)
          }
          if (range.position !== undefined && range.position.horizon !== fetched.position.horizon) lowered += 1
          const last = fetched.rows.at(-1)
          if (last === undefined || fetched.rows.length < pageSize) {
            since = fetched.position
            return
          }
          range = { after: { at: last.resource.updatedUtc, id: last.uuid }, position: fetched.position }
        }
      })
      yield* besideWriters(tenant, reading)
      yield* reading
      yield* reading
      assert.deepStrictEqual(versions(model.values()), yield* stored(tenant))
      assert.isAbove(lowered, 0)
    }).pipe(Random.withSeed(22))
  )

  // What the two tests above would not notice without: with the horizon of the first page alone, rows are lost.
  it.effect("would miss rows by the horizon of their first page alone", () =>
    Effect.gen(function* () {
      const tenant = yield* ContactsClient.make()
      const { late, primary } = yield* Servers
      const seen = new Set<string>()
      let since = { at: "-infinity", horizon: "0" }
      const page = (server: Server, after: readonly [at: string, id: string], horizon: string | undefined) =>
        Effect.promise(() =>
          server.query<{ id: string | null; version: string; at: string; horizon: string; until: string }>(
            `select c.id, c.version::text, c.updated_at::text as at, h.horizon::text, t.until::text
            from (select coalesce($5::xid8, pg_snapshot_xmin(pg_current_snapshot())) as horizon) as h
            cross join lateral (
              select max(updated_at) as until from contacts where team_id = $1 and transaction_id < h.horizon
            ) as t
            left join lateral (
              select * from contacts
              where team_id = $1 and transaction_id < h.horizon and (updated_at, id) > ($2::timestamptz, $3::uuid)
                and (updated_at > $4::timestamptz or (updated_at = $4::timestamptz and transaction_id >= $6::xid8))
              order by updated_at, id limit ${pageSize}
            ) as c on true
            order by c.updated_at, c.id`,
            [tenant.teamId, ...after, since.at, horizon, since.horizon]
          )
        )
      const reading = Effect.gen(function* () {
        let after: readonly [string, string] = ["-infinity", "00000000-0000-0000-0000-000000000000"]
        let next: typeof since | undefined
        for (;;) {
          const rows = yield* page(next === undefined ? primary : late, after, next?.horizon)
          const [first] = rows
          next ??= { at: first?.until ?? "-infinity", horizon: first?.horizon ?? "0" }
          const found = rows.filter(({ id }) => id !== null)
          for (const { id, version } of found) seen.add(`${id} ${version}`)
          const last = found.at(-1)
          if (last === undefined || found.length < pageSize) {
            since = next
            return
          }
          after = [last.at, last.id ?? ""]
        }
      })
      const changes = Effect.promise(() =>
        primary.query<{ count: number }>(
          "select count(*)::int as count from contacts where team_id = $1 and updated_at > $2::timestamptz",
          [tenant.teamId, since.at]
        )
      )
      yield* besideWriters(tenant, (isWriting) =>
        // So that there are several pages.
        Effect.andThen(
          pollUntil(
            "changes",
            Effect.suspend(() => changes),
            ([row]) => (row?.count ?? 0) >= 10 || !isWriting()
          ),
          reading
        )
      )
      yield* reading
      yield* reading
      const sql = yield* Database
      const rows = yield* sql<{ id: string; version: string }>`
        select id, version::text from contacts where team_id = ${tenant.teamId}`
      const missed = rows.filter(({ id, version }) => !seen.has(`${id} ${version}`))
      assert.isAbove(missed.length, 0)
    })
  )
})
