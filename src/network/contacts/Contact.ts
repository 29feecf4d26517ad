/** A person in the broker's network (docs/behaviour/network.md#contacts). */
import { Schema, Struct } from "effect"
import { auditFields, auditMembers, ItemEtag, MergedInto } from "../../core/mutation/Audit.ts"
import { deltaQuery } from "../../core/mutation/DeltaList.ts"
import { ExternalRef, ExternalRefQuery, ExternalRefs } from "../../core/externalRefs/ExternalRef.ts"
import { Email, NullableEmail, WebUrl } from "../../core/fields/InternetAddress.ts"
import { Language, LongText, Name, Tags, TagsQuery, Text } from "../../core/fields/Text.ts"
import { Flag } from "../../core/usecase/Page.ts"
import { IdOf } from "../../core/Id.ts"

const fields = {
  firstName: Schema.NullOr(Name.annotate({ examples: ["Anna"] })),
  lastName: Schema.NullOr(Name.annotate({ examples: ["Berg"] })),
  email: NullableEmail,
  phone: Schema.NullOr(Text(64).annotate({ examples: ["+49 30 1234567"] })),
  primaryLanguage: Schema.NullOr(Language).annotate({ description: "A BCP-47 tag, stored in canonical case." }),
  primaryCompanyId: Schema.NullOr(Schema.String).annotate({
    description: "The id of the company that the contact mainly works for.",
    examples: [null]
  }),
  tags: Tags.annotate({ description: "Labels of the contact in the whole network, each once." }),
  strategy: Schema.NullOr(LongText).annotate({
    description: "What the contact invests in, as free text.",
    examples: ["Core-plus offices in the big seven"]
  }),
  linkedInUrl: Schema.NullOr(WebUrl).annotate({ examples: ["https://www.linkedin.com/in/anna-berg"] }),
  profilePictureUrl: Schema.NullOr(WebUrl).annotate({ examples: ["https://cdn.example.com/anna.png"] }),
  externalRefs: ExternalRefs.annotate({ description: "The names of the contact in other systems; the whole list." })
}

const optional = Struct.map(fields, Schema.optionalKey)

/** The body of a create. */
export const ContactCreate = Schema.Struct(optional).annotate({
  identifier: "ContactCreate",
  description: "A new contact. It needs one of `email`, `firstName` and `lastName`.",
  examples: [
    {
      firstName: "Maria",
      lastName: "Rossi",
      email: "maria.rossi@example.com",
      primaryLanguage: "it-IT",
      tags: ["logistics", "core-plus"],
      externalRefs: [{ namespace: "hubspot", externalId: "8812" }]
    }
  ]
})
export type ContactCreate = typeof ContactCreate.Type

/** The body of a patch. */
export const ContactPatch = Schema.Struct(optional).annotate({
  identifier: "ContactPatch",
  description:
    "A merge patch (RFC 7396): omitted members stay, null clears, arrays replace. Read-only members may be sent with their present value.",
  examples: [{ phone: "+39 02 5550199", tags: ["logistics"] }]
})
export type ContactPatch = typeof ContactPatch.Type

/** An item of an upsert. */
export const ContactUpsert = Schema.Struct({
  id: Schema.optionalKey(IdOf("contact")),
  etag: ItemEtag,
  ...optional
}).annotate({
  identifier: "ContactUpsert",
  description:
    "A contact to create or patch. It is found by `id`, or else by one of `externalRefs`, and created if there is none. `externalRefs` replace those of the same namespaces; the record keeps the others.",
  examples: [
    {
      firstName: "Maria",
      lastName: "Rossi",
      phone: "+39 02 5550199",
      externalRefs: [{ namespace: "hubspot", externalId: "8812" }]
    }
  ]
})

/** A contact or, in a delta, its tombstone. */
export const Contact = Schema.Struct({
  id: IdOf("contact"),
  name: Schema.NullOr(Schema.String).annotate({
    description: "First and last name, or else the e-mail address. Null on a tombstone.",
    examples: ["Anna Berg"]
  }),
  ...fields,
  tags: Schema.Array(Schema.String).annotate({ examples: [["logistics"]] }),
  externalRefs: Schema.Array(ExternalRef),
  ...auditFields,
  mergedInto: MergedInto("contact")
}).annotate({
  identifier: "Contact",
  description:
    "A person in the broker's network. A tombstone only has its audit members, `mergedInto` and external references."
})
export type Contact = typeof Contact.Type

/** The members that clients write. */
export type ContactFields = Pick<Contact, keyof typeof fields>

/** The kinds of these members: columns, blank values and the search are derived from them. */
export const contactKinds = {
  firstName: "text",
  lastName: "text",
  email: "text",
  phone: "text",
  primaryLanguage: "code",
  primaryCompanyId: "id company",
  tags: "tags",
  strategy: "text",
  linkedInUrl: "text",
  profilePictureUrl: "text"
} as const satisfies { readonly [Member in Exclude<keyof ContactFields, "externalRefs">]: string }

/** The members of a search, and how each is compared. */
export const contactMembers = {
  id: "id contact",
  name: "text",
  ...contactKinds,
  phone: "phone",
  externalRefs: "refs",
  ...auditMembers
} as const

/** The parameters of the list; all of them combine. */
export const ContactListQuery = Schema.Struct({
  ...deltaQuery,
  external_ref: Schema.optionalKey(ExternalRefQuery),
  email: Schema.optionalKey(
    Email.annotate({ description: "Lists only contacts with this e-mail address, in any case." })
  ),
  tags: Schema.optionalKey(TagsQuery)
})
export type ContactListQuery = typeof ContactListQuery.Type

/** The parameters of create, patch and upsert. */
export const ContactWriteQuery = Schema.Struct({
  force: Schema.optionalKey(Flag("Write even if another contact has the e-mail address."))
})
export type ContactWriteQuery = typeof ContactWriteQuery.Type
