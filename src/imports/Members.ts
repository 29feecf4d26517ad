/** The members of records that files can have as columns, and their names in other programs. */
import { Result } from "effect"
import { type CompanyFields, CompanyUpsert } from "../network/companies/Company.ts"
import { type ContactFields, ContactUpsert } from "../network/contacts/Contact.ts"
import { LinkUpsert } from "../network/links/Link.ts"
import type { LinkFields } from "../network/links/rules.ts"
import { PropertyUpsert } from "../properties/Property.ts"
import { decode } from "../usecase/Input.ts"
import { columnKeys } from "./properties/items.ts"

/** The kinds of records in files. */
export type Kind = "contacts" | "companies" | "properties" | "links"

type Spelled<Member extends string> = { readonly [M in Member]: ReadonlyArray<string> }

const contacts: Spelled<"id" | keyof ContactFields> = {
  id: ["contactId"],
  firstName: ["given name", "forename", "Vorname"],
  lastName: ["surname", "family name", "Nachname"],
  email: ["e-mail address", "mail"],
  phone: ["phone number", "telephone", "telephone number", "Telefon", "Telefonnummer"],
  primaryLanguage: ["language", "preferred language", "Sprache"],
  primaryCompanyId: ["companyId"],
  tags: ["labels"],
  strategy: ["investment strategy"],
  linkedInUrl: ["LinkedIn", "LinkedIn profile"],
  profilePictureUrl: ["profile picture", "picture URL", "photo URL"],
  externalRefs: ["external references"]
}

const companies: Spelled<"id" | keyof CompanyFields> = {
  id: ["companyId"],
  name: ["company name", "company", "Firma", "Firmenname"],
  legalName: ["registered name"],
  country: ["country code", "Land"],
  homepageUrl: ["homepage", "website", "website URL", "web site"],
  domain: ["company domain", "company domain name", "domain name"],
  linkedInUrl: ["LinkedIn", "LinkedIn company page"],
  tags: ["labels"],
  strategy: ["investment strategy"],
  profilePictureUrl: ["profile picture", "picture URL", "logo URL"],
  externalRefs: ["external references"]
}

// Members with the ids of other records have the names in References.ts.
const links: Spelled<"id" | keyof LinkFields> = {
  id: ["linkId"],
  contactId: [],
  companyId: [],
  jobTitle: ["job", "title", "position", "role", "function", "Funktion", "Stellenbezeichnung", "Berufsbezeichnung"],
  externalRefs: ["external references"]
}

/**
 * The spellings of each member, which are compared by `plain`. The name of the member itself always matches. Those of properties are in
 * `properties/columns.ts`.
 */
export const spellings: { readonly [K in Exclude<Kind, "properties">]: Spelled<string> } = {
  contacts,
  companies,
  links
}

/** The columns of a kind, in the order of an export. */
export const membersOf = (kind: Kind): ReadonlyArray<string> =>
  kind === "properties" ? [...columnKeys, "externalRefs"] : Object.keys(spellings[kind])

/** The singular of a kind, for messages. */
export const singular: { readonly [K in Kind]: string } = {
  contacts: "contact",
  companies: "company",
  properties: "property",
  links: "link"
}

const decoders = {
  contacts: decode(ContactUpsert),
  companies: decode(CompanyUpsert),
  links: decode(LinkUpsert),
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
