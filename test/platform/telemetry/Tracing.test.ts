import * as Tracing from "../../../src/platform/telemetry/Tracing.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, References, Tracer } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import { version } from "../../../src/platform/version.ts"
import { make, path } from "../../support/ContactsClient.ts"
import { TestService } from "../../support/TestService.ts"
import { attribute, receiver } from "./receiver.ts"

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const parentId = "00f067aa0ba902b7"

const silence = Logger.layer([])

describe("A service that exports traces", () => {
  it.live(
    "exports the spans of a request, its use-case and its statements below the caller's span, without data of the request",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const received = yield* receiver
          const asked = Effect.gen(function* () {
            const { create, request, token } = yield* make()
            const {
              body: { id }
            } = yield* create({ firstName: "Annabella", email: "annabella@example.com" })
            const headers = { traceparent: `00-${traceId}-${parentId}-01`, "x-request-id": "mine-1" }
            yield* request("GET", `${path}/${id}`, { token, headers })
            yield* request("GET", `${path}/${id}?secret=42`, { token, headers })
            return { id, token }
          })
          const observing = Layer.provideMerge(Tracing.layer(received.setting), silence)
          const { id, token } = yield* asked.pipe(Effect.provide(TestService.layerWith(observing)))

          const spans = received.spans()
          const [server, refused, ...more] = spans.filter(({ kind, traceId: of }) => kind === 2 && of === traceId)
          assert.isDefined(server)
          assert.deepStrictEqual(more, [])
          assert.strictEqual(server.name, `GET ${path}/:id`)
          assert.strictEqual(server.parentSpanId, parentId)
          assert.strictEqual(attribute(server, "http.request.method"), "GET")
          assert.strictEqual(attribute(server, "http.route"), `${path}/:id`)
          assert.strictEqual(attribute(server, "url.path"), `${path}/${id}`)
          assert.strictEqual(attribute(server, "http.response.status_code"), 200)
          assert.strictEqual(attribute(server, "property_network.request_id"), "mine-1")
          assert.strictEqual(attribute(refused!, "http.response.status_code"), 400)
          assert.strictEqual(refused?.status.code, 1)

          const below = (spanId: string) => spans.filter(({ parentSpanId }) => parentSpanId === spanId)
          const [useCase] = below(server.spanId).filter(({ name }) => name === "Contacts.get")
          assert.isDefined(
            useCase,
            JSON.stringify(spans.map(({ name, parentSpanId, spanId }) => [name, spanId, parentSpanId]))
          )
          assert.strictEqual(useCase.traceId, traceId)
          const all = (spanId: string): typeof spans => below(spanId).flatMap((span) => [span, ...all(span.spanId)])
          const statements = all(useCase.spanId).filter(({ kind }) => kind === 3)
          assert.strictEqual(statements.length, 1)
          assert.strictEqual(attribute(statements[0]!, "db.system.name"), "postgresql")
          assert.match(String(attribute(statements[0]!, "db.query.text")), /^\s*select .*\$1.* join contacts\s/s)

          const text = JSON.stringify(spans)
          for (const secret of ["Annabella", "annabella@example.com", "secret", token]) assert.notInclude(text, secret)
          const [resource] = received.resources()
          assert.strictEqual(attribute(resource!, "service.name"), "brokers")
          assert.strictEqual(attribute(resource!, "service.version"), version)
          assert.strictEqual(attribute(resource!, "deployment.environment.name"), "test")
          assert.strictEqual(received.at("/v1/traces")[0]?.headers["x-key"], "k1")
        })
      )
  )

  it.live("exports an error by its name only, and no trace that the caller did not sample", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const received = yield* receiver
        const asked = Effect.gen(function* () {
          const { request, token } = yield* make()
          const headers = { traceparent: `00-${traceId}-${parentId}-00` }
          yield* request("GET", path, { token, headers })
          const sql = yield* Database
          yield* Effect.exit(Effect.withSpan(sql`select ${"Annabella"}::uuid`, "outer"))
        })
        const observing = Layer.provideMerge(Tracing.layer(received.setting), silence)
        yield* asked.pipe(Effect.provide(TestService.layerWith(observing).pipe(Layer.provideMerge(observing))))
        const spans = received.spans()
        assert.deepStrictEqual(
          spans.filter((span) => span.traceId === traceId),
          []
        )
        const failed = spans.filter(({ status }) => status.code === 2)
        assert.deepStrictEqual(
          failed.map(({ kind, status }) => [kind, status.message]),
          [
            [3, "UnknownError"],
            [1, "UnknownError"]
          ]
        )
        assert.notInclude(JSON.stringify(spans), "Annabella")
      })
    )
  )
})

describe("A service without trace export", () => {
  it.live("creates no spans", () =>
    Effect.gen(function* () {
      const names: Array<string> = []
      const counting = Tracer.make({
        span: (options) => {
          names.push(options.name)
          return new Tracer.NativeSpan(options)
        }
      })
      const asked = Effect.gen(function* () {
        const { create, request, token } = yield* make()
        const {
          body: { id }
        } = yield* create({ firstName: "Anna" })
        names.length = 0
        yield* request("GET", `${path}/${id}`, { token })
        yield* request("PATCH", `${path}/${id}`, { token, json: { firstName: "Maria" } })
        return [...names]
      })
      const observed = (observing: Layer.Layer<never>) =>
        asked.pipe(
          Effect.provide(
            TestService.layerWith(Layer.mergeAll(silence, observing, Layer.succeed(Tracer.Tracer, counting)))
          )
        )
      assert.isNotEmpty(yield* observed(Layer.succeed(References.TracerEnabled, true)))
      assert.deepStrictEqual(yield* observed(Tracing.layer(undefined)), [])
    })
  )
})
