/**
 * The columns of mandates: each member with the names that files have for it, besides its own
 * (docs/behaviour/imports-and-exports.md#mandates). Pure.
 */
import { riskProfiles, statuses } from "../../../market/mandates/Mandate.ts"
import {
  categories,
  conversions,
  dealStructures,
  energyClasses,
  lifecycleStages,
  propertyTags,
  subcategories,
  tenures
} from "../../../market/properties/members/vocabulary.ts"
import type { Column } from "./columns.ts"
import { type Labels, labels } from "./labels.ts"
import { anyOf, type ColumnType, country, date, degrees, metres, oneOf, text } from "./types.ts"
import { areas, durations, numbers, object, percents, prices, pricesPerSqm } from "./ranges.ts"

const statusLabels: Labels<typeof statuses> = {
  active: ["aktiv", "open", "offen"],
  paused: ["pausiert", "ruhend", "on hold"],
  closed: ["geschlossen", "beendet", "inaktiv", "inactive"]
}

const riskLabels: Labels<typeof riskProfiles> = {
  core_plus: ["Core+", "Core Plus"],
  value_add: ["Value-Add", "Value Added", "Wertsteigerung"],
  opportunistic: ["opportunistisch"]
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
