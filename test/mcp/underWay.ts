/** What the tools and REST both list and change of a project under way. */
import { Effect } from "effect"
import fc from "fast-check"
import type * as Agent from "../support/Agent.ts"
import { open, upload } from "../rooms/fixture.ts"
import { anOffer } from "./calls/offers.ts"
import { aRoom, ask } from "./calls/rooms.ts"
import { aWorld } from "./world.ts"

type Input = { readonly [member: string]: unknown }

// Some that no member takes, too.
const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom("", "\t ", "a\u0000b") }
)

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
  return { ...world, project, prospect, room }
})

type UnderWay = Pick<Effect.Success<typeof underWay>, "project" | "prospect" | "room">

/** A list of both: the filters by the names that the tool and REST give them, and where REST has it. */
export interface List {
  readonly tool: string
  readonly many: string
  readonly argumentsOf: (made: UnderWay) => Input
  readonly path: (made: UnderWay) => string
  readonly filters: { readonly [argument: string]: readonly [name: string, fc.Arbitrary<unknown>] }
}

const oneOf = (...values: ReadonlyArray<string>) => fc.constantFrom(...values)

const labels = fc.uniqueArray(oneOf("local", "core", "absent", ""), { maxLength: 2 })

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
  }
]

/** A change of both: its arguments, and the request of REST that means the same. */
export interface Change {
  readonly tool: string
  readonly one: "prospect" | "question"
  readonly members: { readonly [argument: string]: fc.Arbitrary<unknown> }
  readonly required: ReadonlyArray<string>
  readonly renamed?: { readonly [argument: string]: string }
  readonly request: (made: UnderWay & { readonly question: string }) => readonly [method: string, path: string]
}

const ofProspect: Change["request"] = ({ project, prospect }) => [
  "PATCH",
  `/api/v1/projects/${project}/prospects/${prospect}`
]

const questionPath = ({ project, question, room }: UnderWay & { readonly question: string }) =>
  `/api/v1/projects/${project}/rooms/${room}/questions/${question}`

/** The changes. */
export const changes: ReadonlyArray<Change> = [
  {
    tool: "update_prospect",
    required: [],
    one: "prospect",
    members: {
      classification: fc.oneof(text, oneOf("contacted", "bidder")),
      owner: fc.constantFrom("me", "nobody", null),
      accessExpiry: fc.constantFrom("3d", "2w", "soon", "2020-01-01", null)
    },
    request: ofProspect
  },
  {
    tool: "set_prospect_interest",
    required: ["interest"],
    one: "prospect",
    members: { interest: fc.constantFrom("interested", "maybe", "not_interested", "high", null) },
    request: ofProspect
  },
  {
    tool: "override_prospect_stage",
    required: ["stage"],
    one: "prospect",
    members: { stage: oneOf("teaser", "im", "bid", "offer"), reason: text },
    renamed: { reason: "stageReason" },
    request: ofProspect
  },
  {
    tool: "update_question",
    required: [],
    one: "question",
    members: {
      category: oneOf("legal", "tax", "gossip"),
      priority: oneOf("normal", "urgent", "soon"),
      assigneeRef: fc.constantFrom("me", "Anna", null)
    },
    renamed: { assigneeRef: "assignee" },
    request: (made) => ["PATCH", questionPath(made)]
  },
  {
    tool: "draft_answer",
    required: ["text"],
    one: "question",
    members: { text, contentFormat: oneOf("plaintext", "markdown", "html") },
    request: (made) => ["PUT", `${questionPath(made)}/draft-answer`]
  }
]
