/** The tools that read prospects. What changes them is in writeTools.ts. */
import { Effect, Schema, Struct } from "effect"
import { Text } from "../fields/Text.ts"
import * as Arguments from "../mcp/arguments.ts"
import { type Finder, reference, References } from "../mcp/References.ts"
import * as Tool from "../mcp/Tool.ts"
import { Classification } from "./Classification.ts"
import { interests, type Prospect, Stage } from "./Prospect.ts"
import { ProspectListQuery } from "./ProspectInput.ts"
import { Prospects } from "./Prospects.ts"

const text = Schema.NullOr(Schema.String)

const line = {
  id: Schema.String,
  projectId: text,
  classification: text,
  interest: text,
  stage: text
}

const lineOf = ({ company, contact, nextTask, ...prospect }: Prospect) => ({
  ...Struct.pick(prospect, ["id", "projectId"]),
  ...(contact === null ? {} : { contact: Struct.pick(contact, ["id", "name"]) }),
  ...(company === null ? {} : { company: Struct.pick(company, ["id", "name"]) }),
  ...Struct.pick(prospect, ["classification", "interest", "stage", "projectTags"]),
  ...(nextTask === undefined ? {} : { nextTask: Struct.pick(nextTask, ["id", "type", "dueDateUtc", "overdue"]) })
})

/** What a tool answers of a prospect. */
export const viewOf = ({ changeOrigin: _, changeType: __, deletedUtc: ___, externalRefs, ...prospect }: Prospect) => ({
  ...prospect,
  externalRefs: Arguments.refTexts(externalRefs)
})

const filters = {
  interest: Schema.optionalKey(Schema.Literals([...interests, "none"])).annotate({
    description: "none: not recorded."
  }),
  stage: Schema.optionalKey(Stage.annotate({ description: "Reached or overridden stage." })),
  taskDue: ProspectListQuery.fields.task_due.annotate({ description: "An open task is due then, in UTC." }),
  projectTags: Schema.optionalKey(
    Schema.Array(Text(64)).annotate({ description: "Has one of these labels on the project." })
  ),
  tags: Schema.optionalKey(
    Schema.Array(Text(64)).annotate({ description: "Its contact or company has one of these labels." })
  ),
  classification: Schema.optionalKey(
    Classification.annotate({ description: "not_contacted, contacted, interested, bidder or another word." })
  ),
  capability: ProspectListQuery.fields.capability.annotate({ description: "Has this flag." })
}

/** Finds prospects by an external reference. */
export const finder: Effect.Effect<Finder, never, Prospects> = Effect.map(
  Prospects,
  (prospects) =>
    ({ value }, limit) =>
      Effect.map(
        prospects.listAll({ query: Effect.succeed({ external_ref: value, page_size: limit }) }),
        ({ data }) => data
      )
)

/** The tools that read prospects. They need the `broker` capability. */
export const tools = Effect.gen(function* () {
  const prospects = yield* Prospects
  const { resolve } = yield* References
  return [
    Tool.list({
      name: "list_prospects",
      title: "List prospects",
      description:
        "Contacts and companies on the list of a project, or of all projects without project, the latest last. Filters combine.",
      toolset: "projects",
      input: { project: Schema.optionalKey(reference("project")), ...filters },
      items: "prospects",
      item: line,
      rows: ({ project, projectTags, taskDue, ...same }, page) => {
        const request = page.request({ ...same, project_tags: projectTags, task_due: taskDue })
        return project === undefined
          ? prospects.listAll(request)
          : Effect.flatMap(resolve("project", "project", project), (id) => prospects.list(id, request))
      },
      concise: lineOf,
      detailed: viewOf
    }),
    Tool.read({
      name: "get_prospect",
      title: "Get a prospect",
      description: "One prospect with all its members, its next task and its etag.",
      toolset: "projects",
      input: { prospect: reference("prospect") },
      output: { ...line, etag: Schema.String },
      read: ({ prospect }) =>
        Effect.map(Effect.flatMap(resolve("prospect", "prospect", prospect), prospects.getById), viewOf)
    })
  ]
})
