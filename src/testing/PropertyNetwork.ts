/**
 * `property-network/testing`: the whole service in this process and in memory, for tests of its clients. Every layer above
 * the database is that of production. It needs no server, no disk and no port.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as App from "../App.ts"
import * as MemoryDatabase from "../platform/db/MemoryDatabase.ts"
import * as Http from "../Http.ts"
import * as MemoryWorker from "../platform/jobs/MemoryWorker.ts"
import { layerMemory } from "../platform/fileStore/Drivers.ts"
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
import { handlers, recurring } from "../../workers/handlers.ts"
import { Clients } from "../identity/clients/Clients.ts"
import { asOperator } from "../core/auth/CurrentActor.ts"
import { Tokens } from "../identity/tokens/Tokens.ts"
import { ChangeClock } from "../core/mutation/Changes.ts"
import { layerBaseUrl } from "../platform/Config.ts"
import { Draining } from "../http/Health.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { Users } from "../identity/users/Users.ts"
import { Jobs } from "../platform/jobs/Jobs.ts"
import { Worker } from "../platform/jobs/Worker.ts"
import { advance as advanceClock } from "../../test/support/advance.ts"

/** The base URL of the service. Requests to any other URL fail. */
export const baseUrl = "http://property-network.test"

/** A team with a broker, a token and an OAuth client. */
export interface Tenant {
  /** The id of its team. */
  readonly teamId: string
  /** The id of the broker, who has both capabilities. */
  readonly userId: string
  readonly email: string
  /** The broker's personal access token. */
  readonly token: string
  /** An OAuth client of the team. */
  readonly clientId: string
  readonly clientSecret: string
}

/** A running service. */
export interface Running extends Tenant {
  readonly baseUrl: string
  /** A `fetch` that calls the service in this process, for clients that accept one. */
  readonly fetch: typeof globalThis.fetch
  /** The same as {@link fetch}, as an Effect `HttpClient`. */
  readonly http: HttpClient.HttpClient
  /** Adds another tenant, which cannot see the first. */
  readonly addTenant: (name: string) => Effect.Effect<Tenant>
  /** Another personal access token of a tenant's broker: each expires after 30 days on the service's clock. */
  readonly newToken: (tenant: Pick<Tenant, "email">) => Effect.Effect<string>
  /**
   * Advances the clock of the service and runs the jobs that become due on the way: 35 hours of webhook retries take
   * milliseconds. At the end, recurring jobs run once, so that what is past its retention is purged.
   */
  readonly advance: (duration: Duration.Input) => Effect.Effect<void>
  /** Completes when no work is due: fan-outs and webhook deliveries are done. */
  readonly drain: Effect.Effect<void>
}

const services = App.layer({
  secretKeys: { current: Redacted.make(new Uint8Array(32).fill(1)), previous: undefined },
  webhooks: true,
  // Receivers in tests listen on the loopback.
  webhookAllowHttp: true,
  webhookAllowedNetworks: ["127.0.0.0/8", "::1/128"],
  webhookRetryDelays: undefined,
  rateLimits: { pat: 60, client: 600, session: 600 },
  fileStore: Layer.fresh(layerMemory)
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
      email,
      token,
      clientId: client.client_id,
      clientSecret: client.client_secret
    }
    return tenant
  },
  asOperator,
  Effect.orDie
)

const newToken = Effect.fn("PropertyNetwork.newToken")(
  function* ({ email }: Pick<Tenant, "email">) {
    const { token } = yield* (yield* Tokens).create({ email, name: "test" })
    return token
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

type Services = Clients | Jobs | SecureRandom.SecureRandom | Teams | Tokens | Users | Worker

const make = Effect.gen(function* () {
  yield* TestClock.setTime(Date.now())
  const router = yield* HttpRouter.toHttpEffect(Http.routes).pipe(
    Effect.provideService(HttpRouter.RouterConfig, Http.routerConfig)
  )
  const context = yield* Effect.context<Services>()
  const handle = HttpEffect.toWebHandlerWith<Services, HttpServerRequest.HttpServerRequest | Scope.Scope>(context)(
    router
  )
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input instanceof URL ? input.href : input, init)
    if (!request.url.startsWith(`${baseUrl}/`)) {
      throw new TypeError(`fetch failed: this service answers requests to ${baseUrl} only, not ${request.url}`)
    }
    const response = await handle(request)
    const location = response.headers.get("location")
    // The service redirects reads only, such as those of merged records.
    return response.status === 301 && location !== null && request.redirect === "follow"
      ? fetch(new URL(location, baseUrl), { headers: request.headers, signal: request.signal })
      : response
  }
  const worker = yield* Worker
  const jobs = yield* Jobs
  const advance = Effect.fn("PropertyNetwork.advance")(function* (duration: Duration.Input) {
    yield* advanceClock(duration)
    yield* Effect.forEach(recurring, ({ job }) => jobs.enqueue(job, {}), { discard: true })
    yield* worker.drain
  })
  const running: Running = {
    ...(yield* addTenant("Test Brokers")),
    baseUrl,
    fetch,
    http: yield* clientOf(fetch),
    addTenant: (name) => Effect.provideContext(addTenant(name), context),
    newToken: (tenant) => Effect.provideContext(newToken(tenant), context),
    advance: (duration) => Effect.provideContext(advance(duration), context),
    drain: worker.drain
  }
  return running
})

/** The service as a layer: `yield* PropertyNetwork` returns its token, its `fetch` and its clock. */
export class PropertyNetwork extends Context.Service<PropertyNetwork, Running>()("testing/PropertyNetwork") {
  /** A new, empty service with one tenant. */
  static readonly layerTest: Layer.Layer<PropertyNetwork> = Layer.effect(PropertyNetwork, make).pipe(
    Layer.provide(MemoryWorker.layer(handlers)),
    Layer.provide(Draining.layer),
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

/** The service for tests without Effect: the same members with promises. */
export interface Started extends Omit<Running, "addTenant" | "advance" | "drain" | "http" | "newToken"> {
  readonly addTenant: (name: string) => Promise<Tenant>
  readonly newToken: (tenant: Pick<Tenant, "email">) => Promise<string>
  readonly advance: (duration: Duration.Input) => Promise<void>
  readonly drain: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts a service. Call `stop` at the end of the tests. */
export const start = async (): Promise<Started> => {
  const runtime = ManagedRuntime.make(PropertyNetwork.layerTest)
  const running = await runtime.runPromise(Effect.map(PropertyNetwork, (service) => service))
  const { addTenant, advance, drain, http: _, newToken, ...members } = running
  return {
    ...members,
    addTenant: (name) => runtime.runPromise(addTenant(name)),
    newToken: (tenant) => runtime.runPromise(newToken(tenant)),
    advance: (duration) => runtime.runPromise(advance(duration)),
    drain: () => runtime.runPromise(drain),
    stop: () => runtime.dispose()
  }
}
