import * as Logging from "../../src/process/Logging.ts"
import * as Id from "../../src/core/Id.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Clients } from "../../src/identity/clients/Clients.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { levelOf, SlowRequest } from "../../src/http/RequestTelemetry.ts"
import { make, path } from "../support/ContactsClient.ts"
import { TestService } from "../support/TestService.ts"

const lines: Array<string> = []

/** A client of a team. */
const aClient = (team: string) =>
  Effect.flatMap(Clients, (clients) => clients.create({ teamId: team, name: "CRM sync", botName: "Bot" })).pipe(
    asOperator,
    Effect.map((made) => ({ clientId: made.client_id, secret: made.client_secret }))
  )

const observing = (lines: Array<string>) =>
  Logging.layerInto("Info", Logging.json, { line: (line) => lines.push(line), flush: () => {}, drain: () => {} })

const linesOf = (requestId: string, from = lines) =>
  from
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .filter((line) => line["requestId"] === requestId)

layer(TestService.layerWith(observing(lines)), { excludeTestServices: true })("The log", (it) => {
  it.effect(
    "has one line for each request with id, trace, caller, route, status and duration, without token and query",
    () =>
      Effect.gen(function* () {
        const { create, request, team, token, tokenId, user } = yield* make()
        const {
          body: { id }
        } = yield* create({ firstName: "Anna" })
        const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
        const headers = { "x-request-id": "mine-1", traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
        const { text } = yield* request("GET", `${path}/${id}?mail=anna@example.com`, { token, headers })
        const [{ durationMs, timestamp, ...line } = {}, ...others] = linesOf("mine-1")
        assert.deepStrictEqual(others, [])
        assert.isNumber(durationMs)
        assert.match(String(timestamp), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
        assert.deepStrictEqual(line, {
          level: "INFO",
          message: `GET ${path}/:id 400`,
          requestId: "mine-1",
          traceId,
          team,
          user,
          token: Id.fromUuid("token", tokenId),
          method: "GET",
          route: `${path}/:id`,
          path: `${path}/${id}`,
          status: 400,
          bytes: Buffer.byteLength(text)
        })
        assert.notInclude(lines.join("\n"), token)
        assert.notInclude(lines.join("\n"), "anna@example.com")
      })
  )

  it.effect("names the pattern of the route, and no route for unknown paths", () =>
    Effect.gen(function* () {
      const { request, token } = yield* make()
      yield* request("POST", `${path}:search`, { token, json: {}, headers: { "x-request-id": "mine-3" } })
      assert.strictEqual(linesOf("mine-3")[0]?.["route"], `${path}:search`)
      for (const [number, credential] of [{}, { token: "nonsense" }].entries()) {
        const id = `refused-${number}`
        yield* request("GET", `${path}/x`, { ...credential, headers: { "x-request-id": id } })
        assert.deepInclude(linesOf(id)[0], { message: `GET ${path}/:id 401`, route: `${path}/:id` })
      }
      yield* request("GET", "/nowhere", { headers: { "x-request-id": "mine-4" } })
      assert.strictEqual(linesOf("mine-4")[0]?.["message"], "GET /nowhere 404")
      assert.notProperty(linesOf("mine-4")[0], "route")
      assert.notProperty(linesOf("mine-4")[0], "user")
    })
  )

  it.effect("names the token and whose it was when it is refused, and the client at the token endpoint", () =>
    Effect.gen(function* () {
      const { request, team, token, tokenId, user } = yield* make()
      yield* Effect.flatMap(Database, (sql) => sql`update tokens set revoked_at = now() where id = ${tokenId}`)
      yield* request("GET", path, { token, headers: { "x-request-id": "revoked" } })
      const known = { team, user, token: Id.fromUuid("token", tokenId), status: 401 }
      assert.deepInclude(linesOf("revoked")[0], known)
      const { clientId, secret } = yield* aClient(team)
      const ask = (id: string, password: string) =>
        request("POST", "/openid/token", {
          text: "grant_type=client_credentials",
          headers: {
            "x-request-id": id,
            "content-type": "application/x-www-form-urlencoded",
            authorization: `Basic ${Buffer.from(`${clientId}:${password}`).toString("base64")}`
          }
        })
      yield* ask("asks", secret)
      assert.deepInclude(linesOf("asks")[0], { team, client: clientId, status: 200 })
      yield* ask("guesses", secret.slice(0, -1) + (secret.endsWith("x") ? "y" : "x"))
      assert.deepInclude(linesOf("guesses")[0], { team, client: clientId, status: 401 })
      assert.notInclude(lines.join("\n"), token)
      assert.notInclude(lines.join("\n"), secret)
    })
  )

  it.effect("has no line for probes at this level", () =>
    Effect.gen(function* () {
      const { request } = yield* make()
      for (const path of ["/healthz", "/readyz"]) {
        yield* request("GET", path, { headers: { "x-request-id": "probe" } })
      }
      assert.deepStrictEqual(linesOf("probe"), [])
      assert.deepStrictEqual(
        [levelOf({ route: "/readyz", slow: true }), levelOf({ route: "/", slow: true })],
        ["Debug", "Warn"]
      )
    })
  )

  it.effect("has no trace id from a malformed traceparent", () =>
    Effect.gen(function* () {
      const { list } = yield* make()
      for (const [index, traceparent] of ["nonsense", `00-${"0".repeat(32)}-00f067aa0ba902b7-01`].entries()) {
        const id = `malformed-${index}`
        yield* list("", { "x-request-id": id, traceparent })
        const [line] = linesOf(id)
        assert.isDefined(line)
        assert.notProperty(line, "traceId")
      }
    })
  )
})

const slow: Array<string> = []

layer(TestService.layerWith(Layer.merge(observing(slow), Layer.succeed(SlowRequest, 0))), {
  excludeTestServices: true
})("The log, of requests that take longer than they should,", (it) => {
  it.effect("has a warning instead of the normal line", () =>
    Effect.gen(function* () {
      const { list } = yield* make()
      yield* list("", { "x-request-id": "mine-1" })
      const [line, ...others] = linesOf("mine-1", slow)
      assert.deepStrictEqual(others, [])
      assert.deepInclude(line, { level: "WARN", message: `GET ${path} 200 was slow`, status: 200, route: path })
    })
  )
})
