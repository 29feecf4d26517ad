/** The places of the gazetteer, by their index in its file, and how they are found by a folded name. Pure. */
import {
  type Area,
  type Circle,
  circleAt,
  polygonOf,
  type Polygons,
  type Ring,
  unitsPerDegree
} from "../geography/Area.ts"
import { type Columns, kinds, partsPerDegree, strengths } from "./format.ts"
import { groupMembers } from "./groups.ts"

/** What a place is. */
export type PlaceKind = (typeof kinds)[number]

/** The columns of the file, with where each text begins. */
export interface Places {
  readonly columns: Columns
  readonly keyText: Buffer
  readonly nameStart: Uint32Array
  readonly codeStart: Uint32Array
  readonly outlineStart: Uint32Array
  readonly territoryStart: Uint32Array
  readonly keyStart: Uint32Array
  readonly keyPlaceStart: Uint32Array
}

const startsOf = (lengths: Uint8Array | Uint16Array | Uint32Array): Uint32Array => {
  const starts = new Uint32Array(lengths.length + 1)
  for (let i = 0, at = 0; i < lengths.length; i += 1) {
    at += lengths[i] as number
    starts[i + 1] = at
  }
  return starts
}

/** The places of a file. Each step takes a few milliseconds; `pause` runs between them. */
export const placesOf = async (columns: Columns, pause: () => Promise<void>): Promise<Places> => {
  const starts = async (lengths: Uint8Array | Uint16Array | Uint32Array) => {
    await pause()
    return startsOf(lengths)
  }
  return {
    columns,
    keyText: Buffer.from(columns.keyText.buffer, columns.keyText.byteOffset, columns.keyText.length),
    nameStart: await starts(columns.nameLength),
    codeStart: await starts(columns.codeLength),
    outlineStart: await starts(columns.outlineLength),
    territoryStart: await starts(columns.territoryLength),
    keyStart: await starts(columns.keyLength),
    keyPlaceStart: await starts(columns.keyPlaceCount)
  }
}

const decoder = new TextDecoder()

const at = (column: ArrayLike<number>, index: number): number => column[index] as number

const text = (bytes: Uint8Array, starts: Uint32Array, index: number): string =>
  decoder.decode(bytes.subarray(at(starts, index), at(starts, index + 1)))

export const kindOf = ({ columns }: Places, place: number): PlaceKind => kinds[at(columns.kind, place)] as PlaceKind

export const nameOf = ({ columns, nameStart }: Places, place: number): string =>
  text(columns.nameText, nameStart, place)

/** The code of a country, a group or a region. */
export const codeOf = ({ codeStart, columns }: Places, place: number): string =>
  text(columns.codeText, codeStart, place)

export const populationOf = ({ columns }: Places, place: number): number => at(columns.population, place)

/** The next wider place. */
export const parentOf = ({ columns }: Places, place: number): number | undefined => {
  const parent = at(columns.parent, place)
  return parent === 0 ? undefined : parent - 1
}

/** The city that the name of a region means before the region itself. */
export const cityOfRegion = ({ columns }: Places, region: number): number => at(columns.cityOfRegion, region) - 1

/** The country in which a place is; of a country, itself. */
export const countryOf = (places: Places, place: number): number | undefined => {
  let wider: number | undefined = place
  while (wider !== undefined && kindOf(places, wider) !== "country") wider = parentOf(places, wider)
  return wider
}

/** The region in which a city is, or another region is, as people would name it: the state rather than the county. */
export const regionOf = (places: Places, place: number): number | undefined => {
  let wider = parentOf(places, place)
  while (wider !== undefined && kindOf(places, wider) === "region" && at(places.columns.level, wider) > 1) {
    wider = parentOf(places, wider)
  }
  return wider !== undefined && kindOf(places, wider) === "region" ? wider : undefined
}

/** A city's centre, the middle of an area's largest part: in degrees. */
export const positionOf = ({ columns }: Places, place: number) => ({
  latitude: at(columns.latitude, place) / partsPerDegree,
  longitude: at(columns.longitude, place) / partsPerDegree
})

/**
 * The radius in metres for a city of so many inhabitants: 10 km for a million, 4 km for 100,000, at least 2 and at most
 * 40 km. GeoNames has no extents; this is near those of European municipalities.
 */
export const radiusOf = (population: number): number =>
  Math.round(Math.min(40, Math.max(2, 10 * (population / 1e6) ** 0.4)) * 10) * 100

const circleOf = (places: Places, city: number): Circle => {
  const { latitude, longitude } = positionOf(places, city)
  return circleAt(longitude, latitude, radiusOf(populationOf(places, city)))
}

const scale = unitsPerDegree / partsPerDegree

/** Reads numbers of 7 bits a byte, the lowest first; the sign is the lowest bit. */
const numbersOf = (bytes: Uint8Array, start: number) => {
  let position = start
  return (): number => {
    let [value, weight] = [0, 1]
    for (;;) {
      const byte = at(bytes, position)
      position += 1
      value += (byte & 127) * weight
      if (byte < 128) return value % 2 === 0 ? value / 2 : -(value + 1) / 2
      weight *= 128
    }
  }
}

/** The polygons that are written from a byte on. */
const polygonsAt = (bytes: Uint8Array, start: number): Polygons => {
  const next = numbersOf(bytes, start)
  let [x, y] = [0, 0]
  const ring = (): Ring => {
    const length = next()
    const positions = new Int32Array(2 * length + 2)
    for (let i = 0; i < length; i += 1) {
      x += next()
      y += next()
      positions[2 * i] = x * scale
      positions[2 * i + 1] = y * scale
    }
    positions[2 * length] = at(positions, 0)
    positions[2 * length + 1] = at(positions, 1)
    return positions
  }
  const polygons = Array.from({ length: next() }, () => polygonOf(Array.from({ length: next() }, ring)))
  return { kind: "polygons", polygons }
}

const outlineOf = ({ columns, outlineStart }: Places, area: number): Polygons =>
  polygonsAt(columns.outline, at(outlineStart, area))

/** The outline of a country with what is up to 25 km off its coast and in no other country. Countries are the first places. */
export const territoryOf = ({ columns, territoryStart }: Places, country: number): Polygons =>
  polygonsAt(columns.territory, at(territoryStart, country))

/** What a place covers: the outline of a country, a group or a region, and that or a circle for a city. */
export const areaOf = (places: Places, place: number): Area => {
  if (kindOf(places, place) !== "city") return outlineOf(places, place)
  const region = at(places.columns.outlineOfCity, place)
  return region === 0 ? circleOf(places, place) : outlineOf(places, region - 1)
}

/** The kilometres between the positions of two places that are near each other. */
export const distanceOf = (places: Places, one: number, other: number): number => {
  const [a, b] = [positionOf(places, one), positionOf(places, other)]
  const east = (a.longitude - b.longitude) * Math.cos((a.latitude * Math.PI) / 180)
  return Math.hypot(east, a.latitude - b.latitude) * 111.195
}

/** Whether a city's centre is in the circle of a larger one. */
const isInCity = (places: Places, city: number, place: number): boolean =>
  populationOf(places, city) > populationOf(places, place) &&
  distanceOf(places, city, place) * 1000 <= radiusOf(populationOf(places, city))

/** Whether `place` is a part of `wider`, which is another place. */
export const isWithin = (places: Places, place: number, wider: number): boolean => {
  if (place === wider) return false
  const kind = kindOf(places, wider)
  if (kind === "group") {
    const country = countryOf(places, place)
    return country !== undefined && groupMembers[codeOf(places, wider)]?.includes(codeOf(places, country)) === true
  }
  let parent = parentOf(places, place)
  for (; parent !== undefined; parent = parentOf(places, parent)) if (parent === wider) return true
  return kind === "city" && kindOf(places, place) === "city" && isInCity(places, wider, place)
}

/** A name's place, and what the name is to it. A code only qualifies other names. */
export interface Posting {
  readonly place: number
  readonly strength: (typeof strengths)[number]
}

/** The index of the first key that is not before these bytes. */
export const firstKey = ({ columns, keyStart, keyText }: Places, bytes: Uint8Array): number => {
  let [low, high] = [0, columns.keyLength.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keyText.compare(bytes, 0, bytes.length, at(keyStart, middle), at(keyStart, middle + 1)) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The places of the key with an index. */
export const postingsAt = ({ columns, keyPlaceStart }: Places, key: number): ReadonlyArray<Posting> =>
  Array.from(columns.keyPlace.subarray(at(keyPlaceStart, key), at(keyPlaceStart, key + 1)), (value) => ({
    place: value >>> 2,
    strength: strengths[value % 4] ?? "other"
  }))

/** The key with an index. */
export const keyAt = ({ keyStart, keyText }: Places, key: number): string =>
  keyText.toString("utf8", at(keyStart, key), at(keyStart, key + 1))

/** The places that have a folded name. */
export const lookup = (places: Places, name: string): ReadonlyArray<Posting> => {
  const bytes = Buffer.from(name)
  const key = firstKey(places, bytes)
  const { columns, keyStart, keyText } = places
  if (key === columns.keyLength.length) return []
  const isSame = keyText.compare(bytes, 0, bytes.length, at(keyStart, key), at(keyStart, key + 1)) === 0
  return isSame ? postingsAt(places, key) : []
}

/** The city of a GeoNames id. */
export const cityOfGeonames = ({ columns }: Places, id: number): number | undefined => {
  const city = id === 0 ? -1 : columns.geonames.indexOf(id)
  return city === -1 ? undefined : city
}

/** The country, group or region of a code. */
export const areaOfCode = (places: Places, code: string): number | undefined => {
  const areas = places.columns.codeLength.length
  for (let area = 0; area < areas; area += 1) if (codeOf(places, area) === code) return area
  return undefined
}
