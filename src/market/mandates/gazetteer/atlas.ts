/** What maps show around a place: the outlines of countries and of their regions, and the larger cities. Pure. */
import { type Box, type Polygon, toUnits, unitsPerDegree } from "../geography/Area.ts"
import { polygonsOf } from "./areas.ts"
import { partsPerDegree } from "./format.ts"
import { areaOf, kindOf, nameOf, type Places, populationOf, positionOf } from "./Places.ts"

/** A city on a map, in degrees. */
export interface MappedCity {
  readonly name: string
  readonly longitude: number
  readonly latitude: number
}

/** What lies in a part of the Earth. */
export interface MapFeatures {
  readonly countries: ReadonlyArray<Polygon>
  /** Of countries that have them. */
  readonly regions: ReadonlyArray<Polygon>
  /** The largest, the largest first. */
  readonly cities: ReadonlyArray<MappedCity>
}

/** The outlines of the gazetteer, in the order in which maps need them. */
export interface Atlas {
  readonly places: Places
  readonly countries: ReadonlyArray<Polygon>
  /** The regions of the first level, with the boxes around their parts. */
  readonly regions: ReadonlyArray<{ readonly place: number; readonly boxes: ReadonlyArray<Box> }>
}

/** The atlas of places. Each step takes a few milliseconds; `pause` runs between them. */
export const atlasOf = async (places: Places, pause: () => Promise<void>): Promise<Atlas> => {
  const countries: Array<Polygon> = []
  const regions: Array<Atlas["regions"][number]> = []
  const areas = places.columns.codeLength.length
  for (let place = 0; place < areas; place += 1) {
    const kind = kindOf(places, place)
    if (kind === "country") countries.push(...polygonsOf(areaOf(places, place)))
    if (kind === "region" && places.columns.level[place] === 1) {
      regions.push({ place, boxes: polygonsOf(areaOf(places, place)).map(({ box }) => box) })
    }
    if (place % 50 === 49) await pause()
  }
  return { places, countries, regions }
}

const meetsBox = (one: Box, other: Box) =>
  one.west <= other.east && one.east >= other.west && one.south <= other.north && one.north >= other.south

/** The boxes of the Earth, from -180° to 180°, that a box is, which may go beyond. */
const turns = [-toUnits(360), 0, toUnits(360)]

const onEarth = ({ east, north, south, west }: Box): ReadonlyArray<Box> =>
  turns.map((turn) => ({ east: east + turn, north, south, west: west + turn }))

const citiesIn = (places: Places, boxes: ReadonlyArray<Box>, most: number): ReadonlyArray<MappedCity> => {
  const { codeLength, kind, latitude, longitude, population } = places.columns
  const scale = unitsPerDegree / partsPerDegree
  const largest: Array<number> = []
  // The largest are kept in order: of 200,000, few come to be compared with more than the least of them.
  for (let place = codeLength.length; place < kind.length; place += 1) {
    const inhabitants = population[place] as number
    if (largest.length === most && inhabitants <= populationOf(places, largest[most - 1] as number)) continue
    const [x, y] = [(longitude[place] as number) * scale, (latitude[place] as number) * scale]
    if (!boxes.some(({ east, north, south, west }) => x >= west && x <= east && y >= south && y <= north)) continue
    const index = largest.findIndex((one) => populationOf(places, one) < inhabitants)
    largest.splice(index === -1 ? largest.length : index, 0, place)
    if (largest.length > most) largest.pop()
  }
  return largest.map((place) => ({ name: nameOf(places, place), ...positionOf(places, place) }))
}

/** What lies in a box, which may go beyond 180°. `withRegions` also gives the regions: of a whole continent, they are too many. */
export const featuresIn = (
  { countries, places, regions }: Atlas,
  box: Box,
  { cities, withRegions }: { readonly cities: number; readonly withRegions: boolean }
): MapFeatures => {
  const boxes = onEarth(box)
  const isIn = (one: Box) => boxes.some((other) => meetsBox(one, other))
  const shown = withRegions ? regions.filter((region) => region.boxes.some(isIn)) : []
  return {
    countries: countries.filter((polygon) => isIn(polygon.box)),
    regions: shown.flatMap(({ place }) => polygonsOf(areaOf(places, place)).filter((polygon) => isIn(polygon.box))),
    cities: citiesIn(places, boxes, cities)
  }
}
