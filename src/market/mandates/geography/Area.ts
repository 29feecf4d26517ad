/** Areas on the Earth as the service keeps and compares them, the bytes that are stored of one, and the boxes that find it. */
import { partsPerDegree } from "../../../core/fields/Place.ts"

/** Coordinates are whole numbers of this many parts of a degree. */
export const unitsPerDegree = partsPerDegree

/** 180° in units. */
export const halfTurn = 180 * unitsPerDegree

/** 90° in units. */
export const quarterTurn = 90 * unitsPerDegree

/** A unit as an angle. */
export const radiansPerUnit = Math.PI / 180 / unitsPerDegree

/** The radius in metres of the sphere on which distances are measured. */
export const earthRadius = 6_371_008.8

/**
 * A closed ring: longitude and latitude of each position in turn, in units; the last position repeats the first. Edges
 * are straight in longitude and latitude.
 */
export type Ring = Int32Array

/** A rectangle in units; its sides belong to it. */
export interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** One part of an area: the outer ring, counterclockwise, then its holes, clockwise. Their edges belong to the part. */
export interface Polygon {
  readonly rings: ReadonlyArray<Ring>
  readonly box: Box
}

/** The union of polygons, which may overlap. */
export interface Polygons {
  readonly kind: "polygons"
  readonly polygons: ReadonlyArray<Polygon>
}

/** All within a distance of a point. With radius 0, a point. */
export interface Circle {
  readonly kind: "circle"
  /** In units. */
  readonly longitude: number
  /** In units. */
  readonly latitude: number
  /** In metres on the sphere. */
  readonly radius: number
}

/** What a mandate, or a search, covers. */
export type Area = Polygons | Circle

/** Degrees as units. Never -0. */
export const toUnits = (degrees: number): number => Math.round(degrees * unitsPerDegree) + 0

/** Units as degrees. */
export const toDegrees = (units: number): number => units / unitsPerDegree

/** A circle around a point in degrees; its radius is in metres. */
export const circleAt = (longitude: number, latitude: number, radius: number): Circle => ({
  kind: "circle",
  longitude: toUnits(longitude),
  latitude: toUnits(latitude),
  radius
})

/** A point in degrees, as an area. */
export const pointAt = (longitude: number, latitude: number): Circle => circleAt(longitude, latitude, 0)

const boxOfRing = (ring: Ring): Box => {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let i = 0; i < ring.length; i += 2) {
    const x = ring[i] as number
    const y = ring[i + 1] as number
    if (x < west) west = x
    if (x > east) east = x
    if (y < south) south = y
    if (y > north) north = y
  }
  return { west, south, east, north }
}

/** A polygon of valid rings, with its box. */
export const polygonOf = (rings: ReadonlyArray<Ring>): Polygon => ({
  rings,
  box: boxOfRing(rings[0] ?? new Int32Array())
})

// Areas as the bytes that are stored: 32-bit words of this computer's byte order, which is little-endian wherever Node
// runs. The first word says what follows: a circle, or a number of polygons; these are written as the number of their
// rings, then each ring as the number of its words and its coordinates. Coordinates as they are take 8 bytes a position;
// differences of varying length take 4 to 6.5, and ten times as long to read.

const circleMark = 0

const encodeCircle = ({ latitude, longitude, radius }: Circle): Uint8Array => {
  const words = Int32Array.of(circleMark, longitude, latitude, 0, 0)
  new DataView(words.buffer).setFloat64(12, radius, true)
  return new Uint8Array(words.buffer)
}

/** The bytes of an area. Equal areas have equal bytes. */
export const encodeArea = (area: Area): Uint8Array => {
  if (area.kind === "circle") return encodeCircle(area)
  const length = area.polygons
    .flatMap(({ rings }) => rings)
    .reduce((words, ring) => words + 1 + ring.length, 1 + area.polygons.length)
  const words = new Int32Array(length)
  let end = 0
  words[end++] = area.polygons.length
  for (const { rings } of area.polygons) {
    words[end++] = rings.length
    for (const ring of rings) {
      words[end++] = ring.length
      words.set(ring, end)
      end += ring.length
    }
  }
  return new Uint8Array(words.buffer)
}

/** The area of bytes that {@link encodeArea} made. */
export const decodeArea = (bytes: Uint8Array): Area => {
  // A buffer of the database driver can begin anywhere; words must be aligned.
  const words = new Int32Array(Uint8Array.from(bytes).buffer)
  let start = 0
  const next = () => words[start++] as number
  const count = next()
  if (count === circleMark) {
    const radius = new DataView(words.buffer).getFloat64(12, true)
    return { kind: "circle", longitude: next(), latitude: next(), radius }
  }
  const polygons: Array<Polygon> = []
  for (let part = 0; part < count; part += 1) {
    const rings = Array.from({ length: next() }, () => {
      const length = next()
      start += length
      return words.subarray(start - length, start)
    })
    polygons.push(polygonOf(rings))
  }
  return { kind: "polygons", polygons }
}

/** The columns that hold the area of a mandate. A circle has `near` and `radius`; its `geography` is only an outline. */
export interface StoredArea {
  readonly geography: Uint8Array | null
  readonly near: { readonly latitude: number; readonly longitude: number } | null
  readonly radius: number | null
}

/** The area of a stored mandate; undefined for one without. */
export const areaOfStored = ({ geography, near, radius }: StoredArea): Area | undefined => {
  if (near !== null && radius !== null) return circleAt(near.longitude, near.latitude, radius)
  return geography === null ? undefined : decodeArea(geography)
}

// Boxes that together cover an area: what the database indexes and searches by.

/** The maximum number of boxes that are stored of an area. */
export const maxBoxes = 16

const everyLongitude = { west: -halfTurn, east: halfTurn }

// Two units, 2 cm, are more than what rounding can take from a box.
const margin = 2

/** A box of a circle before it is cut at the antimeridian: its sides may lie beyond 180°. */
export const boxOfCircle = ({ latitude, longitude, radius }: Circle): Box => {
  const angle = radius / earthRadius
  const height = angle / radiansPerUnit + margin
  const south = Math.max(Math.floor(latitude - height), -quarterTurn)
  const north = Math.min(Math.ceil(latitude + height), quarterTurn)
  // A circle that contains a pole, or nearly, has all longitudes.
  if (south === -quarterTurn || north === quarterTurn) return { ...everyLongitude, south, north }
  const width = Math.asin(Math.min(1, Math.sin(angle) / Math.cos(latitude * radiansPerUnit))) / radiansPerUnit + margin
  const [west, east] = [Math.floor(longitude - width), Math.ceil(longitude + width)]
  return east - west >= 2 * halfTurn ? { ...everyLongitude, south, north } : { west, east, south, north }
}

/** The parts of a box on either side of the antimeridian. */
const cutAtAntimeridian = (box: Box): ReadonlyArray<Box> => {
  if (box.west < -halfTurn) {
    return [
      { ...box, west: -halfTurn },
      { ...box, west: box.west + 2 * halfTurn, east: halfTurn }
    ]
  }
  if (box.east > halfTurn) {
    return [
      { ...box, east: halfTurn },
      { ...box, west: -halfTurn, east: box.east - 2 * halfTurn }
    ]
  }
  return [box]
}

const around = (a: Box, b: Box): Box => ({
  west: Math.min(a.west, b.west),
  south: Math.min(a.south, b.south),
  east: Math.max(a.east, b.east),
  north: Math.max(a.north, b.north)
})

const sizeOf = ({ east, north, south, west }: Box): number => (east - west) * (north - south)

/** By how much a box around two is greater than the two. */
const added = (a: Box, b: Box): number => sizeOf(around(a, b)) - sizeOf(a) - sizeOf(b)

/** A box, and the other one with which it is best merged. */
interface Mergeable {
  box: Box
  partner: Mergeable | undefined
  cost: number
}

/** Merges boxes, two at a time where that adds the least area, until at most `limit` are left. */
const merged = (boxes: ReadonlyArray<Box>, limit: number): ReadonlyArray<Box> => {
  if (boxes.length <= limit) return boxes
  const left = new Set(boxes.map((box): Mergeable => ({ box, partner: undefined, cost: Infinity })))
  const consider = (one: Mergeable, other: Mergeable) => {
    const cost = added(one.box, other.box)
    if (one !== other && cost < one.cost) Object.assign(one, { partner: other, cost })
  }
  const findPartner = (one: Mergeable) => {
    one.cost = Infinity
    for (const other of left) consider(one, other)
  }
  left.forEach(findPartner)
  while (left.size > limit) {
    const first = [...left].reduce((best, one) => (one.cost < best.cost ? one : best))
    const second = first.partner as Mergeable
    left.delete(second)
    first.box = around(first.box, second.box)
    findPartner(first)
    for (const one of left) {
      if (one.partner === first || one.partner === second) findPartner(one)
      else consider(one, first)
    }
  }
  return [...left].map(({ box }) => box)
}

/** The boxes to store of an area: one for each part, at most `limit`; of a circle at the antimeridian, two. */
export const boxesOf = (area: Area, limit = maxBoxes): ReadonlyArray<Box> =>
  area.kind === "circle"
    ? cutAtAntimeridian(boxOfCircle(area))
    : merged(
        area.polygons.map(({ box }) => box),
        limit
      )

/**
 * The boxes to search stored ones with: those of the area, and, where it touches the antimeridian or a pole, what is the
 * same place at the other side or at any longitude. Every area that meets it has a stored box that meets one of these.
 */
export const searchBoxesOf = (area: Area): ReadonlyArray<Box> => {
  const boxes = boxesOf(area)
  const alike = boxes.flatMap((box) => [
    ...(box.east === halfTurn ? [{ ...box, west: -halfTurn, east: -halfTurn }] : []),
    ...(box.west === -halfTurn ? [{ ...box, west: halfTurn, east: halfTurn }] : []),
    ...(box.north === quarterTurn ? [{ ...everyLongitude, south: quarterTurn, north: quarterTurn }] : []),
    ...(box.south === -quarterTurn ? [{ ...everyLongitude, south: -quarterTurn, north: -quarterTurn }] : [])
  ])
  return [...boxes, ...alike]
}
