/**
 * What other programs call the columns of properties. Sources: the RESO Data Dictionary 2.0 (https://ddwiki.reso.org, the resource
 * Property), OpenImmo 1.2.7 (https://www.openimmo.de, the elements of `immobilie`), and headers that are common in German and English
 * spreadsheets. Names whose unit or meaning differs between installations, such as RESO's LotSizeArea, are not in the table.
 */

/** The spellings of a column by its source. They are compared by `plain` (Members.ts). */
interface Spellings {
  readonly reso?: ReadonlyArray<string>
  readonly openImmo?: ReadonlyArray<string>
  readonly common?: ReadonlyArray<string>
}

/** By the name of the column. */
export const table: { readonly [column: string]: Spellings } = {
  id: { common: ["propertyId"] },
  externalId: {
    reso: ["ListingKey", "ListingId"],
    openImmo: ["objektnr_extern", "openimmo_obid"],
    common: ["Objektnummer", "Property ID external"]
  },
  name: {
    reso: ["BuildingName"],
    openImmo: ["objekttitel"],
    common: ["property name", "title", "Objekt", "Objektname", "Objektbezeichnung", "Bezeichnung"]
  },
  description: { reso: ["PublicRemarks"], openImmo: ["objektbeschreibung"], common: ["Beschreibung"] },
  ownerId: { common: ["owner"] },
  country: { reso: ["Country"], openImmo: ["land", "iso_land"], common: ["country code"] },
  locality: { reso: ["City"], openImmo: ["ort"], common: ["town", "Stadt"] },
  "address.street": { reso: ["StreetName"], openImmo: ["strasse"], common: ["street", "Straße"] },
  "address.houseNumber": { reso: ["StreetNumber"], openImmo: ["hausnummer"], common: ["house number", "Hausnr"] },
  "address.postalCode": {
    reso: ["PostalCode"],
    openImmo: ["plz"],
    common: ["postcode", "zip", "zip code", "Postleitzahl"]
  },
  "address.region": { reso: ["StateOrProvince"], openImmo: ["bundesland"], common: ["state", "region", "province"] },
  "coordinates.latitude": { reso: ["Latitude"], openImmo: ["breitengrad"], common: ["lat"] },
  "coordinates.longitude": { reso: ["Longitude"], openImmo: ["laengengrad"], common: ["lon", "lng", "Längengrad"] },
  categories: { common: ["category", "asset class", "use type", "Nutzungsart", "Assetklasse"] },
  subcategories: { common: ["subcategory"] },
  tenure: { common: ["Eigentumsform"] },
  parcelArea: {
    openImmo: ["grundstuecksflaeche"],
    common: ["plot area", "land area", "site area", "Grundstücksfläche"]
  },
  grossFloorArea: { openImmo: ["gesamtflaeche"], common: ["GFA", "BGF", "Bruttogeschossfläche", "Gesamtfläche"] },
  internalArea: { openImmo: ["nutzflaeche"], common: ["NIA", "Nutzfläche"] },
  lettableArea: {
    openImmo: ["vermietbare_flaeche"],
    common: ["GLA", "NLA", "leasable area", "rentable area", "Mietfläche", "vermietbare Fläche"]
  },
  rentedArea: { common: ["let area", "leased area", "vermietete Fläche"] },
  vacantArea: { common: ["vacancy area", "Leerstandsfläche"] },
  "zoning.useClass": { reso: ["Zoning"] },
  "zoning.floorAreaRatio": { openImmo: ["gfz"], common: ["FAR", "Geschossflächenzahl"] },
  "zoning.siteCoverageRatio": { openImmo: ["grz"], common: ["Grundflächenzahl"] },
  yearBuilt: { reso: ["YearBuilt"], openImmo: ["baujahr"], common: ["construction year", "built"] },
  yearRenovated: {
    openImmo: ["letztemodernisierung"],
    common: ["renovation year", "last renovation", "Sanierungsjahr"]
  },
  buildingCount: { reso: ["NumberOfBuildings"], common: ["number of buildings"] },
  floorCount: { reso: ["StoriesTotal"], openImmo: ["anzahl_etagen"], common: ["floors", "storeys", "Etagen"] },
  unitCount: { reso: ["NumberOfUnitsTotal"], common: ["units", "number of units", "Einheiten", "Anzahl Einheiten"] },
  parkingSpaces: {
    reso: ["ParkingTotal"],
    openImmo: ["anzahl_stellplaetze"],
    common: ["parking", "Stellplätze", "Anzahl Stellplätze"]
  },
  condition: { common: ["Zustand"] },
  heritageListed: { openImmo: ["denkmalgeschuetzt"], common: ["listed", "Denkmalschutz"] },
  "income.passingRent": {
    openImmo: ["mieteinnahmen_ist"],
    common: ["passing rent", "annual rent", "Jahresmiete", "Jahresnettomiete", "Ist-Miete"]
  },
  "income.marketRent": { openImmo: ["mieteinnahmen_soll"], common: ["ERV", "market rent", "Soll-Miete", "Marktmiete"] },
  "income.netOperatingIncome": { reso: ["NetOperatingIncome"], common: ["NOI"] },
  "income.vacancyRate": { common: ["vacancy", "vacancy rate", "Leerstand", "Leerstandsquote"] },
  "income.occupancyRate": { common: ["occupancy", "Vermietungsquote", "Vermietungsstand"] },
  "income.waultToBreak": { common: ["WALT to break"] },
  "income.waultToExpiry": { common: ["WAULT", "WALT"] },
  "income.tenantCount": { common: ["number of tenants", "Anzahl Mieter"] },
  "pricing.askingPrice": { reso: ["ListPrice"], openImmo: ["kaufpreis"], common: ["asking price", "price", "Preis"] },
  "pricing.netInitialYield": {
    reso: ["CapRate"],
    openImmo: ["nettorendite"],
    common: ["NIY", "net yield", "net initial yield"]
  },
  "pricing.rentMultiplier": { openImmo: ["x_fache"], common: ["multiplier", "Faktor", "Kaufpreisfaktor"] },
  "energy.class": { openImmo: ["wertklasse"], common: ["energy class", "EPC", "Energieklasse"] },
  "energy.finalKwhPerSqmYear": { openImmo: ["endenergiebedarf"] },
  tags: { common: ["labels"] },
  externalRefs: { common: ["external references"] },
  currency: { openImmo: ["iso_waehrung", "waehrung"], common: ["Währung"] }
}

/** Columns of areas in other units, by their spelling in the RESO Data Dictionary: square metres per unit. */
export const inOtherUnits: { readonly [spelling: string]: { readonly column: string; readonly sqm: number } } = {
  LotSizeSquareFeet: { column: "parcelArea", sqm: 0.09290304 },
  LotSizeAcres: { column: "parcelArea", sqm: 4046.8564224 }
}

/** The spellings of a column, or of `externalId` and `currency`. */
export const of = (column: string): ReadonlyArray<string> => {
  const { common = [], openImmo = [], reso = [] } = table[column] ?? {}
  return [...reso, ...openImmo, ...common]
}
