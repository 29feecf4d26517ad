/** A tenant with clients of its properties, projects and teasers. */
import * as ProjectsClient from "../projects/ProjectsClient.ts"
import * as PropertiesClient from "../../market/properties/PropertiesClient.ts"
import * as Tenant from "../../support/Tenant.ts"
import { Effect } from "effect"
import { asOperator } from "../../../src/core/auth/CurrentActor.ts"
import { Changes } from "../../../src/core/mutation/Changes.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import type { Move } from "../../../src/deals/teasers/rules.ts"
import type { Stage, Teaser } from "../../../src/deals/teasers/Teaser.ts"
import { Teasers } from "../../../src/deals/teasers/Teasers.ts"
import { as, open as openRoom } from "../rooms/fixture.ts"

type Headers = Record<string, string>

const pathOf = (subject: string) =>
  subject.startsWith("/")
    ? subject
    : `/api/v1/${subject.startsWith("project_") ? "projects" : "properties"}/${subject}/teaser`

/** The path of the teaser of a room. */
export const roomTeaserPath = (project: string, room: string) => `/api/v1/projects/${project}/rooms/${room}/teaser`

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

interface Owner {
  readonly teamId: string
  readonly userId: string
}

/** Publishes the teaser of a subject, or withdraws its publication, as the user of a tenant. */
export const move = (owner: Owner, id: string, to: "publish" | "unpublish") =>
  as(owner)(Effect.flatMap(Teasers, (moves) => moves.move(id, to)))

/** Communicates the teaser of a project to nobody. */
export const communicate = (owner: Owner, id: string) =>
  Effect.gen(function* () {
    const [changes, teasers] = [yield* Changes, yield* Teasers]
    return yield* changes.commit(Tenant.actorOf(owner), (change) =>
      teasers.markCommunicated(change, ProjectsClient.uuidOf(id), "en")
    )
  })

/** The code of the refusal of a move, by what the table of stages says instead of a stage. */
export const codes: { readonly [to: string]: string } = {
  not_published: "teaser_not_published",
  communicated_before: "teaser_communicated"
}

/** What leads to each stage. */
const pathTo: { readonly [S in Stage]: ReadonlyArray<Move | "patch"> } = {
  property_added: [],
  drafting: ["patch"],
  published: ["publish"],
  verified: ["publish", "verify"],
  communicated: ["publish", "communicate"]
}

/** The client. */
export const make = Effect.fn("TeasersClient.make")(function* (options: Tenant.TenantOptions = {}) {
  const sql = yield* Database
  const properties = yield* PropertiesClient.make(options)
  const { projects, request, teamId, token } = properties
  const update = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))
  const patch = (subject: string, json: unknown, headers: Headers = {}, query = "") =>
    request<Teaser>("PATCH", `${pathOf(subject)}${query}`, { token, json, headers })
  const review = (id: string, move: "verify" | "unverify") =>
    asOperator(Effect.flatMap(Teasers, (moves) => moves.review(id, move)))
  const perform = Effect.fnUntraced(function* (id: string, step: Move | "patch") {
    if (step === "patch") yield* patch(id, { title: "Core" })
    else if (step === "communicate") yield* communicate(projects, id)
    else if (step === "publish" || step === "unpublish") yield* move(projects, id, step)
    else yield* review(id, step)
  })
  return {
    ...properties,
    properties,
    /** `subject` is the id of a project or property, or the path of the teaser of a room. */
    get: (subject: string, headers: Headers = {}) => request<Teaser>("GET", pathOf(subject), { token, headers }),
    patch,
    move: (id: string, to: "publish" | "unpublish") => move(projects, id, to),
    /** Verifies the teaser of a subject, or withdraws its verification. */
    review,
    communicate: (id: string) => communicate(projects, id),
    /** Moves the teaser of a project or property. */
    perform,
    /** Brings the new teaser of a project to a stage. */
    reach: (id: string, stage: Stage) => Effect.forEach(pathTo[stage], (step) => perform(id, step), { discard: true }),
    /** The id of a new room of a project. */
    room: (project: string) => Effect.map(openRoom(projects, project), ({ id }) => id),
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
