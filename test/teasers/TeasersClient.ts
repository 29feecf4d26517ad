/** A tenant with clients of its properties, projects and teasers. */
import { Effect } from "effect"
import { Database } from "../../src/db/Database.ts"
import type { Teaser } from "../../src/teasers/Teaser.ts"
import * as PropertiesClient from "../properties/PropertiesClient.ts"
import type * as Tenant from "../support/Tenant.ts"

type Headers = Record<string, string>

/** The path of the teaser of a project or property. */
export const teaserPath = (subject: string) =>
  `/api/v1/${subject.startsWith("project_") ? "projects" : "properties"}/${subject}/teaser`

/** An office in Munich, with a value for each part of a teaser. */
export const office = {
  name: "Bürohaus Landsberger Straße",
  country: "DE",
  locality: "München",
  address: { street: "Landsberger Straße", houseNumber: "84a", postalCode: "80339", region: "Bayern" },
  categories: ["office"],
  tenure: "freehold",
  lettableArea: { value: 10_640, unit: "sqm" },
  zoning: { gfa: { value: 14_000, unit: "sqm" } },
  conversions: ["to_hotel"],
  tags: ["multi_tenant", "partly_vacant"],
  yearBuilt: 1998,
  income: { waultToBreak: { value: 4.1, unit: "years" } },
  tenants: [{ name: "Nordlicht Software GmbH", use: "office" }],
  pricing: {
    askingPrice: { value: 46_500_000, currency: "EUR" },
    netInitialYield: { value: 4.3, unit: "percent" }
  },
  energy: { class: "b", country: "DE" }
} as const

/** The client. */
export const make = Effect.fn("TeasersClient.make")(function* (options: Tenant.TenantOptions = {}) {
  const sql = yield* Database
  const properties = yield* PropertiesClient.make(options)
  const { projects, request, teamId, token } = properties
  const update = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))
  return {
    ...properties,
    properties,
    get: (subject: string, headers: Headers = {}) => request<Teaser>("GET", teaserPath(subject), { token, headers }),
    patch: (subject: string, json: unknown, headers: Headers = {}) =>
      request<Teaser>("PATCH", teaserPath(subject), { token, json, headers }),
    /** The id of a new property: an office in Munich unless `json` says otherwise. */
    property: (json: object = {}) => Effect.map(properties.made({ ...office, ...json }), ({ id }) => id),
    /** The id of a new project with these properties (ids). */
    project: (...propertyIds: ReadonlyArray<string>) => Effect.map(projects.made({ propertyIds }), ({ id }) => id),
    setPlan: (plan: string) => update(sql`update teams set plan = ${plan} where id = ${teamId}`),
    setLanguage: (language: string) =>
      update(sql`
        update users set ui_culture = ${language}
        where id in (select user_id from memberships where team_id = ${teamId})`)
  }
})
