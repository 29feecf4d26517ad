/** A company in the broker's network (docs/behaviour/network.md#companies). */
import { Schema, Struct } from "effect"
import { auditFields, auditMembers, ItemEtag, MergedInto } from "../../core/mutation/Audit.ts"
import { deltaQuery } from "../../core/mutation/DeltaList.ts"
import { ExternalRef, ExternalRefQuery, ExternalRefs } from "../../core/externalRefs/ExternalRef.ts"
import { Country } from "../../core/fields/Place.ts"
import { Domain, WebUrl } from "../../core/fields/InternetAddress.ts"
import { LongText, Name, Tags, TagsQuery } from "../../core/fields/Text.ts"
import { Flag } from "../../core/usecase/Page.ts"
import { IdOf } from "../../core/Id.ts"

const name = Name.annotate({ examples: ["Rossi Immobiliare"] })

const fields = {
  legalName: Schema.NullOr(Name.annotate({ examples: ["Rossi Immobiliare S.p.A."] })),
  country: Schema.NullOr(Country).annotate({ description: "ISO 3166-1 alpha-2, upper case.", examples: ["IT"] }),
  homepageUrl: Schema.NullOr(WebUrl).annotate({ examples: ["https://www.rossi-immobiliare.example/it"] }),
  domain: Schema.NullOr(Domain).annotate({
    description:
      "In lower case and without `www.`. A new `homepageUrl` sets it, even if both are sent, unless many share its host (social networks, directories, site builders, free mail); otherwise it can be set alone. It stays when `homepageUrl` is cleared. A domain that many share identifies no company.",
    examples: ["rossi-immobiliare.example"]
  }),
  linkedInUrl: Schema.NullOr(WebUrl).annotate({ examples: ["https://www.linkedin.com/company/rossi-immobiliare"] }),
  tags: Tags.annotate({ description: "Labels of the company in the whole network, each once." }),
  strategy: Schema.NullOr(LongText).annotate({
    description: "What the company invests in, as free text.",
    examples: ["Value-add logistics in northern Italy"]
  }),
  profilePictureUrl: Schema.NullOr(WebUrl).annotate({ examples: ["https://cdn.example.com/rossi.png"] }),
  externalRefs: ExternalRefs.annotate({ description: "The names of the company in other systems; the whole list." })
}

const optional = Struct.map(fields, Schema.optionalKey)

const example = {
  name: "Rossi Immobiliare",
  country: "IT",
  homepageUrl: "https://www.rossi-immobiliare.example/it",
  tags: ["logistics"],
  externalRefs: [{ namespace: "hubspot", externalId: "c-501" }]
}

/** The body of a create. */
export const CompanyCreate = Schema.Struct({ name, ...optional }).annotate({
  identifier: "CompanyCreate",
  description: "A new company.",
  examples: [example]
})
export type CompanyCreate = typeof CompanyCreate.Type

/** The body of a patch. */
export const CompanyPatch = Schema.Struct({ name: Schema.optionalKey(name), ...optional }).annotate({
  identifier: "CompanyPatch",
  description:
    "A merge patch (RFC 7396): omitted members stay, null clears, arrays replace. Read-only members may be sent with their present value.",
  examples: [{ strategy: "Core logistics", tags: ["logistics", "core"] }]
})
export type CompanyPatch = typeof CompanyPatch.Type

/** An item of an upsert. */
export const CompanyUpsert = Schema.Struct({
  id: Schema.optionalKey(IdOf("company")),
  etag: ItemEtag,
  name: Schema.optionalKey(name),
  ...optional
}).annotate({
  identifier: "CompanyUpsert",
  description:
    "A company to create or patch. It is found by `id`, or else by one of `externalRefs`, and created if there is none. `externalRefs` replace those of the same namespaces; the record keeps the others.",
  examples: [example]
})

/** A company or, in a delta, its tombstone. */
export const Company = Schema.Struct({
  id: IdOf("company"),
  name: Schema.NullOr(Schema.String).annotate({ description: "Null on a tombstone.", examples: ["Rossi Immobiliare"] }),
  ...fields,
  tags: Schema.Array(Schema.String).annotate({ examples: [["logistics"]] }),
  externalRefs: Schema.Array(ExternalRef),
  ...auditFields,
  mergedInto: MergedInto("company")
}).annotate({
  identifier: "Company",
  description:
    "A company in the broker's network. A tombstone only has its audit members, `mergedInto` and external references."
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
export const companyMembers = { id: "id company", ...companyKinds, externalRefs: "refs", ...auditMembers } as const

/** The parameters of the list; all of them combine. */
export const CompanyListQuery = Schema.Struct({
  ...deltaQuery,
  external_ref: Schema.optionalKey(ExternalRefQuery),
  domain: Schema.optionalKey(
    Domain.annotate({ description: "Lists only companies with this domain, in any case, with or without `www.`." })
  ),
  tags: Schema.optionalKey(TagsQuery)
})
export type CompanyListQuery = typeof CompanyListQuery.Type

/** The parameters of create, patch and upsert. */
export const CompanyWriteQuery = Schema.Struct({
  force: Schema.optionalKey(
    Flag("Write even if another company has the domain (no host that many share), or the name and country.")
  )
})
export type CompanyWriteQuery = typeof CompanyWriteQuery.Type
