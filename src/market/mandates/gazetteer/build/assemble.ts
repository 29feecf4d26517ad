/** Puts countries, groups, regions and cities together as rows, and these as the columns of the file. Pure. */
import { type Columns, fold, type kinds, partsPerDegree } from "../format.ts"
import { groupMembers } from "../groups.ts"
import {
  cityAliases,
  cityNames,
  cityOutlines,
  countryAliases,
  countryCodes,
  countryNames,
  groups,
  homeNames,
  isInOwnScript,
  isUsualName,
  keysOf
} from "./names.ts"
import { isInside, type Polygon, type Position, type Ring, territoriesOf } from "./outlines.ts"
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

/** A place as it is written. Parents come before their parts. */
export interface PlaceRow {
  readonly kind: (typeof kinds)[number]
  readonly name: string
  /** Of all but cities. */
  readonly code?: string
  readonly geonames?: number
  /** Indexes of places. */
  readonly parent?: number | undefined
  readonly cityOfRegion?: number | undefined
  readonly outlineOfCity?: number | undefined
  readonly level?: number
  readonly position: Position
  readonly population: number
  readonly outline?: ReadonlyArray<Polygon>
  /** Of a country. */
  readonly territory?: ReadonlyArray<Polygon>
  /** Its own names, folded. */
  readonly keys: ReadonlySet<string>
  /** Other names, folded. */
  readonly otherKeys?: ReadonlySet<string>
  readonly codes?: ReadonlySet<string>
}

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

// Natural Earth's coasts are drawn for a world map: they leave out some ports.

/** So many polygons may be added to an outline; the bounds of `repair` leave room for them. */
const maxAdded = 60

/** Cities of so many inhabitants are in their areas. */
const smallest = 5000

const radius = 3 / 111.195

/** An octagon around a city. */
const octagon = ([x, y]: Position): Polygon => {
  const shrink = Math.cos((y / partsPerDegree) * (Math.PI / 180))
  const within = (value: number, degrees: number) =>
    Math.max(-degrees * partsPerDegree, Math.min(degrees * partsPerDegree, Math.round(value)))
  const corner = (i: number): Position => {
    const angle = (i * Math.PI) / 4
    const [east, north] = [Math.cos(angle) * radius, Math.sin(angle) * radius]
    return [within(x + (east / shrink) * partsPerDegree, 180), within(y + north * partsPerDegree, 90)]
  }
  return [Array.from({ length: 8 }, (_, i) => corner(i))]
}

const isOutside = (position: Position, outline: ReadonlyArray<Polygon>) =>
  outline.flat().filter((ring) => isInside(position, ring)).length % 2 === 0

/** The areas in which a city is: its regions, its country and the groups of that. */
const areasOf = (
  areas: ReadonlyArray<PlaceRow>,
  groups: ReadonlyArray<number>,
  city: PlaceRow
): ReadonlyArray<number> => {
  const wider: Array<number> = []
  for (let area = city.parent; area !== undefined; area = areas[area]?.parent) wider.push(area)
  const country = areas[wider.at(-1) ?? -1]?.code ?? ""
  return [...wider, ...groups.filter((group) => groupMembers[areas[group]?.code ?? ""]?.includes(country))]
}

/** Adds the cities outside the outlines of their areas to these, the largest first. */
export const withPorts = (rows: ReadonlyArray<PlaceRow>): ReadonlyArray<PlaceRow> => {
  const areas = rows.filter(({ outline }) => outline !== undefined)
  const groups = areas.flatMap(({ kind }, index) => (kind === "group" ? [index] : []))
  const added = new Map<number, Array<Polygon>>()
  const cities = rows
    .filter(({ kind, population }) => kind === "city" && population >= smallest)
    .sort((a, b) => b.population - a.population || (a.geonames ?? 0) - (b.geonames ?? 0))
  for (const city of cities) {
    for (const area of areasOf(areas, groups, city)) {
      const polygons = added.get(area) ?? []
      const outline = areas[area]?.outline ?? []
      if (polygons.length === maxAdded || [outline, polygons].some((part) => !isOutside(city.position, part))) continue
      added.set(area, [...polygons, octagon(city.position)])
    }
  }
  return rows.map((row, i) => {
    const ports = added.get(i)
    return ports === undefined ? row : { ...row, outline: [...(row.outline ?? []), ...ports] }
  })
}

// The rows as the columns of the file.

const kindIndex = { country: 0, group: 1, region: 2, city: 3 } as const

const texts = (values: ReadonlyArray<string>) => {
  const bytes = values.map((value) => Buffer.from(value, "utf8"))
  const tooLong = bytes.find((value) => value.length > 255)
  if (tooLong !== undefined) throw new Error(`Longer than 255 bytes: ${tooLong.toString()}`)
  return { length: Uint8Array.from(bytes, (value) => value.length), text: new Uint8Array(Buffer.concat(bytes)) }
}

/** Numbers of 7 bits a byte, the lowest first; the sign is the lowest bit. */
const pushNumber = (bytes: Array<number>, value: number) => {
  let rest = value < 0 ? -2 * value - 1 : 2 * value
  while (rest > 127) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
}

const outlineBytes = (polygons: ReadonlyArray<Polygon>): ReadonlyArray<number> => {
  const bytes: Array<number> = []
  let [lastX, lastY] = [0, 0]
  pushNumber(bytes, polygons.length)
  for (const polygon of polygons) {
    pushNumber(bytes, polygon.length)
    for (const ring of polygon) {
      pushNumber(bytes, ring.length)
      for (const [x, y] of ring) {
        pushNumber(bytes, x - lastX)
        pushNumber(bytes, y - lastY)
        ;[lastX, lastY] = [x, y]
      }
    }
  }
  return bytes
}

const keyColumns = (places: ReadonlyArray<PlaceRow>) => {
  const postings = new Map<string, Array<number>>()
  const add = (key: string, posting: number) => {
    const known = postings.get(key)
    if (known === undefined) postings.set(key, [posting])
    else known.push(posting)
  }
  for (const [index, place] of places.entries()) {
    const seen = new Set<string>()
    // In the order of `strengths`.
    const named = [place.keys, place.codes ?? [], place.otherKeys ?? []] as const
    for (const [strength, keys] of named.entries()) {
      for (const key of keys) {
        if (!seen.has(key)) add(key, 4 * index + strength)
        seen.add(key)
      }
    }
  }
  const sorted = [...postings].map(([key, value]) => ({ bytes: Buffer.from(key), key, value }))
  sorted.sort((a, b) => Buffer.compare(a.bytes, b.bytes))
  const keys = texts(sorted.map(({ key }) => key))
  const count = Uint16Array.from(sorted, ({ value }) => value.length)
  return { keys, count, place: Uint32Array.from(sorted.flatMap(({ value }) => value)) }
}

/** The columns of places: countries, groups and regions first, cities last. */
export const columnsOf = (places: ReadonlyArray<PlaceRow>): Columns => {
  const areas = places.filter(({ outline }) => outline !== undefined)
  const outlines = areas.map(({ outline }) => outlineBytes(outline ?? []))
  const territories = places.flatMap(({ territory }) => (territory === undefined ? [] : [outlineBytes(territory)]))
  const names = texts(places.map(({ name }) => name))
  const codes = texts(areas.map(({ code }) => code ?? ""))
  const { count, keys, place } = keyColumns(places)
  const plusOne = (index: number | undefined) => (index === undefined ? 0 : index + 1)
  return {
    kind: Uint8Array.from(places, ({ kind }) => kindIndex[kind]),
    parent: Uint32Array.from(places, ({ parent }) => plusOne(parent)),
    cityOfRegion: Uint32Array.from(places, ({ cityOfRegion }) => plusOne(cityOfRegion)),
    outlineOfCity: Uint32Array.from(places, ({ outlineOfCity }) => plusOne(outlineOfCity)),
    level: Uint8Array.from(places, ({ level }) => level ?? 0),
    longitude: Int32Array.from(places, ({ position }) => position[0]),
    latitude: Int32Array.from(places, ({ position }) => position[1]),
    population: Uint32Array.from(places, ({ population }) => population),
    geonames: Uint32Array.from(places, ({ geonames }) => geonames ?? 0),
    nameLength: names.length,
    nameText: names.text,
    codeLength: codes.length,
    codeText: codes.text,
    outlineLength: Uint32Array.from(outlines, (bytes) => bytes.length),
    outline: Uint8Array.from(outlines.flat()),
    territoryLength: Uint32Array.from(territories, (bytes) => bytes.length),
    territory: Uint8Array.from(territories.flat()),
    keyLength: keys.length,
    keyText: keys.text,
    keyPlaceCount: count,
    keyPlace: place
  }
}
