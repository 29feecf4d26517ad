/** A real-estate transaction (specification, Project; decisions §6). */
import { Schema, Struct } from "effect"
import { HttpApiError } from "effect/http-api"
import { auditFields } from "../changes/Audit.ts"
import { deltaQuery } from "../changes/DeltaList.ts"
import { ExternalRef, ExternalRefQuery, ExternalRefs } from "../externalRefs/ExternalRef.ts"
import { OpenEnum } from "../fields/OpenEnum.ts"
import { check, LongText, Name } from "../fields/Text.ts"
import { Timestamp } from "../fields/Timestamp.ts"
import { pageQuery } from "../usecase/Page.ts"
import { declare, Fault, members } from "../usecase/Problem.ts"
import { IdOf } from "../Id.ts"

/** For how many days after its deletion a project can be restored. */
export const restorableDays = 30

const exclusivities = ["exclusive", "non_exclusive", "other"] as const

// What the column holds.
const maxProperties = 2_147_483_647

const Exclusivity = Schema.NullOr(Schema.Literals(exclusivities))

const fields = {
  name: Name.annotate({ examples: ["Logistics Portfolio Northern Italy"] }),
  description: Schema.NullOr(LongText.annotate({ examples: ["Four warehouses, fully let"] })),
  isPortfolio: Schema.Boolean.annotate({
    description: "Whether several properties are sold as one.",
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
  ).annotate({ description: "How many properties the project is about, as the client counts them.", examples: [4] }),
  propertyIds: Schema.Array(Schema.String).annotate({
    description: "The ids of the linked properties; the whole list. There are no properties yet, so any id is refused.",
    examples: [[]]
  }),
  exclusivity: Exclusivity.annotate({ description: "How exclusively the broker may sell.", examples: ["exclusive"] }),
  mandate: Exclusivity.annotate({
    deprecated: true,
    description: "The former name of `exclusivity`: send that instead. Only one of the two may have a value.",
    examples: [null]
  }),
  ownerId: Schema.NullOr(Schema.String).annotate({
    description: "The id of the member of the team who is responsible, or `me`.",
    examples: ["me"]
  }),
  externalRefs: ExternalRefs.annotate({ description: "The project's names in other systems; the whole list." })
}

const { name, ...otherFields } = fields

const optional = Struct.map(otherFields, Schema.optionalKey)

/** What a project is created with. */
export const ProjectCreate = Schema.Struct({ name, ...optional }).annotate({
  identifier: "ProjectCreate",
  description: "A new project: a draft, until it is shared.",
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

/** What of a project can be changed. */
export const ProjectPatch = Schema.Struct({ name: Schema.optionalKey(name), ...optional }).annotate({
  identifier: "ProjectPatch",
  description:
    "A merge patch (RFC 7396): omitted leaves, null clears, arrays replace. Read-only members may be sent back with their present value; a project that is sent back whole leaves `mandate` out.",
  examples: [{ propertyCount: 5, exclusivity: "non_exclusive" }]
})
export type ProjectPatch = typeof ProjectPatch.Type

const moment = (description: string) => Schema.NullOr(Timestamp).annotate({ description, examples: [null] })

const KnownExclusivity = Schema.NullOr(OpenEnum(exclusivities, "How exclusively the broker may sell."))

/** Since when `mandate` is deprecated, as RFC 9745 writes a date: seconds since 1970. */
export const mandateDeprecated = `@${Date.UTC(2026, 5, 1) / 1000}`

/** The header of an answer in which there are projects. */
export const Deprecation = Schema.String.annotate({
  description: "Since when a member of a project, `mandate`, is deprecated (RFC 9745): a Unix time.",
  examples: [mandateDeprecated]
})

/** A project, or, in a delta, the tombstone of one. */
export const Project = Schema.Struct({
  id: IdOf("project"),
  name: Schema.NullOr(fields.name),
  description: fields.description,
  isPortfolio: Schema.NullOr(fields.isPortfolio),
  propertyCount: fields.propertyCount,
  propertyIds: Schema.Array(IdOf("property")).annotate({
    description: "The ids of the linked properties.",
    examples: [[]]
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
      "`draft` until it is published, communicated, or somebody gets access to a room of it."
    )
  ),
  ownerId: Schema.NullOr(IdOf("user")).annotate({ description: "The member of the team who is responsible." }),
  externalRefs: Schema.Array(ExternalRef),
  publishedUtc: moment("When it was published."),
  communicatedUtc: moment(
    "When its teaser was first communicated: from then on it is shared, and can be closed, but not deleted."
  ),
  closedUtc: moment("When it was closed; null while it is not."),
  ...auditFields
}).annotate({
  identifier: "Project",
  description: "A real-estate transaction. A tombstone has only its audit members and its external references."
})
export type Project = typeof Project.Type

/** The parameters of the list. */
export const ProjectListQuery = Schema.Struct({ ...deltaQuery, external_ref: Schema.optionalKey(ExternalRefQuery) })
export type ProjectListQuery = typeof ProjectListQuery.Type

/** A property as the list of a project's properties has it. */
export const ProjectProperty = Schema.Struct({ id: IdOf("property"), ...auditFields }).annotate({
  identifier: "ProjectProperty",
  description: "A property that is linked to the project. There are none yet; their other members will come with them."
})
export type ProjectProperty = typeof ProjectProperty.Type

/** The parameters of the list of a project's properties. */
export const ProjectPropertiesQuery = Schema.Struct(pageQuery)
export type ProjectPropertiesQuery = typeof ProjectPropertiesQuery.Type

/** 422: the request says one thing by two names. */
export class ValidationFailed extends HttpApiError.Problem<ValidationFailed>()(
  "ValidationFailed",
  declare("validation_failed", 422, "Members of the request exclude each other."),
  { ...members("validation_failed"), errors: Schema.Array(Fault) }
) {}

/** 409: others have seen the project, which can only be closed. */
export class ProjectShared extends HttpApiError.Problem<ProjectShared>()(
  "ProjectShared",
  declare("project_shared", 409, "The project was shared."),
  members("project_shared")
) {}

/** 409: what is to be restored was not deleted. */
export class ProjectNotDeleted extends HttpApiError.Problem<ProjectNotDeleted>()(
  "ProjectNotDeleted",
  declare("project_not_deleted", 409, "The project is not deleted."),
  members("project_not_deleted")
) {}
