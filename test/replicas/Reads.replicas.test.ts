/** What a standby answers, and what the primary does. */
import * as ContactsClient from "../support/ContactsClient.ts"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { parseToken } from "../../src/core/mutation/DeltaList.ts"
import { caughtUp, type Server, start } from "../support/ReplicatedPostgres.ts"
import type { Reply } from "../support/TestService.ts"
import { service, untilRead } from "./fixture.ts"

/** A record, or a page of contacts, rows or events. */
interface Answer {
  readonly firstName: string
  readonly data: ReadonlyArray<{ readonly firstName?: string; readonly event?: string }>
  readonly page: { readonly nextSince: string }
}

class Servers extends Context.Service<Servers, { readonly primary: Server; readonly standby: Server }>()(
  "test/replicas/Servers"
) {
  static readonly layer = Layer.effect(
    Servers,
    Effect.gen(function* () {
      const primary = yield* start("primary")
      return { primary, standby: yield* start("standby", { follows: primary }) }
    })
  )
}

const running = Layer.unwrap(Effect.map(Servers, ({ primary, standby }) => service(primary.url, [standby]))).pipe(
  Layer.provideMerge(Servers.layer)
)

layer(running, { excludeTestServices: true, timeout: 60_000 })("With a standby", (it) => {
  it.effect("lists, deltas, searches, timelines and the journal are read there, single records at the primary", () =>
    Effect.gen(function* () {
      const { primary, standby } = yield* Servers
      const tenant = yield* ContactsClient.make()
      const { request } = tenant
      const get = (path: string) => request<Answer>("GET", path, { token: tenant.token })
      const path = "/api/v1/network/contacts"
      const old = yield* tenant.create({ firstName: "Old" })
      const nextSince = (yield* get(path)).body.page.nextSince
      const since = `${path}?include_deleted=true&updated_since=${nextSince}`
      assert.strictEqual((yield* get("/api/v1/changes")).body.data.length, 1)
      yield* caughtUp(primary, standby)
      yield* untilRead({ seen: [parseToken(nextSince)!.position] })
      yield* Effect.promise(() => standby.query("select pg_wal_replay_pause()"))
      const created = yield* tenant.create({ firstName: "New" })
      const { id } = created.body
      yield* tenant.patch(old.body.id, { firstName: "Older" })
      const token = created.headers.get("x-consistency-token")
      assert.match(token ?? "", /^[0-9a-z]+\.[0-9a-z]+\.[0-9a-z]+$/)

      const names = ({ body, status, text }: Reply<Answer>) => {
        assert.strictEqual(status, 200, text)
        return body.data.map(({ event, firstName }) => firstName ?? event)
      }
      const search = (headers = {}) =>
        request<Answer>("POST", `${path}:search`, { token: tenant.token, json: {}, headers })
      const timeline = `${path}/${old.body.id}/actions`
      assert.deepStrictEqual(names(yield* get(path)), ["Old"])
      assert.deepStrictEqual(names(yield* get(`${path}?tags=none`)), [])
      assert.deepStrictEqual(names(yield* get(since)), [])
      assert.deepStrictEqual(names(yield* search()), ["Old"])
      assert.deepStrictEqual(names(yield* get("/api/v1/changes")), ["contact.created"])
      assert.strictEqual((yield* get(timeline)).body.data.length, 1)
      assert.strictEqual((yield* get(`${path}/${id}`)).body.firstName, "New")
      // What only the primary has is read there.
      yield* get("/api/v1/changes?after=latest")
      assert.deepStrictEqual(names(yield* get("/api/v1/changes?after=2")), ["contact.updated"])

      // With the token of the write, the primary answers until the standby has passed it.
      const consistent = { "x-consistency-token": token ?? "" }
      const get2 = (path: string) => request<Answer>("GET", path, { token: tenant.token, headers: consistent })
      assert.deepStrictEqual(names(yield* get2(path)), ["Older", "New"])
      assert.deepStrictEqual(names(yield* search(consistent)), ["Older", "New"])
      assert.deepStrictEqual(names(yield* get2(since)), ["New", "Older"])
      // So it does for tokens that it cannot read, and for those of other servers.
      for (const other of ["", "nonsense", "1.1.1", `${token}, 1.1.1`, `${token},`]) {
        const reply = yield* request<Answer>("GET", path, {
          token: tenant.token,
          headers: { "x-consistency-token": other }
        })
        assert.deepStrictEqual(names(reply), ["Older", "New"], other)
      }
      // A delta never goes back behind what the reader has seen.
      const next = (yield* get2(since)).body.page.nextSince
      assert.deepStrictEqual(names(yield* get(`${path}?updated_since=${next}`)), [])
      yield* tenant.create({ firstName: "Newest" })
      assert.deepStrictEqual(names(yield* get(`${path}?updated_since=${next}`)), ["Newest"])
      yield* Effect.promise(() => standby.query("select pg_wal_replay_resume()"))
      yield* caughtUp(primary, standby)
      assert.deepStrictEqual(names(yield* get(path)), ["Older", "New", "Newest"])
    })
  )
})
