import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { runToEnd } from "../support/Admin.ts"
import * as Tenant from "../support/Tenant.ts"
import { store } from "../support/TestDatabase.ts"
import { TestService } from "../support/TestService.ts"

interface Shown {
  readonly team: { readonly id: string; readonly name: string }
  readonly bot: { readonly name: string }
  readonly lastUsedUtc: string | null
  readonly addresses: ReadonlyArray<{ readonly address: string }>
  readonly requestsByDay: ReadonlyArray<{ readonly day: string; readonly requests: number }>
  readonly webhooks: ReadonlyArray<{ readonly id: string; readonly url: string }>
}

const admin = <Answer>(...args: ReadonlyArray<string>) =>
  Effect.map(runToEnd([...args, "--json"]), ({ out }) => JSON.parse(out.split("\n").at(-1) ?? "") as Answer)

/** A client of a new team, and what asks for its tokens. */
const aClient = Effect.gen(function* () {
  const { request } = yield* TestService
  const { team } = yield* Tenant.make()
  const made = yield* admin<{ client_id: string; client_secret: string }>(
    "client",
    "create",
    "--team",
    team,
    "--name",
    "CRM sync",
    "--bot",
    "Sync Bot"
  )
  const tokenBy = (secret: string) =>
    request<{ access_token?: string }>("POST", "/openid/token", {
      text: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: made.client_id,
        client_secret: secret
      }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" }
    })
  return { team, id: made.client_id, secret: made.client_secret, tokenBy, request }
})

if (store !== "memory") {
  layer(TestService.layer, { excludeTestServices: true })("The commands on clients", (it) => {
    it.effect("show how a client was used and what it made, and end that with the client", () =>
      Effect.gen(function* () {
        const { id, request, secret, team, tokenBy } = yield* aClient
        const unused = yield* admin<Shown>("client", "show", id)
        assert.deepInclude(unused, { lastUsedUtc: null, addresses: [], webhooks: [] })
        assert.lengthOf(unused.requestsByDay, 30)
        const token = (yield* tokenBy(secret)).body.access_token ?? ""
        const webhook = yield* request<{ id: string }>("POST", "/api/v1/webhooks", {
          token,
          json: { url: "http://127.0.0.1:9/", events: ["*"] }
        })
        yield* request("GET", "/api/v1/auth/me", { token })
        const shown = yield* Effect.repeat(admin<Shown>("client", "show", id), {
          until: ({ addresses }) => addresses.length > 0,
          times: 20
        })
        assert.strictEqual(shown.team.id, team)
        assert.strictEqual(shown.bot.name, "Sync Bot")
        assert.deepStrictEqual(
          shown.addresses.map(({ address }) => address),
          ["127.0.0.1"]
        )
        assert.deepInclude(shown.requestsByDay.at(-1), { day: new Date().toISOString().slice(0, 10), requests: 2 })
        assert.isNotNull(shown.lastUsedUtc)
        assert.deepStrictEqual(
          shown.webhooks.map((one) => one.id),
          [webhook.body.id]
        )
        const dry = yield* admin<{ result: object }>("client", "revoke", id, "--with-webhooks", "--dry-run")
        assert.deepStrictEqual(dry.result, { id, revoked: true, webhooks: [webhook.body.id] })
        assert.strictEqual((yield* request("GET", "/api/v1/auth/me", { token })).status, 200)
        const revoked = yield* admin<object>("client", "revoke", id, "--with-webhooks")
        assert.deepStrictEqual(revoked, { id, revoked: true, webhooks: [webhook.body.id] })
        assert.strictEqual((yield* request("GET", "/api/v1/auth/me", { token })).status, 401)
        assert.deepStrictEqual((yield* admin<Shown>("client", "show", id)).webhooks, [])
        const { out } = yield* runToEnd(["client", "show", id])
        assert.match(out, /\nADDRESS +FIRST +LAST\n127\.0\.0\.1 /)
      })
    )

    it.effect("give a client another secret, beside which the former one is good until the overlap ends", () =>
      Effect.gen(function* () {
        const { id, secret, tokenBy } = yield* aClient
        const rotate = (...args: ReadonlyArray<string>) =>
          admin<{ client_id: string; client_secret: string; previousSecretUntilUtc: string | null }>(
            "client",
            "rotate",
            id,
            ...args
          )
        const statuses = (...secrets: ReadonlyArray<string>) =>
          Effect.forEach(secrets, (one) => Effect.map(tokenBy(one), ({ status }) => status))
        yield* runToEnd(["client", "rotate", id, "--dry-run"])
        const second = yield* rotate("--overlap", "24h")
        assert.strictEqual(second.client_id, id)
        assert.isNotNull(second.previousSecretUntilUtc)
        assert.deepStrictEqual(yield* statuses(secret, second.client_secret), [200, 200])
        const third = yield* rotate()
        assert.isNull(third.previousSecretUntilUtc)
        assert.deepStrictEqual(yield* statuses(secret, second.client_secret, third.client_secret), [401, 401, 200])
        assert.match((yield* runToEnd(["client", "rotate", id, "--overlap", "31d"])).err, /^--overlap: /)
        const entries = yield* admin<ReadonlyArray<{ readonly action: string }>>(
          "audit",
          "list",
          "--client",
          id,
          "--action",
          "client.*"
        )
        assert.deepStrictEqual(
          entries.map(({ action }) => action),
          ["client.rotated", "client.rotated", "client.created"]
        )
      })
    )
  })
}
