/** The members of records that files can have as columns, and their names in other programs. */
import type { CompanyFields } from "../network/companies/Company.ts"
import type { ContactFields } from "../network/contacts/Contact.ts"
import * as PropertyColumns from "./PropertyColumns.ts"
import * as propertySpellings from "./propertySpellings.ts"

/** The kinds of records in files. */
export type Kind = "contacts" | "companies" | "properties"

type Spelled<Member extends string> = { readonly [M in Member]: ReadonlyArray<string> }

// Spellings are compared by `plain`. The name of the member itself always matches.
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

const properties: Spelled<string> = Object.fromEntries(
  [...PropertyColumns.names, "externalRefs"].map((name) => [name, propertySpellings.of(name)])
)

/** The spellings of each member, in the order of an export's columns. Those of properties are named by their path with dots. */
export const spellings: { readonly [K in Kind]: Spelled<string> } = { contacts, companies, properties }

/** The members of a kind, in the order of an export's columns. */
export const membersOf = (kind: Kind): ReadonlyArray<string> => Object.keys(spellings[kind])

/** Normalizes a spelling for comparison: without case, accents, spaces and punctuation. */
export const plain = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "")

/** The singular of a kind, for messages. */
export const singular: { readonly [K in Kind]: string } = {
  contacts: "contact",
  companies: "company",
  properties: "property"
}
