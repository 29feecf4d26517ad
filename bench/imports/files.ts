/** The files of the measurements: rows as teams have them, the same in each run. */
import * as data from "../data/contacts.ts"

/** A number from 0 to 1 for a row and a purpose, the same each time. */
const pick = (row: number, purpose: number): number => {
  let mixed = Math.imul(row + 1, 0x9e3779b1) ^ Math.imul(purpose, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
}

const oneOf = <A>(values: ReadonlyArray<A>, row: number, purpose: number, skew = 1): A =>
  values[Math.floor(values.length * pick(row, purpose) ** skew)] as A

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll("ø", "o")
    .normalize("NFD")
    .replaceAll(/[^a-z]/g, "")

/** A contact of a team: nine in ten have a phone, half a profile, one in five a strategy; all have an address and a reference. */
export const contactOf = (row: number) => {
  const firstName = oneOf(data.firstNames, row, 1, 1.7)
  const lastName =
    oneOf(data.onsets, row, 2, 1.5) +
    oneOf(data.vowels, row, 3, 1.3) +
    oneOf(data.codas, row, 4, 1.3) +
    oneOf(data.endings, row, 5, 1.7)
  const slug = `${plain(firstName)}.${plain(lastName)}${row}`
  return {
    firstName,
    lastName,
    email: `${slug}@${oneOf(data.domains, row, 6, 2)}`,
    phone: pick(row, 7) < 0.9 ? `+49 ${30 + Math.floor(pick(row, 8) * 900)} ${1_000_000 + row}` : undefined,
    primaryLanguage: oneOf(["de-DE", "en-GB", "it-IT", "fr-FR", "es-ES"], row, 9, 2),
    tags: [...new Set([oneOf(data.tags, row, 10, 2.5), oneOf(data.tags, row, 11, 2.5)])],
    strategy: pick(row, 12) < 0.2 ? "Core-plus offices in the big seven, from 20 to 80 million, fully let" : undefined,
    linkedInUrl: pick(row, 13) < 0.5 ? `https://www.linkedin.com/in/${slug}` : undefined,
    externalRefs: [{ namespace: "hubspot", externalId: `C-${row}` }]
  }
}

const cell = (value: string | number | undefined): string =>
  value === undefined ? "" : /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value)

const csv = (
  header: ReadonlyArray<string>,
  rows: number,
  cellsOf: (row: number) => ReadonlyArray<string | number | undefined>
) =>
  [header, ...Array.from({ length: rows }, (_, row) => cellsOf(row))]
    .map((cells) => `${cells.map(cell).join(",")}\n`)
    .join("")

/** A CSV file of contacts. */
export const contacts = (rows: number): string =>
  csv(
    [
      "firstName",
      "lastName",
      "email",
      "phone",
      "primaryLanguage",
      "tags",
      "strategy",
      "linkedInUrl",
      "externalRefs.hubspot"
    ],
    rows,
    (row) => {
      const { externalRefs, tags, ...texts } = contactOf(row)
      const { email, firstName, lastName, linkedInUrl, phone, primaryLanguage, strategy } = texts
      const id = externalRefs[0]?.externalId
      return [firstName, lastName, email, phone, primaryLanguage, tags.join(";"), strategy, linkedInUrl, id]
    }
  )

const cities = "Berlin Munich Hamburg Cologne Frankfurt Vienna Zurich Milan Lyon Paris Madrid Rotterdam".split(" ")
const streets = "Lindenweg,Hafenstraße,Marktplatz,Am Kanal,Via Garibaldi,Rue de la Paix,Bahnhofstraße,Ringstraße".split(
  ","
)

const marks = "single_tenant multi_tenant fully_let value_add city_centre waterfront rail_access esg_certified".split(
  " "
)

/** A CSV file of properties: the members that a portfolio's table has. */
export const properties = (rows: number): string =>
  csv(
    [
      "externalRefs.crm",
      "name",
      "description",
      "country",
      "locality",
      "address.street",
      "address.houseNumber",
      "address.postalCode",
      "coordinates.latitude",
      "coordinates.longitude",
      "categories",
      "lettableArea",
      "parcelArea",
      "yearBuilt",
      "floorCount",
      "parkingSpaces",
      "condition",
      "tags",
      "pricing.askingPrice",
      "pricing.askingPrice.currency"
    ],
    rows,
    (row) => [
      `P-${row}`,
      `${oneOf(cities, row, 20)} ${oneOf(data.endings, row, 21)} ${row}`,
      "Office building with retail on the ground floor, fully let to nine tenants; indexed leases, two parking levels.",
      oneOf(["DE", "AT", "CH", "IT", "FR", "ES", "NL"], row, 22, 2),
      oneOf(cities, row, 20),
      oneOf(streets, row, 23),
      1 + Math.floor(pick(row, 24) * 180),
      10_000 + Math.floor(pick(row, 25) * 80_000),
      (45 + pick(row, 26) * 9).toFixed(5),
      (5 + pick(row, 27) * 10).toFixed(5),
      oneOf(["office", "residential", "logistics", "retail"], row, 28),
      500 + Math.floor(pick(row, 29) * 30_000),
      400 + Math.floor(pick(row, 30) * 20_000),
      1900 + Math.floor(pick(row, 31) * 120),
      2 + Math.floor(pick(row, 32) * 12),
      Math.floor(pick(row, 33) * 200),
      oneOf(["refurbished", "maintained"], row, 34),
      [...new Set([oneOf(marks, row, 35), oneOf(marks, row, 36)])].join(";"),
      1_000_000 + Math.floor(pick(row, 37) * 80_000_000),
      "EUR"
    ]
  )
