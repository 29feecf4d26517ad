/**
 * The columns of properties: each member with the names that files have for it, besides its own
 * (docs/behaviour/property-columns.md). Pure.
 *
 * `reso` are names of the RESO Data Dictionary 2.0 (resource Property), `openImmo` those of OpenImmo 1.2.7, and `others` are headers of
 * spreadsheets in English and German. A name is only here if it means the member and nothing else: OpenImmo's `kaltmiete` may be the rent
 * of a month or a year, and a `WAULT` may end with the break or the lease.
 */
import {
  categories,
  conditions,
  conversions,
  dealStructures,
  energyBases,
  energyClasses,
  grades,
  hotelContractTypes,
  indexations,
  leaseTypes,
  lifecycleStages,
  planningPermissions,
  priceQualifiers,
  propertyTags,
  subcategories,
  tenures,
  vatTreatments,
  zoningStatuses,
  zoningUses
} from "../market/properties/members/vocabulary.ts"
import { labels } from "./propertyLabels.ts"
import {
  anyOf,
  area,
  type ColumnType,
  country,
  date,
  degrees,
  flag,
  metres,
  number,
  objects,
  oneOf,
  parcels,
  percent,
  perYear,
  price,
  text,
  years
} from "./propertyTypes.ts"

/** The names of a column besides that of its member. */
export interface Names {
  readonly reso?: ReadonlyArray<string>
  readonly openImmo?: ReadonlyArray<string>
  readonly others?: ReadonlyArray<string>
}

/** A column. */
export interface Column extends Names {
  readonly type: ColumnType
  /** The names of columns with one end of a range. */
  readonly ends?: { readonly min: ReadonlyArray<string>; readonly max: ReadonlyArray<string> }
}

const column = (type: ColumnType, names: Names = {}): Column => ({ type, ...names })

const whole = number()

const place: { readonly [member: string]: Column } = {
  country: column(country, {
    reso: ["Country"],
    openImmo: ["land", "iso_land"],
    others: ["country code", "address.country"]
  }),
  locality: column(text, {
    reso: ["City"],
    openImmo: ["ort"],
    others: ["Stadt", "town", "municipality", "address.locality"]
  }),
  "address.street": column(text, { reso: ["StreetName"], openImmo: ["strasse"], others: ["street", "Straße"] }),
  "address.houseNumber": column(text, {
    reso: ["StreetNumber"],
    openImmo: ["hausnummer"],
    others: ["house number", "house no.", "Hausnr."]
  }),
  "address.postalCode": column(text, {
    reso: ["PostalCode"],
    openImmo: ["plz"],
    others: ["postcode", "zip", "zip code", "Postleitzahl"]
  }),
  "address.region": column(text, {
    reso: ["StateOrProvince"],
    openImmo: ["bundesland"],
    others: ["region", "state", "province", "Kanton"]
  }),
  "coordinates.latitude": column(degrees, {
    reso: ["Latitude"],
    openImmo: ["breitengrad"],
    others: ["lat", "geographische Breite"]
  }),
  "coordinates.longitude": column(degrees, {
    reso: ["Longitude"],
    openImmo: ["laengengrad"],
    others: ["lon", "lng", "Längengrad", "geographische Länge"]
  }),
  parcels: column(parcels, {
    reso: ["ParcelNumber"],
    openImmo: ["flurstueck"],
    others: ["APN", "Flurstück", "Flurstücke", "Flurstücksnummer"]
  })
}

const classes: { readonly [member: string]: Column } = {
  categories: column(anyOf(categories, labels.categories), {
    reso: ["CurrentUse"],
    openImmo: ["objektart"],
    others: ["category", "use", "asset class", "property type", "Nutzung", "Nutzungsart", "Hauptnutzung", "Assetklasse"]
  }),
  subcategories: column(anyOf(subcategories, labels.subcategories), {
    others: ["subcategory", "property subtype", "Objekttyp", "Unterkategorie"]
  }),
  lifecycleStage: column(oneOf(lifecycleStages, labels.lifecycleStages), { others: ["lifecycle", "Lebenszyklus"] }),
  tenure: column(oneOf(tenures, labels.tenures), { others: ["Eigentumsform", "Eigentumsart"] }),
  "groundLease.expiresOn": column(date, {
    reso: ["LandLeaseExpirationDate"],
    others: ["ground lease expiry", "Erbbaurecht bis", "Ablauf Erbbaurecht"]
  }),
  "groundLease.annualRent": column(perYear, {
    others: ["ground rent p.a.", "annual ground rent", "Erbbauzins p.a.", "jährlicher Erbbauzins"]
  }),
  ownershipShare: column(percent, { others: ["stake", "Eigentumsanteil", "Beteiligungsquote"] }),
  dealStructure: column(oneOf(dealStructures, labels.dealStructures), {
    others: ["deal type", "transaction type", "Transaktionsart", "Transaktionsstruktur"]
  })
}

const areas: { readonly [member: string]: Column } = {
  parcelArea: column(area, {
    reso: ["LotSizeArea", "LotSizeSquareFeet", "LotSizeAcres"],
    openImmo: ["grundstuecksflaeche"],
    others: ["Grundstücksfläche", "Grundstücksgröße", "land area", "plot size", "site area", "lot size"]
  }),
  grossFloorArea: column(area, {
    reso: ["BuildingAreaTotal"],
    openImmo: ["bgf", "gesamtflaeche"],
    others: ["GFA", "Gesamtfläche", "Bruttogrundfläche", "Brutto-Geschossfläche"]
  }),
  internalArea: column(area, {
    openImmo: ["nutzflaeche"],
    others: ["Nutzfläche", "gross internal area", "GIA", "Netto-Raumfläche", "NRF"]
  }),
  lettableArea: column(area, {
    reso: ["LeasableArea"],
    openImmo: ["vermietbare_flaeche"],
    others: [
      "Mietfläche",
      "Gesamtmietfläche",
      "vermietbare Fläche",
      "rentable area",
      "net lettable area",
      "gross lettable area",
      "gross leasable area",
      "NLA",
      "GLA"
    ]
  }),
  rentedArea: column(area, { others: ["let area", "leased area", "vermietete Fläche"] }),
  vacantArea: column(area, { others: ["Leerstandsfläche", "leerstehende Fläche"] }),
  areasByUse: column(objects)
}

const zoning: { readonly [member: string]: Column } = {
  "zoning.gfa": column(area, { others: ["permitted GFA", "buildable GFA", "zulässige BGF", "Baurecht BGF"] }),
  "zoning.uses": column(anyOf(zoningUses, labels.zoningUses), { others: ["permitted uses", "zulässige Nutzungen"] }),
  "zoning.useClass": column(text, { reso: ["Zoning"], openImmo: ["bauzone"], others: ["use class", "Gebietsart"] }),
  "zoning.status": column(oneOf(zoningStatuses, labels.zoningStatuses), { others: ["Planungsstand"] }),
  "zoning.planReference": column(text, { others: ["plan reference", "Bebauungsplan", "B-Plan"] }),
  "zoning.floorAreaRatio": column(number(), {
    openImmo: ["gfz"],
    others: ["floor area ratio", "FAR", "Geschossflächenzahl"]
  }),
  "zoning.siteCoverageRatio": column(number(), {
    openImmo: ["grz"],
    others: ["site coverage ratio", "site coverage", "Grundflächenzahl"]
  }),
  "zoning.planningPermission": column(oneOf(planningPermissions, labels.planningPermissions), {
    others: ["planning permission", "building permit", "Baugenehmigung"]
  }),
  conversions: column(anyOf(conversions, labels.conversions), {
    others: ["conversion potential", "Umnutzung", "Umnutzungspotenzial"]
  }),
  tags: column(anyOf(propertyTags, labels.tags), { others: ["Merkmale"] })
}

const building: { readonly [member: string]: Column } = {
  yearBuilt: column(whole, {
    reso: ["YearBuilt"],
    openImmo: ["baujahr"],
    others: ["construction year", "year of construction", "built"]
  }),
  yearRenovated: column(whole, {
    reso: ["YearBuiltEffective"],
    others: ["renovation year", "refurbishment year", "Sanierungsjahr", "Modernisierungsjahr"]
  }),
  buildingCount: column(whole, {
    reso: ["NumberOfBuildings"],
    others: ["buildings", "Anzahl Gebäude", "Gebäudeanzahl"]
  }),
  floorCount: column(whole, {
    reso: ["StoriesTotal"],
    openImmo: ["anzahl_etagen"],
    others: ["floors", "number of floors", "storeys", "Geschosse", "Anzahl Geschosse", "Etagen"]
  }),
  unitCount: column(whole, {
    reso: ["NumberOfUnitsTotal"],
    openImmo: ["anzahl_wohneinheiten"],
    others: ["units", "number of units", "Einheiten", "Anzahl Einheiten", "Wohneinheiten"]
  }),
  parkingSpaces: column(whole, {
    reso: ["ParkingTotal"],
    openImmo: ["anzahl_stellplaetze"],
    others: ["parking", "car parking spaces", "Stellplätze", "Parkplätze"]
  }),
  grade: column(oneOf(grades, labels.grades), { others: ["building grade", "building class", "Gebäudeklasse"] }),
  condition: column(oneOf(conditions, labels.conditions), {
    reso: ["PropertyCondition"],
    openImmo: ["zustand", "zustand_art"],
    others: ["Objektzustand", "Gebäudezustand"]
  }),
  heritageListed: column(flag, {
    openImmo: ["denkmalgeschuetzt"],
    others: ["listed", "listed building", "denkmalgeschützt", "Denkmalschutz"]
  }),
  "industrial.clearHeightM": column(metres, { others: ["clear height", "eaves height", "lichte Höhe", "UKB"] }),
  "industrial.dockDoors": column(whole, { others: ["Rampentore"] }),
  "industrial.driveInDoors": column(whole, { others: ["ebenerdige Tore"] }),
  "industrial.floorLoadKnPerSqm": column(number("kN/m²", "kN/sqm")),
  "industrial.powerKva": column(number("kVA")),
  "industrial.yardDepthM": column(metres, { others: ["yard depth", "Hoftiefe"] }),
  "hotel.roomCount": column(whole, { others: ["hotel rooms", "keys", "Hotelzimmer"] }),
  "hotel.stars": column(number(), { others: ["stars", "Sterne", "Hotelsterne"] }),
  "hotel.contractType": column(oneOf(hotelContractTypes, labels.hotelContractTypes), {
    others: ["hotel contract", "Hotelvertrag"]
  })
}

const income: { readonly [member: string]: Column } = {
  "income.asOf": column(date, { others: ["as of", "Stichtag", "Stichtag Mieterliste"] }),
  "income.passingRent": column(perYear, {
    openImmo: ["mieteinnahmen_ist"],
    others: [
      "passing rent",
      "passing rent p.a.",
      "annual rent",
      "Jahresmiete",
      "Jahresnettokaltmiete",
      "Jahres-Ist-Miete",
      "Ist-Miete p.a.",
      "Nettokaltmiete p.a.",
      "JNKM"
    ]
  }),
  "income.marketRent": column(perYear, {
    openImmo: ["mieteinnahmen_soll"],
    others: ["market rent", "market rent p.a.", "ERV", "estimated rental value", "Marktmiete p.a.", "Soll-Miete p.a."]
  }),
  "income.nonRecoverableCosts": column(perYear, {
    others: ["non-recoverable costs", "nicht umlagefähige Kosten", "nicht umlagefähige Bewirtschaftungskosten"]
  }),
  "income.netOperatingIncome": column(perYear, {
    reso: ["NetOperatingIncome"],
    others: ["NOI", "Reinertrag", "Nettobetriebsergebnis"]
  }),
  "income.vacancyRate": column(percent, { others: ["vacancy rate", "Leerstandsquote", "Leerstandsrate"] }),
  "income.occupancyRate": column(percent, {
    others: ["occupancy rate", "occupancy", "Vermietungsquote", "Vermietungsstand", "Belegungsquote"]
  }),
  "income.waultToBreak": column(years, { others: ["WAULT to break", "WALB"] }),
  "income.waultToExpiry": column(years, { others: ["WAULT to expiry", "WALE"] }),
  "income.tenantCount": column(whole, { others: ["number of tenants", "Anzahl Mieter", "Mieteranzahl"] }),
  "income.leaseType": column(oneOf(leaseTypes, labels.leaseTypes), {
    reso: ["ExistingLeaseType"],
    others: ["lease type", "Mietvertragsart"]
  }),
  "income.indexation": column(oneOf(indexations, labels.indexations), {
    others: ["rent indexation", "Indexierung", "Wertsicherung"]
  }),
  tenants: column(objects)
}

const pricing: { readonly [member: string]: Column } = {
  "pricing.askingPrice": column(price, {
    reso: ["ListPrice"],
    openImmo: ["kaufpreis"],
    others: ["asking price", "purchase price", "price", "Angebotspreis", "Kaufpreisforderung"]
  }),
  "pricing.qualifier": column(oneOf(priceQualifiers, labels.priceQualifiers), {
    others: ["price qualifier", "Preisart", "Preiszusatz"]
  }),
  "pricing.purchaserCosts": column(percent, {
    others: ["purchaser's costs", "purchase costs", "Erwerbsnebenkosten", "Kaufnebenkosten"]
  }),
  "pricing.netInitialYield": column(percent, {
    reso: ["CapRate"],
    openImmo: ["nettorendite", "nettorendite_ist"],
    others: ["net initial yield", "NIY", "Nettoanfangsrendite", "NAR"]
  }),
  "pricing.toppedUpNetInitialYield": column(percent, { others: ["topped-up net initial yield", "topped-up NIY"] }),
  "pricing.grossInitialYield": column(percent, {
    others: ["gross initial yield", "GIY", "Bruttoanfangsrendite", "BAR"]
  }),
  "pricing.reversionaryYield": column(percent, { openImmo: ["nettorendite_soll"], others: ["reversionary yield"] }),
  "pricing.rentMultiplier": column(number("x", "fach"), {
    openImmo: ["x_fache"],
    others: ["rent multiplier", "multiplier", "Kaufpreisfaktor", "Faktor", "Vervielfältiger"]
  }),
  "pricing.vatTreatment": column(oneOf(vatTreatments, labels.vatTreatments), {
    others: ["VAT treatment", "Umsatzsteuer"]
  })
}

const kwhPerSqmYear = ["kWh/(m²·a)", "kWh/m²", "kWh/sqm/a"]

const energy: { readonly [member: string]: Column } = {
  "energy.class": column(oneOf(energyClasses, labels.energyClasses), {
    openImmo: ["wertklasse"],
    others: ["energy class", "EPC", "EPC rating", "Energieeffizienzklasse", "Energieklasse"]
  }),
  "energy.country": column(country),
  "energy.certificateNumber": column(text, {
    others: ["energy certificate number", "EPC number", "Registriernummer Energieausweis"]
  }),
  "energy.validUntil": column(date, {
    openImmo: ["gueltig_bis"],
    others: ["energy certificate valid until", "EPC valid until", "Energieausweis gültig bis"]
  }),
  "energy.basis": column(oneOf(energyBases, labels.energyBases), {
    openImmo: ["epart"],
    others: ["Energieausweistyp", "Energieausweisart", "Art des Energieausweises"]
  }),
  "energy.primaryKwhPerSqmYear": column(number(...kwhPerSqmYear), {
    others: ["Primärenergiebedarf", "primary energy"]
  }),
  "energy.finalKwhPerSqmYear": column(number(...kwhPerSqmYear), {
    openImmo: ["endenergiebedarf", "energieverbrauchkennwert"],
    others: ["final energy", "Endenergieverbrauch", "Energiekennwert"]
  }),
  "energy.co2KgPerSqmYear": column(number("kg/(m²·a)", "kg/m²"), { others: ["CO2 emissions", "CO2-Emissionen"] }),
  certifications: column(objects),
  euTaxonomyAligned: column(flag, { others: ["EU taxonomy", "EU-Taxonomie", "EU-Taxonomie-konform"] }),
  strandingYear: column(whole, { others: ["CRREM stranding year", "Stranding-Jahr"] })
}

/** The columns by the path of their member, in the order of an export. `externalRefs` follow them. */
export const columns: { readonly [member: string]: Column } = {
  id: column(text, { others: ["propertyId"] }),
  name: column(text, {
    reso: ["BuildingName"],
    openImmo: ["objekttitel"],
    others: ["property name", "property", "Objekt", "Objektname", "Objektbezeichnung", "Bezeichnung", "Immobilie"]
  }),
  description: column(text, {
    reso: ["PublicRemarks"],
    openImmo: ["objektbeschreibung"],
    others: ["Beschreibung"]
  }),
  ownerId: column(text),
  ...place,
  ...classes,
  ...areas,
  ...zoning,
  ...building,
  ...income,
  ...pricing,
  ...energy
}

/** Names whose unit is in another column: without that, a file does not say what the numbers are. */
export const unitColumns = [
  { of: "LotSizeArea", member: "parcelArea", name: "LotSizeUnits" },
  { of: "BuildingAreaTotal", member: "grossFloorArea", name: "BuildingAreaUnits" },
  { of: "LeasableArea", member: "lettableArea", name: "LeasableAreaUnits" }
] as const

/** Names that say their unit. */
export const fixedUnits = [
  { of: "LotSizeSquareFeet", unit: "sqft" },
  { of: "LotSizeAcres", unit: "acre" }
] as const

/** The column of the currency of all amounts of a row that name no other one. */
export const rowCurrency: Names = { openImmo: ["waehrung", "iso_waehrung"], others: ["Währung", "currency code"] }

/** The names of the ids in one other system, besides `externalId`. */
export const externalIds: Names = {
  reso: ["ListingKey", "ListingId"],
  openImmo: ["objektnr_intern", "objektnr_extern", "openimmo_obid"],
  others: ["Record ID", "Datensatz-ID", "Deal - ID", "Objektnummer", "Objekt-Nr.", "Objekt-ID"]
}
