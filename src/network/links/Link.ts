/** A link between a contact and a company: who works where (specification, Network resources; decisions §4). */
import { Schema, Struct } from "effect"
import { auditFields } from "../../changes/Audit.ts"
import { deltaQuery } from "../../changes/DeltaList.ts"
import { ExternalRef, ExternalRefQuery, ExternalRefs } from "../../externalRefs/ExternalRef.ts"
import { Name } from "../../fields/Text.ts"
import { IdOf } from "../../Id.ts"

const fields = {
  jobTitle: Schema.NullOr(Name.annotate({ examples: ["Head of Acquisitions"] })),
  externalRefs: ExternalRefs.annotate({ description: "The link's names in other systems; the whole list." })
}

const optional = Struct.map(fields, Schema.optionalKey)

const ends = {
  contactId: IdOf("contact").annotate({ description: "The contact's id." }),
  companyId: IdOf("company").annotate({ description: "The company's id." })
}

/** What a link is created with. */
export const LinkCreate = Schema.Struct({ ...ends, ...optional }).annotate({
  identifier: "LinkCreate",
  description: "A new link of a contact and a company.",
  examples: [
    {
      contactId: "contact_01kb3n7x2ferwt5z8q4j6m9d0c",
      companyId: "company_01kb3n7x2ferwt5z8q4j6m9d0c",
      jobTitle: "Head of Acquisitions"
    }
  ]
})
export type LinkCreate = typeof LinkCreate.Type

/** What of a link can be changed. */
export const LinkPatch = Schema.Struct(optional).annotate({
  identifier: "LinkPatch",
  description:
    "A merge patch (RFC 7396): omitted leaves, null clears, arrays replace. Read-only members, such as whom the link joins, may be sent back with their present value.",
  examples: [{ jobTitle: "Managing Director" }]
})
export type LinkPatch = typeof LinkPatch.Type

/** An item of an upsert. */
export const LinkUpsert = Schema.Struct({
  id: Schema.optionalKey(IdOf("link")),
  contactId: Schema.optionalKey(ends.contactId),
  companyId: Schema.optionalKey(ends.companyId),
  ...optional
}).annotate({
  identifier: "LinkUpsert",
  description:
    "A link as it should be: found by `id`, or else by one of `externalRefs`, or else by the pair that it joins, and patched; created when there is none.",
  examples: [
    {
      contactId: "contact_01kb3n7x2ferwt5z8q4j6m9d0c",
      companyId: "company_01kb3n7x2ferwt5z8q4j6m9d0c",
      jobTitle: "Head of Acquisitions"
    }
  ]
})

/** A link, or, in a delta, the tombstone of one. */
export const Link = Schema.Struct({
  id: IdOf("link"),
  ...ends,
  ...fields,
  externalRefs: Schema.Array(ExternalRef),
  ...auditFields
}).annotate({
  identifier: "Link",
  description:
    "Who works where. A tombstone has only its audit members, the two ids and its external references. A pair that is linked again has the same id again."
})
export type Link = typeof Link.Type

/** The parameters of the list. */
export const LinkListQuery = Schema.Struct({
  ...deltaQuery,
  contact_id: Schema.optionalKey(ends.contactId.annotate({ description: "Only the links of this contact." })),
  company_id: Schema.optionalKey(ends.companyId.annotate({ description: "Only the links of this company." })),
  external_ref: Schema.optionalKey(ExternalRefQuery)
})
export type LinkListQuery = typeof LinkListQuery.Type
