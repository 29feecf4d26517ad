/** Whatever a request was and however it ended, the budgets of bodies and of answers are afterwards what they were before it. */
import * as App from "../../src/App.ts"
import * as oauth from "../../src/identity/oauth/http.ts"
import * as pages from "../../src/console/http.ts"
import * as Tenant from "../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { Agent, type OutgoingHttpHeaders, request as begin } from "node:http"
import { ChangeClock } from "../../src/core/mutation/Changes.ts"
import { layer as httpLayer } from "../../src/Http.ts"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import { TeamBudget } from "../../src/core/usecase/TeamBudget.ts"
import { times } from "../support/campaign.ts"
import { eventually } from "../support/polling.ts"
import { bodyOf, everything, type Operation, operations, resourcesOf } from "../support/Surface.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { options, type RequestOptions, TestService } from "../support/TestService.ts"

const service = TestService.layerServer.pipe(
  Layer.provideMerge(httpLayer({ baseUrl: undefined, host: "127.0.0.1", port: 0, trustedProxies: 1 })),
  Layer.provideMerge(App.layer(options)),
  Layer.provideMerge(Jobs.layerMemory),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provide(Layer.succeed(ChangeClock, "database")),
  Layer.provide(Logger.layer([]))
)

/** Asserts that nothing is taken of a budget, by the team or in the process, once requests whose clients are gone have ended. */
const isWhole = (teamId: string | undefined, what: string) =>
  Effect.flatMap(TeamBudget, ({ answers, bodies }) =>
    eventually(() => {
      for (const lane of [bodies, answers]) {
        const { process, team } = lane.size
        assert.isUndefined(lane.take(undefined, process), what)
        lane.release(undefined, process)
        if (teamId === undefined) continue
        assert.isUndefined(lane.take(teamId, team), what)
        lane.release(teamId, team)
      }
    })
  )

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  readonly body: Uint8Array | string
  /** Sends so many bytes of the body, and disconnects. */
  readonly aborted?: number
}

const agent = new Agent({ keepAlive: true })

/** Sends a body also where `fetch` sends none. Answers the status; 0 for one that was aborted. */
const send = (baseUrl: string, { aborted, body, headers, method, path }: Sent) =>
  new Promise<number>((resolve, reject) => {
    const bytes = Buffer.from(body)
    const sent = begin(`${baseUrl}${path}`, {
      agent,
      method,
      headers: { ...headers, ...("transfer-encoding" in headers ? {} : { "content-length": bytes.length }) }
    })
    sent.once("error", (error) => (aborted === undefined ? reject(error) : resolve(0)))
    sent.once("response", (answer) => {
      answer.resume().once("close", () => resolve(answer.statusCode ?? 0))
    })
    if (aborted === undefined) sent.end(bytes)
    else sent.write(bytes.subarray(0, aborted), () => setImmediate(() => sent.destroy()))
  })

const requestOf = async ({
  form,
  headers = {},
  json,
  text
}: RequestOptions): Promise<Pick<Sent, "body" | "headers">> => {
  if (form !== undefined) {
    const encoded = new Response(form)
    return {
      headers: { ...headers, "content-type": encoded.headers.get("content-type") ?? "" },
      body: new Uint8Array(await encoded.arrayBuffer())
    }
  }
  return text === undefined
    ? { headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(json ?? {}) }
    : { headers, body: text }
}

/** Bodies that `Surface.ts` has no need of, because they are another way to say the same. */
const others: { readonly [operation: string]: ReadonlyArray<unknown> } = {
  "mandates.create": [{ name: "Offices", location: "München" }],
  "mandates.update": [{ location: "München" }, { location: "Berlin, Germany", country: "DE" }]
}

const jsonType = { "content-type": "application/json" }
const chunked = { "transfer-encoding": "chunked" }

/** Requests that are refused, and those whose clients go away. `valid` is one that is not refused. */
const refused = (valid: Sent): ReadonlyArray<Sent> => {
  const withBody = (body: string, headers: OutgoingHttpHeaders = {}): Sent => ({
    ...valid,
    headers: { ...valid.headers, ...jsonType, ...headers },
    body
  })
  return [
    withBody('{"nonsense":1}'),
    withBody("{", chunked),
    withBody("x".repeat(100), { ...chunked, "content-type": "text/plain" }),
    withBody("--x\r\n", { "content-type": "multipart/form-data; boundary=x" }),
    withBody('{"name":"Turm"}', { authorization: "Bearer nobody" }),
    withBody('{"name":"Turm"}', { prefer: "dry-runn" }),
    { ...valid, path: `${valid.path}/nothing` },
    { ...valid, aborted: 1 },
    { ...withBody('{"name":"Turm"}', chunked), aborted: 10 }
  ]
}

const sendAll = (baseUrl: string, requests: ReadonlyArray<Sent>) =>
  Effect.forEach(requests, (one) => Effect.promise(() => send(baseUrl, one)), { concurrency: 8 })

const succeeded = [200, 201, 204, 207]

/** How often each operation gets its bodies as dry runs. One leaked byte shows at once, so that few suffice; a campaign sends 200. */
const runs = times("BUDGET_RUNS", 1, 20)

layer(service, { excludeTestServices: true })("The budgets of bodies and answers", (it) => {
  /** Sends the valid requests of an operation, as dry runs and for good, and then refused ones, and finds the budgets whole each time. */
  const leavesWhole = Effect.fnUntraced(function* (operation: Operation) {
    const { baseUrl } = yield* TestService
    const caller = yield* Tenant.make(everything)
    const resources = yield* resourcesOf(operation, caller)
    const path = resources.reduce((rest, id) => rest.replace(/:[^/]+/, id), operation.path)
    const authorization = operation.hasCaller ? { authorization: `Bearer ${caller.token}` } : {}
    const own = yield* bodyOf(operation, caller)
    const valid = yield* Effect.forEach(
      [own, ...(others[operation.id] ?? []).map((json): RequestOptions => ({ json }))],
      (sent) =>
        Effect.map(
          Effect.promise(() => requestOf(sent)),
          ({ body, headers }): Sent => ({
            method: operation.method,
            path,
            body,
            headers: { ...authorization, ...headers }
          })
        )
    )
    const dry = valid.map((one): Sent => ({ ...one, headers: { ...one.headers, prefer: "dry-run" } }))
    for (const [what, requests] of Object.entries({ "dry run": dry, "for good": valid })) {
      for (const one of requests) {
        const [status] = yield* sendAll(baseUrl, [one])
        assert.include(succeeded, status, `${operation.id}, ${what}`)
        yield* isWhole(caller.teamId, `${operation.id}, ${what}`)
      }
    }
    yield* sendAll(
      baseUrl,
      dry.flatMap((one) => Array.from({ length: runs }, () => one))
    )
    yield* isWhole(caller.teamId, `${operation.id}, ${runs} times`)
    const bad = valid.slice(0, 1).flatMap(refused)
    for (const [index, status] of (yield* sendAll(baseUrl, bad)).entries()) {
      assert.isBelow(status, 500, `${operation.id}, refusal ${index}`)
    }
    yield* isWhole(caller.teamId, `${operation.id}, refusals`)
  })

  for (const operation of operations) {
    it.effect(`are whole after ${operation.method} ${operation.path} and its refusals`, () => leavesWhole(operation))
  }

  it.effect("are whole after two hundred writes whose bodies are larger than the budget together", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* TestService
      const { teamId, token } = yield* Tenant.make(everything)
      const spaces = " ".repeat(128 * 1024)
      const create: Sent = {
        method: "POST",
        path: "/api/v1/mandates",
        headers: { ...jsonType, authorization: `Bearer ${token}` },
        body: `{"name":"Offices","location":"Berlin, Germany"}${spaces}`
      }
      const dry: Sent = { ...create, headers: { ...create.headers, prefer: "dry-run" } }
      const statuses = yield* sendAll(baseUrl, [
        ...Array.from({ length: 180 }, () => dry),
        ...Array.from({ length: 20 }, () => create)
      ])
      assert.deepStrictEqual([...new Set(statuses)], [200, 201])
      yield* isWhole(teamId, "mandates")
    })
  )

  it.effect("are whole after calls of tools, forms of the token endpoint and of the pages, and registrations", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* TestService
      const { teamId, token } = yield* Tenant.make(everything)
      const headers = {
        ...jsonType,
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-06-18",
        authorization: `Bearer ${token}`
      }
      const calls = [
        { name: "create_mandate", arguments: { name: "Offices", location: "Berlin, Germany" } },
        { name: "create_mandate", arguments: { name: "Offices", location: "Berlin, Germany", preview: true } },
        { name: "create_mandate", arguments: { name: "Offices", location: "Nowhere at all" } },
        { name: "list_mandates", arguments: {} }
      ].map((params): Sent => ({
        method: "POST",
        path: "/mcp",
        headers,
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
      }))
      const forms = [...pages.methods, ...oauth.methods]
        .filter(({ method }) => method === "POST")
        .map(({ path }): Sent => ({
          method: "POST",
          path,
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: "email=anna%40example.com&password=wrong"
        }))
      const registration: Sent = {
        method: "POST",
        path: "/openid/register",
        headers: jsonType,
        body: '{"redirect_uris":["https://app.example/cb"]}'
      }
      assert.deepStrictEqual([...new Set(yield* sendAll(baseUrl, calls))], [200])
      assert.deepStrictEqual(yield* sendAll(baseUrl, [registration]), [201])
      for (const status of yield* sendAll(
        baseUrl,
        [...calls.slice(0, 1), ...forms, registration].flatMap((one) => [one, ...refused(one)])
      )) {
        assert.isBelow(status, 500)
      }
      yield* isWhole(teamId, "tools, forms and registrations")
    })
  )

  it.effect("are whole after long answers, also those whose clients go away", () =>
    Effect.gen(function* () {
      const { baseUrl, request } = yield* TestService
      const { teamId, token } = yield* Tenant.make(everything)
      const long = Array.from({ length: 60 }, () => ({ firstName: "Anna", strategy: "x".repeat(2_000) }))
      yield* request("POST", "/api/v1/network/contacts:batchUpsert", { token, json: { items: long } })
      const list: Sent = {
        method: "GET",
        path: "/api/v1/network/contacts?page_size=60",
        headers: { authorization: `Bearer ${token}` },
        body: ""
      }
      const statuses = yield* sendAll(baseUrl, [
        ...Array.from({ length: 20 }, () => list),
        ...Array.from({ length: 20 }, () => ({ ...list, aborted: 0 }))
      ])
      assert.deepStrictEqual([...new Set(statuses)], [200, 0])
      yield* isWhole(teamId, "long answers")
    })
  )
})
