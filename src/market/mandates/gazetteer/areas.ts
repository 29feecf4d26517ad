/** What the places of a text are together: their areas, the union of these within the bounds of an area, their names. Pure. */
import { type Area, circleAt, type Polygon, polygonOf, toDegrees } from "../geography/Area.ts"
import { circleOutline } from "../geography/Geography.ts"
import { contains } from "../geography/geometry.ts"
import { maxPositions, maxRings } from "../geography/parseGeography.ts"
import { groupMembers } from "./groups.ts"
import { areaOf, areaOfCode, codeOf, kindOf, type PlaceKind, type Places, positionOf, territoryOf } from "./Places.ts"
import type { WellKnown } from "./wellKnown.ts"

/** A place as answers describe it. */
export interface ResolvedLocation {
  readonly name: string
  readonly kind: PlaceKind
  /** ISO 3166-1 alpha-2, or XK for Kosovo; null for a group of countries. */
  readonly country: string | null
  readonly region: string | null
  readonly latitude: number
  readonly longitude: number
  /** Where the data come from, with what their licence asks for. */
  readonly source: string
}

/** The codes of the countries that a country or a group consists of. */
const countriesIn = (places: Places, place: number): ReadonlyArray<string> => {
  const kind = kindOf(places, place)
  const code = kind === "country" || kind === "group" ? codeOf(places, place) : undefined
  return code === undefined ? [] : kind === "country" ? [code] : (groupMembers[code] ?? [])
}

/** One of the places of a text: a place by a name of its own, what surrounds a city, or a region of `wellKnown.ts`. */
export type Meaning =
  | { readonly kind: "place"; readonly place: number }
  | { readonly kind: "around"; readonly place: number; readonly radius: number }
  | { readonly kind: "region"; readonly region: WellKnown }

/** What one of the places covers, and the countries that it consists of. */
export interface Piece {
  readonly area: Area
  readonly territory: Area
  readonly countries: ReadonlyArray<string>
}

const inUnits = (latitude: number, longitude: number, kilometres: number) =>
  circleAt(longitude, latitude, kilometres * 1000)

const pieceOf = (places: Places, place: number): Piece => {
  const area = areaOf(places, place)
  const countries = countriesIn(places, place)
  const territories = countries.flatMap((code) => {
    const country = areaOfCode(places, code)
    return country === undefined ? [] : territoryOf(places, country).polygons
  })
  return { area, countries, territory: countries.length === 0 ? area : { kind: "polygons", polygons: territories } }
}

const plain = (area: Area): Piece => ({ area, countries: [], territory: area })

/** What a meaning covers, in pieces; `find` finds the place that a text means in a country. */
export const piecesOf = (
  places: Places,
  meaning: Meaning,
  find: (text: string, country: string) => number | undefined
): ReadonlyArray<Piece> => {
  if (meaning.kind === "place") return [pieceOf(places, meaning.place)]
  if (meaning.kind === "around") {
    const { latitude, longitude } = positionOf(places, meaning.place)
    return [plain(circleAt(longitude, latitude, meaning.radius))]
  }
  const { country, extent } = meaning.region
  if (extent.kind === "circles") return extent.circles.map((circle) => plain(inUnits(...circle)))
  if (extent.kind === "places") {
    return extent.places.flatMap((text) => {
      const chosen = find(text, country)
      return chosen === undefined ? [] : [pieceOf(places, chosen)]
    })
  }
  const chosen = find(extent.of, country)
  const [latitude, longitude, kilometres] = extent.circle
  const around = inUnits(latitude, longitude, kilometres)
  const outline = chosen === undefined ? around : areaOf(places, chosen)
  const widest = (4 * kilometres) / 100 / Math.cos((latitude * Math.PI) / 180)
  const part =
    outline.kind === "polygons"
      ? outline.polygons.find(
          (polygon) =>
            contains({ kind: "polygons", polygons: [polygon] }, longitude, latitude) &&
            toDegrees(polygon.box.east - polygon.box.west) <= widest
        )
      : undefined
  return [plain(part === undefined ? around : { kind: "polygons", polygons: [part] })]
}

const positionsIn = (polygons: ReadonlyArray<Polygon>) =>
  polygons.flatMap(({ rings }) => rings).reduce((sum, ring) => sum + ring.length / 2, 0)

const ringsIn = (polygons: ReadonlyArray<Polygon>) => polygons.reduce((sum, { rings }) => sum + rings.length, 0)

const sizeOf = ({ box }: Polygon) => (box.east - box.west) * (box.north - box.south)

/** The convex hull of the outer ring of a polygon. */
const hullOf = ({ rings: [outer = new Int32Array()] }: Polygon): Polygon => {
  const points = Array.from({ length: outer.length / 2 }, (_, i) => [outer[2 * i] ?? 0, outer[2 * i + 1] ?? 0] as const)
  points.sort(([ax, ay], [bx, by]) => ax - bx || ay - by)
  const half = (all: typeof points) => {
    const chain: typeof points = []
    for (const [x, y] of all) {
      for (;;) {
        const [a, b] = chain.slice(-2)
        if (a === undefined || b === undefined) break
        if ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) > 0) break
        chain.pop()
      }
      chain.push([x, y])
    }
    return chain.slice(0, -1)
  }
  const hull = [...half(points), ...half(points.toReversed())]
  return polygonOf([Int32Array.from([...hull, ...hull.slice(0, 1)].flat())])
}

/** The largest polygons, as many as a share of what an area may have; a single one that has more, as its convex hull. */
const withinShare = (polygons: ReadonlyArray<Polygon>, share: number): ReadonlyArray<Polygon> => {
  const [largest, ...others] = polygons.toSorted((a, b) => sizeOf(b) - sizeOf(a))
  if (largest === undefined) return []
  const fits = (some: ReadonlyArray<Polygon>) =>
    positionsIn(some) * share <= maxPositions && ringsIn(some) * share <= maxRings
  const kept = [fits([largest]) ? largest : hullOf(largest)]
  for (const one of others) if (fits([...kept, one])) kept.push(one)
  return kept
}

/** The polygons of an area; of a circle, its outline. */
export const polygonsOf = (area: Area): ReadonlyArray<Polygon> =>
  area.kind === "polygons" ? area.polygons : circleOutline(area).map((ring) => polygonOf([ring]))

/** All pieces as one area, within the bounds of an area. */
export const union = (areas: ReadonlyArray<Area>): Area => {
  const [first] = areas
  if (first !== undefined && areas.length === 1) return first
  const all = areas.map(polygonsOf)
  const isWithin = positionsIn(all.flat()) <= maxPositions && ringsIn(all.flat()) <= maxRings
  return { kind: "polygons", polygons: all.flatMap((some) => (isWithin ? some : withinShare(some, all.length))) }
}

/** Several places as answers describe them. */
export const describeAll = (all: ReadonlyArray<ResolvedLocation>): ResolvedLocation | undefined => {
  const [first, ...others] = all
  if (first === undefined || others.length === 0) return first
  const common = <A>(of: (one: ResolvedLocation) => A) => (all.every((one) => of(one) === of(first)) ? of(first) : null)
  return {
    ...first,
    name: all.map(({ name }) => name).join(", "),
    kind: "group",
    country: common(({ country }) => country),
    region: common(({ region }) => region),
    source: [...new Set(all.flatMap(({ source }) => source.split(", ")))].join(", ")
  }
}
