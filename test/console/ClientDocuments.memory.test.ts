/** Apps whose id is the URL of a document, which the service loads: what it loads, and what it never does. */
import type * as http from "node:http"
import * as tls from "node:tls"
import * as App from "../../src/App.ts"
import * as Receiver from "../core/outbound/Receiver.ts"
import * as Browser from "./Browser.ts"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Logger } from "effect"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { layer as httpLayer } from "../../src/Http.ts"
import { AcceptedDocuments, Apps } from "../../src/identity/apps/Apps.ts"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import { OwnResolve } from "../../src/core/outbound/Resolver.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { options, TestService } from "../support/TestService.ts"
import { certificate } from "../core/outbound/certificate.ts"
import { clients, wholeAuthorization } from "./AgentClients.ts"
import { callback, make } from "./App.ts"
import { password } from "./people.ts"

/** The addresses of each host name. Only 127.0.0.1 may be called beside public ones. */
const names: Readonly<Record<string, ReadonlyArray<string>>> = {
  "receiver.example": ["127.0.0.1"],
  "loopback.example": ["127.0.0.2"],
  "private.example": ["10.0.0.1"],
  "metadata.example": ["169.254.169.254"],
  "mapped.example": ["::ffff:10.0.0.1"],
  "mixed.example": ["127.0.0.1", "10.0.0.1"]
}

type Answer = (response: http.ServerResponse, request: http.IncomingMessage) => void

/** A server of documents: it answers each path as the test says. */
class DocumentServer extends Context.Service<
  DocumentServer,
  { readonly origin: string; readonly receiver: Receiver.Receiver; readonly answers: Map<string, Answer> }
>()("test/DocumentServer") {
  static readonly layer = Layer.effect(
    DocumentServer,
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          const before = tls.getCACertificates("default")
          tls.setDefaultCACertificates([...before, certificate])
          return before
        }),
        (before) => Effect.sync(() => tls.setDefaultCACertificates(before))
      )
      const answers = new Map<string, Answer>()
      const receiver = yield* Receiver.make(
        (response, request) => {
          const answer = answers.get(request.url ?? "")
          if (answer === undefined) response.writeHead(404).end()
          else answer(response, request)
        },
        { tls: true }
      )
      return { origin: `https://receiver.example:${receiver.port}`, receiver, answers }
    })
  )
}

const service = TestService.layerServer.pipe(
  Layer.provideMerge(httpLayer({ baseUrl: undefined, host: "127.0.0.1", port: 0, trustedProxies: 1 })),
  Layer.provideMerge(
    App.layer({
      ...options,
      webhookAllowedNetworks: ["127.0.0.1/32"],
      identity: Layer.succeed(AcceptedDocuments, { hosts: ["*"], deadlineMillis: 300 })
    })
  ),
  Layer.provideMerge(Jobs.layerMemory),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provide(Layer.succeed(OwnResolve, async (name) => names[name] ?? [])),
  Layer.provide(Logger.layer([])),
  Layer.provideMerge(DocumentServer.layer)
)

const json =
  (body: unknown, headers: http.OutgoingHttpHeaders = {}): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
  }

/** Publishes a document at a path; returns its URL. */
const publish = Effect.fnUntraced(function* (path: string, changed: object = {}, headers?: http.OutgoingHttpHeaders) {
  const { answers, origin } = yield* DocumentServer
  const url = `${origin}${path}`
  const document = { client_id: url, client_name: "Deal <Radar>", redirect_uris: [callback], ...changed }
  answers.set(path, json(document, headers))
  return url
})

const requestsOf = (path: string) =>
  Effect.map(DocumentServer, ({ receiver }) => receiver.received.filter((one) => one.path === path).length)

layer(service, { excludeTestServices: true })("An app that a document describes", (it) => {
  it.effect("is asked about by its name and host, gets tokens by its id alone, and is loaded once", () =>
    Effect.gen(function* () {
      const url = yield* publish("/client.json")
      const { ask, browser, exchange, allow, refresh, request, send, status } = yield* make({ app: { client_id: url } })
      const metadata = yield* request("GET", "/.well-known/oauth-authorization-server")
      assert.isTrue(metadata.body["client_id_metadata_document_supported"])
      // Claude uses documents only beside this.
      assert.include(metadata.body["token_endpoint_auth_methods_supported"], "none")
      const page = yield* ask()
      assert.include(page.text, "Deal &lt;Radar&gt;")
      assert.include(page.text, `(${new URL(url).host})`)
      const { code = "" } = yield* allow()
      const issued = yield* exchange(code)
      assert.strictEqual(issued.status, 200, issued.text)
      const refreshed = yield* refresh(issued.body.refresh_token ?? "")
      assert.strictEqual(yield* status(refreshed.body.access_token), 200)
      const introspected = yield* send("/openid/introspect", { token: refreshed.body.access_token })
      assert.include(introspected.text, `"client_id":"${url}"`)
      assert.include((yield* browser.get("/console/account/apps")).text, new URL(url).host)
      assert.strictEqual(yield* requestsOf("/client.json"), 1)
      const { receiver } = yield* DocumentServer
      const [sent] = receiver.received.filter((one) => one.path === "/client.json")
      assert.deepInclude(sent, { method: "GET" })
      assert.notProperty(sent?.headers, "cookie")
      assert.notProperty(sent?.headers, "content-length")
    })
  )

  for (const [name, connect] of Object.entries(clients)) {
    it.effect(`that is ${name} of MCP goes from a 401 to sign-in, calls, a refresh and the end`, () =>
      Effect.gen(function* () {
        const url = yield* publish(`/${encodeURIComponent(name)}.json`, {
          redirect_uris: ["http://127.0.0.1/callback"]
        })
        assert.strictEqual(yield* wholeAuthorization(connect, url), url)
      })
    )
  }

  it.effect("is loaded only for somebody who is signed in", () =>
    Effect.gen(function* () {
      const url = yield* publish("/after.json")
      const { email, pathOf } = yield* make({ app: { client_id: url } })
      const browser = yield* Browser.open
      const sent = yield* browser.get(pathOf())
      assert.strictEqual(sent.status, 303)
      assert.match(sent.headers.get("location") ?? "", /^\/signin\?next=/)
      assert.strictEqual(yield* requestsOf("/after.json"), 0)
      const signIn = yield* browser.get(sent.headers.get("location") ?? "")
      const back = yield* browser.submit(signIn.text, "/signin", { email, password })
      assert.strictEqual((yield* browser.get(back.headers.get("location") ?? "")).status, 200)
      assert.strictEqual(yield* requestsOf("/after.json"), 1)
    })
  )

  it.effect("is loaded again when its time is over, and then has the redirect URIs of the new document", () =>
    Effect.gen(function* () {
      const url = yield* publish("/changing.json", {}, { "cache-control": "max-age=3600" })
      const { ask } = yield* make({ app: { client_id: url } })
      assert.strictEqual((yield* ask()).status, 200)
      const moved = "https://radar.example.com/moved"
      yield* publish("/changing.json", { redirect_uris: [moved] })
      assert.strictEqual((yield* ask({ redirect_uri: moved })).status, 400)
      const sql = yield* Database
      yield* sql`update apps set fresh_until = now() - interval '1 minute' where document_url = ${url}`
      assert.strictEqual((yield* ask({ redirect_uri: moved })).status, 200)
      assert.strictEqual((yield* ask()).status, 400)
      // A document that is gone is not used from memory.
      const { answers } = yield* DocumentServer
      answers.delete("/changing.json")
      yield* sql`update apps set fresh_until = now() - interval '1 minute' where document_url = ${url}`
      assert.strictEqual((yield* ask({ redirect_uri: moved })).status, 400)
    })
  )

  it.effect("stays revoked, whatever its document says", () =>
    Effect.gen(function* () {
      const url = yield* publish("/revoked.json")
      const { ask, status, tokens } = yield* make({ app: { client_id: url } })
      const { access_token: token } = yield* tokens()
      const apps = yield* Apps
      const found = (yield* asOperator(apps.list)).find(({ documentUrl }) => documentUrl === url)
      yield* asOperator(apps.revoke(found?.id ?? ""))
      assert.strictEqual(yield* status(token), 401)
      const sql = yield* Database
      yield* sql`update apps set fresh_until = now() - interval '1 minute' where document_url = ${url}`
      assert.strictEqual((yield* ask()).status, 400)
      assert.strictEqual(yield* requestsOf("/revoked.json"), 1)
    })
  )

  it.effect("is a page for people if its document cannot be used, and never a redirect", () =>
    Effect.gen(function* () {
      const { answers, origin, receiver } = yield* DocumentServer
      const target = yield* publish("/target.json")
      const slow: Array<http.ServerResponse> = []
      const served: Readonly<Record<string, Answer>> = {
        "/gone": (response) => void response.writeHead(404).end(),
        "/redirects": (response) => void response.writeHead(302, { location: target }).end(),
        "/redirects-inside": (response) =>
          void response.writeHead(307, { location: "http://169.254.169.254/latest/meta-data" }).end(),
        "/html": json({ client_id: `${origin}/html`, redirect_uris: [callback] }, { "content-type": "text/html" }),
        "/other-id": json({ client_id: target, redirect_uris: [callback] }),
        "/large": json({ client_id: `${origin}/large`, redirect_uris: [callback], padding: "x".repeat(10 * 1024) }),
        "/endless": (response) => {
          response.writeHead(200, { "content-type": "application/json" })
          response.write(`{"padding": "${"x".repeat(64 * 1024)}`)
        },
        "/slow": (response) => {
          slow.push(response)
          response.writeHead(200, { "content-type": "application/json" })
          response.write(`{"client_id": "${origin}/slow", "redirect_uris": [`)
        },
        "/silent": (response) => void slow.push(response)
      }
      const { ask } = yield* make({ app: { client_id: target } })
      for (const [path, answer] of Object.entries(served)) {
        answers.set(path, answer)
        const reply = yield* ask({ client_id: `${origin}${path}` })
        assert.strictEqual(reply.status, 400, path)
        assert.isNull(reply.headers.get("location"), path)
        assert.match(reply.text, /<h1>This app asks in a way that cannot be answered<\/h1>/)
      }
      assert.strictEqual(yield* requestsOf("/target.json"), 0)
      for (const response of slow) response.destroy()
      yield* receiver.untilClosed
    })
  )

  it.effect("makes the service call nothing that is not public, and says no more than that", () =>
    Effect.gen(function* () {
      const { origin, receiver } = yield* DocumentServer
      const { ask } = yield* make({ app: { client_id: yield* publish("/own.json") } })
      const before = receiver.connections.length
      const { port } = new URL(origin)
      for (const host of [
        "loopback.example",
        "private.example",
        "metadata.example",
        "mapped.example",
        "mixed.example",
        "nowhere.example",
        "localhost",
        "metadata",
        "printer.local",
        "10.0.0.1",
        "169.254.169.254",
        "[::1]",
        "[::ffff:a00:1]",
        "0.0.0.0"
      ]) {
        const reply = yield* ask({ client_id: `https://${host}:${port}/own.json` })
        assert.deepStrictEqual([reply.status, reply.headers.get("location")], [400, null], host)
        assert.include(reply.text, "The document that describes the app could not be loaded.", host)
      }
      for (const url of [
        `http://receiver.example:${port}/own.json`,
        `https://receiver.example:${port}@private.example/own.json`,
        `https://user@receiver.example:${port}/own.json`,
        `${origin}/own.json#x`,
        `${origin}/a/../own.json`,
        `${origin}/%2e/own.json`,
        `${origin}\\own.json`,
        `HTTPS://receiver.example:${port}/own.json`,
        `https://RECEIVER.example:${port}/own.json`,
        "https://2130706433/own.json",
        "https://0x7f.1/own.json",
        "https://127.1/own.json"
      ]) {
        const reply = yield* ask({ client_id: url })
        assert.deepStrictEqual([reply.status, reply.headers.get("location")], [400, null], url)
      }
      assert.lengthOf(receiver.connections, before)
    })
  )

  it.effect("is not looked up without end for one person", () =>
    Effect.gen(function* () {
      const { origin } = yield* DocumentServer
      const { ask } = yield* make({ app: { client_id: yield* publish("/limited.json") } })
      for (let index = 0; index < 30; index++) yield* ask({ client_id: `${origin}/no/${index}` })
      assert.include((yield* ask()).text, "Too many apps were looked up.")
      assert.strictEqual(yield* requestsOf("/limited.json"), 0)
    })
  )

  it.effect("does not register itself unless the operator allows it", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const reply = yield* request("POST", "/openid/register", { json: { redirect_uris: [callback] } })
      assert.deepStrictEqual([reply.status, reply.body["code"]], [404, "not_found"])
      const metadata = yield* request("GET", "/.well-known/oauth-authorization-server")
      assert.notProperty(metadata.body, "registration_endpoint")
    })
  )

  it.effect("is unknown at the token endpoint until somebody was asked about it", () =>
    Effect.gen(function* () {
      const url = yield* publish("/unknown.json")
      const { exchange } = yield* make({ app: { client_id: url } })
      const reply = yield* exchange("pnc_x")
      assert.deepStrictEqual([reply.status, reply.body.error], [401, "invalid_client"])
      assert.strictEqual(yield* requestsOf("/unknown.json"), 0)
    })
  )
})
