/** Compares where a property is with where a mandate looks. Pure. */
import { type Area, type Box, toDegrees } from "../mandates/geography/Area.ts"
import { contains, meets } from "../mandates/geography/meets.ts"
import type { Located } from "../mandates/place.ts"

/** Where a property is, as far as it is known. */
export interface PropertyLocation {
  readonly coordinates: { readonly latitude: number | null; readonly longitude: number | null } | null
  readonly country: string | null
}

/** Where a mandate looks: in the countries that its place consists of, in its area, or else in its country. */
export type MandateLocation = Located

/** How the two compare. */
export interface LocationComparison {
  /** The area of the mandate, for people; null if it has none. */
  readonly wanted: AreaSummary | null
  /** Whether the property is in the area of the mandate; undefined where that is not known. */
  readonly isInArea: boolean | undefined
  /** Whether the property is in the country of the mandate by its coordinates; undefined where that is not known. */
  readonly isInCountry: boolean | undefined
}

/** A short description of an area: a circle, or the box around it in degrees (west, south, east, north). */
export type AreaSummary =
  | { readonly near: { readonly latitude: number; readonly longitude: number }; readonly radius: number }
  | { readonly bbox: readonly [west: number, south: number, east: number, north: number] }

/** Nothing is known of either place. */
export const unknownLocation: LocationComparison = { wanted: null, isInArea: undefined, isInCountry: undefined }

const boxAround = (boxes: ReadonlyArray<Box>): AreaSummary => ({
  bbox: [
    toDegrees(Math.min(...boxes.map(({ west }) => west))),
    toDegrees(Math.min(...boxes.map(({ south }) => south))),
    toDegrees(Math.max(...boxes.map(({ east }) => east))),
    toDegrees(Math.max(...boxes.map(({ north }) => north)))
  ]
})

const summaryOf = (area: Area): AreaSummary =>
  area.kind === "circle"
    ? {
        near: { latitude: toDegrees(area.latitude), longitude: toDegrees(area.longitude) },
        radius: area.radius
      }
    : boxAround(area.polygons.map(({ box }) => box))

const covers = (a: Box, b: Box) => a.west <= b.west && a.south <= b.south && a.east >= b.east && a.north >= b.north

/** Those of some boxes that no other one covers: countries have many small ones on their borders. */
export const outermost = (boxes: ReadonlyArray<Box>): ReadonlyArray<Box> =>
  boxes.filter((box, at) => !boxes.some((other, index) => covers(other, box) && (!covers(box, other) || index < at)))

/** The position of a property, if it is known. */
export const positionOf = ({
  coordinates
}: PropertyLocation): { readonly latitude: number; readonly longitude: number } | undefined => {
  const { latitude = null, longitude = null } = coordinates ?? {}
  return latitude === null || longitude === null ? undefined : { latitude, longitude }
}

/**
 * Compares the two; `territoryOf` has what lies in countries. A country holds what says that it is there, and, of what does not say where
 * it is, what lies in its territory. A property without coordinates may be anywhere in its country: it is not in an area outside of it,
 * and whether it is in one inside is not known.
 */
export const compareLocations = (
  property: PropertyLocation,
  mandate: MandateLocation,
  territoryOf: (country: string | null) => Area | undefined
): LocationComparison => {
  const position = positionOf(property)
  const { area, wholeCountries } = mandate
  const isIn = (place: Area | undefined) =>
    place === undefined || position === undefined ? undefined : contains(place, position.longitude, position.latitude)
  const isInOneOf = (countries: ReadonlyArray<string>) => {
    if (property.country !== null) return countries.includes(property.country)
    return position === undefined ? undefined : countries.some((country) => isIn(territoryOf(country)) === true)
  }
  const isElsewhere = () => {
    const country = territoryOf(property.country)
    return position === undefined && area !== undefined && country !== undefined && !meets(country, area)
  }
  return {
    wanted: area === undefined ? null : summaryOf(area),
    isInArea: wholeCountries.length > 0 ? isInOneOf(wholeCountries) : isElsewhere() ? false : isIn(area),
    isInCountry: property.country === null ? isIn(territoryOf(mandate.country)) : undefined
  }
}
