/** A property: the asset itself (docs/behaviour/properties.md#properties). */
import { Schema, SchemaIssue } from "effect"
import { HttpApiError } from "effect/http-api"
import { auditFields, auditMembers, ItemEtag } from "../../core/mutation/Audit.ts"
import { deltaQuery } from "../../core/mutation/DeltaList.ts"
import { ExternalRef, ExternalRefQuery, ExternalRefs } from "../../core/externalRefs/ExternalRef.ts"
import { LongText, Name } from "../../core/fields/Text.ts"
import { IdOf } from "../../core/Id.ts"
import { Flag } from "../../core/usecase/Page.ts"
import { declare, members as problemMembers } from "../../core/usecase/Problem.ts"
import {
  areaMembers,
  buildingMembers,
  classMembers,
  energyMembers,
  incomeMembers,
  locationMembers,
  pricingMembers,
  zoningMembers
} from "./members/PropertyMembers.ts"
import { answersOf, foundIn, inputsOf, type Kind, kindsOf, text } from "./members/Member.ts"
import { propertyTags } from "./members/vocabulary.ts"

const name = Name.annotate({ description: "The name of the property.", examples: ["Bürohaus Landsberger Straße"] })

/** The members that clients write, besides the name, the owner and the external references. */
export const propertyMembers = {
  description: text("Free text.", "Six floors, let to nine tenants, five minutes from the station.", LongText),
  ...locationMembers,
  ...classMembers,
  ...areaMembers,
  ...zoningMembers,
  ...buildingMembers,
  ...incomeMembers,
  ...pricingMembers,
  ...energyMembers
}

const optional = {
  ownerId: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "The id of the responsible member of the team, or `me`.",
    examples: ["me"]
  }),
  ...inputsOf(propertyMembers),
  externalRefs: Schema.optionalKey(ExternalRefs).annotate({
    description: "The names of the property in other systems; the whole list."
  })
}

interface SentLocation {
  readonly country?: string | null
  readonly locality?: string | null
  readonly address?: { readonly country?: string | null; readonly locality?: string | null } | null
}

/** Rejects a body that names the country, or the locality, differently in its two places. */
const oneLocation = Schema.makeFilter((sent: SentLocation) => {
  const { address } = sent
  return (["country", "locality"] as const).flatMap((member) =>
    address?.[member] === undefined || sent[member] === undefined || address[member] === sent[member]
      ? []
      : [
          new SchemaIssue.Pointer(
            ["address", member],
            new SchemaIssue.InvalidValue({
              code: "contradictory",
              message: `Must be the same as \`${member}\`, or one of the two must be left out.`
            })
          )
        ]
  )
})

const example = {
  name: "Bürohaus Landsberger Straße",
  country: "DE",
  locality: "München",
  address: { street: "Landsberger Straße", houseNumber: "84a", postalCode: "80339" },
  coordinates: { latitude: 48.1385, longitude: 11.5309 },
  categories: ["office"],
  tenure: "freehold",
  lettableArea: { value: 10_640, unit: "sqm", standard: "gla" },
  yearBuilt: 1998,
  tags: ["multi_tenant", "partly_vacant"],
  income: { passingRent: { value: 2_310_000, currency: "EUR" }, waultToBreak: { value: 4.1, unit: "years" } },
  pricing: { askingPrice: { value: 46_500_000, currency: "EUR" }, qualifier: "guide" },
  externalRefs: [{ namespace: "hubspot", externalId: "p-204" }]
} as const

/** The body of a create. */
export const PropertyCreate = Schema.Struct({ name, ...optional })
  .check(oneLocation)
  .annotate({ identifier: "PropertyCreate", description: "A new property.", examples: [example] })
export type PropertyCreate = typeof PropertyCreate.Type

/** The body of a patch. */
export const PropertyPatch = Schema.Struct({ name: Schema.optionalKey(name), ...optional })
  .check(oneLocation)
  .annotate({
    identifier: "PropertyPatch",
    description:
      "A merge patch (RFC 7396) at every depth: omitted members stay, also those of objects inside; null clears. Lists replace, and so do values, which are amounts with a unit: areas, money, percentages, years. Read-only members may be sent with their present value.",
    examples: [
      {
        vacantArea: { value: 0, unit: "sqm" },
        tags: ["multi_tenant", "fully_let"],
        income: { vacancyRate: { value: 0, unit: "percent" } },
        pricing: { qualifier: null }
      }
    ]
  })
export type PropertyPatch = typeof PropertyPatch.Type

/** An item of an upsert. */
export const PropertyUpsert = Schema.Struct({
  id: Schema.optionalKey(IdOf("property")),
  etag: ItemEtag,
  name: Schema.optionalKey(name),
  ...optional
}).annotate({
  identifier: "PropertyUpsert",
  description:
    "A property to create or patch. It is found by `id`, or else by one of `externalRefs`, and created if there is none. `externalRefs` replace those of the same namespaces; the record keeps the others.",
  examples: [example]
})

/** A property or, in a delta, its tombstone. */
export const Property = Schema.Struct({
  id: IdOf("property"),
  name: Schema.NullOr(Schema.String).annotate({
    description: "Null on a tombstone.",
    examples: ["Bürohaus Landsberger Straße"]
  }),
  ownerId: Schema.NullOr(IdOf("user")).annotate({ description: "The responsible member of the team." }),
  projectIds: Schema.Array(IdOf("project")).annotate({
    description:
      "The projects whose `propertyIds` list the property, closed ones included and deleted ones not. Read-only: write `propertyIds` of the project.",
    examples: [["project_01kb3n7x2ferwt5z8q4j6m9d0c"]]
  }),
  ...answersOf(propertyMembers),
  externalRefs: Schema.Array(ExternalRef),
  ...auditFields
}).annotate({
  identifier: "Property",
  description:
    "A property. An object without any value is null. A tombstone only has its audit members and external references."
})
export type Property = typeof Property.Type

/** The members that are stored. */
export type PropertyFields = Pick<
  Property,
  "name" | "ownerId" | "projectIds" | "externalRefs" | keyof typeof propertyMembers
>

type StoredMember = Exclude<keyof PropertyFields, "externalRefs">

/** The kinds of these members: columns and blank values are derived from them. */
export const propertyKinds = {
  name: "text",
  ownerId: "id user",
  projectIds: "ids project",
  ...(Object.fromEntries(Object.entries(propertyMembers).map(([member, { kind }]) => [member, kind])) as {
    readonly [Name in keyof typeof propertyMembers]: (typeof propertyMembers)[Name]["kind"]
  })
} as const satisfies { readonly [Name in StoredMember]: Kind }

/** What a search compares inside of the members: scalars at every depth, by their path with dots. */
export const foundMembers = foundIn(propertyMembers)

/** The members of a search, and how each is compared. */
export const searchMembers = {
  id: "id property",
  name: "text",
  ownerId: "id user",
  ...kindsOf(foundMembers),
  externalRefs: "refs",
  ...auditMembers
} as const

/** The parameters of the list; all of them combine. */
export const PropertyListQuery = Schema.Struct({
  ...deltaQuery,
  external_ref: Schema.optionalKey(ExternalRefQuery),
  tags: Schema.optionalKey(
    Schema.Array(Schema.Literals(propertyTags)).annotate({
      description: "Lists only properties that have one of these tags; may be repeated.",
      examples: [["single_tenant"]]
    })
  )
})
export type PropertyListQuery = typeof PropertyListQuery.Type

/** The parameters of a delete. */
export const PropertyDeleteQuery = Schema.Struct({
  force: Schema.optionalKey(Flag("Delete it even if it is on a project that is not closed, and unlink it from there."))
})

/** 409: the property is on projects that are not closed. */
export class PropertyOnProject extends HttpApiError.Problem<PropertyOnProject>()(
  "PropertyOnProject",
  declare("property_on_project", 409, "The property is on a project that is not closed."),
  {
    ...problemMembers("property_on_project"),
    projectIds: Schema.Array(Schema.String).annotate({
      description: "The projects that list it and are not closed.",
      examples: [["project_01kb3n7x2ferwt5z8q4j6m9d0c"]]
    })
  }
) {}
