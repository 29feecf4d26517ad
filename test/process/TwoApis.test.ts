/** What takes two API processes: official clients of MCP whose requests go to both in turn, and what ends at both; and their metrics. */
import { assert, layer } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Effect, Layer } from "effect"
import * as App from "../../src/App.ts"
import { callback, make } from "../console/App.ts"
import { runToEnd } from "../support/Admin.ts"
import * as Agent from "../support/Agent.ts"
import { TestService } from "../support/TestService.ts"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { isLong } from "../support/campaign.ts"
import { stop } from "../support/Process.ts"
import * as Tenant from "../support/Tenant.ts"
import { Apis, startApi } from "./fixture.ts"

const settings = { RATE_LIMIT_PAT: "100000", METRICS_PORT: "0" }

/** A `fetch` that sends each request to the next of the ports, and counts those of each. */
const takingTurns = (ports: ReadonlyArray<number>) => {
  const counts = ports.map(() => 0)
  let next = 0
  const send = (input: string | URL | Request, init?: RequestInit) => {
    const turn = next++ % ports.length
    counts[turn] = (counts[turn] ?? 0) + 1
    const url = new URL(input instanceof Request ? input.url : input)
    url.port = String(ports[turn])
    return fetch(url, init)
  }
  return { counts, send }
}

const endpoint = new URL("http://127.0.0.1:1/mcp")

const info = { name: "test", version: "1" }

/** What both clients can do. */
interface Connection {
  readonly listTools: () => Promise<{ readonly tools: ReadonlyArray<{ readonly name: string }> }>
  readonly callTool: (call: { readonly name: string; readonly arguments: Record<string, unknown> }) => Promise<unknown>
  readonly close: () => Promise<void>
}

type Send = ReturnType<typeof takingTurns>["send"]

const optionsOf = (token: string, send: Send) => ({
  fetch: send as typeof fetch,
  requestInit: { headers: { authorization: `Bearer ${token}` } }
})

const second =
  (mode: "legacy" | "auto" | { readonly pin: string }) =>
  async (token: string, send: Send): Promise<Connection> => {
    const client = new Client(info, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(endpoint, optionsOf(token, send)))
    return client as Connection
  }

const clients: { readonly [name: string]: (token: string, send: Send) => Promise<Connection> } = {
  "the first client": async (token, send) => {
    const client = new FirstClient(info)
    await client.connect(new FirstTransport(endpoint, optionsOf(token, send)) as never)
    return client as Connection
  },
  "the second client, as an older one": second("legacy"),
  "the second client, choosing by itself": second("auto"),
  "the second client, pinned to 2026-07-28": second({ pin: "2026-07-28" })
}

const structuredOf = (result: unknown) =>
  (result as { readonly structuredContent: Record<string, unknown> }).structuredContent

const clientOf = (port: number) => TestService.clientOf(`http://127.0.0.1:${port}`)

/** People and apps speak to the first process; the operator has the use-cases. */
const peopleAndOperator = Layer.merge(
  App.layerIdentity,
  Layer.effect(
    TestService,
    Effect.map(Apis, ({ a }) => clientOf(a.port))
  )
)

type Connected = Effect.Success<ReturnType<typeof make>>

const succeeds = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const { err, ok, out } = yield* runToEnd([...args, "--json"])
  assert.isTrue(ok, err)
  return JSON.parse(out)
})

const ends = {
  "the person disconnects the app at one of them": ({ browser }: Connected) =>
    Effect.gen(function* () {
      const reply = yield* browser.submit(
        (yield* browser.get("/console/account/apps")).text,
        "/console/account/apps/disconnect"
      )
      assert.strictEqual(reply.status, 303)
    }),
  "the operator revokes it": ({ email }: Connected) =>
    Effect.gen(function* () {
      const [grant] = yield* succeeds("grant", "list", "--user", email)
      yield* succeeds("grant", "revoke", grant.id)
    }),
  "the operator revokes the app": ({ app }: Connected) => succeeds("app", "revoke", app.client_id),
  "the person leaves the team": ({ email, team }: Connected) => succeeds("member", "remove", email, "--team", team.id)
}

layer(Apis.layer(settings), { excludeTestServices: true, timeout: 60_000 })("Two API processes", (it) => {
  for (const [name, connect] of Object.entries(clients)) {
    it.effect(`answer a client that speaks to them in turn: ${name}`, () =>
      Effect.gen(function* () {
        const { a, b } = yield* Apis
        const { token } = yield* Tenant.make()
        const { counts, send } = takingTurns([a.port, b.port])
        yield* Effect.promise(async () => {
          const client = await connect(token, send)
          const { tools } = await client.listTools()
          assert.include(
            tools.map((tool) => tool.name),
            "create_company"
          )
          const created = structuredOf(await client.callTool({ name: "create_company", arguments: { name: "Rossi" } }))
          const company = String(created["id"])
          // Clients validate answers, errors included, by the output schemas that they have listed.
          for (let index = 0; index < 3; index++) {
            const read = structuredOf(await client.callTool({ name: "get_company", arguments: { company } }))
            assert.strictEqual(read["name"], "Rossi")
          }
          const refused = (await client.callTool({ name: "get_company", arguments: { company: "Rossi" } })) as {
            readonly isError: boolean
          }
          assert.isTrue(refused.isError)
          await client.close()
        })
        assert.isAtLeast(Math.min(...counts), 3)
      })
    )
  }

  it.effect.runIf(isLong)("answer clients that go on when the process that they spoke to is replaced", () =>
    Effect.gen(function* () {
      const { token } = yield* Tenant.make()
      const old = yield* startApi(settings)
      const ports = [old.port]
      const { send } = takingTurns(ports)
      const connections = yield* Effect.promise(() =>
        Promise.all(Object.values(clients).map((connect) => connect(token, send)))
      )
      yield* Effect.promise(() => stop(old))
      ports[0] = (yield* Apis).a.port
      for (const client of connections) {
        const { tools } = yield* Effect.promise(() => client.listTools())
        assert.include(
          tools.map((tool) => tool.name),
          "get_me"
        )
        const result = yield* Effect.promise(() => client.callTool({ name: "get_me", arguments: {} }))
        assert.isString(structuredOf(result)["id"])
        yield* Effect.promise(() => client.close())
      }
    })
  )

  it.effect("pass the inspector's strict checks", () =>
    Effect.gen(function* () {
      const { a } = yield* Apis
      const { token } = yield* Tenant.make()
      const inspector = fileURLToPath(import.meta.resolve("@modelcontextprotocol/inspector/package.json")).replace(
        /package\.json$/,
        "clients/launcher/build/index.js"
      )
      for (const era of isLong ? ["legacy", "modern"] : ["modern"]) {
        const { stdout } = yield* Effect.promise(() =>
          promisify(execFile)(process.execPath, [
            inspector,
            "--cli",
            "--strict",
            "--protocol-era",
            era,
            `http://127.0.0.1:${a.port}/mcp`,
            "--transport",
            "http",
            "--header",
            `Authorization: Bearer ${token}`,
            "--method",
            "tools/list"
          ])
        )
        assert.include(stdout, "create_company", era)
      }
    })
  )

  it.effect("serve metrics on a separate port only", () =>
    Effect.gen(function* () {
      const { a } = yield* Apis
      const metrics = /Metrics are served at (http:\/\/127\.0\.0\.1:\d+\/metrics)\./.exec(a.output.stderr)?.[1]
      assert.isDefined(metrics, a.output.stderr)
      const shown = Effect.promise(async () => (await fetch(metrics)).text())
      const refusedIn = (text: string) =>
        Number(/^property_network_http_request_duration_seconds_count\{status="4xx"\} (\d+)$/m.exec(text)?.[1])
      const before = yield* shown
      assert.strictEqual((yield* Effect.promise(() => a.request("GET", "/metrics", ""))).status, 404)
      const text = yield* shown
      assert.strictEqual(refusedIn(text), refusedIn(before) + 1)
      assert.include(text, "property_network_database_up 1\n")
      assert.include(text, 'property_network_webhook_queue_deliveries{state="due"} 0\n')
    })
  )

  it.layer(peopleAndOperator)("A grant", (it) => {
    for (const [how, end] of Object.entries(ends)) {
      it.effect(`ends at once at both processes when ${how}`, () =>
        Effect.gen(function* () {
          const { a, b } = yield* Apis
          const processes = [clientOf(a.port), clientOf(b.port)]
          const connected = yield* make()
          const { allow, credentials, tokens, verifier } = connected
          const { access_token: token, refresh_token = "" } = yield* tokens()
          const { code = "" } = yield* allow()
          const { headers, json } = Agent.message("tools/list")
          const statuses = Effect.forEach(processes, ({ request }) =>
            Effect.map(
              Effect.all([
                request("GET", "/api/v1/auth/me", { token }),
                request("POST", "/mcp", { token, json, headers })
              ]),
              (replies) => replies.map(({ status }) => status)
            )
          )
          /** What the app gets for its refresh token and for a code that it has not used, at each process. */
          const exchanged = Effect.forEach(processes, ({ request }) =>
            Effect.forEach(
              [
                { grant_type: "refresh_token", refresh_token },
                { grant_type: "authorization_code", code, redirect_uri: callback, code_verifier: verifier }
              ],
              (members) =>
                Effect.map(
                  request("POST", "/openid/token", {
                    text: new URLSearchParams({ ...credentials, ...members }).toString(),
                    headers: { "content-type": "application/x-www-form-urlencoded" }
                  }),
                  ({ body, status }) => [status, body["error"]]
                )
            )
          )
          assert.deepStrictEqual(yield* statuses, [
            [200, 200],
            [200, 200]
          ])
          yield* end(connected)
          assert.deepStrictEqual(yield* statuses, [
            [401, 401],
            [401, 401]
          ])
          // The credentials of an app that was revoked are wrong.
          const refused = how === "the operator revokes the app" ? [401, "invalid_client"] : [400, "invalid_grant"]
          assert.deepStrictEqual(yield* exchanged, [
            [refused, refused],
            [refused, refused]
          ])
        })
      )
    }
  })
})
