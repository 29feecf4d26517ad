/** The tools of prospects. Those of their tasks are in `tasks/tools.ts`. */
import * as Tool from "../../mcp/Tool.ts"
import { Effect, Schema, Struct } from "effect"
import { LongText, Tags, Text } from "../../core/fields/Text.ts"
import { findingIn, reference, References, references } from "../../mcp/References.ts"
import { bodyFault, type Json } from "../../core/usecase/Input.ts"
import { InvalidRequest } from "../../core/usecase/Problem.ts"
import { ProspectBatches } from "./ProspectBatches.ts"
import { Classification, Interest, interests, type Prospect, ProspectListQuery, Stage } from "./Prospect.ts"
import { ProspectChanges } from "./ProspectChanges.ts"
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
  ...(contact === null ? {} : { contact: Struct.omit(contact, ["email"]) }),
  ...(company === null ? {} : { company: Struct.pick(company, ["id", "name"]) }),
  ...Struct.pick(prospect, ["classification", "interest", "stage", "projectTags"]),
  ...(nextTask === undefined ? {} : { nextTask: Struct.pick(nextTask, ["id", "type", "dueDateUtc", "overdue"]) })
})

/** What a tool answers of a prospect. */
export const viewOf = ({ changeOrigin: _, changeType: __, deletedUtc: ___, externalRefs, ...prospect }: Prospect) => ({
  ...prospect,
  externalRefs: Tool.refTexts(externalRefs)
})

const classification = Classification.annotate({
  description: "not_contacted, contacted, interested, bidder or another word."
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
  classification: Schema.optionalKey(classification),
  capability: ProspectListQuery.fields.capability.annotate({ description: "Has this flag." })
}

/** Finds prospects by an external reference. */
export const finder = Effect.map(Prospects, ({ listAll }) => findingIn(listAll))

const written = { id: Schema.String, etag: Schema.String }

const writtenOf = (prospect: Prospect) =>
  Struct.pick(prospect, ["id", "etag", "projectId", "classification", "interest", "stage"])

type Receipt = Effect.Success<ReturnType<ProspectBatches["Service"]["addBatch"]>>["value"]["results"][number]

/** What became of an investor: the id of its prospect, if it has one, and why it was not added. */
const receiptOf = (receipt: Receipt) =>
  receipt.status === "failed"
    ? {
        status: receipt.status,
        id: receipt.problem.prospectId ?? null,
        code: receipt.problem.errors?.[0]?.code ?? receipt.problem.code
      }
    : Struct.pick(receipt, ["status", "id", "etag"])

/** The tools of prospects. They need the `broker` capability. */
export const tools = Effect.gen(function* () {
  const prospects = yield* Prospects
  const changes = yield* ProspectChanges
  const batches = yield* ProspectBatches
  const { resolve, resolveAll } = yield* References
  /** Changes members of the prospect that a reference means, by a merge patch. */
  const patch = Effect.fnUntraced(function* (prospect: string, body: Json, given: Tool.Given) {
    const id = yield* resolve("prospect", "prospect", prospect)
    const projectId = yield* prospects.projectOf(id)
    return yield* changes.patch(projectId, id, given.request({ about: [id], body }))
  })
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
    }),
    Tool.create({
      name: "add_prospects",
      title: "Add prospects",
      description:
        "Adds contacts and companies, at most 100, to the list of a project. One that is on the list already, or does not exist, is failed with a code and does not stop the others; one that was removed is restored.",
      toolset: "projects",
      input: {
        project: reference("project"),
        contacts: Schema.optionalKey(references("contact")),
        companies: Schema.optionalKey(references("company")),
        classification: Schema.optionalKey(classification),
        projectTags: Schema.optionalKey(Tags.annotate({ description: "Labels for all of them." }))
      },
      renamed: { items: "contacts" },
      output: { results: Schema.Array(Schema.Struct({ status: Schema.String, id: text })) },
      write: Effect.fnUntraced(function* ({ companies = [], contacts = [], project, ...members }, given) {
        if (companies.length + contacts.length === 0) {
          return yield* InvalidRequest.of([bodyFault("/contacts", "required", "Send contacts, companies or both.")])
        }
        const projectId = yield* resolve("project", "project", project)
        const investors = [
          ...(yield* resolveAll("contact", "contacts", contacts)).map((contactId) => ({ contactId })),
          ...(yield* resolveAll("company", "companies", companies)).map((companyId) => ({ companyId }))
        ]
        const items = investors.map((investor) => ({ ...investor, ...members }))
        const { value } = yield* batches.addBatch(projectId, given.request({ about: [projectId], body: { items } }))
        return { results: value.results.map((receipt) => ({ ...investors[receipt.index], ...receiptOf(receipt) })) }
      })
    }),
    Tool.updateMany({
      name: "classify_prospects",
      title: "Classify prospects",
      description:
        "Gives prospects of a project the same classification; bidder also records the interest interested. One in failed does not stop the others.",
      toolset: "projects",
      input: {
        project: reference("project"),
        prospects: references("prospect"),
        classification,
        note: Schema.optionalKey(LongText.annotate({ description: "Added as a note to each." }))
      },
      renamed: { prospectIds: "prospects" },
      output: {
        classified: Schema.Array(Schema.Struct({ id: Schema.String })),
        failed: Schema.Array(Schema.Struct({ id: Schema.String, code: Schema.String }))
      },
      write: Effect.fnUntraced(function* ({ project, prospects, ...body }, given) {
        const projectId = yield* resolve("project", "project", project)
        const prospectIds = yield* resolveAll("prospect", "prospects", prospects)
        const {
          value: { classified, failed }
        } = yield* batches.classify(projectId, given.request({ about: [projectId], body: { ...body, prospectIds } }))
        return { classified, failed: failed.map(({ code, id }) => ({ id, code })) }
      })
    }),
    Tool.update({
      name: "set_prospect_interest",
      title: "Set a prospect's interest",
      description: "Records the interest of the investor in the project.",
      toolset: "projects",
      input: {
        prospect: reference("prospect"),
        interest: Schema.NullOr(Interest).annotate({ description: "null: not recorded." })
      },
      output: written,
      write: ({ interest, prospect }, given) => Effect.map(patch(prospect, { interest }, given), writtenOf)
    }),
    Tool.update({
      name: "override_prospect_stage",
      title: "Override a prospect's stage",
      description:
        "Sets the stage, which otherwise follows from what happens: teasers, documents, room access and bids. Later ones can still raise it.",
      toolset: "projects",
      input: {
        prospect: reference("prospect"),
        stage: Stage.annotate({ description: "New stage." }),
        reason: Schema.optionalKey(LongText.annotate({ description: "Why, for the timeline." }))
      },
      renamed: { stageReason: "reason" },
      output: written,
      write: ({ prospect, reason, stage }, given) =>
        Effect.map(
          patch(prospect, { stage, ...(reason === undefined ? {} : { stageReason: reason }) }, given),
          writtenOf
        )
    })
  ]
})
