/** What a map draws: areas as paths of SVG within a view of the Earth, and names of cities that do not cover each other. Pure. */
import {
  type Area,
  type Box,
  halfTurn,
  type Polygon,
  polygonOf,
  type Ring,
  toDegrees,
  toUnits
} from "./mandates/geography/Area.ts"
import type { MappedCity, MapFeatures } from "./mandates/gazetteer/atlas.ts"
import { circleOutline } from "./mandates/geography/Geography.ts"

/** The path of a place has whole numbers of this many parts of a degree: x to the east, y to the south. */
export const pathUnits = 1e5

/** What of the Earth a map shows, from its centre in degrees; `scale` is the pixels that a degree of latitude has. */
export interface MapView {
  readonly longitude: number
  readonly latitude: number
  readonly scale: number
}

/** How much narrower a degree of longitude is than one of latitude. Near the poles it stays wide enough to be seen. */
export const shrinkAt = (latitude: number): number => Math.max(0.1, Math.cos((latitude * Math.PI) / 180))

/** How much is seen around a place, in parts of its size. */
const margin = 1.2

/** The view of a map of this size that shows a box, and so many degrees at least. */
export const viewOf = ({ east, north, south, west }: Box, span: number, width: number, height: number): MapView => {
  const [longitude, latitude] = [toDegrees((west + east) / 2), toDegrees((south + north) / 2)]
  const spanX = Math.max(toDegrees(east - west), span) * margin * shrinkAt(latitude)
  const spanY = Math.max(toDegrees(north - south), span) * margin
  return { longitude, latitude, scale: Math.min(width / spanX, height / spanY) }
}

/** What a map of this size shows, in units. It may go beyond 180°. */
export const boxOf = ({ latitude, longitude, scale }: MapView, width: number, height: number): Box => {
  const [x, y] = [width / 2 / (scale * shrinkAt(latitude)), height / 2 / scale]
  return {
    west: toUnits(longitude - x),
    east: toUnits(longitude + x),
    south: toUnits(Math.max(-90, latitude - y)),
    north: toUnits(Math.min(90, latitude + y))
  }
}

/** The box around boxes. Where it is narrower beyond 180° than around the Earth, it goes there. */
export const around = (boxes: ReadonlyArray<Box>): Box | undefined => {
  const boxAround = (some: ReadonlyArray<Box>): Box => ({
    west: Math.min(...some.map(({ west }) => west)),
    south: Math.min(...some.map(({ south }) => south)),
    east: Math.max(...some.map(({ east }) => east)),
    north: Math.max(...some.map(({ north }) => north))
  })
  if (boxes.length === 0) return undefined
  const [here, beyond] = [
    boxAround(boxes),
    boxAround(
      boxes.map((box) =>
        box.west + box.east < 0 ? { ...box, west: box.west + 2 * halfTurn, east: box.east + 2 * halfTurn } : box
      )
    )
  ]
  return beyond.east - beyond.west < here.east - here.west ? beyond : here
}

/** The polygons that a map draws of an area. */
const outlineOf = (area: Area): ReadonlyArray<Polygon> =>
  area.kind === "polygons" ? area.polygons : circleOutline(area).map((ring) => polygonOf([ring]))

type Point = readonly [x: number, y: number]

/** The part of a closed line on the inner side of a meridian (`axis` 0) or a parallel (1). */
const partOf = (line: ReadonlyArray<Point>, axis: 0 | 1, limit: number, sign: 1 | -1): ReadonlyArray<Point> => {
  const isIn = (point: Point) => sign * (point[axis] - limit) >= 0
  if (line.every(isIn)) return line
  return line.flatMap((point, index) => {
    const next = line[(index + 1) % line.length] ?? point
    const at = (limit - point[axis]) / (next[axis] - point[axis])
    const crossing: Point = [point[0] + at * (next[0] - point[0]), point[1] + at * (next[1] - point[1])]
    return [...(isIn(point) ? [point] : []), ...(isIn(point) === isIn(next) ? [] : [crossing])]
  })
}

const clipped = (line: ReadonlyArray<Point>, { east, north, south, west }: Box): ReadonlyArray<Point> =>
  partOf(partOf(partOf(partOf(line, 0, west, 1), 0, east, -1), 1, south, 1), 1, north, -1)

/** How much of the Earth one sees: what a pixel is in units, and how much narrower degrees of longitude are. */
interface Grain {
  readonly pixel: number
  readonly shrink: number
}

/** The grain of a view. */
const grainOf = ({ latitude, scale }: MapView): Grain => ({
  pixel: toUnits(1 / scale),
  shrink: shrinkAt(latitude)
})

/** The positions of a ring that are a pixel from the one before. */
const lineOf = (ring: Ring, turn: number, { pixel, shrink }: Grain): ReadonlyArray<Point> => {
  const line: Array<Point> = []
  let [lastX, lastY] = [Number.NaN, Number.NaN]
  for (let index = 0; index + 3 < ring.length; index += 2) {
    const [x, y] = [(ring[index] as number) + turn, ring[index + 1] as number]
    if (Math.abs(x - lastX) * shrink < pixel && Math.abs(y - lastY) < pixel) continue
    line.push([x, y])
    ;[lastX, lastY] = [x, y]
  }
  return line
}

/** How far a point is from the way between two others, as one sees it. */
const offset = ([x, y]: Point, [ax, ay]: Point, [bx, by]: Point, shrink: number): number => {
  const [dx, dy, px, py] = [(bx - ax) * shrink, by - ay, (x - ax) * shrink, y - ay]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / length))
  return Math.hypot(px - along * dx, py - along * dy)
}

/** The corners that one sees of a line (Douglas and Peucker): what is left out is less than a pixel beside it. */
const corners = (line: ReadonlyArray<Point>, { pixel, shrink }: Grain): ReadonlyArray<Point> => {
  const kept = new Uint8Array(line.length)
  const spans: Array<readonly [from: number, to: number]> = [[0, line.length - 1]]
  kept[0] = 1
  kept[line.length - 1] = 1
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const [from, to] = span
    const [first, last] = [line[from], line[to]]
    if (first === undefined || last === undefined) continue
    let [farthest, distance] = [0, pixel]
    for (const [index, point] of line.slice(from + 1, to).entries()) {
      const away = offset(point, first, last, shrink)
      if (away > distance) [farthest, distance] = [from + 1 + index, away]
    }
    if (farthest === 0) continue
    kept[farthest] = 1
    spans.push([from, farthest], [farthest, to])
  }
  return line.filter((_, index) => kept[index] === 1)
}

/** The path of a closed line: its first position, and the way to each next one. */
const pathOfLine = (line: ReadonlyArray<Point>, units: number): string => {
  let path = ""
  let [lastX, lastY] = [0, 0]
  for (const point of line) {
    const [x, y] = [Math.round(toDegrees(point[0]) * units), Math.round(-toDegrees(point[1]) * units)]
    if (path === "") path = `M${x} ${y}l`
    else if (x !== lastX || y !== lastY)
      path += `${x - lastX < 0 ? "" : " "}${x - lastX}${y - lastY < 0 ? "" : " "}${y - lastY}`
    ;[lastX, lastY] = [x, y]
  }
  // Nothing is seen of what is one point.
  return path.endsWith("l") ? "" : `${path}z`
}

/** The path of what one sees of polygons in a box; polygons that are smaller than `least` pixels are left out. */
const pathIn = (polygons: ReadonlyArray<Polygon>, box: Box, grain: Grain, units: number, least: number): string => {
  let path = ""
  for (const turn of [-2 * halfTurn, 0, 2 * halfTurn]) {
    for (const { box: own, rings } of polygons) {
      const [west, east] = [own.west + turn, own.east + turn]
      if (west > box.east || east < box.west || own.south > box.north || own.north < box.south) continue
      if ((east - west) * grain.shrink < least * grain.pixel && own.north - own.south < least * grain.pixel) continue
      for (const ring of rings) {
        const line = corners(clipped(lineOf(ring, turn, grain), box), grain)
        if (line.length > 2) path += pathOfLine(line, units)
      }
    }
  }
  return path
}

/** The path of a place, as a map of a view shows it. */
export const placePath = (place: Area, view: MapView, box: Box): string =>
  pathIn(outlineOf(place), box, { ...grainOf(view), pixel: toUnits(0.4 / view.scale) }, pathUnits, 0)

/** The name of a city, where it can be read: the first of those that would cover each other. */
export const readable = (
  cities: ReadonlyArray<MappedCity>,
  { latitude, scale }: MapView
): ReadonlyArray<MappedCity> => {
  const taken: Array<readonly [left: number, top: number, right: number]> = []
  const [rowHeight, letterWidth] = [15, 6.5]
  return cities.filter((city) => {
    const [left, top] = [city.longitude * scale * shrinkAt(latitude), -city.latitude * scale]
    const right = left + 10 + city.name.length * letterWidth
    const isFree = taken.every(
      ([otherLeft, otherTop, otherRight]) =>
        right < otherLeft || left > otherRight || Math.abs(top - otherTop) >= rowHeight
    )
    if (isFree) taken.push([left, top, right])
    return isFree
  })
}

/** What is around a place, as a map draws it. */
export interface MapLayers {
  /** The paths have whole numbers of this many parts of a degree: twice the pixels, so that they are short. */
  readonly units: number
  readonly countries: string
  readonly regions: string
  readonly cities: ReadonlyArray<MappedCity>
}

/** From how many pixels a degree on a map shows the regions of countries. */
export const regionsFrom = 30

/** The layers of a view, and of as much around it as `box` has. */
export const layersOf = ({ cities, countries, regions }: MapFeatures, box: Box, view: MapView): MapLayers => {
  const units = Math.max(1, Math.min(pathUnits, Math.round(2 * view.scale)))
  const grain = grainOf(view)
  return {
    units,
    countries: pathIn(countries, box, grain, units, 3),
    regions: pathIn(regions, box, grain, units, 14),
    cities: readable(cities, view)
  }
}
