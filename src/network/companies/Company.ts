/** A company in the broker's network (specification, Network resources; decisions §4). */
import { Schema, Struct } from "effect"
import { auditFields, auditMembers } from "../../changes/Audit.ts"
import { deltaQuery } from "../../changes/DeltaList.ts"
import { ExternalRef, ExternalRefQuery, ExternalRefs } from "../../externalRefs/ExternalRef.ts"
import { Country } from "../../fields/Country.ts"
import { Domain } from "../../fields/Domain.ts"
import { Tags } from "../../fields/Tags.ts"
import { LongText, Name } from "../../fields/Text.ts"
import { WebUrl } from "../../fields/WebUrl.ts"
import { Flag } from "../../usecase/Page.ts"
import { IdOf } from "../../Id.ts"

const name = Name.annotate({ examples: ["Rossi Immobiliare"] })

const fields = {
  legalName: Schema.NullOr(Name.annotate({ examples: ["Rossi Immobiliare S.p.A."] })),
  country: Schema.NullOr(Country).annotate({ description: "ISO 3166-1 alpha-2, upper case.", examples: ["IT"] }),
  homepageUrl: Schema.NullOr(WebUrl).annotate({ examples: ["https://www.rossi-immobiliare.example/it"] }),
  domain: Schema.NullOr(Domain).annotate({
    description:
      "In lower case and without `www.`. Follows a new `homepageUrl`, also when both are sent; else it can be set alone. Stays when `homepageUrl` is cleared.",
    examples: ["rossi-immobiliare.example"]
  }),
  linkedInUrl: Schema.NullOr(WebUrl).annotate({ examples: ["https://www.linkedin.com/company/rossi-immobiliare"] }),
  tags: Tags.annotate({ description: "Network-wide labels, each once." }),
  strategy: Schema.NullOr(LongText).annotate({
    description: "What the company looks for, as free text.",
    examples: ["Value-add logistics in northern Italy"]
  }),
  profilePictureUrl: Schema.NullOr(WebUrl).annotate({ examples: ["https://cdn.example.com/rossi.png"] }),
  externalRefs: ExternalRefs.annotate({ description: "The company's names in other systems; the whole list." })
}

const optional = Struct.map(fields, Schema.optionalKey)

const example = {
  name: "Rossi Immobiliare",
  country: "IT",
  homepageUrl: "https://www.rossi-immobiliare.example/it",
  tags: ["logistics"],
  externalRefs: [{ namespace: "hubspot", externalId: "c-501" }]
}

/** What a company is created with. */
export const CompanyCreate = Schema.Struct({ name, ...optional }).annotate({
  identifier: "CompanyCreate",
  description: "A new company.",
  examples: [example]
})
export type CompanyCreate = typeof CompanyCreate.Type

/** What of a company can be changed. */
export const CompanyPatch = Schema.Struct({ name: Schema.optionalKey(name), ...optional }).annotate({
  identifier: "CompanyPatch",
  description:
    "A merge patch (RFC 7396): omitted leaves, null clears, arrays replace. Read-only members may be sent back with their present value.",
  examples: [{ strategy: "Core logistics", tags: ["logistics", "core"] }]
})
export type CompanyPatch = typeof CompanyPatch.Type

/** An item of an upsert. */
export const CompanyUpsert = Schema.Struct({
  id: Schema.optionalKey(IdOf("company")),
  name: Schema.optionalKey(name),
  ...optional
}).annotate({
  identifier: "CompanyUpsert",
  description:
    "A company as it should be: found by `id`, or else by one of `externalRefs`, and patched; created when there is none. One found by a reference keeps what other references it has; one found by `id` has those of `externalRefs` and no others.",
  examples: [example]
})

/** A company, or, in a delta, the tombstone of one. */
export const Company = Schema.Struct({
  id: IdOf("company"),
  name: Schema.NullOr(Schema.String).annotate({ description: "Null on a tombstone.", examples: ["Rossi Immobiliare"] }),
  ...fields,
  tags: Schema.Array(Schema.String).annotate({ examples: [["logistics"]] }),
  externalRefs: Schema.Array(ExternalRef),
  ...auditFields
}).annotate({
  identifier: "Company",
  description: "A company in the broker's network. A tombstone has only its audit members and external references."
})
export type Company = typeof Company.Type

/** The members that clients write. */
export type CompanyFields = Pick<Company, "name" | keyof typeof fields>

/** The kinds of these members: columns, blank values and the search are derived from them. */
export const companyKinds = {
  name: "text",
  legalName: "text",
  country: "code",
  homepageUrl: "text",
  domain: "text",
  linkedInUrl: "text",
  tags: "tags",
  strategy: "text",
  profilePictureUrl: "text"
} as const satisfies { readonly [Member in Exclude<keyof CompanyFields, "externalRefs">]: string }

/** The members of a search, and how each is compared. */
export const companyMembers = { id: "id company", ...companyKinds, ...auditMembers } as const

/** The parameters of the list. */
export const CompanyListQuery = Schema.Struct({
  ...deltaQuery,
  external_ref: Schema.optionalKey(ExternalRefQuery)
})
export type CompanyListQuery = typeof CompanyListQuery.Type

/** The parameters of create, patch and upsert. */
export const CompanyWriteQuery = Schema.Struct({
  force: Schema.optionalKey(Flag("Write although another company has the domain, or the name and country."))
})
export type CompanyWriteQuery = typeof CompanyWriteQuery.Type
