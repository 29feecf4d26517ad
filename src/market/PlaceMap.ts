/**
 * A place on a map: an SVG with the outlines of countries and regions and with the names of cities, as the gazetteer has them. It needs no
 * tiles and no other service.
 */
import { Effect } from "effect"
import { html, type Html } from "../console/Html.ts"
import { type Area, type Box, boxesOf, toUnits } from "./mandates/geography/Area.ts"
import { Locations } from "./mandates/Locations.ts"
import {
  around,
  boxOf,
  layersOf,
  type MapLayers,
  type MapView,
  pathUnits,
  placePath,
  regionsFrom,
  shrinkAt,
  viewOf
} from "./mapPaths.ts"

/** A place on a map, in degrees. */
export interface MapPoint {
  readonly latitude: number
  readonly longitude: number
  readonly name: string
}

/** The size of a map. A script may give it the size that it has on the screen. */
export const [mapWidth, mapHeight] = [480, 300]

/** How much is seen around a small place, in degrees. */
const minSpan = 0.3
/** Around a point, as much as shows which part of a country it is in. */
const minSpanOfPoint = 6

/** How many cities are looked at for their names, in as much as is seen. */
const citiesSeen = 60

/** What is around a place: within the box, which may be larger than what is seen. */
export const layersIn = Effect.fnUntraced(function* (view: MapView, box: Box, cities = citiesSeen) {
  const { featuresIn } = yield* Locations
  const features = yield* featuresIn(box, { cities, withRegions: view.scale >= regionsFrom })
  return layersOf(features, box, view)
})

/** Europe, for who has not said where. */
const europe: Box = { west: toUnits(-11), east: toUnits(31), south: toUnits(35), north: toUnits(60) }

/** What a map shows at first: its place, or else its points, or else Europe. */
export const viewAround = (place: Area | undefined, points: ReadonlyArray<MapPoint> = []): MapView => {
  const seen = around([
    ...(place === undefined ? [] : boxesOf(place)),
    ...points.map(({ latitude, longitude }) => ({
      west: toUnits(longitude),
      east: toUnits(longitude),
      south: toUnits(latitude),
      north: toUnits(latitude)
    }))
  ])
  return viewOf(seen ?? europe, place === undefined ? minSpanOfPoint : minSpan, mapWidth, mapHeight)
}

const number = (value: number) => Number(value.toPrecision(9))

/** The drawing of a map: what is around, the place, and points. */
export const drawing = (
  view: MapView,
  layers: MapLayers,
  place: Area | undefined,
  points: ReadonlyArray<MapPoint> = []
): Html => {
  const [scaleX, scaleY] = [(view.scale * shrinkAt(view.latitude)) / pathUnits, view.scale / pathUnits]
  const x = (longitude: number) => mapWidth / 2 + (longitude - view.longitude) * scaleX * pathUnits
  const y = (latitude: number) => mapHeight / 2 - (latitude - view.latitude) * scaleY * pathUnits
  const matrix = [scaleX, 0, 0, scaleY, x(0), y(0)].map(number).join(" ")
  const path = place === undefined ? "" : placePath(place, view, boxOf(view, mapWidth, mapHeight))
  const shapes = [
    ["country", layers.countries, pathUnits / layers.units],
    ["region", layers.regions, pathUnits / layers.units],
    ["place", path, 1]
  ] as const
  return html`<rect class="sea" width="100%" height="100%" />
    <g class="land" transform="matrix(${matrix})">
      ${shapes.map(([kind, d, units]) => html`<path class="${kind}" d="${d}" transform="scale(${units})" />`)}
    </g>
    <g class="cities" aria-hidden="true"
      >${layers.cities.map(
        ({ latitude, longitude, name }) =>
          html`<g
            data-at="${longitude} ${latitude}"
            transform="translate(${Math.round(x(longitude))} ${Math.round(y(latitude))})"
            ><circle r="2" /><text x="5" y="4">${name}</text></g
          >`
      )}</g
    >
    ${points.map(
      ({ latitude, longitude, name }) =>
        html`<circle class="point" cx="${Math.round(x(longitude))}" cy="${Math.round(y(latitude))}" r="6"
          ><title>${name}</title></circle
        >`
    )}`
}

/** A map of a place or of points, within what is around. `label` says for those who do not see it what it shows. */
export const placeMap = Effect.fnUntraced(function* (
  label: string,
  { place, points = [] }: { readonly place?: Area | undefined; readonly points?: ReadonlyArray<MapPoint> }
) {
  const view = viewAround(place, points)
  const layers = yield* layersIn(view, boxOf(view, mapWidth, mapHeight))
  return html`<svg class="map" viewBox="0 0 ${mapWidth} ${mapHeight}" role="img" aria-label="${label}">
    ${drawing(view, layers, place, points)}
  </svg>`
})
