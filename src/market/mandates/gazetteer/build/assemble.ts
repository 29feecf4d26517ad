/** Puts countries, groups, regions and cities together as rows of the file. Pure. */
import { fold } from "../fold.ts"
import { partsPerDegree } from "../format.ts"
import { groupMembers } from "../groups.ts"
import { withPorts } from "./coast.ts"
import type { PlaceRow } from "./columns.ts"
import { countryNames, isInOwnScript, isUsualName, keysOf } from "./keys.ts"
import { cityAliases, cityNames, cityOutlines, countryAliases, countryCodes, groups, homeNames } from "./names.ts"
import type { Polygon, Position, Ring } from "./outlines.ts"
import {
  areaOfOutline,
  countryOutlines,
  middleOf,
  outlinesOf,
  type Region,
  regionsOf,
  simplifyUnits,
  unitOfCities
} from "./places.ts"
import type { Languages, SourceCity, SourceUnit } from "./sources.ts"
import { territoriesOf } from "./territories.ts"

/** Square kilometres up to which a region and its city of one name are one place: Berlin, Paris, Vienna. */
const smallRegion = 1200

export interface Sources {
  readonly units: ReadonlyArray<SourceUnit>
  readonly subdivisions: Readonly<Record<string, string>>
  readonly cities: ReadonlyArray<SourceCity>
  readonly languages: Languages
}

const listed = (text: string | undefined) => text?.split("|") ?? []

const foldedSet = (codes: ReadonlyArray<string>): ReadonlySet<string> => new Set(codes.map(fold))

const cityKeys = (city: SourceCity): Pick<PlaceRow, "keys" | "otherKeys"> => {
  const others = city.alternateNames.filter((other) => isUsualName(other, city))
  const own = [
    city.name,
    homeNames[city.id] ?? city.name,
    ...listed(cityAliases[city.id]),
    ...listed(cityNames[`${city.country}|${city.name}`]),
    ...others.filter((other) => isInOwnScript(other, city.country))
  ]
  // "Frankfurt (Oder)" is one of those that are also called by a part of their name; "Zürich (Kreis 11)" is not.
  return { keys: keysOf(own, true), otherKeys: keysOf(city.isSection ? others : [...own, ...others], city.isSection) }
}

// Roman numerals of regions are no names.
const regionKeys = (names: ReadonlyArray<string>) =>
  keysOf(names.filter((name) => name.length > 1 || /\p{Script=Han}/u.test(name)))

const regionRow = (region: Region, outline: ReadonlyArray<Polygon>): PlaceRow => ({
  kind: "region",
  name: region.name,
  code: region.code,
  level: region.parent === undefined || region.parent === "GB-ENG" ? 1 : 2,
  position: middleOf(outline),
  population: 0,
  outline,
  keys: regionKeys(region.names),
  otherKeys: regionKeys(region.otherNames),
  codes: foldedSet(region.codes)
})

/** Every place: countries, groups, regions (the wide ones first), cities by their region. */
export const assemble = ({ cities, languages, subdivisions, units }: Sources): ReadonlyArray<PlaceRow> => {
  const listedCities = new Set(cities.map(({ country, name }) => `${country}|${name}`))
  const unknown = Object.keys(cityNames).filter((city) => !listedCities.has(city))
  if (unknown.length > 0) throw new Error(`No such cities: ${unknown.join(", ")}`)
  const rings: ReadonlyArray<ReadonlyArray<Ring>> = simplifyUnits(units)
  const codes = [...new Set(units.map(({ country }) => country))].sort()
  const unitsOf = (country: string) => [...units.keys()].filter((index) => units[index]?.country === country)
  const countries = countryOutlines(codes.map(unitsOf), rings).map((outline, i): PlaceRow => {
    const code = codes[i] as string
    const { others, own } = countryNames(code, languages[code] ?? [])
    return {
      kind: "country",
      name: own[0] as string,
      code,
      position: middleOf(outline),
      population: 0,
      outline,
      keys: keysOf([...own, ...listed(countryAliases[code])]),
      otherKeys: keysOf(others),
      codes: foldedSet([code, ...listed(countryCodes[code])])
    }
  })
  const groupOutlines = outlinesOf(
    groups.map(({ code }) => (groupMembers[code] ?? []).flatMap(unitsOf)),
    rings
  )
  const groupRows = groups.map(({ aliases, code, name }, i): PlaceRow => ({
    kind: "group",
    name,
    code,
    position: middleOf(groupOutlines[i] as ReadonlyArray<Polygon>),
    population: 0,
    outline: groupOutlines[i] as ReadonlyArray<Polygon>,
    keys: keysOf([name, ...aliases])
  }))
  const regions = regionsOf(units, subdivisions)
  const outlines = outlinesOf(
    regions.map((region) => region.units),
    rings
  )
  const kept = regions
    .map((region, i) => ({ region, outline: outlines[i] as ReadonlyArray<Polygon> }))
    .filter(({ outline }) => outline.length > 0)
  const first = countries.length + groupRows.length
  const regionIndex = new Map(kept.map(({ region }, i) => [region.code, first + i]))
  const regionRows = kept.map(({ outline, region }): PlaceRow => ({
    ...regionRow(region, outline),
    parent: region.parent === undefined ? codes.indexOf(region.country) : regionIndex.get(region.parent)
  }))
  const unit = unitOfCities(cities, units, rings)
  const parentOf = (i: number) => {
    const index = unit[i]
    const code = index === undefined ? undefined : units[index]?.code
    const country = codes.indexOf(cities[i]?.country ?? "")
    return (code === undefined ? undefined : regionIndex.get(code)) ?? (country === -1 ? undefined : country)
  }
  const located = cities
    .map((city, i) => ({ city, parent: parentOf(i) }))
    .sort((a, b) => (a.parent ?? -1) - (b.parent ?? -1) || a.city.id - b.city.id)
  const cityRows = located.map(({ city, parent }): PlaceRow => ({
    kind: "city",
    name: homeNames[city.id] ?? city.name,
    geonames: city.id,
    parent,
    position: positionOfCity(city),
    population: city.population,
    ...cityKeys(city)
  }))
  const rows = [...countries, ...groupRows, ...regionRows, ...cityRows]
  const populated = withPopulation(
    rows,
    located.map(({ city }) => city)
  )
  return withPorts(withCities(populated, regionIndex))
}

/** Adds the territories of countries to the rows that {@link assemble} made of the same sources. */
export const withTerritories = (
  rows: ReadonlyArray<PlaceRow>,
  { cities, units }: Pick<Sources, "cities" | "units">
): ReadonlyArray<PlaceRow> => {
  const rings: ReadonlyArray<ReadonlyArray<Ring>> = simplifyUnits(units)
  const unitsOf = Map.groupBy(units.keys(), (index) => units[index]?.country ?? "")
  const townsOf = Map.groupBy(cities, ({ country }) => country)
  const countries = rows.filter(({ kind }) => kind === "country")
  const territories = territoriesOf(
    countries.map(({ code = "", outline = [] }) => ({
      rings: (unitsOf.get(code) ?? []).flatMap((index) => rings[index] as ReadonlyArray<Ring>),
      outline,
      towns: (townsOf.get(code) ?? []).map(positionOfCity)
    }))
  )
  return rows.map((row, i) => (row.kind === "country" ? { ...row, territory: territories[i] ?? [] } : row))
}

const positionOfCity = ({ latitude, longitude }: SourceCity): Position => [
  Math.round(longitude * partsPerDegree),
  Math.round(latitude * partsPerDegree)
]

/** Adds to each area the inhabitants of its cities. Sections of cities are counted with their city. */
const withPopulation = (rows: ReadonlyArray<PlaceRow>, cities: ReadonlyArray<SourceCity>): ReadonlyArray<PlaceRow> => {
  const sums = new Map<number, number>()
  const firstCity = rows.length - cities.length
  for (const [i, city] of cities.entries()) {
    if (city.isSection) continue
    let area = rows[firstCity + i]?.parent
    while (area !== undefined) {
      sums.set(area, (sums.get(area) ?? 0) + city.population)
      area = rows[area]?.parent
    }
  }
  const countryIndex = new Map(rows.flatMap(({ code, kind }, i) => (kind === "country" ? [[code, i] as const] : [])))
  const groupSize = new Map(
    groups.map(({ code }) => [
      code,
      (groupMembers[code] ?? []).reduce((sum, country) => sum + (sums.get(countryIndex.get(country) ?? -1) ?? 0), 0)
    ])
  )
  return rows.map((row, i) =>
    row.kind === "city" ? row : { ...row, population: sums.get(i) ?? groupSize.get(row.code ?? "") ?? 0 }
  )
}

/** Says which region and which city of one name are one place. */
const withCities = (
  rows: ReadonlyArray<PlaceRow>,
  regionIndex: ReadonlyMap<string, number>
): ReadonlyArray<PlaceRow> => {
  const largest = new Map<number, Map<string, number>>()
  for (const [index, { keys: own, kind, otherKeys, parent, population }] of rows.entries()) {
    if (kind !== "city") continue
    const keys = new Set([...own, ...(otherKeys ?? [])])
    let area = parent
    while (area !== undefined && rows[area]?.kind === "region") {
      const byKey = largest.get(area) ?? new Map<string, number>()
      largest.set(area, byKey)
      for (const key of keys) if (population > (rows[byKey.get(key) ?? -1]?.population ?? -1)) byKey.set(key, index)
      area = rows[area]?.parent
    }
  }
  const cityOf = new Map<number, number>()
  const outlineOf = new Map<number, number>()
  for (const [index, { keys: own, kind, level, otherKeys, outline, population }] of rows.entries()) {
    if (kind !== "region") continue
    const keys = new Set([...own, ...(otherKeys ?? [])])
    const small = areaOfOutline(outline ?? []) <= smallRegion
    if (level !== 2 && !small) continue
    const same = [...keys]
      .map((key) => largest.get(index)?.get(key))
      .filter((city) => city !== undefined)
      .sort((a, b) => (rows[b]?.population ?? 0) - (rows[a]?.population ?? 0))[0]
    if (same === undefined) continue
    cityOf.set(index, same)
    // A municipality's largest place is the municipality; one of many villages in it is not.
    if (small && 4 * (rows[same]?.population ?? 0) > population && !outlineOf.has(same)) outlineOf.set(same, index)
  }
  for (const [index, { geonames }] of rows.entries()) {
    const code = cityOutlines[geonames ?? 0]
    if (code !== undefined) outlineOf.set(index, regionIndex.get(code) as number)
  }
  return rows.map((row, index) => ({ ...row, cityOfRegion: cityOf.get(index), outlineOfCity: outlineOf.get(index) }))
}
