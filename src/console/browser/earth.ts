/** Circles and areas on the Earth, for the map of a form: what is drawn, the use-case checks. Pure. */
import type { Position, Rings } from "./positions.ts"

/** All within a distance of a position, in metres. */
export interface Circle {
  readonly centre: Position
  readonly radius: number
}

/** The radius of the Earth in metres, as the service measures distances. */
export const earthRadius = 6_371_008.8

/** A degree as an angle. */
export const radiansPerDegree = Math.PI / 180

export const between = (least: number, value: number, most: number) => Math.min(most, Math.max(least, value))

export const turned = (longitude: number) => ((((longitude + 180) % 360) + 360) % 360) - 180

const rounded = (degrees: number) => Number(degrees.toFixed(5))

export const distance = ([fromLongitude, fromLatitude]: Position, [longitude, latitude]: Position) => {
  const [phi, otherPhi] = [fromLatitude * radiansPerDegree, latitude * radiansPerDegree]
  const half =
    Math.sin((otherPhi - phi) / 2) ** 2 +
    Math.cos(phi) * Math.cos(otherPhi) * Math.sin(((longitude - fromLongitude) * radiansPerDegree) / 2) ** 2
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(half)))
}

/** The outline of a circle on the sphere. Around a pole, it is all that is beyond a line from -180° to 180°. */
export const circleLine = ({ centre: [longitude, latitude], radius }: Circle): ReadonlyArray<Position> => {
  const [phi, angle, steps] = [latitude * radiansPerDegree, radius / earthRadius, 64]
  const line = Array.from({ length: steps }, (_, step): Position => {
    const bearing = (2 * Math.PI * step) / steps
    const sine = Math.sin(phi) * Math.cos(angle) + Math.cos(phi) * Math.sin(angle) * Math.cos(bearing)
    const east = Math.atan2(Math.sin(bearing) * Math.sin(angle) * Math.cos(phi), Math.cos(angle) - Math.sin(phi) * sine)
    return [longitude + east / radiansPerDegree, Math.asin(between(-1, sine, 1)) / radiansPerDegree]
  })
  if (Math.abs(phi) + angle < Math.PI / 2) return line
  const pole = Math.sign(latitude) * 90
  const ordered = line.map(([x, y]): Position => [turned(x), y]).toSorted(([a], [b]) => a - b)
  const [first, last] = [ordered[0]?.[1] ?? pole, ordered.at(-1)?.[1] ?? pole]
  return [[-180, first], ...ordered, [180, last], [180, pole], [-180, pole]]
}

/** The part of a ring between the antimeridian at `west` and the next one, moved to where longitudes are from -180° to 180°. */
const partBetween = (ring: ReadonlyArray<Position>, west: number): ReadonlyArray<Position> => {
  const cut = (line: ReadonlyArray<Position>, limit: number, sign: number) =>
    line.flatMap((position, index): ReadonlyArray<Position> => {
      const next = line[(index + 1) % line.length] ?? position
      const [isIn, isNextIn] = [sign * (position[0] - limit) >= 0, sign * (next[0] - limit) >= 0]
      const at = (limit - position[0]) / (next[0] - position[0])
      const crossing: Position = [limit, rounded(position[1] + at * (next[1] - position[1]))]
      return [...(isIn ? [position] : []), ...(isIn === isNextIn ? [] : [crossing])]
    })
  return cut(cut(ring, west, 1), west + 360, -1).map(([x, y]): Position => [rounded(x - west - 180), y])
}

/** An area as GeoJSON has it: cut where it crosses the antimeridian. */
export const cutAtAntimeridian = (ring: ReadonlyArray<Position>): ReadonlyArray<Rings> =>
  [-540, -180, 180].flatMap((west) => {
    const part = partBetween(ring, west)
    return part.length > 2 ? [[part]] : []
  })

export const isInside = (ring: ReadonlyArray<Position>, [x, y]: Position) => {
  let inside = false
  for (const [index, [fromX, fromY]] of ring.entries()) {
    const [toX, toY] = ring[(index + 1) % ring.length] ?? [fromX, fromY]
    if (fromY > y !== toY > y && x < fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX)) inside = !inside
  }
  return inside
}
