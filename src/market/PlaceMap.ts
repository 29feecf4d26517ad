/** A place on a map: an SVG with the outlines of countries, which need no tiles and no other service. Pure. */
import { html, type Html } from "../console/Html.ts"
import { type Area, type Box, boxesOf, type Polygon, type Ring, toDegrees } from "./mandates/geography/Area.ts"
import { circleOutline } from "./mandates/geography/Geography.ts"

/** A place on a map, in degrees. */
export interface MapPoint {
  readonly latitude: number
  readonly longitude: number
  readonly name: string
}

const [width, height] = [480, 360]

/** How much of the country is seen around a place, in parts of its size, and in degrees at least. */
const margin = 1.2
const minSpan = 1.5
/** Around a point, as much as shows which part of a country it is in. */
const minSpanOfPoint = 6

const unitsOf = (degrees: number) => Math.round(degrees * 1e7)

const boxOf = (boxes: ReadonlyArray<Box>): Box | undefined =>
  boxes.length === 0
    ? undefined
    : {
        west: Math.min(...boxes.map(({ west }) => west)),
        south: Math.min(...boxes.map(({ south }) => south)),
        east: Math.max(...boxes.map(({ east }) => east)),
        north: Math.max(...boxes.map(({ north }) => north))
      }

/** Positions on the map for those on the Earth. */
const projectionOf = ({ east, north, south, west }: Box, span: number) => {
  const [middleLongitude, middleLatitude] = [toDegrees((west + east) / 2), toDegrees((south + north) / 2)]
  const shrink = Math.max(0.1, Math.cos((middleLatitude * Math.PI) / 180))
  const spanX = Math.max(toDegrees(east - west), span) * margin * shrink
  const spanY = Math.max(toDegrees(north - south), span) * margin
  const scale = Math.min(width / spanX, height / spanY)
  return (longitude: number, latitude: number): readonly [x: number, y: number] => [
    width / 2 + (longitude - middleLongitude) * shrink * scale,
    height / 2 - (latitude - middleLatitude) * scale
  ]
}

type Projection = ReturnType<typeof projectionOf>

/** The path of a ring; positions closer than a pixel to the one before are left out. */
const pathOf = (ring: Ring, project: Projection): string => {
  let text = ""
  let [lastX, lastY] = [Number.NaN, Number.NaN]
  for (let index = 0; index + 1 < ring.length; index += 2) {
    const [x, y] = project(toDegrees(ring[index] ?? 0), toDegrees(ring[index + 1] ?? 0))
    if (Math.abs(x - lastX) < 1 && Math.abs(y - lastY) < 1) continue
    // Far outside of what is seen, where numbers only cost bytes.
    if (Math.abs(x) > 20 * width || Math.abs(y) > 20 * height) continue
    text += `${text === "" ? "M" : "L"}${Math.round(x)} ${Math.round(y)}`
    ;[lastX, lastY] = [x, y]
  }
  return text === "" ? "" : `${text}Z`
}

const pathsOf = (polygons: ReadonlyArray<Polygon>, project: Projection): string =>
  polygons.flatMap(({ rings }) => rings.map((ring) => pathOf(ring, project))).join("")

const outlineOf = (area: Area, project: Projection): string =>
  area.kind === "polygons"
    ? pathsOf(area.polygons, project)
    : circleOutline(area)
        .map((ring) => pathOf(ring, project))
        .join("")

/**
 * A map of a place within the outlines of countries. Without a place it shows the countries whole; without both there is none.
 * `label` says for those who do not see it what it shows.
 */
export const placeMap = (
  label: string,
  {
    countries,
    place,
    points = []
  }: {
    readonly countries: ReadonlyArray<Area>
    readonly place: Area | undefined
    readonly points?: ReadonlyArray<MapPoint>
  }
): Html | undefined => {
  const seen = boxOf([
    ...(place === undefined ? [] : boxesOf(place)),
    ...points.map(({ latitude, longitude }) => ({
      west: unitsOf(longitude),
      east: unitsOf(longitude),
      south: unitsOf(latitude),
      north: unitsOf(latitude)
    }))
  ])
  const box = seen ?? boxOf(countries.flatMap((country) => boxesOf(country)))
  if (box === undefined) return undefined
  const project = projectionOf(box, place === undefined ? minSpanOfPoint : minSpan)
  return html`<svg class="map" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">
    <rect class="sea" width="${width}" height="${height}" />
    ${countries.map((country) => html`<path class="country" d="${outlineOf(country, project)}" />`)}
    ${place !== undefined && html`<path class="place" d="${outlineOf(place, project)}" />`}
    ${points.map(({ latitude, longitude, name }) => {
      const [x, y] = project(longitude, latitude)
      return html`<circle class="point" cx="${Math.round(x)}" cy="${Math.round(y)}" r="6"
        ><title>${name}</title></circle
      >`
    })}
  </svg>`
}
