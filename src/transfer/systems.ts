/**
 * Headers of the exports of other systems, and what they mean: docs/behaviour/known-exports.md. The headers of each kind are data in
 * `headers.ts`. Pure.
 */
import * as Cells from "./cells.ts"
import { prefixOf } from "../core/Id.ts"
import { germanSpellings } from "../core/fields/spelling.ts"
import {
  companyHeaders,
  contactHeaders,
  type Headers,
  type KnownHeaders,
  type LinkedPart,
  linkHeaders,
  type Meaning,
  type System
} from "./headers.ts"

/** Members that several columns of a file may set: the first that has a value counts. */
export const severalColumns: ReadonlySet<string> = new Set([
  "email",
  "phone",
  "country",
  "homepageUrl",
  "domain",
  "linkedInUrl",
  "profilePictureUrl",
  "primaryLanguage",
  // Their values are put together.
  "tags"
])

/** The headers of each kind; those of properties are in `propertyColumns.ts`. */
export const knownHeaders = {
  contacts: contactHeaders,
  companies: companyHeaders,
  links: linkHeaders
} as const satisfies {
  readonly [kind: string]: KnownHeaders
}

/** Finds headers: those that are listed as they are, and those that match a pattern. */
interface Finder {
  readonly exact: (name: string) => Meaning | undefined
  readonly matching: (name: string) => Meaning | undefined
}

const meaningsOf = (headers: Partial<Headers>): ReadonlyArray<readonly [name: string, meaning: Meaning]> => {
  const { externalId = [], fullName = [], linked = {}, members = {}, without = [] } = headers
  return [
    ...externalId.map((name) => [name, { is: "externalId" }] as const),
    ...Object.entries(members).flatMap(([member, names]) =>
      [member, ...names].map((name) => [name, { is: "member", member }] as const)
    ),
    ...(Object.entries(linked) as ReadonlyArray<readonly [LinkedPart, ReadonlyArray<string>]>).flatMap(
      ([part, names]) => names.map((name) => [name, { is: "linked", part }] as const)
    ),
    ...fullName.map((name) => [name, { is: "fullName" }] as const),
    ...without.map((name) => [name, { is: "without" }] as const)
  ]
}

const placeholder = /[#*]/

const patternOf = (name: string): RegExp => {
  const parts = name
    .split(/([#*])/)
    .map((part) => (part === "#" ? "\\d+" : part === "*" ? ".*" : (germanSpellings(part)[0] ?? "")))
  return new RegExp(`^${parts.join("")}$`, "u")
}

const finderOf = (headers: Partial<Headers>): Finder => {
  const meanings = meaningsOf(headers)
  const exact = new Map(
    // What comes first counts.
    meanings
      .toReversed()
      .flatMap(([name, meaning]) =>
        placeholder.test(name) ? [] : germanSpellings(name).map((spelled) => [spelled, meaning] as const)
      )
  )
  const patterns = meanings.flatMap(([name, meaning]) =>
    placeholder.test(name) ? [{ pattern: patternOf(name), meaning }] : []
  )
  return {
    exact: (name) =>
      germanSpellings(name)
        .map((spelled) => exact.get(spelled))
        .find((meaning) => meaning !== undefined),
    matching: (name) => {
      const spellings = germanSpellings(name)
      return patterns.find(({ pattern }) => spellings.some((spelled) => pattern.test(spelled)))?.meaning
    }
  }
}

const finders = new Map<string, Finder>()

const finderFor = (kind: keyof typeof knownHeaders, system: System | undefined): Finder => {
  const key = `${kind} ${system ?? ""}`
  const found = finders.get(key)
  if (found !== undefined) return found
  const { exports, ...any }: KnownHeaders = knownHeaders[kind]
  const made = finderOf(system === undefined ? any : (exports[system] ?? {}))
  finders.set(key, made)
  return made
}

/** Pipedrive names the columns of an export by the kind of the record. */
const pipedrivePrefixes = {
  contacts: /^Person\s+-\s+/i,
  companies: /^Organi[sz]ation\s+-\s+/i,
  links: /^Person\s+-\s+/i
} as const

/** What a column of a file means, by its name and the system whose export the file is. */
export const meaningOf = (
  kind: keyof typeof knownHeaders,
  system: System | undefined,
  name: string
): Meaning | undefined => {
  const any = finderFor(kind, undefined)
  if (system === undefined) return any.exact(name) ?? any.matching(name)
  const own = finderFor(kind, system)
  const bare = system === "pipedrive" ? name.replace(pipedrivePrefixes[kind], "") : name
  return own.exact(name) ?? any.exact(bare) ?? own.matching(name) ?? any.matching(bare)
}

/** How an export is recognised: by so many of these headers, in exactly this spelling. */
const marks: ReadonlyArray<{
  readonly system: System
  readonly least: number
  readonly headers: ReadonlyArray<string | RegExp>
  /** Headers that the exports of this system never have. */
  readonly never?: ReadonlyArray<string>
}> = [
  { system: "pipedrive", least: 1, headers: [/^(?:Person|Organi[sz]ation|Deal|Lead) - ./] },
  {
    system: "google",
    least: 1,
    headers: [
      /^E-mail \d+ - (?:Value|Label|Type)$/,
      /^Phone \d+ - (?:Value|Label|Type)$/,
      "Group Membership",
      "Given Name Yomi",
      "Phonetic First Name"
    ]
  },
  { system: "hubspot", least: 1, headers: ["Record ID", /^Record ID - ./, "Datensatz-ID", /^Datensatz-ID - ./] },
  {
    system: "hubspot",
    least: 2,
    headers: [
      "Contact owner",
      "Company owner",
      "Lifecycle Stage",
      "Lead Status",
      "Marketing contact status",
      "Create Date",
      "Last Activity Date",
      "Company Domain Name",
      "Associated Company",
      "Kontakt-Zuständiger",
      "Lifecycle-Phase",
      "Lead-Status",
      "Marketing-Kontaktstatus"
    ],
    never: ["Record Id"]
  },
  {
    system: "salesforce",
    least: 2,
    headers: [
      "Id",
      "Contact ID",
      "Account ID",
      "Lead ID",
      "FirstName",
      "LastName",
      "AccountId",
      "OwnerId",
      "MobilePhone",
      "IsDeleted",
      "SystemModstamp",
      "LastModifiedById",
      "CreatedById",
      /^(?:Mailing|Billing|Other|Shipping)(?:Street|City|State|PostalCode|Country)$/,
      /^(?:Mailing|Billing) (?:Street|City|State\/Province|Zip\/Postal Code|Country)$/,
      "NumberOfEmployees",
      "Account Name",
      "Account Owner",
      "Contact Owner",
      "Lead Source",
      "Kontakt-ID",
      "Account-ID",
      "Accountname",
      "Account-Name",
      "Accountinhaber",
      "Account-Inhaber",
      "Kontaktinhaber",
      "Kontakt-Inhaber",
      "Leadquelle",
      "Lead-Quelle",
      /^(?:Postanschrift|Rechnungsanschrift|Rechnungsadresse)\b/
    ],
    never: ["Record Id"]
  },
  {
    system: "outlook",
    least: 2,
    headers: [
      "E-mail Address",
      "E-mail 2 Address",
      "E-mail Display Name",
      "Business Phone",
      "Home Phone",
      "Business Street",
      "Home Street",
      "Business Country/Region",
      "Company Main Phone",
      "Office Location",
      "Assistant's Phone",
      "Personal Web Page",
      "E-Mail-Adresse",
      "E-Mail 2: Adresse",
      "E-Mail: Angezeigter Name",
      "Telefon geschäftlich",
      "Telefon (geschäftlich)",
      "Telefon (privat)",
      "Straße geschäftlich",
      "Straße (geschäftlich)",
      "Land/Region geschäftlich",
      "Telefon Firma",
      "Weitere Vornamen"
    ]
  }
]

/** The system whose export a file is, by its header; undefined if it is none that is known. */
export const systemOf = (header: ReadonlyArray<string>): System | undefined =>
  marks.find(({ headers, least, never = [] }) => {
    const isMark = (name: string) =>
      headers.some((mark) => (typeof mark === "string" ? mark === name : mark.test(name)))
    return !header.some((name) => never.includes(name)) && new Set(header.filter(isMark)).size >= least
  })?.system

/** The character between the labels of a contact or company in one cell, where it is not that of the file. */
export const labelSeparators: { readonly [S in System]?: string } = { google: ":::", pipedrive: "," }

const salesforceId = /^(?:001|003|00Q)[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?$/

const prefixes = {
  contacts: "contact",
  companies: "company",
  properties: "property",
  links: "link",
  mandates: "mandate"
} as const

/** What a cell in a column of ids has: an id of ours by its form, or one of another system, if it is known which. */
export type ReadId =
  | { readonly is: "ours"; readonly id: string }
  | { readonly is: "theirs"; readonly ref: { readonly namespace: string; readonly externalId: string } }
  | { readonly is: "unknown" }

/** Reads the cell of a column of ids. `namespace` is the one of other systems' ids, if it is known. */
export const readId = (kind: keyof typeof prefixes, namespace: string | undefined, text: string): ReadId => {
  if (text.startsWith(`${prefixes[kind]}_`) || prefixOf(text) !== undefined) return { is: "ours", id: text }
  const system = namespace ?? (salesforceId.test(text) ? "salesforce" : undefined)
  return system === undefined ? { is: "unknown" } : { is: "theirs", ref: { namespace: system, externalId: text } }
}

// No cell has it.
const noCharacter = "\u0000"

// Google Contacts has them itself.
const groupsOfGoogle = /^\* (?:myContacts|starred)$/

/** Reads labels as another system separates them. */
export const readLabels = (cell: string, between: string): Cells.ReadList => {
  const { hasAbsence, values } = Cells.readList(cell.replaceAll(between, noCharacter), noCharacter)
  return { hasAbsence, values: values?.filter((label) => !groupsOfGoogle.test(label)) }
}
