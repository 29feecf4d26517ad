/**
 * The labels of the members that files have as columns, in each language. An export for people has them as its headings, and an import knows
 * them, in whichever language. Pure.
 */
import { memberNames } from "../console/memberNames.ts"
import { allLanguages, type Language, type Reader, texts } from "../console/Texts.ts"
import { fold } from "../core/fields/spelling.ts"
import type { MandateFields } from "../market/mandates/Mandate.ts"
import type { PropertyFields } from "../market/properties/Property.ts"
import type { CompanyFields } from "../network/companies/Company.ts"
import type { ContactFields } from "../network/contacts/Contact.ts"
import type { LinkFields } from "../network/links/rules.ts"
import { kinds } from "./ConsoleImport.ts"
import { parts } from "./Employments.ts"
import { type Kind, membersOf, nameColumnsOf } from "./Members.ts"
import { columnsOf as referencesOf } from "./References.ts"

/** What only files have, within a sentence. */
const ofFiles = texts({
  companyCountry: ["country of the company", "Land der Firma"],
  companyDomain: ["domain of the company", "Domain der Firma"],
  companyId: ["company: id", "Firma: Id"],
  contactId: ["contact: id", "Kontakt: Id"],
  currency: ["currency", "Währung"],
  externalId: ["id in another system", "Id in einem anderen System"],
  externalRef: ["reference to another system", "Verweis auf ein anderes System"],
  geography: ["outline of the place", "Umriss der Lage"],
  id: ["id", "Id"],
  max: ["to", "bis"],
  measuredOn: ["date of measurement", "Datum der Messung"],
  min: ["from", "von"],
  ownerId: ["owner: id", "Zuständigkeit: Id"],
  primaryCompany: ["main company", "Hauptfirma"],
  primaryCompanyId: ["main company: id", "Hauptfirma: Id"],
  scale: ["scale of the amount", "Größenordnung des Betrags"],
  standard: ["standard of measurement", "Messnorm"],
  unit: ["unit", "Einheit"],
  value: ["value", "Wert"],
  wholeCountries: ["countries", "Länder"]
})

/** The words of the paths in a record. */
type Words<T> = T extends boolean | number | string | ReadonlyArray<unknown>
  ? never
  : T extends object
    ? { readonly [K in keyof T & string]-?: K | Words<T[K]> }[keyof T & string]
    : never

type Word =
  | "geography"
  | Words<CompanyFields | ContactFields | LinkFields>
  | Words<Omit<MandateFields, "geography">>
  | Words<PropertyFields>

/** A name for each word: of a new member, too, or this has the wrong type. */
const names: { readonly [L in Language]: { readonly [W in Word]: string } } = {
  en: { ...memberNames.en, ...ofFiles.en },
  de: { ...memberNames.de, ...ofFiles.de }
}

const idsIn = texts({ one: [(system: string) => `id in ${system}`, (system: string) => `Id in ${system}`] })

/** The label of a member by its path, such as "Address: street". */
export const labelOf = ({ language }: Pick<Reader, "language">, path: string): string => {
  const known: { readonly [word: string]: string } = names[language]
  const [, record = path, system] = /^(.*?)\.?externalRefs\.(.+)$/.exec(path) ?? []
  const said = [
    ...record.split(".").flatMap((word) => (word === "" || word === "link" ? [] : [known[word] ?? word])),
    ...(system === undefined ? [] : [idsIn[language].one(system)])
  ].join(": ")
  return said.charAt(0).toUpperCase() + said.slice(1)
}

/** The members that a column of a kind may set. */
export const offeredMembers = (kind: Kind): ReadonlyArray<string> => [
  ...new Set([
    ...membersOf(kind),
    ...referencesOf(kind),
    ...(kind === "contacts" ? parts.filter((part) => part !== "companyId") : []),
    "externalId"
  ])
]

const paths: ReadonlyMap<Kind, ReadonlyMap<string, string>> = new Map(
  kinds.map((kind) => [
    kind,
    new Map(
      [...offeredMembers(kind), ...nameColumnsOf(kind)].flatMap((path) =>
        allLanguages.map((language) => [fold(labelOf({ language }, path)), path] as const)
      )
    )
  ])
)

/** The path of the column that has this label in any language; undefined if there is none. */
export const pathLabelled = (kind: Kind, label: string): string | undefined => paths.get(kind)?.get(fold(label.trim()))
