/** Reads the positions of one ring. */
import { isWithinDegrees } from "../../../core/fields/Degrees.ts"
import { halfTurn, type Ring, toDegrees, toUnits } from "./Area.ts"
import { type GeographyFault, maxFaults } from "./GeographyFault.ts"

/** A ring as read, with where in the request its positions are. */
export interface SourceRing {
  readonly ring: Ring
  /** From the geography to the ring. */
  readonly path: ReadonlyArray<string | number>
  /** The index, as sent, of each position. Repeated positions are dropped, so it can be greater than the position's own. */
  readonly indexes: Int32Array
}

const isRange = (value: unknown, max: number): value is number =>
  typeof value === "number" && isWithinDegrees(value, max)

const positionFault = (position: unknown, path: ReadonlyArray<string | number>): GeographyFault => {
  const [longitude, latitude] = Array.isArray(position) ? (position as ReadonlyArray<unknown>) : []
  if (typeof longitude !== "number" || typeof latitude !== "number") {
    return { path, code: "wrong_type", detail: "Must be a position: an array of longitude and latitude in degrees." }
  }
  const hint = isRange(longitude, 90) && isRange(latitude, 180) ? " Are the two swapped? Longitude comes first." : ""
  return {
    path,
    code: "coordinate_out_of_range",
    detail: `Longitude must be from -180 to 180, latitude from -90 to 90.${hint}`
  }
}

const isPosition = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && isRange(value[0], 180) && isRange(value[1], 90)

/** Whether the longitudes of an edge leave open which way round the Earth it goes. */
const isAmbiguous = (from: number, to: number): boolean => {
  const span = Math.abs(to - from)
  return span > halfTurn && span !== 2 * halfTurn
}

const format = (x: number, y: number) => `[${toDegrees(x)}, ${toDegrees(y)}]`

/**
 * A ring without repeated positions, or undefined when it has a fault, which is added to `faults`. Altitudes are dropped.
 */
export const readRing = (
  value: unknown,
  path: ReadonlyArray<string | number>,
  faults: Array<GeographyFault>
): SourceRing | undefined => {
  const before = faults.length
  const report = (index: number | undefined, code: GeographyFault["code"], detail: string) => {
    faults.push({ path: index === undefined ? path : [...path, index], code, detail })
    return undefined
  }
  if (!Array.isArray(value) || typeof value[0] === "number")
    return report(undefined, "wrong_type", "Must be a ring: an array of positions.")
  const positions: ReadonlyArray<unknown> = value
  const ring = new Int32Array(2 * positions.length)
  const indexes = new Int32Array(positions.length)
  let length = 0
  for (const [index, position] of positions.entries()) {
    if (!isPosition(position)) {
      faults.push(positionFault(position, [...path, index]))
      if (faults.length >= maxFaults) return undefined
      continue
    }
    const [x, y] = [toUnits(position[0]), toUnits(position[1])]
    if (length > 0 && ring[2 * length - 2] === x && ring[2 * length - 1] === y) continue
    ring[2 * length] = x
    ring[2 * length + 1] = y
    indexes[length] = index
    length += 1
  }
  if (faults.length > before) return undefined
  if (positions.length < 4) {
    return report(undefined, "too_few_positions", "Must have at least four positions, of which the last is the first.")
  }
  const [firstX = 0, firstY = 0] = ring
  if (ring[2 * length - 2] !== firstX || ring[2 * length - 1] !== firstY) {
    return report(positions.length - 1, "ring_not_closed", `Must repeat the first position, ${format(firstX, firstY)}.`)
  }
  if (length < 4) return report(undefined, "too_few_positions", "Must have at least three different positions.")
  for (let i = 1; i < length; i += 1) {
    if (!isAmbiguous(ring[2 * i - 2] as number, ring[2 * i] as number)) continue
    report(
      indexes[i],
      "ambiguous_edge",
      "The edge to this position spans more than 180° of longitude. Cut an area that crosses the antimeridian into a MultiPolygon there, or, if the long way is meant, add a position between."
    )
    if (faults.length >= maxFaults) return undefined
  }
  return faults.length > before
    ? undefined
    : { ring: ring.slice(0, 2 * length), path, indexes: indexes.slice(0, length) }
}
