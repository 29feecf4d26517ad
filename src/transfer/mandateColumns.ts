/** How cells are read as the ranges and places of mandates, and written so that they are read back. Pure. */
import { Option, Predicate, Result, Schema } from "effect"
import type { Json } from "../core/usecase/Input.ts"
import { finder } from "../core/fields/spelling.ts"
import {
  anyOf,
  area as oneArea,
  type ColumnType,
  country,
  date,
  degrees,
  type Ends,
  metres,
  number,
  oneOf,
  percent as onePercent,
  price,
  text,
  years as oneYears
} from "./propertyTypes.ts"
import { riskProfiles, statuses } from "../market/mandates/Mandate.ts"
import {
  categories,
  conversions,
  dealStructures,
  energyClasses,
  lifecycleStages,
  propertyTags,
  subcategories,
  tenures
} from "../market/properties/members/vocabulary.ts"
import { wordFor } from "./audience.ts"
import type { Column } from "./propertyColumns.ts"
import { type Labels, labels } from "./propertyLabels.ts"

/** The ends of a range, as the API has them. */
interface Range {
  readonly min: number | null
  readonly max: number | null
}

const isRange = (value: unknown): value is Range => Predicate.isObject(value) && "min" in value && "max" in value

/** A range whose ends are read by `end`; `of` makes it of them, which are null where it is open. */
const rangeOf = (end: ColumnType, parts: ColumnType["parts"], of: Ends["of"]): ColumnType => ({
  parts: ["min", "max", ...parts],
  isText: false,
  isList: false,
  units: end.units,
  read: end.read,
  ends: { end, of },
  write: (value, _separator, audience) => {
    if (!isRange(value)) return {}
    const { max, min, ...others } = value
    const [first, last] = [min, max].map((one) =>
      one === null ? "" : end.write({ ...others, value: one }, "", audience).value
    )
    return { min: first ?? "", max: last ?? "", ...others }
  }
})

const amountOf = (value: Json | null): number | null =>
  typeof value === "number"
    ? value
    : Predicate.isObject(value) && typeof value["value"] === "number"
      ? value["value"]
      : null

/** A range of numbers that are written with a unit, and of which the API knows that unit alone. */
const quantities = (end: ColumnType, unit: "sqm" | "percent" | "years"): ColumnType =>
  rangeOf(end, [], (min, max) => Result.succeed({ min: amountOf(min), max: amountOf(max), unit }))

/** A range of areas. */
export const areas: ColumnType = quantities(oneArea, "sqm")

/** A range of percentages. */
export const percents: ColumnType = quantities(onePercent, "percent")

/** A range of durations in years. */
export const durations: ColumnType = quantities(oneYears, "years")

/** A range of whole numbers, such as years of the calendar. */
export const numbers = (...names: ReadonlyArray<string>): ColumnType => {
  const end = number(...names)
  return {
    ...rangeOf(end, [], (min, max) => Result.succeed({ min: amountOf(min), max: amountOf(max) })),
    write: (value, _separator, audience) => {
      if (!isRange(value)) return {}
      const [min, max] = [value.min, value.max].map((one) => (one === null ? "" : end.write(one, "", audience).value))
      return { min: min ?? "", max: max ?? "" }
    }
  }
}

const scales = finder([
  ...["unit", "units", "one", "1", "Einheit", "Einheiten"].map((name) => [name, "unit"] as const),
  ...["thousand", "1000", "k", "T", "Tsd.", "Tausend"].map((name) => [name, "thousand"] as const),
  ...["million", "millions", "1000000", "m", "mn", "Mio.", "Million", "Millionen"].map(
    (name) => [name, "million"] as const
  )
])

const currencyIn = (value: Json | null): ReadonlyArray<string> =>
  Predicate.isObject(value) && typeof value["currency"] === "string" ? [value["currency"]] : []

const pricesOf = (end: ColumnType): ColumnType => ({
  ...rangeOf(end, ["currency", "scale"], (min, max, scale) => {
    const [currency, another] = new Set([...currencyIn(min), ...currencyIn(max)])
    if (another !== undefined) return Result.fail(`Has several currencies: ${currency} and ${another}.`)
    const known = scale === undefined ? "unit" : scales(scale)
    return known === undefined
      ? Result.fail(`The scale ${scale} is not known. Write unit, thousand or million.`)
      : Result.succeed({ min: amountOf(min), max: amountOf(max), currency: currency ?? null, scale: known })
  }),
  write: (value, _separator, audience) => {
    if (!isRange(value)) return {}
    const { currency, max, min, scale } = value as Range & { readonly currency: string; readonly scale: string }
    const [first, last] = [min, max].map((one) =>
      one === null ? "" : end.write({ value: one, currency }, "", audience).value
    )
    return { min: first ?? "", max: last ?? "", currency, scale: wordFor(audience, scale) }
  }
})

/** A range of prices. */
export const prices: ColumnType = pricesOf(price)

const perSqm = /\s*(?:\/|\bpro\b|\bper\b|\bje\b)\s*(?:m²|m2|qm|sqm|sq\.?\s?m)\s*$/i

/** A range of prices per square metre, which need not say so. */
const pricesPerSqm: ColumnType = pricesOf({
  ...price,
  units:
    price.units === undefined
      ? undefined
      : {
          ...price.units,
          problemOf: (unit) => price.units?.problemOf({ ...unit, perArea: unit.perArea.filter((one) => one !== "sqm") })
        },
  read: (sent) =>
    price.read({
      ...sent,
      cell: sent.cell.replace(perSqm, ""),
      named: { ...sent.named, perArea: sent.named.perArea.filter((one) => one !== "sqm") }
    })
})

const decodeObject = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** An object, as JSON. */
export const object: ColumnType = {
  parts: ["value"],
  isText: false,
  isList: false,
  units: undefined,
  read: ({ cell }) =>
    Option.match(decodeObject(cell), {
      onNone: () => Result.fail("Must be a JSON object, as an export writes it."),
      onSome: (value) => Result.succeed(value as Json)
    }),
  write: (value) => ({ value: JSON.stringify(value) })
}

/** The two ends of a range in one cell, such as `5–25 Mio. €`, `ab 3.000 m²` and `bis 6 %`; undefined if it has none. */
export const endsIn = (cell: string): { readonly min?: string; readonly max?: string } | undefined => {
  if (cell.length > 200) return undefined
  const text = cell.trim().replace(/^(?:von|between|zwischen|from(?=.*\d.*\d))\s+/i, "")
  const two =
    /^(\D*\d[\d.,'’\s]*[^\d–—-]*?)\s*(?:[-–—]|\b(?:bis(?:\s+zu)?|to|until|und|and)\b)\s*([^\d–—-]{0,8}\d.*)$/i.exec(
      text
    )
  if (two !== null) {
    const [min = "", max = ""] = two.slice(1).map((one) => one.trim())
    // `5-25 Mio. €`: the unit is that of both.
    const unit = /[^\d.,'’\s][^\d]*$/.exec(max)?.[0] ?? ""
    return { min: /\d$/.test(min) ? `${min}${unit}` : min, max }
  }
  const low = /^(?:ab|from|min\.?|mind\.?|mindestens|minimum|at least|over|über|>=?|≥)\s*(.*\d.*)$/i.exec(text)?.[1]
  if (low !== undefined) return { min: low }
  const plus = /^(.*\d.*?)\s*\+$/.exec(text)?.[1]
  if (plus !== undefined) return { min: plus }
  const high = /^(?:bis(?:\s+zu)?|up to|max\.?|maximal|maximum|at most|under|unter|<=?|≤)\s*(.*\d.*)$/i.exec(text)?.[1]
  return high === undefined ? undefined : { max: high }
}

// The columns of mandates: each member with the names that files have for it, besides its own
// (docs/behaviour/imports-and-exports.md#mandates). Pure.

const statusLabels: Labels<typeof statuses> = {
  active: ["open", "offen"],
  paused: ["ruhend", "on hold"],
  closed: ["beendet", "inaktiv", "inactive"]
}

const riskLabels: Labels<typeof riskProfiles> = {
  value_add: ["Value Added", "Wertsteigerung"]
}

const column = (type: ColumnType, ...others: ReadonlyArray<string>): Column => ({ type, others })

/** The names of the ends of a range: `min. Fläche`, `Fläche von`, `area from`. */
const endsOf = (names: ReadonlyArray<string>) => ({
  min: names.flatMap((name) => [
    `min ${name}`,
    `minimum ${name}`,
    `${name} min`,
    `${name} from`,
    `${name} von`,
    `${name} ab`,
    `Mindest${name}`
  ]),
  max: names.flatMap((name) => [
    `max ${name}`,
    `maximum ${name}`,
    `${name} max`,
    `${name} to`,
    `${name} bis`,
    `Höchst${name}`
  ])
})

const range = (type: ColumnType, member: string, ...others: ReadonlyArray<string>): Column => ({
  ...column(type, ...others),
  ends: endsOf([member, ...others])
})

/** The columns by the path of their member, in the order of an export. `externalRefs` follow them. */
export const columns: { readonly [member: string]: Column } = {
  id: column(text, "mandateId"),
  name: column(
    text,
    "mandate",
    "mandate name",
    "title",
    "search profile",
    "Suchprofil",
    "Ankaufsprofil",
    "Bezeichnung"
  ),
  description: column(text, "Beschreibung", "remarks", "Bemerkung"),
  status: column(oneOf(statuses, statusLabels), "state", "Stand"),
  validUntilUtc: column(date, "valid until", "expires", "expiry", "gültig bis", "Laufzeit bis"),
  // References.ts reads these two.
  "investor.contactId": column(text),
  "investor.companyId": column(text),
  categories: column(
    anyOf(categories, labels.categories),
    "category",
    "use",
    "uses",
    "asset class",
    "asset classes",
    "property type",
    "Nutzung",
    "Nutzungen",
    "Nutzungsart",
    "Nutzungsarten",
    "Assetklasse",
    "Assetklassen",
    "Objektart"
  ),
  subcategories: column(anyOf(subcategories, labels.subcategories), "subcategory", "Unterkategorie", "Objekttyp"),
  lifecycleStages: column(
    anyOf(lifecycleStages, labels.lifecycleStages),
    "lifecycle stage",
    "lifecycle",
    "Lebenszyklus"
  ),
  tenures: column(anyOf(tenures, labels.tenures), "tenure", "Eigentumsform", "Eigentumsart"),
  dealStructures: column(
    anyOf(dealStructures, labels.dealStructures),
    "deal structure",
    "deal type",
    "transaction type",
    "Transaktionsart",
    "Transaktionsstruktur"
  ),
  conversions: column(anyOf(conversions, labels.conversions), "conversion", "Umnutzung", "Umnutzungen"),
  riskProfiles: column(
    anyOf(riskProfiles, riskLabels),
    "risk profile",
    "risk",
    "risk class",
    "investment style",
    "Risikoprofil",
    "Risikoklasse",
    "Risiko"
  ),
  investmentSize: range(
    prices,
    "investmentSize",
    "investment volume",
    "ticket size",
    "ticket",
    "deal size",
    "volume",
    "purchase price",
    "price",
    "Investitionsvolumen",
    "Ankaufsvolumen",
    "Volumen",
    "Ticketgröße",
    "Kaufpreis",
    "Investition"
  ),
  yearBuilt: range(numbers(), "yearBuilt", "construction year", "year of construction", "Baujahr"),
  parcelArea: range(
    areas,
    "parcelArea",
    "land area",
    "plot size",
    "site area",
    "Grundstücksfläche",
    "Grundstücksgröße"
  ),
  lettableArea: range(
    areas,
    "lettableArea",
    "area",
    "floor area",
    "rentable area",
    "NLA",
    "GLA",
    "Mietfläche",
    "vermietbare Fläche",
    "Fläche"
  ),
  zoningGfa: range(areas, "zoningGfa", "zoning.gfa", "permitted GFA", "buildable GFA", "zulässige BGF", "Baurecht BGF"),
  netInitialYield: range(percents, "netInitialYield", "NIY", "yield", "Rendite", "Nettoanfangsrendite", "NAR"),
  vacancyRate: range(percents, "vacancyRate", "vacancy", "Leerstand", "Leerstandsquote"),
  targetIrr: range(percents, "targetIrr", "IRR", "Ziel-IRR"),
  wault: range(durations, "wault", "WALT", "lease term", "Restlaufzeit"),
  unitCount: range(
    numbers(),
    "unitCount",
    "units",
    "number of units",
    "Einheiten",
    "Anzahl Einheiten",
    "Wohneinheiten"
  ),
  pricePerSqm: range(
    pricesPerSqm,
    "pricePerSqm",
    "price per square metre",
    "Preis pro m²",
    "Preis je m²",
    "Kaufpreis pro m²"
  ),
  worstEnergyClass: column(
    oneOf(energyClasses, labels.energyClasses),
    "energy class",
    "EPC",
    "worst EPC",
    "Energieklasse",
    "Energieeffizienzklasse"
  ),
  country: column(country, "country code", "Land"),
  location: column(
    text,
    "place",
    "city",
    "region",
    "Ort",
    "Stadt",
    "Lage",
    "Standort",
    "Zielregion",
    "target region",
    "target location",
    "target market",
    "locations",
    "Zielmarkt",
    "Suchgebiet"
  ),
  "near.latitude": column(degrees, "latitude", "lat", "Breitengrad"),
  "near.longitude": column(degrees, "longitude", "lon", "lng", "Längengrad"),
  radius: column(metres, "perimeter", "Umkreis"),
  geography: column(object, "GeoJSON", "polygon", "Polygon"),
  positiveTags: column(anyOf(propertyTags, labels.tags), "tags", "wanted tags", "Merkmale", "Wunschmerkmale"),
  negativeTags: column(anyOf(propertyTags, labels.tags), "excluded tags", "Ausschlusskriterien", "Ausschlussmerkmale")
}

/** What only imports have: an export has the place itself. */
export const importedOnly: ReadonlySet<string> = new Set(["location"])
