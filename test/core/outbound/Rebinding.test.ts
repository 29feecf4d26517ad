/** DNS rebinding: host names whose addresses change between the creation of a webhook and its deliveries. */
import * as App from "../../../src/App.ts"
import * as MemoryWorker from "../../../src/platform/jobs/MemoryWorker.ts"
import * as Tenant from "../../support/Tenant.ts"
import * as Receiver from "./Receiver.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import type { Page } from "../../../src/core/usecase/Page.ts"
import { layer as httpLayer } from "../../../src/Http.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import { Worker } from "../../../src/platform/jobs/Worker.ts"
import type { WebhookDelivery } from "../../../src/webhooks/deliveries/Delivery.ts"
import type { Webhook } from "../../../src/webhooks/Webhook.ts"
import { OwnResolve } from "../../../src/core/outbound/Resolver.ts"
import { handlers } from "../../../workers/handlers.ts"
import { faultsOf } from "../../support/faults.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { options, TestService } from "../../support/TestService.ts"

const publicAddress = "93.184.216.34"

/** The current address of each host name. */
const names = new Map<string, ReadonlyArray<string>>()

const service = MemoryWorker.layer(handlers).pipe(
  Layer.provideMerge(TestService.layerServer),
  Layer.provideMerge(httpLayer({ baseUrl: undefined, host: "127.0.0.1", port: 0 })),
  Layer.provideMerge(App.layer({ ...options, webhookAllowedNetworks: [] })),
  Layer.provideMerge(Jobs.layerMemory),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provide(Layer.succeed(OwnResolve, async (name) => names.get(name) ?? [])),
  Layer.provide(Logger.layer([]))
)

const scheduler: Readonly<Record<string, ReadonlyArray<string>>> = {
  "loopback.example": ["127.0.0.1"],
  "metadata.example": ["169.254.169.254"],
  "both.example": [publicAddress, "127.0.0.1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "nowhere.example": []
}

layer(service, { excludeTestServices: true })(
  "A webhook whose host name resolves to a public address at first",
  (it) => {
    it.effect("fails its attempt without a connection if the name resolves to a private address later", () =>
      Effect.gen(function* () {
        const { request } = yield* TestService
        const { token } = yield* Tenant.make()
        const receiver = yield* Receiver.make((response) => response.end())
        const made = yield* Effect.forEach(Object.keys(scheduler), (name) => {
          names.set(name, [publicAddress])
          const json = { url: `http://${name}:${receiver.port}/`, events: ["contact.created"] }
          return request<Webhook>("POST", "/api/v1/webhooks", { token, json })
        })
        for (const [name, addresses] of Object.entries(scheduler)) names.set(name, addresses)
        assert.strictEqual(
          (yield* request("POST", "/api/v1/network/contacts", { token, json: { firstName: "Eva" } })).status,
          201
        )
        yield* Effect.flatMap(Worker, (worker) => worker.drain)
        for (const { body, status } of made) {
          assert.strictEqual(status, 201)
          const { body: log } = yield* request<Page<WebhookDelivery>>("GET", `/api/v1/webhooks/${body.id}/deliveries`, {
            token
          })
          assert.lengthOf(log.data, 1)
          assert.deepInclude(log.data[0], {
            status: "failed",
            attemptCount: 1,
            lastStatusCode: null,
            lastError: "Its host must resolve, and to public addresses only."
          })
        }
        assert.lengthOf(receiver.connections, 0)
      })
    )

    it.effect("cannot be changed to a host name that resolves to a private address", () =>
      Effect.gen(function* () {
        const { request } = yield* TestService
        const { token } = yield* Tenant.make()
        names.set("public.example", [publicAddress])
        const json = { url: "https://public.example/", events: ["contact.created"] }
        const { body } = yield* request<Webhook>("POST", "/api/v1/webhooks", { token, json })
        for (const addresses of [["127.0.0.1"], [publicAddress, "169.254.169.254"]]) {
          names.set("changed.example", addresses)
          const refused = yield* request("PATCH", `/api/v1/webhooks/${body.id}`, {
            token,
            json: { url: "https://changed.example/" }
          })
          assert.strictEqual(refused.status, 400)
          assert.deepEqual(faultsOf(refused), ["body /url forbidden_address"])
        }
      })
    )
  }
)
