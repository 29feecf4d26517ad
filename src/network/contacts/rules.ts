/** The pure decisions on contacts. */
import { canonicalLanguage } from "../../fields/Language.ts"
import { distinctTags } from "../../fields/Tags.ts"
import { bodyFault } from "../../usecase/Input.ts"
import { Duplicate, type Fault } from "../../usecase/Problem.ts"
import * as Namesakes from "../../records/DuplicateIndex.ts"
import { type Surroundings, telling } from "../../records/RecordKind.ts"
import type { Stored } from "../../records/RecordTable.ts"
import type { Contact } from "./Contact.ts"

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
export const normalize = (sent: Partial<ContactFields>): Partial<ContactFields> => ({
  ...sent,
  ...(typeof sent.primaryLanguage === "string"
    ? { primaryLanguage: canonicalLanguage(sent.primaryLanguage) ?? sent.primaryLanguage }
    : {}),
  ...(sent.tags === undefined ? {} : { tags: distinctTags(sent.tags) })
})

/** The faults of a contact as a whole: it needs one of e-mail, first name and last name. */
export const faultsOf = (contact: Pick<Contact, "firstName" | "lastName" | "email">): ReadonlyArray<Fault> =>
  nameOf(contact) === null ? [bodyFault("", "required", "One of email, firstName and lastName is needed.")] : []

/** What is told of a change of a contact. */
export const happening = telling<ContactFields, Contact>({
  type: "contact",
  eventNames: {
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
})

/**
 * What contacts must get along with: no two with one e-mail address, whatever its case, and only companies that are
 * there. `namesakes` are the contacts that have addresses which are wanted.
 */
export const surroundingsOf = (found: {
  readonly namesakes: ReadonlyArray<Stored<Contact>>
  /** The ids of the companies that are there. */
  readonly companies: ReadonlySet<string>
  readonly sameByMembers: boolean
}): Surroundings<ContactFields, Contact> => {
  const keysOf = ({ email }: Pick<ContactFields, "email">) => (email === null ? [] : [email.toLowerCase()])
  const namesakes = Namesakes.make<Contact>(keysOf, found.namesakes)
  return {
    faultsOf: ({ changed, fields: { primaryCompanyId: id } }) =>
      id === null || !changed.includes("primaryCompanyId") || found.companies.has(id)
        ? []
        : [bodyFault("/primaryCompanyId", "invalid_reference", "There is no company with this id.")],
    clashOf: ({ changed, fields, force, uuid }) => {
      if (force || !changed.includes("email")) return undefined
      const candidates = namesakes.of(keysOf(fields)).filter((stored) => stored.uuid !== uuid)
      return candidates.length === 0
        ? undefined
        : new Duplicate({
            detail: "A contact with this e-mail address exists. Update it, or write with force=true.",
            candidates: candidates.slice(0, 10).map(({ resource: { email, id, name } }) => ({ id, name, email }))
          })
    },
    sameAs: (fields) => {
      const [same, another] = found.sameByMembers ? namesakes.of(keysOf(fields)) : []
      return another === undefined ? same : undefined
    },
    formerOf: () => undefined,
    wrote: namesakes.know
  }
}
