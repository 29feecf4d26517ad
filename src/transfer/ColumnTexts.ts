/** What columns of files set, as a person says it: the label of each member, which member a label means, and why a column sets nothing. */
import { memberNames } from "../console/memberNames.ts"
import { type Language, type Reader, texts } from "../console/Texts.ts"
import { fold } from "../core/fields/spelling.ts"
import type { MandateFields } from "../market/mandates/Mandate.ts"
import type { PropertyFields } from "../market/properties/Property.ts"
import type { CompanyFields } from "../network/companies/Company.ts"
import type { ContactFields } from "../network/contacts/Contact.ts"
import type { LinkFields } from "../network/links/rules.ts"
import { ignored, type ReadColumn } from "./Choices.ts"
import { parts } from "./Employments.ts"
import { type Kind, membersOf } from "./Members.ts"
import { columnsOf as referencesOf } from "./References.ts"
import { importWords } from "./texts.ts"

/** What only files have, within a sentence. */
const ofFiles = texts({
  companyCountry: ["country of the company", "Land der Firma"],
  companyDomain: ["domain of the company", "Domain der Firma"],
  companyId: ["company", "Firma"],
  currency: ["currency", "Währung"],
  externalId: ["id in another system", "Id in einem anderen System"],
  externalRef: ["reference to another system", "Verweis auf ein anderes System"],
  id: ["id here", "Id hier"],
  max: ["to", "bis"],
  measuredOn: ["date of measurement", "Datum der Messung"],
  min: ["from", "von"],
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

/** The member that a person means: by its label in their language, or by its name in the API, which may be one that is not offered. */
export const memberMeant = (reader: Pick<Reader, "language">, kind: Kind, typed: string): string => {
  const is = (label: string) => fold(label) === fold(typed)
  if (is(importWords[reader.language].leaveOut)) return ignored
  return offeredMembers(kind).find((member) => is(labelOf(reader, member))) ?? typed
}

/** Why columns are left out, and what to do about it. */
export const whyTexts = texts({
  full_name: [
    "A full name: first and last name have columns of their own.",
    "Ein voller Name: Vor- und Nachname haben eigene Spalten."
  ],
  ignored: ["You have left it out.", "Sie haben sie weggelassen."],
  link: [
    "Belongs to the company of the contact. Tick “Link contacts with the companies of their rows” below.",
    "Gehört zur Firma des Kontakts. Kreuzen Sie unten „Kontakte mit den Firmen ihrer Zeilen verknüpfen“ an."
  ],
  no_member: [
    "There is nothing of this name to set. Choose from the list.",
    "So heißt nichts, was sich setzen lässt. Wählen Sie aus der Liste."
  ],
  no_name: ["The column has no name.", "Die Spalte hat keinen Namen."],
  no_system: [
    "An id in another system. Name the system below.",
    "Eine Id in einem anderen System. Nennen Sie unten das System."
  ],
  other_column: ["You have chosen another column for this.", "Dafür haben Sie eine andere Spalte gewählt."],
  unknown: [
    "Not recognised. Choose what it sets, if anything.",
    "Nicht erkannt. Wählen Sie, was sie setzt, falls etwas."
  ],
  without: ["Records here have nothing like it.", "Datensätze hier haben nichts dergleichen."]
} satisfies { readonly [_ in NonNullable<ReadColumn["why"]>]: readonly [string, string] })
