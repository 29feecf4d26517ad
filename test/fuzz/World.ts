/** What requests are sent with: callers, their tokens, and records of each type, created before and again when they are used up. */
import * as Secret from "../../src/core/auth/Secret.ts"
import * as Tenant from "../support/Tenant.ts"
import { Cause, Context, Effect, Exit } from "effect"
import { randomBytes } from "node:crypto"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { Clients } from "../../src/identity/clients/Clients.ts"
import type { Me } from "../../src/identity/users/User.ts"
import type { Rooms } from "../../src/deals/rooms/Rooms.ts"
import type { Dispatcher } from "../../src/webhooks/deliveries/Dispatcher.ts"
import { type Caller, everything, type Operation, operations, resourcesOf } from "../support/Surface.ts"
import { TestService } from "../support/TestService.ts"
import { type CallerName, callers } from "./cases.ts"

/** The placeholders of requests that have one value for all of them. */
export type Secrets = { readonly [name in "basic" | "client_id" | "client_secret" | "access"]: string }

/** Callers and records. */
export interface World {
  readonly baseUrl: string
  readonly tokens: { readonly [name in CallerName]: string }
  readonly secrets: Secrets
  /** The ids for the parameters of an operation; numbers begin again after the last resource. */
  readonly resource: (operation: string, number: number) => ReadonlyArray<string>
  /** A record of the callers' team, or of another one. */
  readonly record: (type: string, number: number, isForeign: boolean) => string | undefined
  /** Replaces a resource that a request has used up. */
  readonly renew: (operation: string, number: number) => Promise<void>
}

/** How many resources each group of operations has. */
const resourcesPerGroup = 2

/** Operations with one key share resources; a few need theirs in a state of their own. */
const keyOf = (operation: Operation): string => {
  const segments = operation.path.split("/")
  const last = segments.findLastIndex((segment) => segment.startsWith(":"))
  return /\/(?:restore|reopen)$/.test(operation.path) ? operation.id : segments.slice(0, last + 1).join("/")
}

const typeOf = (id: string) => id.slice(0, id.indexOf("_"))

/** Records by their keys, and all their ids by type. */
const makeRecords = Effect.fnUntraced(function* (owner: Caller, perGroup: number) {
  const chains = new Map<string, Array<ReadonlyArray<string>>>()
  const byType = new Map<string, Array<string>>()
  const add = (chain: ReadonlyArray<string>) => {
    for (const id of chain) {
      const ids = byType.get(typeOf(id)) ?? []
      // The newest, because older ones may be deleted.
      byType.set(typeOf(id), [id, ...ids].slice(0, 10))
    }
  }
  const made = (operation: Operation) =>
    resourcesOf(operation, owner).pipe(
      // A service that is only reached by its API has no rooms, questions, offers and deliveries for its caller.
      Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.succeed(undefined))),
      Effect.tap((chain) => Effect.sync(() => chain !== undefined && add(chain)))
    )
  const groups = new Map(operations.filter(({ params }) => params.length > 0).map((one) => [keyOf(one), one]))
  yield* Effect.forEach(
    groups,
    ([key, operation]) =>
      Effect.map(
        Effect.forEach(Array.from({ length: perGroup }), () => made(operation)),
        (all) =>
          chains.set(
            key,
            all.filter((one) => one !== undefined)
          )
      ),
    { concurrency: 4, discard: true }
  )
  return { chains, byType, made }
})

/** Makes a world for a caller who may do everything. The other callers are those of `others`. */
const makeFor = Effect.fnUntraced(function* (
  owner: Caller,
  others: Partial<World["tokens"]>,
  secrets: Secrets,
  foreign: ReadonlyMap<string, ReadonlyArray<string>>
) {
  const { baseUrl } = yield* TestService
  const { byType, chains, made } = yield* makeRecords(owner, resourcesPerGroup)
  const services = yield* Effect.context<Effect.Services<ReturnType<typeof made>>>()
  const known = new Map(operations.map((operation) => [operation.id, operation]))
  const renewing = new Set<string>()
  const tokens = Object.fromEntries(callers.map((name) => [name, others[name] ?? owner.token]))
  const world: World = {
    baseUrl,
    tokens: tokens as World["tokens"],
    secrets,
    resource: (id, number) => {
      const operation = known.get(id)
      if (operation === undefined || operation.params.length === 0) return []
      const all = chains.get(keyOf(operation)) ?? []
      return all[number % Math.max(all.length, 1)] ?? operation.params.map(() => "contact_01kb3n7x2ferwt5z8q4j6m9d0c")
    },
    record: (type, number, isForeign) => {
      const ids = (isForeign ? foreign : byType).get(type) ?? []
      return ids[number % Math.max(ids.length, 1)]
    },
    renew: async (id, number) => {
      const operation = known.get(id)
      const key = operation === undefined ? "" : keyOf(operation)
      const all = chains.get(key)
      if (operation === undefined || all === undefined || all.length === 0 || renewing.has(key)) return
      renewing.add(key)
      const exit = await Effect.runPromiseExitWith(services)(made(operation))
      if (Exit.isSuccess(exit) && exit.value !== undefined) all[number % all.length] = exit.value
      renewing.delete(key)
    }
  }
  return world
})

/** Teams of its own in the service's database. */
export const make = Effect.gen(function* () {
  const { request } = yield* TestService
  const sql = yield* Database
  const clients = yield* Clients
  const owner = yield* Tenant.make(everything)
  const investor = yield* Tenant.make({ broker: null, investor: "active" })
  const stranger = yield* Tenant.make(everything)
  const pending = yield* Tenant.make({ broker: null, membership: "pending" })
  const reader = Secret.make("personal", randomBytes(32))
  yield* Effect.orDie(sql`
    insert into tokens (id, kind, hash, user_id, team_id, name, scopes, created_at, expires_at)
    values (gen_random_uuid(), 'personal', ${Secret.hash(reader)}, ${owner.userId}, ${owner.teamId}, 'reader',
      '{api:read}', now(), now() + interval '30 days')`)
  const client = yield* Effect.orDie(
    asOperator(clients.create({ teamId: owner.team, name: "CRM sync", botName: "Sync Bot" }))
  )
  const credentials = { client_id: client.client_id, client_secret: client.client_secret }
  const issued = yield* request<{ readonly access_token: string }>("POST", "/openid/token", {
    text: new URLSearchParams({ grant_type: "client_credentials", ...credentials }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" }
  })
  const access = issued.body.access_token
  const foreign = yield* makeRecords(stranger, 1)
  return yield* makeFor(
    owner,
    {
      client: access,
      reader,
      investor: investor.token,
      stranger: stranger.token,
      pending: pending.token,
      nobody: "",
      forger: Secret.make("personal", randomBytes(32))
    },
    { ...credentials, access, basic: btoa(`${credentials.client_id}:${credentials.client_secret}`) },
    foreign.byType
  )
})

/** The team of a token, on a service of which nothing else is known. */
export const makeRemote = (token: string) =>
  Effect.gen(function* () {
    const { request } = yield* TestService
    const me = yield* request<Me>("GET", "/api/v1/auth/me", { token })
    if (me.status !== 200) return yield* Effect.die(new Error(`The token is refused: ${me.status} ${me.text}`))
    const { id: user, primaryTeam } = me.body
    if (primaryTeam === null) return yield* Effect.die(new Error("The caller of the token has no team"))
    const caller: Caller = {
      token,
      team: primaryTeam.id as Caller["team"],
      user: user as Caller["user"],
      teamId: "",
      userId: "",
      tokenId: "",
      email: ""
    }
    const secrets = { client_id: "client_x", client_secret: "pns_x", access: token, basic: btoa("client_x:pns_x") }
    const forger = Secret.make("personal", randomBytes(32))
    return yield* makeFor(caller, { nobody: "", forger }, secrets, new Map())
  }).pipe(
    // Without the services of the database, the records that only the database can make are left out.
    Effect.provideContext(Context.empty() as Context.Context<Database | Dispatcher | Rooms>)
  )
