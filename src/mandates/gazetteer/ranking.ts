/** Which of several places of one name is meant. Pure. */
import { cityOfRegion, isWithin, kindOf, type Places, populationOf } from "./Places.ts"

/** The first place is meant when it has so many times the inhabitants of the next. */
const clearly = 20

// Names of more places have no clear meaning, so the small ones do not matter.
const maxCompared = 100

/**
 * The places that a name can mean, the most populous first. A country goes before all others. A country or a region goes
 * before what it contains: "Luxembourg" is the country. But a province, or a small region, is its city: "Milano",
 * "Berlin". A quarter of a city goes after the city.
 */
export const rank = (places: Places, matches: ReadonlyArray<number>): ReadonlyArray<number> => {
  const bySize = (a: number, b: number) => populationOf(places, b) - populationOf(places, a) || a - b
  const all = [...new Set(matches)].sort(bySize).slice(0, maxCompared)
  const cityOf = new Map(
    all.map((place) => [place, cityOfRegion(places, place)] as const).filter(([, city]) => all.includes(city))
  )
  const widest = all.filter(
    (place) => !cityOf.has(place) && !all.some((other) => cityOf.get(other) !== place && isWithin(places, place, other))
  )
  const countries = widest.filter((place) => kindOf(places, place) === "country")
  return countries.length > 0 ? countries : widest
}

/** The place that is meant, or undefined where several are of like size. */
export const choose = (places: Places, ranked: ReadonlyArray<number>): number | undefined => {
  const [first, second] = ranked
  if (first === undefined || second === undefined) return first
  return populationOf(places, first) >= clearly * Math.max(1, populationOf(places, second)) ? first : undefined
}
