/** The tools of projects. */
import * as Tool from "../../mcp/Tool.ts"
import { Effect, Schema, Struct } from "effect"
import { LongText } from "../../core/fields/Text.ts"
import { findingIn, reference, References, references } from "../../mcp/References.ts"
import { cutLists, excerpt } from "../../mcp/text.ts"
import { exclusivities, maxPropertyIds, type Project } from "./Project.ts"
import { Projects } from "./Projects.ts"

const text = Schema.NullOr(Schema.String)

const line = { id: Schema.String, name: text, status: text, exclusivity: text }

const lineOf = (project: Project) => ({
  ...Struct.pick(project, ["id", "name", "status", "exclusivity", "ownerId", "propertyCount"]),
  ...(project.description === null ? {} : { description: excerpt(project.description) })
})

const view = { ...line, etag: Schema.String }

const written = { id: Schema.String, etag: Schema.String, name: text, status: text }

// The characters of JSON that the longest list may take.
const rooms = { propertyIds: 5_000 }

const viewOf = (project: Project) =>
  cutLists(
    {
      ...Struct.omit(project, ["mandate", "externalRefs", "changeType", "changeOrigin", "deletedUtc"]),
      externalRefs: Tool.refTexts(project.externalRefs)
    },
    rooms
  )

const kinds = {
  description: [LongText, "What is sold."],
  propertyCount: [Schema.Int, "Follows properties unless sent."],
  exclusivity: [Schema.Literals(exclusivities), "Of the broker's mandate."],
  ownerId: [Schema.String, "Responsible member: user id, or me."]
} as const

const lists = {
  isPortfolio: Schema.optionalKey(Schema.Boolean.annotate({ description: "Several properties sold together." })),
  properties: Schema.optionalKey(
    references("property", maxPropertyIds).annotate({ description: "What is sold: the whole list." })
  ),
  externalRefs: Tool.externalRefs
}

const seller = reference("contact", "Who sells")

const renamed = { sellerContactId: "sellerContact", propertyIds: "properties" }

/** The arguments that stand for members of the body under other names. */
interface Linked {
  readonly sellerContact: string | null | undefined
  readonly properties: ReadonlyArray<string> | undefined
  readonly externalRefs: ReadonlyArray<string> | undefined
}

/** Finds projects by an external reference. */
export const finder = Effect.map(Projects, ({ list }) => findingIn(list))

/** The tools of projects. They need the `broker` capability. */
export const tools = Effect.gen(function* () {
  const projects = yield* Projects
  const { resolve, resolveAll } = yield* References
  const find = (argument: string) => resolve("project", "project", argument)
  const linksOf = Effect.fnUntraced(function* ({ externalRefs, properties, sellerContact }: Linked) {
    const contact = sellerContact ? yield* resolve("contact", "sellerContact", sellerContact) : sellerContact
    return {
      ...(contact === undefined ? {} : { sellerContactId: contact }),
      ...(properties === undefined ? {} : { propertyIds: yield* resolveAll("property", "properties", properties) }),
      ...Tool.refsOf(externalRefs)
    }
  })
  return [
    Tool.list({
      name: "list_projects",
      title: "List projects",
      description: "The team's real-estate transactions, the latest last.",
      toolset: "projects",
      input: {},
      items: "projects",
      item: line,
      rows: (_input, page) => projects.list(page.request({})),
      concise: lineOf,
      detailed: viewOf
    }),
    Tool.read({
      name: "get_project",
      title: "Get a project",
      description:
        "One project with all its members and its etag. leftOut counts the rest of a long propertyIds: REST has it.",
      toolset: "projects",
      input: { project: reference("project") },
      output: view,
      read: ({ project }) => Effect.map(Effect.flatMap(find(project), projects.get), viewOf)
    }),
    Tool.create({
      name: "create_project",
      title: "Create a project",
      description: "Adds a project as a draft. Nobody outside the team sees it. Without ownerId it has no owner.",
      toolset: "projects",
      input: {
        name: Tool.name,
        ...Tool.members(kinds),
        sellerContact: Schema.optionalKey(seller),
        ...lists
      },
      renamed,
      output: written,
      write: ({ externalRefs, properties, sellerContact, ...body }, given) =>
        Effect.flatMap(linksOf({ externalRefs, properties, sellerContact }), (links) =>
          Effect.map(projects.create(given.request({ body: { ...body, ...links } })), ({ value }) => viewOf(value))
        )
    }),
    Tool.update({
      name: "update_project",
      title: "Update a project",
      description: "Changes the members that are sent. Does not close, reopen or delete the project.",
      toolset: "projects",
      input: {
        project: reference("project"),
        name: Schema.optionalKey(Tool.name),
        ...Tool.clearables(kinds),
        sellerContact: Schema.optionalKey(Schema.NullOr(seller)),
        ...lists
      },
      renamed,
      output: written,
      write: ({ externalRefs, project, properties, sellerContact, ...body }, given) =>
        Effect.flatMap(
          Effect.all([find(project), linksOf({ externalRefs, properties, sellerContact })]),
          ([id, links]) =>
            Effect.map(projects.patch(id, given.request({ about: [id], body: { ...body, ...links } })), viewOf)
        )
    })
  ]
})
