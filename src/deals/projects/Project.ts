/** A real-estate transaction (docs/behaviour/projects-and-prospects.md#projects). */
import { Schema, Struct } from "effect"
import { HttpApiError } from "effect/http-api"
import { auditFields } from "../../core/mutation/Audit.ts"
import { deltaQuery } from "../../core/mutation/DeltaList.ts"
import { ExternalRef, ExternalRefQuery, ExternalRefs } from "../../core/externalRefs/ExternalRef.ts"
import { check, LongText, Name, OpenEnum } from "../../core/fields/Text.ts"
import { Timestamp } from "../../core/fields/Timestamp.ts"
import { pageQuery } from "../../core/usecase/Page.ts"
import { declare, Fault, members } from "../../core/usecase/Problem.ts"
import { IdOf } from "../../core/Id.ts"

/** The exclusivities of a broker's mandate. */
export const exclusivities = ["exclusive", "non_exclusive", "other"] as const

// The maximum of the column.
const maxProperties = 2_147_483_647

/** The maximum number of properties of a project. */
export const maxPropertyIds = 1_000

const Exclusivity = Schema.NullOr(Schema.Literals(exclusivities))

const fields = {
  name: Name.annotate({ examples: ["Logistics Portfolio Northern Italy"] }),
  description: Schema.NullOr(LongText.annotate({ examples: ["Four warehouses, fully let"] })),
  isPortfolio: Schema.Boolean.annotate({
    description: "Whether several properties are sold together.",
    examples: [true]
  }),
  propertyCount: Schema.NullOr(
    Schema.Int.check(
      check(
        "out_of_range",
        `Must be a whole number from 0 to ${maxProperties}.`,
        (count: number) => count >= 0 && count <= maxProperties,
        { minimum: 0, maximum: maxProperties }
      )
    )
  ).annotate({
    description:
      "The number of properties of the project. Unless somebody wrote it, it follows `propertyIds`: null until properties were linked, and their number from then on. Null clears it, and lets it follow again.",
    examples: [4]
  }),
  propertyIds: Schema.Array(Schema.String)
    .check(
      check(
        "too_many",
        `Must have at most ${maxPropertyIds} properties.`,
        (ids: ReadonlyArray<string>) => new Set(ids).size <= maxPropertyIds,
        { maxItems: maxPropertyIds }
      )
    )
    .annotate({
      description: "The ids of the properties that the project is about; the whole list, each once.",
      examples: [["property_01kb3n7x2ferwt5z8q4j6m9d0c"]]
    }),
  exclusivity: Exclusivity.annotate({
    description: "The exclusivity of the broker's mandate.",
    examples: ["exclusive"]
  }),
  mandate: Exclusivity.annotate({
    deprecated: true,
    description: "The former name of `exclusivity`. Send `exclusivity` instead; only one of the two may have a value.",
    examples: [null]
  }),
  ownerId: Schema.NullOr(Schema.String).annotate({
    description: "The id of the responsible member of the team, or `me`.",
    examples: ["me"]
  }),
  sellerContactId: Schema.NullOr(Schema.String).annotate({
    description:
      "The id of the contact who sells. When the teaser is communicated, the user with the address of the contact gets an offer of the category `selling`.",
    examples: [null]
  }),
  externalRefs: ExternalRefs.annotate({ description: "The names of the project in other systems; the whole list." })
}

const { name, ...otherFields } = fields

const optional = Struct.map(otherFields, Schema.optionalKey)

/** The body of a create. */
export const ProjectCreate = Schema.Struct({ name, ...optional }).annotate({
  identifier: "ProjectCreate",
  description: "A new project, which is a draft until it is shared.",
  examples: [
    {
      name: "Logistics Portfolio Northern Italy",
      isPortfolio: true,
      propertyCount: 4,
      exclusivity: "exclusive",
      ownerId: "me",
      externalRefs: [{ namespace: "hubspot", externalId: "deal-17" }]
    }
  ]
})
export type ProjectCreate = typeof ProjectCreate.Type

/** The body of a patch. */
export const ProjectPatch = Schema.Struct({ name: Schema.optionalKey(name), ...optional }).annotate({
  identifier: "ProjectPatch",
  description:
    "A merge patch (RFC 7396): omitted members stay, null clears, arrays replace. Read-only members may be sent with their present value. Leave `mandate` out of a project that you send back.",
  examples: [{ propertyCount: 5, exclusivity: "non_exclusive" }]
})
export type ProjectPatch = typeof ProjectPatch.Type

const moment = (description: string) => Schema.NullOr(Timestamp).annotate({ description, examples: [null] })

const KnownExclusivity = Schema.NullOr(OpenEnum(exclusivities, "The exclusivity of the broker's mandate."))

/** The date of the deprecation of `mandate`, in the format of RFC 9745: seconds since 1970. */
export const mandateDeprecated = `@${Date.UTC(2026, 5, 1) / 1000}`

/** The header of answers that contain projects. */
export const Deprecation = Schema.String.annotate({
  description: "The Unix time since which the member `mandate` of projects is deprecated (RFC 9745).",
  examples: [mandateDeprecated]
})

/** A project or, in a delta, its tombstone. */
export const Project = Schema.Struct({
  id: IdOf("project"),
  name: Schema.NullOr(fields.name),
  description: fields.description,
  isPortfolio: Schema.NullOr(fields.isPortfolio),
  propertyCount: fields.propertyCount,
  propertyIds: Schema.Array(IdOf("property")).annotate({
    description: "The ids of the properties that the project is about.",
    examples: [["property_01kb3n7x2ferwt5z8q4j6m9d0c"]]
  }),
  exclusivity: KnownExclusivity,
  mandate: KnownExclusivity.annotate({
    deprecated: true,
    description: "The former name of `exclusivity`, with the same value.",
    examples: ["exclusive"]
  }),
  status: Schema.NullOr(
    OpenEnum(
      ["draft", "open", "closed"],
      "`draft` until it is published, its teaser is communicated, or an investor gets access to one of its rooms."
    )
  ),
  ownerId: Schema.NullOr(IdOf("user")).annotate({ description: "The responsible member of the team." }),
  sellerContactId: Schema.NullOr(IdOf("contact")).annotate({
    description: "The contact who sells.",
    examples: [null]
  }),
  externalRefs: Schema.Array(ExternalRef),
  publishedUtc: moment("When it was published."),
  communicatedUtc: moment(
    "When its teaser was first communicated. From then on the project is shared: it can be closed, but not deleted."
  ),
  closedUtc: moment("When it was closed; null while it is open."),
  ...auditFields
}).annotate({
  identifier: "Project",
  description: "A real-estate transaction. A tombstone only has its audit members and external references."
})
export type Project = typeof Project.Type

/** The parameters of the list. */
export const ProjectListQuery = Schema.Struct({ ...deltaQuery, external_ref: Schema.optionalKey(ExternalRefQuery) })
export type ProjectListQuery = typeof ProjectListQuery.Type

/** The states by which people look for projects: a deleted one can be restored for a while. */
export const projectStates = ["draft", "open", "closed", "deleted"] as const

/** By what people look for projects; without a state, those that are not closed. */
export interface ProjectSearch {
  readonly state: (typeof projectStates)[number] | undefined
  /** The id of a member of the team. */
  readonly ownerId: string | undefined
  /** A part of the name, in any case. */
  readonly name: string | undefined
}

/** A project in a list for people. */
export interface ProjectLine {
  readonly id: string
  readonly name: string
  readonly status: (typeof projectStates)[number]
  readonly ownerId: string | null
  readonly exclusivity: string | null
  readonly propertyCount: number | null
  readonly createdUtc: string
  readonly deletedUtc: string | null
}

/** The parameters of the list of a project's properties. */
export const ProjectPropertiesQuery = Schema.Struct(pageQuery)
export type ProjectPropertiesQuery = typeof ProjectPropertiesQuery.Type

/** 422: the request has values for two names of one member. */
export class ValidationFailed extends HttpApiError.Problem<ValidationFailed>()(
  "ValidationFailed",
  declare("validation_failed", 422, "Members of the request exclude each other."),
  { ...members("validation_failed"), errors: Schema.Array(Fault) }
) {}

/** 409: the project was shared, so it can be closed, but not deleted. */
export class ProjectShared extends HttpApiError.Problem<ProjectShared>()(
  "ProjectShared",
  declare("project_shared", 409, "The project was shared."),
  members("project_shared")
) {}

/** 409: a project that was not deleted cannot be restored. */
export class ProjectNotDeleted extends HttpApiError.Problem<ProjectNotDeleted>()(
  "ProjectNotDeleted",
  declare("project_not_deleted", 409, "The project is not deleted."),
  members("project_not_deleted")
) {}

/** 409: the project is closed. */
export class ProjectClosed extends HttpApiError.Problem<ProjectClosed>()(
  "ProjectClosed",
  declare("project_closed", 409, "The project is closed."),
  members("project_closed")
) {
  /** The rejection of what only an open project can do. */
  static readonly rejection = () => new ProjectClosed({ detail: "The project is closed. Reopen it first." })
}
