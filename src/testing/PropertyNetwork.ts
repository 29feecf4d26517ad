/**
 * `property-network/testing`: the whole service in this process, in memory, for those who test their clients against
 * it. Every layer above the database is the one of production; no server, no disk, no port.
 */
import { Context, type Duration, Effect, Layer, Logger, ManagedRuntime, Redacted, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  FetchHttpClient,
  HttpClient,
  HttpClientRequest,
  HttpEffect,
  HttpRouter,
  type HttpServerRequest
} from "effect/http"
import { TestClock } from "effect/testing"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { tasks } from "../../workers/tasks.ts"
import * as App from "../App.ts"
import { Clients } from "../identity/clients/Clients.ts"
import { asOperator } from "../auth/Operator.ts"
import { Tokens } from "../identity/tokens/Tokens.ts"
import { ChangeClock } from "../changes/Changes.ts"
import { layerBaseUrl } from "../BaseUrl.ts"
import * as MemoryDatabase from "../db/memory/MemoryDatabase.ts"
import * as MemoryFileStore from "../files/store/Memory.ts"
import * as Http from "../Http.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { Users } from "../identity/users/Users.ts"
import { Jobs } from "../jobs/Jobs.ts"
import * as MemoryWorker from "../jobs/memory/MemoryWorker.ts"
import { Worker } from "../jobs/Worker.ts"
import { advance as advanceClock } from "./advance.ts"

/** The address that the service believes to have; requests to any other fail. */
export const baseUrl = "http://property-network.test"

/** A tenant to test with. */
export interface Tenant {
  /** The id of its team. */
  readonly teamId: string
  /** The id of its broker, who has both capabilities. */
  readonly userId: string
  /** The broker's personal access token. */
  readonly token: string
  /** An OAuth client of the team. */
  readonly clientId: string
  readonly clientSecret: string
}

/** A running service. */
export interface Running extends Tenant {
  readonly baseUrl: string
  /** `fetch` that ends in this process: for clients that take one. */
  readonly fetch: typeof globalThis.fetch
  /** The same as an Effect `HttpClient`. */
  readonly http: HttpClient.HttpClient
  /** Another tenant, strange to the first. */
  readonly addTenant: (name: string) => Effect.Effect<Tenant>
  /**
   * Moves the clock of the service, and does what becomes due on the way: 35 hours of webhook retries pass in
   * milliseconds.
   */
  readonly advance: (duration: Duration.Input) => Effect.Effect<void>
  /** Completes when everything that is due now is done: fan-out, webhook deliveries. */
  readonly drain: Effect.Effect<void>
}

const services = App.layer({
  secretKeys: { current: Redacted.make(new Uint8Array(32).fill(1)), previous: undefined },
  // Receivers of tests listen on this machine.
  webhookAllowHttp: true,
  webhookAllowedNetworks: ["127.0.0.0/8", "::1/128"],
  webhookRetryDelays: undefined,
  rateLimits: { pat: 60, client: 600 },
  fileStore: Layer.fresh(MemoryFileStore.layer)
})

const addTenant = Effect.fn("PropertyNetwork.addTenant")(
  function* (name: string) {
    const random = yield* SecureRandom.SecureRandom
    const teams = yield* Teams
    const users = yield* Users
    const tokens = yield* Tokens
    const clients = yield* Clients
    const email = `${yield* random.uuidV4()}@example.com`
    const team = yield* teams.create({ name, plan: "plus" })
    const user = yield* users.create({
      email,
      name: "Test Broker",
      teamId: team.id,
      role: "admin",
      broker: "active",
      investor: "active"
    })
    const { token } = yield* tokens.create({ email, name: "test" })
    const client = yield* clients.create({ teamId: team.id, name: "Test client", botName: "Test bot" })
    const tenant: Tenant = {
      teamId: team.id,
      userId: user.id,
      token,
      clientId: client.client_id,
      clientSecret: client.client_secret
    }
    return tenant
  },
  asOperator,
  Effect.orDie
)

const clientOf = (fetch: typeof globalThis.fetch) =>
  Effect.map(HttpClient.HttpClient, (client) =>
    client.pipe(
      HttpClient.transformResponse(Effect.provideService(FetchHttpClient.Fetch, fetch)),
      HttpClient.mapRequest(HttpClientRequest.prependUrl(baseUrl))
    )
  )

type Services = Clients | SecureRandom.SecureRandom | Teams | Tokens | Users | Worker

const make = Effect.gen(function* () {
  yield* TestClock.setTime(Date.now())
  const router = yield* HttpRouter.toHttpEffect(Http.routes).pipe(
    Effect.provideService(HttpRouter.RouterConfig, Http.routerConfig)
  )
  const context = yield* Effect.context<Services>()
  const handle = HttpEffect.toWebHandlerWith<Services, HttpServerRequest.HttpServerRequest | Scope.Scope>(context)(
    router
  )
  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = new Request(input instanceof URL ? input.href : input, init)
    return request.url.startsWith(`${baseUrl}/`)
      ? handle(request)
      : Promise.reject(new TypeError(`fetch failed: only ${baseUrl} is here, not ${request.url}`))
  }
  const worker = yield* Worker
  const running: Running = {
    ...(yield* addTenant("Test Brokers")),
    baseUrl,
    fetch,
    http: yield* clientOf(fetch),
    addTenant: (name) => Effect.provideContext(addTenant(name), context),
    advance: (duration) => Effect.provideContext(advanceClock(duration), context),
    drain: worker.drain
  }
  return running
})

/** The service as a layer: `yield* PropertyNetwork` gives its token, its `fetch` and its clock. */
export class PropertyNetwork extends Context.Service<PropertyNetwork, Running>()("testing/PropertyNetwork") {
  /** A new, empty service with one tenant. */
  static readonly layerTest: Layer.Layer<PropertyNetwork> = Layer.effect(PropertyNetwork, make).pipe(
    Layer.provide(MemoryWorker.layer(tasks)),
    Layer.provide(services),
    Layer.provide(Jobs.layerMemory),
    Layer.provide(Layer.fresh(MemoryDatabase.layer)),
    Layer.provide(layerBaseUrl(baseUrl)),
    Layer.provide(NodeHttpServer.layerHttpServices),
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(Layer.succeed(ChangeClock, "application")),
    Layer.provide(TestClock.layer()),
    Layer.provide(Logger.layer([]))
  )
}

/** The service for tests that are not written with Effect: the same, with promises. */
export interface Started extends Omit<Running, "addTenant" | "advance" | "drain" | "http"> {
  readonly addTenant: (name: string) => Promise<Tenant>
  readonly advance: (duration: Duration.Input) => Promise<void>
  readonly drain: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts a service; `stop` it when the tests are done. */
export const start = async (): Promise<Started> => {
  const runtime = ManagedRuntime.make(PropertyNetwork.layerTest)
  const running = await runtime.runPromise(Effect.map(PropertyNetwork, (service) => service))
  const { addTenant, advance, drain, http: _, ...members } = running
  return {
    ...members,
    addTenant: (name) => runtime.runPromise(addTenant(name)),
    advance: (duration) => runtime.runPromise(advance(duration)),
    drain: () => runtime.runPromise(drain),
    stop: () => runtime.dispose()
  }
}
