/** A team with mandates of like places, and the searches that are measured on it. */
import { Effect, Layer, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Pool } from "undici"
import { Database } from "../../src/platform/db/Database.ts"
import { Gazetteer } from "../../src/market/mandates/gazetteer/Gazetteer.ts"
import { type Area, circleAt } from "../../src/market/mandates/geography/Area.ts"
import { areaOf } from "../../src/market/mandates/geography/Geography.ts"
import * as Tenant from "../../test/support/Tenant.ts"
import * as Bulk from "../data/Bulk.ts"
import * as Mandates from "../data/mandates.ts"
import { ask, connect } from "../growth/Requests.ts"
import type { Options } from "../Measurement.ts"
import * as Service from "../Service.ts"

/** The pace of the measurements. */
export const paceOf = ({ quick }: Options) =>
  quick ? { warmUp: 0.2, seconds: 0.2, rounds: 2 } : { warmUp: 2, seconds: 1, rounds: 9 }

const [west, south, east, north] = [-11, 35, 30, 60]

/** What is searched. */
const searches = {
  village: { near: { latitude: 47.0, longitude: 9.0 }, radius: 2_000 },
  city: { location: "Munich" },
  country: { location: "Austria" },
  continent: {
    geography: {
      type: "Polygon",
      coordinates: [
        [
          [west, south],
          [east, south],
          [east, north],
          [west, north],
          [west, south]
        ]
      ]
    }
  }
} as const

/** The name of a search. */
export type Name = keyof typeof searches

/** All of them. */
export const names = Object.keys(searches) as ReadonlyArray<Name>

/** The request of a search. */
export const requestOf = (token: string, name: Name) => ({
  method: "POST" as const,
  path: "/api/v1/mandates/search",
  token,
  body: JSON.stringify(searches[name]),
  expected: 200
})

/** A service with a team. */
export interface Stage {
  readonly rows: number
  readonly teamId: string
  /** Of its database. */
  readonly url: Redacted.Redacted<string>
  readonly pool: Pool
  readonly token: string
}

/** A service with a database of its own and a team of this size. */
export const stage = Effect.fnUntraced(function* (rows: number) {
  const service = yield* Service.make()
  return yield* Effect.gen(function* () {
    const { teamId, token } = yield* Tenant.make()
    const gazetteer = yield* Gazetteer
    const countries = new Map<string, Area | undefined>()
    for (const code of ["DE", "FR", "AT", "NL", "ES", "IT", "PL", "SE"]) {
      countries.set(code, yield* gazetteer.territoryOf(code))
    }
    yield* Effect.scoped(
      Effect.gen(function* () {
        const session = yield* Bulk.session(service.url)
        yield* Mandates.add(session, teamId, rows, (code) => countries.get(code))
        yield* session.query("vacuum analyze")
        yield* session.query("checkpoint")
      })
    )
    const prepared: Stage = { rows, teamId, url: service.url, pool: yield* connect(service.origin), token }
    return prepared
  }).pipe(
    Effect.provide(
      Layer.mergeAll(
        Database.layer({ url: service.url, applicationName: "property-network bench" }),
        SecureRandom.layerWebCrypto,
        Gazetteer.layer
      )
    )
  )
})

/** Dies if a search finds hardly anything: the figure of an empty page would mean nothing. */
export const check = ({ pool, rows, token }: Stage) =>
  Effect.promise(async () => {
    for (const name of names) {
      const text = await ask(pool, requestOf(token, name))
      const { data } = JSON.parse(text) as { readonly data: ReadonlyArray<unknown> }
      if (data.length < 10) throw new Error(`The ${name} of ${rows} mandates has a page of ${data.length}`)
    }
  })

/** The area of a search. */
export const areaOfSearch = Effect.fnUntraced(function* (name: Name) {
  const search = searches[name]
  if ("geography" in search) return areaOf(search.geography)
  if ("near" in search) return circleAt(search.near.longitude, search.near.latitude, search.radius)
  const gazetteer = yield* Gazetteer
  const resolution = yield* gazetteer.resolve(search.location)
  if (resolution._tag !== "Resolved") return yield* Effect.die(new Error(`${search.location} is not one place`))
  return resolution.area
})
