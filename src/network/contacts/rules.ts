/** The pure decisions on contacts. */
import { canonicalLanguage } from "../../fields/Language.ts"
import { distinctTags } from "../../fields/Tags.ts"
import { bodyFault } from "../../http/Input.ts"
import type { Fault } from "../../http/Problem.ts"
import type { Contact, ContactPatch } from "./Contact.ts"

/** The members that a client writes. */
export type ContactFields = Pick<
  Contact,
  | "firstName"
  | "lastName"
  | "email"
  | "phone"
  | "primaryLanguage"
  | "primaryCompanyId"
  | "tags"
  | "strategy"
  | "linkedInUrl"
  | "profilePictureUrl"
  | "externalRefs"
>

/** A contact of which nothing is known yet. */
export const blank: ContactFields = {
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  primaryLanguage: null,
  primaryCompanyId: null,
  tags: [],
  strategy: null,
  linkedInUrl: null,
  profilePictureUrl: null,
  externalRefs: []
}

/** First and last name, else the e-mail address. */
export const nameOf = (contact: Pick<Contact, "firstName" | "lastName" | "email">): string | null =>
  [contact.firstName, contact.lastName].filter((part) => part !== null).join(" ") || contact.email

/** What is stored of what was sent: languages in canonical case, tags each once. */
export const normalize = (change: ContactPatch): ContactPatch => ({
  ...change,
  ...(typeof change.primaryLanguage === "string"
    ? { primaryLanguage: canonicalLanguage(change.primaryLanguage) ?? change.primaryLanguage }
    : {}),
  ...(change.tags === undefined ? {} : { tags: distinctTags(change.tags) })
})

/** The faults of a contact as a whole: it needs one of e-mail, first name and last name. */
export const faultsOf = (contact: Pick<Contact, "firstName" | "lastName" | "email">): ReadonlyArray<Fault> =>
  nameOf(contact) === null
    ? [bodyFault("", "required", "One of email, firstName and lastName is needed.")]
    : []

// The names that `changed_fields` has (specification, Changed-field names); the others are not announced by name.
const eventNames: { readonly [Member in keyof ContactFields]?: string } = {
  email: "email",
  firstName: "first_name",
  lastName: "last_name",
  phone: "phone",
  primaryLanguage: "primary_language",
  primaryCompanyId: "primary_company_id",
  tags: "tags",
  strategy: "strategy",
  profilePictureUrl: "profile_picture"
}

/** The `changed_fields` of an update of these members; null when none of them has a listed name. */
export const changedFieldNames = (changed: ReadonlyArray<keyof ContactFields>): ReadonlyArray<string> | null => {
  const names = changed.flatMap((member) => eventNames[member] ?? [])
  return names.length === 0 ? null : names
}
