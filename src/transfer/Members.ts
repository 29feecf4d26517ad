/** The members of records that files can have as columns. */
import { Result } from "effect"
import { MandateUpsert } from "../market/mandates/Mandate.ts"
import { CompanyUpsert } from "../network/companies/Company.ts"
import { ContactUpsert } from "../network/contacts/Contact.ts"
import { LinkUpsert } from "../network/links/Link.ts"
import { PropertyUpsert } from "../market/properties/Property.ts"
import { decode } from "../core/usecase/Input.ts"
import type { kinds } from "./ConsoleImport.ts"
import { knownHeaders } from "./systems.ts"
import { columnKeys } from "./propertyItems.ts"
import type { Measured } from "./propertyTargets.ts"

/** The kinds of records in files. */
export type Kind = (typeof kinds)[number]

/** Whether members of a kind have units. */
export const isMeasured = (kind: Kind): kind is Measured => kind === "properties" || kind === "mandates"

/** The columns of a kind, in the order of an export. */
export const membersOf = (kind: Kind): ReadonlyArray<string> =>
  isMeasured(kind) ? [...columnKeys(kind), "externalRefs"] : Object.keys(knownHeaders[kind].members)

/** The members with the id of another record, whose name stands beside it in a file for people. */
export const idMembers: { readonly [K in Kind]: ReadonlyArray<string> } = {
  contacts: ["primaryCompanyId"],
  companies: [],
  links: ["contactId", "companyId"],
  properties: ["ownerId"],
  mandates: ["investor.contactId", "investor.companyId"]
}

/** The column with the name beside an id. */
export const nameColumnOf = (idMember: string): string => `${idMember.replace(/Id$/, "")}.name`

/** The columns with names beside ids, which an import leaves out: the id says which record it is. */
export const nameColumnsOf = (kind: Kind): ReadonlyArray<string> => idMembers[kind].map(nameColumnOf)

/** The columns of a file for people: names stand where ids would, and ids come last. */
export const columnsForPeople = (kind: Kind): ReadonlyArray<string> => {
  const ids = ["id", ...idMembers[kind]]
  return [
    ...membersOf(kind).flatMap((member) =>
      member === "id" ? [] : ids.includes(member) ? [nameColumnOf(member)] : [member]
    ),
    ...ids
  ]
}

/** The singular of a kind, for messages. */
export const singular: { readonly [K in Kind]: string } = {
  contacts: "contact",
  companies: "company",
  properties: "property",
  links: "link",
  mandates: "mandate"
}

const decoders = {
  contacts: decode(ContactUpsert),
  companies: decode(CompanyUpsert),
  links: decode(LinkUpsert),
  mandates: decode(MandateUpsert),
  properties: decode(PropertyUpsert)
} as const satisfies { readonly [K in Kind]: unknown }

/** A fault of an item: the path of its member, and what is wrong with it. */
export interface MemberFault {
  readonly path: ReadonlyArray<string>
  readonly detail: string
}

/** The faults that the API finds in the members of an item by themselves. */
export const faultsOf = (kind: Kind, item: object): ReadonlyArray<MemberFault> => {
  const decoded: Result.Result<
    unknown,
    { readonly errors: ReadonlyArray<{ readonly pointer: string; readonly detail: string }> }
  > = decoders[kind](item)
  return Result.isSuccess(decoded)
    ? []
    : decoded.failure.errors.map(({ detail, pointer }) => ({ path: pointer.split("/").slice(1), detail }))
}

/** Why a member cannot have a value; undefined if it can. */
export const memberProblem = (kind: Kind, member: string, value: unknown): string | undefined =>
  faultsOf(kind, { [member]: value })[0]?.detail
