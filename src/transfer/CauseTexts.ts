/** Why rows of a file were rejected, and cells left out, in German: a sentence for each code. */
import { faultText } from "../console/faultTexts.ts"
import { reasonText } from "../console/problemTexts.ts"
import type { Reader } from "../console/Texts.ts"
import type { FaultCode } from "../core/fields/FaultCode.ts"
import type { FileCode } from "./rowCodes.ts"

const causes: { readonly [code in FileCode]: string } = {
  absent: "Bedeutet, dass es keinen Wert gibt: weggelassen.",
  broken_quoting: "Anführungszeichen fehlen oder sind zu viel.",
  dropped: "Nicht lesbar: weggelassen.",
  empty_row: "Die Zeile ist leer.",
  forced_decimal: "Mit dem gewählten Dezimalzeichen gelesen.",
  further_values: "Hat mehrere Werte: Der erste gilt.",
  invalid_card: "Die Karte ist unvollständig.",
  invalid_cell: "Passt nicht zu dem, was die Spalte setzt.",
  invalid_encoding: "Ist kein UTF-8. Speichern Sie die Datei als UTF-8.",
  left_out: "Weggelassen: Das setzt nichts, oder ein anderer Wert geht vor.",
  no_address: "Ein Name in Exchange, keine E-Mail-Adresse: weggelassen.",
  no_id: "Keine Id einer Firma hier: weggelassen.",
  no_key: "Weder eine Id noch ein externer Verweis sagt, welcher Datensatz gemeint ist.",
  no_name: "Die Spalte hat keinen Namen: weggelassen.",
  not_a_person: "Die Karte ist nicht die eines Menschen.",
  not_linked: "Der Kontakt ist angelegt, aber nicht mit der Firma verknüpft.",
  other_column: "Eine andere Spalte setzt dasselbe: weggelassen.",
  read_in_part: "Neben der Adresse steht Text: weggelassen.",
  repeated_row: "Derselbe Datensatz steht vorher mit anderen Werten in der Datei.",
  wrong_number_of_cells: "Die Zeile hat mehr oder weniger Zellen als die Kopfzeile."
}

// What messages say with options of the command, as a person at a page does it.
const atPage: ReadonlyArray<readonly [said: RegExp, instead: string]> = [
  [
    /^--map (.*?)=.*?: There is no member \1\..*$/s,
    "There is nothing called $1 to set. Choose from the list of the column."
  ],
  [/^--map .*?: Also name the other system.*$/s, "Name the system that the external ids are from."],
  [
    /^--map .*?=(.*?): Another --map .*$/s,
    "Another column sets the same as $1. Choose something else for one of them."
  ],
  [/ both map to (.*?)\. Choose one with --map .*$/s, " both set $1. Leave one of them out."],
  [/ \(--namespace NAME --map externalId=Column\)/, ""],
  [/ \(--keep-rows\)/, ""],
  [/--on-duplicate create/, "under Options that it becomes a record of its own"],
  [/--on-duplicate update or create/, "under Options that it updates that record, or becomes one of its own"],
  [/or use --decimal\./, "or choose the decimal separator under Options."],
  [/or by --currency\./, "or under Options."],
  [/Needs --namespace, which names the system of the ids,/, "Needs the system of the ids, under Options,"],
  [/needs --namespace NAME/, "needs the name of its system, under Options"],
  [/ID with --namespace/, "ID with its system under Options"],
  [/ with --namespace NAME/, " under Options"]
]

/** What a message for the command says, for a page: in its words, and without what only the command can do. */
export const withoutOptions = (detail: string): string => {
  const said = atPage.reduce((text, [pattern, instead]) => text.replace(pattern, instead), detail)
  const kept = said.split(/(?<=[.!?]) (?=[A-Z])/).filter((sentence) => !/(?:^|[\s(])--[a-z]/.test(sentence))
  return kept.length === 0 ? detail : kept.join(" ")
}

/** A cause of rejected rows or of cells that were left out, as the reader reads it. */
export const causeText = (
  reader: Pick<Reader, "language">,
  { code, detail }: { readonly code: string; readonly detail: string }
): string => {
  if (reader.language === "en") return withoutOptions(detail)
  if (Object.hasOwn(causes, code)) return causes[code as FileCode]
  const said = reasonText(reader, { code, detail })
  return said === detail ? faultText(reader, { in: "body", pointer: "", code: code as FaultCode, detail }) : said
}
