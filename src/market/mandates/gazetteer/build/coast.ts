/** Natural Earth's coasts are drawn for a world map: they leave out some ports. Pure. */
import { partsPerDegree } from "../format.ts"
import { groupMembers } from "../groups.ts"
import type { PlaceRow } from "./columns.ts"
import { isInside, type Polygon, type Position } from "./outlines.ts"

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
