/** Generates a CSV of contacts, the same on each run: `node test/support/people.ts ROWS [BAD-PERCENT] > people.csv`. */
import { once } from "node:events"

const firstNames = ["Anna", "Björn", "Chloé", "Dario", "Elif", "Fritz", "Grażyna", "Henrik", "Ines", "Jürgen"]
const lastNames = [
  "Berg",
  "Rossi",
  "Núñez",
  "Lindqvist",
  "O'Neil",
  "Kowalska",
  "van Dijk",
  "Müller",
  "Öztürk",
  "Dupont"
]
const languages = ["de-DE", "it-IT", "en-GB", "sv-SE", "fr-FR"]
const tags = ["logistics", "core-plus", "office", "retail", "value-add"]

const pick = (list: ReadonlyArray<string>, index: number): string => list[index % list.length] ?? ""

/** The header line of the file. */
export const header = "First Name,Last Name,E-Mail,Phone,Language,Tags,Strategy,CRM ID\n"

const row = (
  index: number,
  changes: { readonly email?: string; readonly language?: string; readonly strategy?: string } = {}
) =>
  [
    pick(firstNames, index),
    pick(lastNames, Math.floor(index / 10)),
    changes.email ?? `person.${index}@example.com`,
    `+49 30 ${String(index).padStart(7, "0")}`,
    changes.language ?? pick(languages, index),
    `${pick(tags, index)};${pick(tags, index + 2)}`,
    changes.strategy ?? (index % 7 === 0 ? '"Core-plus offices,\nin the ""big seven"""' : "Logistics up to 20 million"),
    `c-${index}`
  ].join(",") + "\n"

/** The kinds of bad rows, and the messages in their receipts. */
export const faults: ReadonlyArray<{ readonly says: RegExp; readonly row: (index: number) => Uint8Array }> = [
  { says: /^E-Mail: Must be an e-mail address/, row: (index) => Buffer.from(row(index, { email: "nobody at home" })) },
  { says: /^Language: /, row: (index) => Buffer.from(row(index, { language: "klingonish-!" })) },
  {
    says: /^Strategy: Must have at most 20000 characters/,
    row: (index) => Buffer.from(row(index, { strategy: "x".repeat(20_001) }))
  },
  {
    says: /^A cell contains a quote/,
    row: (index) => Buffer.from(row(index, { strategy: '15" racks' }))
  },
  {
    says: /^A quoted cell has no closing quote/,
    row: (index) => Buffer.from(row(index, { strategy: '"never closed' }))
  },
  {
    says: /^The row has 9 cells, but the header has 8/,
    row: (index) => Buffer.from(row(index, { strategy: "one,too many" }))
  },
  { says: /^The row is not UTF-8/, row: (index) => Buffer.from(row(index, { strategy: "Büros" }), "latin1") },
  { says: /^All cells of the row are empty/, row: () => Buffer.from(",,,,,,,\n") }
]

/** Row number `index`, from 0. Every `every`th row is bad. */
export const rowOf = (index: number, every: number): Uint8Array => {
  const fault = (index + 1) % every === 0 ? faults[Math.floor(index / every) % faults.length] : undefined
  return fault === undefined ? Buffer.from(row(index)) : fault.row(index)
}

if (import.meta.main) {
  const [rows = "1000", percent = "2"] = process.argv.slice(2)
  const every = Math.round(100 / Number(percent))
  process.stdout.write(header)
  for (let index = 0; index < Number(rows); index++) {
    if (!process.stdout.write(rowOf(index, every))) await once(process.stdout, "drain")
  }
}
