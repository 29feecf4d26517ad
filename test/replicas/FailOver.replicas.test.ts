/** The primary dies while clients write and webhooks are delivered, and a synchronous standby is promoted. */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { Database } from "../../src/platform/db/Database.ts"
import * as Id from "../../src/core/Id.ts"
import { startApi, startWorkerProcess } from "../process/fixture.ts"
import { make as movingAddress } from "../support/MovingAddress.ts"
import { eventually, pollUntil } from "../support/polling.ts"
import { type Server, start } from "../support/ReplicatedPostgres.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import * as Receiver from "../core/outbound/Receiver.ts"

/** Within this many milliseconds of the promotion, everything goes on. */
const limit = 30_000

const contacts = "/api/v1/network/contacts"

class Servers extends Context.Service<
  Servers,
  { readonly primary: Server; readonly heir: Server; readonly other: Server }
>()("test/replicas/Servers") {
  static readonly layer = Layer.effect(
    Servers,
    Effect.gen(function* () {
      const primary = yield* start("primary", { synchronous_standby_names: "heir" })
      const [heir, other] = yield* Effect.all(
        [start("heir", { follows: primary }), start("other", { follows: primary })],
        { concurrency: 2 }
      )
      return { primary, heir, other }
    })
  )
}

const urlAt = ({ url }: Server, port: number) => {
  const moved = new URL(url)
  moved.port = String(port)
  return moved.href
}

// Between the requests of a client that goes on while the primary is away.
const pause = Effect.promise(() => sleep(50))

layer(Layer.merge(Servers.layer, SecureRandom.layerWebCrypto), { excludeTestServices: true, timeout: 180_000 })(
  "A fail-over by promotion",
  (it) => {
    it.effect("loses nothing that was answered, and everything goes on within thirty seconds", () =>
      Effect.gen(function* () {
        const { heir, other, primary } = yield* Servers
        const address = yield* movingAddress(primary.port)
        const url = urlAt(primary, address.port)
        const settings = {
          DATABASE_REPLICA_URLS: [heir.url, other.url].join(","),
          RATE_LIMIT_PAT: "1000000"
        }
        const processes = Effect.all(
          [startApi(settings), startApi(settings), startWorkerProcess(), startWorkerProcess()],
          { concurrency: 2 }
        ).pipe(Effect.provideService(TestDatabase, { url: Redacted.make(url) }))
        const [first, second] = yield* processes
        const tenant = yield* Effect.provide(
          Tenant.make(),
          Database.layer({ url: Redacted.make(primary.url), maxConnections: 1 })
        )
        const deliveredAt = new Map<string, number>()
        const receiver = yield* Receiver.make((response) => {
          deliveredAt.set(idOf(receiver.received.at(-1)?.body), performance.now())
          response.writeHead(204).end()
        })
        const created = yield* Effect.promise(() =>
          first.request("POST", "/api/v1/webhooks", tenant.token, {
            url: `http://127.0.0.1:${receiver.port}/`,
            events: ["contact.created"]
          })
        )
        assert.strictEqual(created.status, 201, JSON.stringify(created.body))

        let running = true
        let promotedAt = Infinity
        const answered: Array<string> = []
        const unexpected: Array<string> = []
        const unseen: Array<string> = []
        const goneOn: Record<string, number> = {}
        /** Remembers when something was first answered after the promotion. */
        const answers = (what: string) => {
          const now = performance.now()
          if (now > promotedAt) goneOn[what] ??= now - promotedAt
        }
        /** Writes, and reads each write by its token from whoever answers. */
        const writer = (number: number) =>
          Effect.gen(function* () {
            for (let step = 0; running; step++) {
              const api = step % 2 === 0 ? first : second
              const externalId = `${number}-${step}`
              const reply = yield* Effect.promise(() =>
                api.request("POST", contacts, tenant.token, {
                  firstName: "Anna",
                  externalRefs: [{ namespace: "test", externalId }]
                })
              )
              if (reply.status !== 201) {
                if (reply.status !== 503) unexpected.push(`${reply.status} ${JSON.stringify(reply.body)}`)
                yield* pause
                continue
              }
              answered.push(String(reply.body["id"]))
              answers("writes")
              const token = reply.headers.get("x-consistency-token") ?? "none"
              const read = yield* Effect.promise(() =>
                (step % 3 === 0 ? first : second).request(
                  "GET",
                  `${contacts}?external_ref=test:${externalId}`,
                  tenant.token,
                  undefined,
                  { "x-consistency-token": token }
                )
              )
              if (read.status === 200) {
                if ((read.body["data"] as ReadonlyArray<unknown>).length !== 1) unseen.push(externalId)
                answers("reads")
              } else if (read.status !== 503) unexpected.push(`${read.status} ${JSON.stringify(read.body)}`)
            }
          })
        /** Follows deltas, and remembers all contacts. */
        const followed = new Set<string>()
        let since: string | null = null
        const follow = Effect.gen(function* () {
          let cursor: string | null = null
          for (;;) {
            const query = new URLSearchParams({
              include_deleted: "true",
              ...(since === null ? {} : { updated_since: since }),
              ...(cursor === null ? {} : { cursor })
            })
            const reply = yield* Effect.promise(() => second.request("GET", `${contacts}?${query}`, tenant.token))
            if (reply.status !== 200) {
              if (reply.status !== 503) unexpected.push(`${reply.status} ${JSON.stringify(reply.body)}`)
              return yield* pause
            }
            const { data, page } = reply.body as unknown as {
              readonly data: ReadonlyArray<{ readonly id: string }>
              readonly page: { readonly nextCursor: string | null; readonly nextSince: string | null }
            }
            for (const { id } of data) followed.add(id)
            answers("deltas")
            cursor = page.nextCursor
            if (cursor !== null) continue
            since = page.nextSince
            return
          }
        })
        const clients = yield* Effect.forkChild(
          Effect.all(
            [
              ...Array.from({ length: 4 }, (_, number) => writer(number)),
              Effect.gen(function* () {
                while (running) yield* follow
              })
            ],
            { concurrency: "unbounded" }
          )
        )
        const enough = (count: number) =>
          eventually(() => {
            assert.deepStrictEqual([unexpected.slice(0, 3), unseen], [[], []])
            assert.isAtLeast(answered.length, count)
          }, limit)
        yield* enough(200)
        yield* eventually(() => assert.isAbove(receiver.received.length, 0))

        yield* Effect.promise(() => primary.kill())
        yield* Effect.promise(() => heir.promote())
        promotedAt = performance.now()
        yield* Effect.promise(() => other.follow(heir.port))
        address.moveTo(heir.port)
        const before = answered.length
        yield* enough(before + 200)
        // Reads come from the standby that follows the promoted server.
        const reads = Effect.promise(() =>
          other.query<{ reads: string }>(
            "select sum(xact_commit)::text as reads from pg_stat_database where datname = current_database()"
          )
        )
        const [readsThen] = yield* reads
        yield* pollUntil("reads", reads, ([row]) => Number(row?.reads) > Number(readsThen?.reads) + 100, limit)
        running = false
        yield* Fiber.join(clients)

        assert.deepStrictEqual([unexpected.slice(0, 3), unseen], [[], []])
        const stored = new Set(
          (yield* Effect.promise(() =>
            heir.query<{ id: string }>("select id from contacts where team_id = $1", [tenant.teamId])
          )).map(({ id }) => id)
        )
        assert.deepStrictEqual(
          answered.filter((id) => !stored.has(Id.toUuid("contact", id) ?? "")),
          []
        )
        yield* eventually(
          () =>
            assert.deepStrictEqual(
              answered.filter((id) => !deliveredAt.has(id)),
              []
            ),
          60_000
        )
        goneOn["deliveries"] = Math.min(...answered.slice(before).map((id) => deliveredAt.get(id) ?? 0)) - promotedAt
        yield* follow
        assert.deepStrictEqual(
          answered.filter((id) => !followed.has(id)),
          []
        )
        for (const [what, milliseconds] of Object.entries(goneOn)) assert.isBelow(milliseconds, limit, what)
      })
    )
  }
)

const idOf = (body: Buffer | undefined): string =>
  String((JSON.parse(body?.toString() ?? "{}") as { readonly resource_id?: string }).resource_id)
