/** A link between a contact and a company where it works (docs/behaviour/network.md#links). */
import { Schema, Struct } from "effect"
import { auditFields, ItemEtag } from "../../core/mutation/Audit.ts"
import { deltaQuery } from "../../core/mutation/DeltaList.ts"
import { ExternalRef, ExternalRefQuery, ExternalRefs } from "../../core/externalRefs/ExternalRef.ts"
import { Name } from "../../core/fields/Text.ts"
import { IdOf } from "../../core/Id.ts"

const fields = {
  jobTitle: Schema.NullOr(Name.annotate({ examples: ["Head of Acquisitions"] })),
  externalRefs: ExternalRefs.annotate({ description: "The names of the link in other systems; the whole list." })
}

const optional = Struct.map(fields, Schema.optionalKey)

const ends = {
  contactId: IdOf("contact").annotate({ description: "The id of the contact." }),
  companyId: IdOf("company").annotate({ description: "The id of the company." })
}

/** The body of a create. */
export const LinkCreate = Schema.Struct({ ...ends, ...optional }).annotate({
  identifier: "LinkCreate",
  description: "A new link between a contact and a company.",
  examples: [
    {
      contactId: "contact_01kb3n7x2ferwt5z8q4j6m9d0c",
      companyId: "company_01kb3n7x2ferwt5z8q4j6m9d0c",
      jobTitle: "Head of Acquisitions"
    }
  ]
})
export type LinkCreate = typeof LinkCreate.Type

/** The body of a patch. */
export const LinkPatch = Schema.Struct(optional).annotate({
  identifier: "LinkPatch",
  description:
    "A merge patch (RFC 7396): omitted members stay, null clears, arrays replace. Read-only members, such as the two ids, may be sent with their present value.",
  examples: [{ jobTitle: "Managing Director" }]
})
export type LinkPatch = typeof LinkPatch.Type

/** An item of an upsert. */
export const LinkUpsert = Schema.Struct({
  id: Schema.optionalKey(IdOf("link")),
  etag: ItemEtag,
  contactId: Schema.optionalKey(ends.contactId),
  companyId: Schema.optionalKey(ends.companyId),
  ...optional
}).annotate({
  identifier: "LinkUpsert",
  description:
    "A link to create or patch. It is found by `id`, or else by one of `externalRefs`, or else by its contact and company, and created if there is none. `externalRefs` replace those of the same namespaces; the record keeps the others.",
  examples: [
    {
      contactId: "contact_01kb3n7x2ferwt5z8q4j6m9d0c",
      companyId: "company_01kb3n7x2ferwt5z8q4j6m9d0c",
      jobTitle: "Head of Acquisitions"
    }
  ]
})

/** A link or, in a delta, its tombstone. */
export const Link = Schema.Struct({
  id: IdOf("link"),
  ...ends,
  ...fields,
  externalRefs: Schema.Array(ExternalRef),
  ...auditFields
}).annotate({
  identifier: "Link",
  description:
    "A link between a contact and a company where it works. A tombstone only has its audit members, the two ids and its external references. A pair that is linked again gets the same link back."
})
export type Link = typeof Link.Type

/** The parameters of the list. */
export const LinkListQuery = Schema.Struct({
  ...deltaQuery,
  contact_id: Schema.optionalKey(ends.contactId.annotate({ description: "List only the links of this contact." })),
  company_id: Schema.optionalKey(ends.companyId.annotate({ description: "List only the links of this company." })),
  external_ref: Schema.optionalKey(ExternalRefQuery)
})
export type LinkListQuery = typeof LinkListQuery.Type
