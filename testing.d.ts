/**
 * The types of `property-network/testing`, for those who compile against it: the module itself is TypeScript that Node
 * runs as it is, which a compiler of other settings would refuse. `test/testing/` holds the two together.
 */
import type { Context, Duration, Effect, Layer } from "effect"
import type { HttpClient } from "effect/http"

/** The address that the service believes to have. */
export declare const baseUrl: "http://property-network.test"

/** A tenant to test with. */
export interface Tenant {
  /** The id of its team. */
  readonly teamId: string
  /** The id of its broker, who has both capabilities. */
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
  /** `fetch` that ends in this process: for clients that take one. */
  readonly fetch: typeof globalThis.fetch
  /** The same as an Effect `HttpClient`. */
  readonly http: HttpClient.HttpClient
  /** Another tenant, strange to the first. */
  readonly addTenant: (name: string) => Effect.Effect<Tenant>
  /** Another personal access token of a tenant's broker: each expires after 30 days on the service's clock. */
  readonly newToken: (tenant: Pick<Tenant, "email">) => Effect.Effect<string>
  /** Moves the clock of the service, does what becomes due on the way, and purges what is past its retention. */
  readonly advance: (duration: Duration.Input) => Effect.Effect<void>
  /** Completes when everything that is due now is done: fan-out, webhook deliveries. */
  readonly drain: Effect.Effect<void>
}

/** The service as a layer: `yield* PropertyNetwork` gives its token, its `fetch` and its clock. */
export declare const PropertyNetwork: Context.Service<PropertyNetwork, Running> & {
  /** A new, empty service with one tenant. */
  readonly layerTest: Layer.Layer<PropertyNetwork>
}
export interface PropertyNetwork {
  readonly _: unique symbol
}

/** The service for tests that are not written with Effect: the same, with promises. */
export interface Started extends Omit<Running, "addTenant" | "advance" | "drain" | "http" | "newToken"> {
  readonly addTenant: (name: string) => Promise<Tenant>
  readonly newToken: (tenant: Pick<Tenant, "email">) => Promise<string>
  readonly advance: (duration: Duration.Input) => Promise<void>
  readonly drain: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts a service; `stop` it when the tests are done. */
export declare const start: () => Promise<Started>
