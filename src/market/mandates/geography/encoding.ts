/**
 * Areas as the bytes that are stored: 32-bit words of this computer's byte order, which is little-endian wherever Node
 * runs. The first word says what follows: a circle, or a number of polygons; these are written as the number of their
 * rings, then each ring as the number of its words and its coordinates. Coordinates as they are take 8 bytes a position;
 * differences of varying length take 4 to 6.5, and ten times as long to read.
 */
import { type Area, type Circle, circleAt, type Polygon, polygonOf } from "./Area.ts"

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
