/** Boxes that together cover an area: what the database indexes and searches by. */
import { type Area, type Box, type Circle, earthRadius, halfTurn, quarterTurn, unitsPerDegree } from "./Area.ts"

/** The maximum number of boxes that are stored of an area. */
export const maxBoxes = 16

const radians = Math.PI / 180 / unitsPerDegree

const everyLongitude = { west: -halfTurn, east: halfTurn }

// Two units, 2 cm, are more than what rounding can take from a box.
const margin = 2

/** A box of a circle before it is cut at the antimeridian: its sides may lie beyond 180°. */
export const boxOfCircle = ({ latitude, longitude, radius }: Circle): Box => {
  const angle = radius / earthRadius
  const height = angle / radians + margin
  const south = Math.max(Math.floor(latitude - height), -quarterTurn)
  const north = Math.min(Math.ceil(latitude + height), quarterTurn)
  // A circle that contains a pole, or nearly, has all longitudes.
  if (south === -quarterTurn || north === quarterTurn) return { ...everyLongitude, south, north }
  const width = Math.asin(Math.min(1, Math.sin(angle) / Math.cos(latitude * radians))) / radians + margin
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
