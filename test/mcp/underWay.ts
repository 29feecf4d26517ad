/** What the tools and REST both list of a project under way. */
import { Effect } from "effect"
import fc from "fast-check"
import type * as Agent from "../support/Agent.ts"
import { open, upload } from "../deals/rooms/fixture.ts"
import { aContact } from "./calls/contacts.ts"
import { anOffer } from "./calls/offers.ts"
import { aRoom, ask } from "./calls/rooms.ts"
import type { Input } from "./kinds.ts"
import { aWorld } from "./world.ts"

// In Munich.
const near = { latitude: 48.14, longitude: 11.57 }

/** A project under way: prospects of all kinds, rooms with documents and questions, and offers that the team received. */
export const underWay = Effect.gen(function* () {
  const world = yield* aWorld
  const { project, prospect, room } = yield* aRoom(world)
  const labels = fc.subarray(["Local", "core", "café\u200b"])
  const added = fc.record({ classification: fc.constantFrom("contacted", "bidder", "on_hold"), projectTags: labels })
  for (const prospectOf of fc.sample(added, 6)) {
    const { body: contact } = yield* world.rest<Agent.Answer>("POST", "/api/v1/network/contacts?force=true", {
      json: { lastName: "Berg", tags: fc.sample(labels, 1)[0] }
    })
    yield* world.rest("POST", `/api/v1/projects/${project}/prospects`, {
      json: { contactId: contact.id, ...prospectOf }
    })
  }
  const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }).map((name) => `Room ${name}.`)
  for (const name of fc.sample(words, 3)) yield* Effect.orDie(open(world, project, { name }))
  for (const path of fc.sample(words, 3))
    yield* Effect.orDie(upload(world, room, "1", path.replaceAll(/[^\p{L}\p{N} .]/gu, "")))
  const asked = fc.record({ text: words, category: fc.constantFrom("legal", "tax", "other") })
  for (const question of fc.sample(asked, 5)) yield* ask(world, { room, prospect, ...question })
  yield* anOffer(world)
  yield* anOffer(world)
  const post = (path: string, json: Input) =>
    Effect.map(world.rest<Agent.Answer>("POST", `/api/v1${path}`, { json }), ({ body, text }) => {
      if (typeof body.id !== "string") throw new Error(`POST ${path}: ${text}`)
      return body.id
    })
  const place = { country: "DE", locality: "Munich", coordinates: near }
  const properties = yield* Effect.forEach(["prime_location", "value_add", "prime_location"], (tag) =>
    post("/properties", { ...place, name: "Turm", categories: ["logistics"], tags: [tag] })
  )
  const contact = yield* aContact(world)
  const companies = yield* Effect.forEach(["Local", "core"], (tag) =>
    post("/network/companies?force=true", { name: "Berg", tags: [tag] })
  )
  const mandates = yield* Effect.forEach(
    [{ investor: { contactId: contact } }, { investor: { companyId: companies[0] } }, { status: "paused" }, {}],
    (members) => post("/mandates", { name: "Halls", categories: ["logistics"], location: "Munich", ...members })
  )
  for (const message of fc.sample(words, 6)) yield* post(`/network/contacts/${contact}/notes`, { message })
  return {
    ...world,
    project,
    prospect,
    room,
    contact,
    company: companies[0] ?? "",
    property: properties[0] ?? "",
    mandate: mandates[3] ?? ""
  }
})

/** The ids of what is under way. */
export type UnderWay = Pick<
  Effect.Success<typeof underWay>,
  "project" | "prospect" | "room" | "contact" | "company" | "property" | "mandate"
>

/** A list of both: the filters by the names that the tool and REST give them, and where REST has it. */
export interface List {
  readonly tool: string
  readonly many: string
  readonly argumentsOf: (made: UnderWay) => Input
  readonly path: (made: UnderWay) => string
  readonly filters: { readonly [argument: string]: readonly [name: string, fc.Arbitrary<unknown>] }
  /** Where REST takes a search: its body. */
  readonly searchOf?: (input: Input) => Input
}

const oneOf = (...values: ReadonlyArray<string>) => fc.constantFrom(...values)

const labels = fc.uniqueArray(oneOf("local", "core", "absent", ""), { maxLength: 2 })

/** The filter of a search that finds what has one of the labels. */
const containing = (tags: unknown): Input =>
  Array.isArray(tags) && tags.length > 0 ? { filter: { tags: { contains: tags[0] as string } } } : {}

/** The lists. */
export const lists: ReadonlyArray<List> = [
  {
    tool: "list_prospects",
    many: "prospects",
    argumentsOf: ({ project }) => ({ project }),
    path: ({ project }) => `/api/v1/projects/${project}/prospects`,
    filters: {
      classification: ["classification", oneOf("contacted", "bidder", "Not a word")],
      interest: ["interest", oneOf("none", "maybe", "some")],
      stage: ["stage", oneOf("data_room", "bid")],
      taskDue: ["task_due", oneOf("today", "overdue", "never")],
      capability: ["capability", oneOf("communicated", "chat")],
      projectTags: ["project_tags", labels],
      tags: ["tags", labels]
    }
  },
  {
    tool: "list_offers",
    many: "offers",
    argumentsOf: () => ({}),
    path: () => "/api/v1/offers",
    filters: { filter: ["filter", oneOf("all", "active", "ongoing", "inactive", "unanswered", "some")] }
  },
  {
    tool: "list_rooms",
    many: "rooms",
    argumentsOf: ({ project }) => ({ project }),
    path: ({ project }) => `/api/v1/projects/${project}/rooms`,
    filters: {}
  },
  {
    tool: "list_questions",
    many: "questions",
    argumentsOf: ({ room }) => ({ room }),
    path: ({ project, room }) => `/api/v1/projects/${project}/rooms/${room}/questions`,
    filters: {
      status: ["status", oneOf("open", "drafted", "lost")],
      category: ["category", oneOf("legal", "tax", "gossip")],
      priority: ["priority", oneOf("normal", "urgent")],
      assigneeRef: ["assignee", oneOf("me", "none")],
      overdue: ["overdue", fc.boolean()]
    }
  },
  {
    tool: "list_contacts",
    many: "contacts",
    argumentsOf: () => ({}),
    path: () => "/api/v1/network/contacts",
    filters: { tags: ["tags", labels] }
  },
  {
    tool: "list_contacts",
    many: "contacts",
    argumentsOf: () => ({ query: "berg" }),
    path: () => "/api/v1/network/contacts:search",
    filters: { tags: ["tags", fc.uniqueArray(oneOf("Local", "core", "absent"), { maxLength: 1 })] },
    searchOf: ({ tags }) => ({ query: "berg", ...containing(tags) })
  },
  {
    tool: "list_companies",
    many: "companies",
    argumentsOf: () => ({}),
    path: () => "/api/v1/network/companies",
    filters: { tags: ["tags", labels] }
  },
  {
    tool: "list_companies",
    many: "companies",
    argumentsOf: () => ({ query: "berg" }),
    path: () => "/api/v1/network/companies:search",
    filters: { tags: ["tags", fc.uniqueArray(oneOf("Local", "core", "absent"), { maxLength: 1 })] },
    searchOf: ({ tags }) => ({ query: "berg", ...containing(tags) })
  },
  {
    tool: "list_properties",
    many: "properties",
    argumentsOf: () => ({}),
    path: () => "/api/v1/properties",
    filters: { tags: ["tags", fc.uniqueArray(oneOf("prime_location", "value_add", "tower"), { maxLength: 2 })] }
  },
  {
    tool: "list_properties",
    many: "properties",
    argumentsOf: () => ({ query: "turm" }),
    path: () => "/api/v1/properties:search",
    filters: { tags: ["tags", fc.uniqueArray(oneOf("prime_location", "value_add"), { maxLength: 2 })] },
    searchOf: ({ tags = [] }) => ({
      query: "turm",
      ...(Array.isArray(tags) && tags.length > 0 ? { filter: { tags: { in: tags as ReadonlyArray<string> } } } : {})
    })
  },
  {
    tool: "list_projects",
    many: "projects",
    argumentsOf: () => ({}),
    path: () => "/api/v1/projects",
    filters: {}
  },
  {
    tool: "list_mandates",
    many: "mandates",
    argumentsOf: () => ({}),
    path: () => "/api/v1/mandates",
    filters: { status: ["status", oneOf("active", "paused", "closed", "open")] }
  },
  {
    tool: "list_mandates",
    many: "mandates",
    argumentsOf: ({ contact }) => ({ contact }),
    path: ({ contact }) => `/api/v1/mandates?contact_id=${contact}`,
    filters: { status: ["status", oneOf("active", "paused")] }
  },
  {
    tool: "list_mandates",
    many: "mandates",
    argumentsOf: ({ company }) => ({ company }),
    path: ({ company }) => `/api/v1/mandates?company_id=${company}`,
    filters: { status: ["status", oneOf("active", "paused")] }
  },
  {
    tool: "search_mandates",
    many: "mandates",
    argumentsOf: () => ({ location: "Munich" }),
    path: () => "/api/v1/mandates/search",
    filters: {
      location: ["location", oneOf("Munich", "Bavaria", "Leipzig", "Neustadt")],
      categories: ["categories", fc.subarray(["logistics", "office", "castle"])],
      status: ["status", oneOf("active", "all", "paused", "some")]
    },
    searchOf: (input) => ({ location: "Munich", ...input })
  },
  {
    tool: "search_mandates",
    many: "mandates",
    argumentsOf: () => ({ near, radius: 60_000 }),
    path: () => "/api/v1/mandates/search",
    filters: {
      near: ["near", fc.constantFrom(near, { latitude: 91, longitude: 11 })],
      radius: ["radius", fc.constantFrom(1, 5_000)],
      status: ["status", oneOf("active", "all")]
    },
    searchOf: (input) => ({ near, radius: 60_000, ...input })
  },
  {
    tool: "match_property",
    many: "mandates",
    argumentsOf: ({ property }) => ({ property }),
    path: ({ property }) => `/api/v1/properties/${property}/matches`,
    filters: { minScore: ["min_score", fc.constantFrom(0, 50, 100, 101)] }
  },
  {
    tool: "match_mandate",
    many: "properties",
    argumentsOf: ({ mandate }) => ({ mandate }),
    path: ({ mandate }) => `/api/v1/mandates/${mandate}/matches`,
    filters: { minScore: ["min_score", fc.constantFrom(0, 50, 100, 101)] }
  },
  {
    tool: "list_activities",
    many: "activities",
    argumentsOf: ({ contact }) => ({ networkRef: contact }),
    path: ({ contact }) => `/api/v1/network/contacts/${contact}/actions`,
    filters: {
      type: ["type", oneOf("all", "notes", "audit", "tasks", "some")],
      includeArchived: ["include_archived", fc.boolean()],
      includeSuperseded: ["include_superseded", fc.boolean()]
    }
  },
  {
    tool: "list_activities",
    many: "activities",
    argumentsOf: ({ project }) => ({ projectRef: project }),
    path: ({ project }) => `/api/v1/projects/${project}/actions`,
    filters: {
      type: ["type", oneOf("all", "notes", "chat", "audit")],
      includeRollups: ["include_rollups", fc.boolean()]
    }
  }
]
