/** Apps that register themselves (RFC 7591). */
import * as oauth from "oauth4webapi"
import * as Id from "../../src/core/Id.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { Apps } from "../../src/identity/apps/Apps.ts"
import { TestService } from "../support/TestService.ts"
import { type AppCredentials, callback, make } from "./App.ts"

interface Registered extends AppCredentials {
  readonly error?: string
}

let addresses = 0

/** Registers an app, from an address of its own unless one is given. */
const register = Effect.fnUntraced(function* (
  metadata: unknown,
  options: {
    readonly address?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly text?: string
  } = {}
) {
  const { request } = yield* TestService
  const { address = `2001:db8:1::${(++addresses).toString(16)}`, headers, text } = options
  return yield* request<Registered>("POST", "/openid/register", {
    ...(text === undefined ? { json: metadata } : { text }),
    headers: { "x-forwarded-for": address, ...headers }
  })
})

layer(TestService.layer, { excludeTestServices: true })("An app that registers itself", (it) => {
  it.effect("gets an id, and with an independent client library the metadata that count", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* TestService
      yield* Effect.promise(async () => {
        const options = { [oauth.allowInsecureRequests]: true }
        const server = await oauth.processDiscoveryResponse(
          new URL(baseUrl),
          await oauth.discoveryRequest(new URL(baseUrl), { algorithm: "oauth2", ...options })
        )
        const registered = await oauth.processDynamicClientRegistrationResponse(
          await oauth.dynamicClientRegistrationRequest(
            server,
            {
              client_name: "Deal Radar",
              redirect_uris: [callback],
              grant_types: ["authorization_code", "refresh_token"]
            },
            options
          )
        )
        assert.match(registered.client_id, /^client_/)
        assert.match(String(registered.client_secret), /^pns_/)
        assert.deepInclude(registered, {
          client_secret_expires_at: 0,
          client_name: "Deal Radar",
          redirect_uris: [callback],
          grant_types: ["authorization_code", "refresh_token"],
          response_types: ["code"],
          token_endpoint_auth_method: "client_secret_basic"
        })
      })
    })
  )

  for (const method of ["none", "client_secret_post"]) {
    it.effect(`with the method ${method} gets tokens of a person who is warned about its name`, () =>
      Effect.gen(function* () {
        const {
          body: app,
          headers,
          status: registered
        } = yield* register({
          client_name: "Deal <Radar>",
          redirect_uris: [callback],
          token_endpoint_auth_method: method
        })
        assert.deepStrictEqual([registered, headers.get("cache-control")], [201, "no-store"])
        assert.strictEqual(app.client_secret === undefined, method === "none")
        const { ask, status, tokens } = yield* make({ app })
        const page = yield* ask()
        assert.include(page.text, "Deal &lt;Radar&gt;")
        assert.include(page.text, "which nobody has checked")
        assert.strictEqual(yield* status((yield* tokens()).access_token), 200)
      })
    )
  }

  it.effect("is refused as RFC 7591 says", () =>
    Effect.gen(function* () {
      for (const [reply, error] of [
        [yield* register({ redirect_uris: ["http://radar.example.com/"] }), "invalid_redirect_uri"],
        [yield* register({}), "invalid_client_metadata"],
        [
          yield* register({}, { text: "{", headers: { "content-type": "application/json" } }),
          "invalid_client_metadata"
        ],
        [
          yield* register({}, { text: "redirect_uris=x", headers: { "content-type": "text/plain" } }),
          "invalid_client_metadata"
        ],
        [yield* register({ redirect_uris: [callback], padding: "x".repeat(16 * 1024) }), "invalid_client_metadata"]
      ] as const) {
        assert.deepStrictEqual([reply.status, reply.body.error], [400, error], reply.text)
      }
    })
  )

  it.effect("waits after twenty registrations from one address", () =>
    Effect.gen(function* () {
      const address = "2001:db8:2::1"
      for (let index = 0; index < 20; index++) {
        assert.strictEqual((yield* register({ redirect_uris: [callback] }, { address })).status, 201)
      }
      const refused = yield* register({ redirect_uris: [callback] }, { address })
      assert.deepStrictEqual([refused.status, refused.body.error], [429, "rate_limited"])
      assert.isAtLeast(Number(refused.headers.get("retry-after")), 1)
    })
  )

  it.effect("ends when nobody used it for a week, or when a thousand others came later", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const apps = yield* Apps
      const { body: used } = yield* register({ redirect_uris: [callback], token_endpoint_auth_method: "none" })
      const { body: unused } = yield* register({ redirect_uris: [callback] })
      const { body: crowded } = yield* register({ redirect_uris: [callback] })
      const { status, tokens } = yield* make({ app: used })
      const { access_token: token } = yield* tokens()
      const isThere = ({ client_id: id }: Registered) =>
        Effect.map(sql`select from apps where id = ${Id.toUuid("client", id) ?? null}`, (rows) => rows.length === 1)
      for (const { client_id: id } of [used, unused]) {
        yield* sql`update apps set created_at = created_at - interval '8 days' where id = ${Id.toUuid("client", id) ?? null}`
      }
      yield* apps.purge(100)
      assert.deepStrictEqual(yield* Effect.forEach([used, unused, crowded], isThere), [true, false, true])
      yield* sql`
        insert into apps (id, name, kind, redirect_uris, created_at, is_registered)
        select gen_random_uuid(), 'x', 'public', '{}', now() + interval '1 hour', true from generate_series(1, 1000)`
      const { body: latest } = yield* register({ redirect_uris: [callback] })
      const [row] = yield* sql<{ count: number }>`
        select count(*)::int as count from apps where is_registered and not exists (select from grants where app_id = apps.id)`
      assert.strictEqual(row?.count, 1000)
      assert.deepStrictEqual(yield* Effect.forEach([used, crowded, latest], isThere), [true, false, true])
      assert.strictEqual(yield* status(token), 200)
      yield* sql`delete from apps where name = 'x'`
    })
  )

  it.effect("is one of the apps that the operator sees and revokes", () =>
    Effect.gen(function* () {
      const { body: app } = yield* register({ redirect_uris: [callback], token_endpoint_auth_method: "none" })
      const apps = yield* Apps
      const found = (yield* asOperator(apps.list)).find(({ id }) => id === app.client_id)
      assert.deepInclude(found, { isRegistered: true, kind: "public", name: "radar.example.com" })
      const { status, tokens } = yield* make({ app })
      const { access_token: token } = yield* tokens()
      yield* asOperator(apps.revoke(app.client_id))
      assert.strictEqual(yield* status(token), 401)
    })
  )
})
