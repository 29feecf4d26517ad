/** What the tools and REST both change. */
import { Effect } from "effect"
import fc from "fast-check"
import { aCompany } from "./calls/companies.ts"
import { aContact } from "./calls/contacts.ts"
import { aMandate } from "./calls/mandates.ts"
import { aProperty } from "./calls/properties.ts"
import { aRoom, ask } from "./calls/rooms.ts"
import { changesOf, type Input, kinds, wholeOf } from "./kinds.ts"
import type { UnderWay } from "./underWay.ts"
import { aWorld } from "./world.ts"

// Some that no member takes, too.
const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom("", "\t ", "a\u0000b") }
)

const oneOf = (...values: ReadonlyArray<string>) => fc.constantFrom(...values)

/** What the tools and REST both change: a record of each kind, with a note and a task. */
export const changed = Effect.gen(function* () {
  const world = yield* aWorld
  const { project, prospect, room } = yield* aRoom(world)
  return {
    ...world,
    project,
    prospect,
    room,
    question: yield* ask(world, { prospect, room, text: "Which tenants may leave?" }),
    contact: yield* aContact(world),
    company: yield* aCompany(world),
    property: yield* aProperty(world),
    mandate: yield* aMandate(world)
  }
})

type Changed = UnderWay & { readonly question: string }

/** A change of both: the tool, what it is about, what is sent, and the request of REST that means the same. */
export interface Change {
  readonly tool: string
  /** What is compared after the change. */
  readonly one: "prospect" | "question" | "contact" | "company" | "property" | "mandate" | "project"
  readonly argumentsOf: (made: Changed) => Input
  readonly inputs: fc.Arbitrary<Input>
  readonly request: (made: Changed) => readonly [method: string, path: string]
  readonly bodyOf: (input: Input, made: Changed) => Input
}

const prospectPath = ({ project, prospect }: Changed) => `/api/v1/projects/${project}/prospects/${prospect}`

const questionPath = ({ project, question, room }: Changed) =>
  `/api/v1/projects/${project}/rooms/${room}/questions/${question}`

type Members = { readonly [argument: string]: fc.Arbitrary<unknown> }

const inputsOf = (members: Members, ...required: ReadonlyArray<string>): fc.Arbitrary<Input> =>
  fc.record(members, { requiredKeys: [...required] })

/** The same members under REST's names. */
const renaming =
  (renamed: { readonly [argument: string]: string }): Change["bodyOf"] =>
  (input) =>
    Object.fromEntries(Object.entries(input).map(([argument, value]) => [renamed[argument] ?? argument, value]))

const same = renaming({})

const ofProspect = {
  one: "prospect",
  argumentsOf: ({ prospect }: Changed) => ({ prospect }),
  request: (made: Changed) => ["PATCH", prospectPath(made)] as const,
  bodyOf: same
} as const

const ofQuestion = { ...ofProspect, one: "question", argumentsOf: ({ question }: Changed) => ({ question }) } as const

/** The changes. */
export const changes: ReadonlyArray<Change> = [
  ...kinds.map((kind): Change => ({
    tool: `update_${kind.one}`,
    one: kind.one,
    argumentsOf: (made) => ({ [kind.one]: made[kind.one] }),
    inputs: inputsOf(changesOf(kind)).map(wholeOf),
    request: (made) => ["PATCH", `${kind.path}/${made[kind.one]}`],
    bodyOf: kind.bodyOf ?? same
  })),
  {
    ...ofProspect,
    tool: "update_prospect",
    inputs: inputsOf({
      classification: fc.oneof(text, oneOf("contacted", "bidder")),
      owner: fc.constantFrom("me", "nobody", null),
      accessExpiry: fc.constantFrom("3d", "2w", "soon", "2020-01-01", null)
    })
  },
  {
    ...ofProspect,
    tool: "set_prospect_interest",
    inputs: inputsOf({ interest: fc.constantFrom("interested", "maybe", "not_interested", "high", null) }, "interest")
  },
  {
    ...ofProspect,
    tool: "override_prospect_stage",
    inputs: inputsOf({ stage: oneOf("teaser", "im", "bid", "offer"), reason: text }, "stage"),
    bodyOf: renaming({ reason: "stageReason" })
  },
  {
    ...ofProspect,
    tool: "classify_prospects",
    argumentsOf: ({ project, prospect }) => ({ project, prospects: [prospect] }),
    inputs: inputsOf({ classification: oneOf("contacted", "bidder", "Not a word"), note: text }, "classification"),
    request: ({ project }) => ["POST", `/api/v1/projects/${project}/prospects/classify`],
    bodyOf: (input, { prospect }) => ({ ...input, prospectIds: [prospect] })
  },
  {
    ...ofProspect,
    tool: "add_prospect_task",
    inputs: inputsOf(
      {
        type: oneOf("call", "email", "visit"),
        dueDate: oneOf("today", "7d", "2030-01-01", "soon"),
        assignee: oneOf("me", "Anna"),
        note: text
      },
      "type",
      "dueDate"
    ),
    request: (made) => ["POST", `${prospectPath(made)}/tasks`]
  },
  {
    ...ofProspect,
    tool: "log_activity",
    argumentsOf: ({ project, prospect }) => ({ projectRef: project, prospectRef: prospect }),
    inputs: inputsOf({ message: text, contentFormat: oneOf("plaintext", "markdown", "html") }, "message"),
    request: (made) => ["POST", `${prospectPath(made)}/notes`]
  },
  {
    ...ofQuestion,
    tool: "update_question",
    inputs: inputsOf({
      category: oneOf("legal", "tax", "gossip"),
      priority: oneOf("normal", "urgent", "soon"),
      assigneeRef: fc.constantFrom("me", "Anna", null)
    }),
    request: (made) => ["PATCH", questionPath(made)],
    bodyOf: renaming({ assigneeRef: "assignee" })
  },
  {
    ...ofQuestion,
    tool: "draft_answer",
    inputs: inputsOf({ text, contentFormat: oneOf("plaintext", "markdown", "html") }, "text"),
    request: (made) => ["PUT", `${questionPath(made)}/draft-answer`]
  }
]
