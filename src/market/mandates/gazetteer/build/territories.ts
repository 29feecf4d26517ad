/** The territory of a country: its outline, and what lies up to 25 km off its coast and in no other country. Pure. */
import { Clipper, EndType, FillRule, JoinType, type Paths64 } from "clipper2-ts"
import { partsPerDegree } from "../format.ts"
import { isInside, type Polygon, polygonsOf, type Position, type Ring } from "./outlines.ts"
import { repair } from "./repair.ts"

/** How far off its coast a country reaches, in parts of a degree of latitude: 25 km. */
const reach = (25 / 111.195) * partsPerDegree

/** By how much a circle of that radius may be dented: 250 m. Its corners are on the circle. */
const dent = reach / 100

/** Nothing is added to a territory: it may have as many positions as an area. */
const maxPositions = 4_990

const [halfTurn, quarterTurn] = [180 * partsPerDegree, 90 * partsPerDegree]

/** What a territory is made of. */
export interface Coast {
  /** The rings of the country before small islands were left out. */
  readonly rings: ReadonlyArray<Ring>
  readonly outline: ReadonlyArray<Polygon>
  /** The centres of its towns. */
  readonly towns: ReadonlyArray<Position>
}

const pathsOf = (rings: ReadonlyArray<Ring>): Paths64 => rings.map((ring) => ring.map(([x, y]) => ({ x, y })))

const ringsOf = (paths: Paths64): ReadonlyArray<Ring> => paths.map((path) => path.map(({ x, y }): Position => [x, y]))

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const boxOf = (paths: Paths64): Box => Clipper.getBoundsPaths(paths)

const meets = (a: Box, b: Box) => a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom

const shifted = (paths: Paths64, scale: number): Paths64 =>
  paths.map((path) => path.map(({ x, y }) => ({ x: Math.round(x * scale), y })))

/** Bands of latitude in which a degree of longitude has nearly one length. */
const bandHeight = (latitude: number) =>
  Math.abs(latitude) < 60 * partsPerDegree ? partsPerDegree : partsPerDegree / 4

/** All within reach of an area, band by band; it may go beyond 180°. */
const around = (paths: Paths64): Paths64 => {
  const { bottom, left, right, top } = boxOf(paths)
  const buffers: Paths64 = []
  for (let from = top, to = top; from < bottom || from === top; from = to) {
    to = from + bandHeight(from)
    const band = Clipper.rectClip({ left, right, top: from, bottom: to }, paths)
    const shrink = Math.max(0.02, Math.cos(((from + to) / 2 / partsPerDegree) * (Math.PI / 180)))
    const buffer = Clipper.inflatePaths(shifted(band, shrink), reach, JoinType.Round, EndType.Polygon, 2, dent)
    buffers.push(...shifted(buffer, 1 / shrink))
  }
  return Clipper.union(buffers, FillRule.NonZero)
}

const world = { left: -halfTurn, right: halfTurn, top: -quarterTurn, bottom: quarterTurn }

/** What is beyond 180° is on the other side. */
const onEarth = (paths: Paths64): Paths64 =>
  Clipper.union(
    [-2 * halfTurn, 0, 2 * halfTurn].flatMap((turn) => Clipper.rectClip(world, Clipper.translatePaths(paths, turn, 0))),
    FillRule.NonZero
  )

const islet = ([x, y]: Position): Ring => [
  [x - 1, y - 1],
  [x + 1, y - 1],
  [x + 1, y + 1],
  [x - 1, y + 1]
]

/** The territories of countries, in their order. */
export const territoriesOf = (countries: ReadonlyArray<Coast>): ReadonlyArray<ReadonlyArray<Polygon>> => {
  const outlines = countries.map(({ outline }) => {
    const paths = pathsOf(outline.flat())
    return { paths, box: boxOf(paths) }
  })
  return countries.map(({ outline, rings, towns }, index) => {
    // The islands of some towns are on no map of this scale.
    const islets = towns.filter(
      (town) => !outline.some((polygon) => polygon.filter((ring) => isInside(town, ring)).length % 2 === 1)
    )
    const all = pathsOf([...rings, ...outline.flat(), ...islets.map(islet)])
    const waters = onEarth(around(Clipper.union(all, FillRule.NonZero)))
    const box = boxOf(waters)
    const others = outlines.filter((other, at) => at !== index && meets(other.box, box)).flatMap(({ paths }) => paths)
    const off = Clipper.difference(waters, Clipper.union(others, FillRule.NonZero), FillRule.NonZero)
    const own = outlines[index]?.paths ?? []
    return repair(polygonsOf(ringsOf(Clipper.union([...off, ...own], FillRule.NonZero))), maxPositions)
  })
}
