/** What a person says of the columns of files: which member they mean by a label, and why a column sets nothing. */
import { type Reader, texts } from "../console/Texts.ts"
import { fold } from "../core/fields/spelling.ts"
import { ignored, type ReadColumn } from "./Choices.ts"
import { labelOf, offeredMembers } from "./ColumnLabels.ts"
import type { Kind } from "./Members.ts"
import { importWords } from "./texts.ts"

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
  name_of_id: [
    "A name beside an id: the id says which record it is.",
    "Ein Name neben einer Id: Die Id besagt, welcher Datensatz es ist."
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
