/** Countries, groups and regions with their outlines, and each city's region. Pure. */
import { partsPerDegree } from "../format.ts"
import { nations, type RegionNames, regions, unitAliases, unitNames } from "./names.ts"
import {
  areaOf,
  dissolve,
  isInside,
  type Polygon,
  polygonsOf,
  type Position,
  repair,
  type Ring,
  simplify
} from "./outlines.ts"
import type { SourceCity, SourceUnit } from "./sources.ts"

/** A region, made of one unit or more. */
export interface Region {
  readonly code: string
  readonly country: string
  readonly name: string
  /** Its own, and those that no source has. */
  readonly names: ReadonlyArray<string>
  readonly otherNames: ReadonlyArray<string>
  /** Names that only qualify others: "IL". */
  readonly codes: ReadonlyArray<string>
  /** The region that contains this one. */
  readonly parent: string | undefined
  readonly units: ReadonlyArray<number>
}

/** The regions above a unit, the widest last. */
const above = ({ country, geounit, region }: SourceUnit): ReadonlyArray<RegionNames> => {
  const nation = country === "GB" ? nations[geounit ?? ""] : undefined
  const named =
    country === "BE"
      ? regions[`BE|${geounit}`]
      : nation === undefined || geounit === "England"
        ? regions[`${country}|${region}`]
        : undefined
  return [named, nation].filter((names) => names !== undefined)
}

/** Every region. Units that are the only one of their region are that region. */
export const regionsOf = (
  units: ReadonlyArray<SourceUnit>,
  subdivisions: Readonly<Record<string, string>>
): ReadonlyArray<Region> => {
  const wide = new Map<
    string,
    { country: string; names: RegionNames; parent: string | undefined; units: Array<number> }
  >()
  for (const [index, unit] of units.entries()) {
    const chain = above(unit)
    for (const [level, names] of chain.entries()) {
      const known = wide.get(names.code)
      if (known !== undefined) known.units.push(index)
      else wide.set(names.code, { country: unit.country, names, parent: chain[level + 1]?.code, units: [index] })
    }
  }
  const english = (code: string) => subdivisions[code.replace("-", "").toLowerCase()]
  const several = [...wide.values()].filter((region) => region.units.length > 1)
  const single = new Map(
    [...wide.values()].filter((region) => region.units.length === 1).map((region) => [region.units[0], region.names])
  )
  const suffix = (iso: string) => /^[A-Z]{2}-([A-Z]{1,3})$/.exec(iso)?.[1]
  return [
    ...several.map(({ country, names: { aliases, code, name }, parent, units }) => ({
      code,
      country,
      name,
      names: [name, ...aliases, english(code)].filter((text) => text !== undefined),
      otherNames: [],
      codes: [suffix(code)].filter((text) => text !== undefined),
      parent,
      units
    })),
    ...units.map((unit, index) => {
      const same = single.get(index)
      const parents = above(unit).filter(({ code }) => several.some(({ names }) => names.code === code))
      const aliases = unitAliases[unit.iso]?.split("|") ?? []
      const renamed = unitNames[unit.code]?.split("|")
      const own = renamed ?? [unit.name, ...unit.ownNames, english(unit.iso)]
      return {
        code: unit.code,
        country: unit.country,
        name: same?.name ?? own[0] ?? unit.name,
        names: [...own, same?.name, ...(same?.aliases ?? []), ...aliases].filter((text) => text !== undefined),
        otherNames: renamed === undefined ? unit.otherNames : [],
        codes: [unit.postal, suffix(unit.iso)]
          .filter((text) => text !== undefined)
          .filter((text) => /^[A-Z]{2,3}$/.test(text)),
        parent: parents[0]?.code,
        units: [index]
      }
    })
  ]
}

const sizeOf = (rings: ReadonlyArray<Ring>) => rings.reduce((sum, ring) => sum + areaOf(ring), 0)

/** Metres by which a border may move: a share of the area's width. */
const toleranceOf = (rings: ReadonlyArray<Ring>, share: number, max: number) =>
  Math.min(max, Math.max(120, Math.sqrt(Math.abs(sizeOf(rings))) * 1000 * share))

/** The rings of each unit, simplified alike where they touch. */
export const simplifyUnits = (units: ReadonlyArray<SourceUnit>): ReadonlyArray<ReadonlyArray<Ring>> =>
  simplify(units.map(({ rings }) => ({ rings, tolerance: toleranceOf(rings, 1 / 120, 1000) })))

/** The outlines of areas that consist of units. */
export const outlinesOf = (
  areas: ReadonlyArray<ReadonlyArray<number>>,
  units: ReadonlyArray<ReadonlyArray<Ring>>
): ReadonlyArray<ReadonlyArray<Polygon>> =>
  areas.map((members) => {
    const rings = members.flatMap((index) => units[index] as ReadonlyArray<Ring>)
    return repair(members.length === 1 ? polygonsOf(rings) : dissolve(rings))
  })

/** The outlines of countries, simplified once more and alike where they touch. */
export const countryOutlines = (
  countries: ReadonlyArray<ReadonlyArray<number>>,
  units: ReadonlyArray<ReadonlyArray<Ring>>
): ReadonlyArray<ReadonlyArray<Polygon>> => {
  const dissolved = countries.map((members) =>
    dissolve(members.flatMap((index) => units[index] as ReadonlyArray<Ring>)).flat()
  )
  return simplify(dissolved.map((rings) => ({ rings, tolerance: toleranceOf(rings, 1 / 500, 1500) }))).map((rings) =>
    repair(polygonsOf(rings))
  )
}

/** Square kilometres of an outline. */
export const areaOfOutline = (polygons: ReadonlyArray<Polygon>): number => sizeOf(polygons.flat())

/** The middle of the largest polygon. */
export const middleOf = (polygons: ReadonlyArray<Polygon>): Position => {
  const [ring] = polygons.map(([outer]) => outer as Ring).sort((a, b) => areaOf(b) - areaOf(a))
  let [sum, x, y] = [0, 0, 0]
  for (const [i, [ax, ay]] of (ring ?? []).entries()) {
    const [bx, by] = (ring as Ring)[(i + 1) % (ring as Ring).length] as Position
    const cross = ax * by - bx * ay
    sum += cross
    x += (ax + bx) * cross
    y += (ay + by) * cross
  }
  return [Math.round(x / (3 * sum)), Math.round(y / (3 * sum))]
}

/** The index of the unit in which each city is, or of the nearest one of its country. */
export const unitOfCities = (
  cities: ReadonlyArray<SourceCity>,
  units: ReadonlyArray<SourceUnit>,
  rings: ReadonlyArray<ReadonlyArray<Ring>>
): ReadonlyArray<number | undefined> => {
  const boxed = rings.map((unit) => {
    const xs = unit.flat().map(([x]) => x)
    const ys = unit.flat().map(([, y]) => y)
    const bound = (values: ReadonlyArray<number>, pick: (a: number, b: number) => number) =>
      values.reduce((a, b) => pick(a, b))
    return {
      rings: unit,
      west: bound(xs, Math.min),
      east: bound(xs, Math.max),
      south: bound(ys, Math.min),
      north: bound(ys, Math.max)
    }
  })
  const byCountry = Map.groupBy(units.keys(), (index) => (units[index] as SourceUnit).country)
  return cities.map(({ country, latitude, longitude }) => {
    const [x, y] = [Math.round(longitude * partsPerDegree), Math.round(latitude * partsPerDegree)]
    const candidates = byCountry.get(country) ?? []
    const holder = candidates.find((index) => {
      const { east, north, rings: unit, south, west } = boxed[index] as (typeof boxed)[number]
      if (x < west || x > east || y < south || y > north) return false
      return unit.filter((ring) => isInside([x, y], ring)).length % 2 === 1
    })
    if (holder !== undefined) return holder
    const shrink = Math.cos((latitude * Math.PI) / 180)
    const distance = (index: number) =>
      Math.min(
        ...(rings[index] as ReadonlyArray<Ring>).map((ring) =>
          ring.reduce((least, [px, py]) => Math.min(least, Math.hypot((px - x) * shrink, py - y)), Infinity)
        )
      )
    return candidates.map((index) => ({ index, away: distance(index) })).sort((a, b) => a.away - b.away)[0]?.index
  })
}
