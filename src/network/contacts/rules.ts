/** The pure decisions on contacts (docs/behaviour/network.md#contacts). */
import anyAscii from "any-ascii"
import * as Id from "../../core/Id.ts"
import { leftOut, type NotRestored } from "../../core/records/Restored.ts"
import { isInTheWay, makeDuplicateIndex, type WriteContext } from "../../core/records/WriteContext.ts"
import { fold } from "../../core/fields/spelling.ts"
import { canonicalLanguage, distinctTags } from "../../core/fields/Text.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import { Duplicate, type Fault } from "../../core/usecase/Problem.ts"
import { changedFieldNames } from "../../core/mutation/Event.ts"
import { changeRecordMapper } from "../../core/records/RecordKind.ts"
import { blankOf, type Stored } from "../../core/records/Table.ts"
import { type Contact, type ContactFields, contactKinds } from "./Contact.ts"

/** A contact without values. */
export const blank: ContactFields = blankOf(contactKinds)

/** First and last name, or else the e-mail address. */
export const nameOf = (contact: Pick<Contact, "firstName" | "lastName" | "email">): string | null =>
  [contact.firstName, contact.lastName].filter((part) => part !== null).join(" ") || contact.email

/** The values to store for the values that were sent: languages in canonical case, tags each once. */
export const normalize = (sent: Partial<ContactFields>): Partial<ContactFields> => ({
  ...sent,
  ...(typeof sent.primaryLanguage === "string"
    ? { primaryLanguage: canonicalLanguage(sent.primaryLanguage) ?? sent.primaryLanguage }
    : {}),
  ...(sent.tags === undefined ? {} : { tags: distinctTags(sent.tags) })
})

/** The faults of a contact as a whole: it needs an e-mail address, first name or last name. */
export const faultsOf = (contact: Pick<Contact, "firstName" | "lastName" | "email">): ReadonlyArray<Fault> =>
  nameOf(contact) === null ? [bodyFault("", "required", "One of email, firstName and lastName is needed.")] : []

/** A name of a person as names are compared: its words folded, in Latin letters; ä, ae and a are one letter, as in names of companies. */
const nameKeyOf = (name: string): string =>
  anyAscii(fold(name).normalize("NFC"))
    .toLowerCase()
    .replaceAll("'", "")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.replace(/(?<![aeiouyq])([aou])e(?=[b-df-hj-np-tv-xz])/g, "$1").replace(/a{2,}/g, "a"))
    .join(" ")

/** A contact is known by its e-mail address, in any case, together with its names. */
export const identity = {
  keysOf: ({ email }: Pick<ContactFields, "email">) => (email === null ? [] : [email.toLowerCase()]),
  namesOf: ({ firstName, lastName }: Pick<ContactFields, "firstName" | "lastName">) =>
    [firstName, lastName].map((name) => (name === null ? null : nameKeyOf(name)))
}

/** The change record of a write. */
export const toChangeRecord = changeRecordMapper<ContactFields, Contact>({
  type: "contact",
  fieldNames: changedFieldNames.contact
})

/** How a deleted contact comes back, whose company is `living` (UUID) by now; undefined if it has none, or a deleted one. */
export const returnOf = (
  fields: ContactFields,
  living: string | undefined
): { readonly fields: ContactFields; readonly notRestored: ReadonlyArray<NotRestored> } => ({
  fields: { ...fields, primaryCompanyId: Id.fromUuidOrNull("company", living ?? null) },
  notRestored:
    fields.primaryCompanyId === null || living !== undefined
      ? []
      : [leftOut("company", fields.primaryCompanyId, "not_found")]
})

/**
 * Checks contacts: no two have one e-mail address, in any case, and their primary company exists. `candidates` are the contacts that
 * have one of the wanted addresses.
 */
export const writeContextOf = (found: {
  readonly candidates: ReadonlyArray<Stored<Contact>>
  /** The ids of the companies that exist. */
  readonly companies: ReadonlySet<string>
}): WriteContext<ContactFields, Contact, Duplicate> => {
  const { keysOf } = identity
  const index = makeDuplicateIndex<Contact>(keysOf, found.candidates)
  return {
    faultsOf: ({ changed, fields: { primaryCompanyId: id } }) =>
      id === null || !changed.includes("primaryCompanyId") || found.companies.has(id)
        ? []
        : [bodyFault("/primaryCompanyId", "invalid_reference", "There is no company with this id.")],
    findConflict: (write) => {
      const { changed, fields, force } = write
      if (force || !changed.includes("email")) return undefined
      const candidates = index.find(keysOf(fields)).filter((stored) => isInTheWay(write, stored))
      return candidates.length === 0
        ? undefined
        : new Duplicate({
            detail: "A contact with this e-mail address exists. Update it, or write with force=true.",
            candidates: candidates.slice(0, 10).map(({ resource: { email, id, name } }) => ({ id, name, email }))
          })
    },
    findByKeys: index.find,
    onWritten: index.add
  }
}
