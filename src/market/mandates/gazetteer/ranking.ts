/** Which of several places of one name is meant. Pure. */
import { cityOfRegion, countryOf, distanceOf, isWithin, kindOf, type Places, populationOf } from "./Places.ts"

/** A place that a text names, and whether by a name of its own: see `strengths` in format.ts. */
export interface Named {
  readonly place: number
  readonly isOwn: boolean
}

/** The places that a name can mean, the likely ones first, and the one that is meant, unless several are of like size. */
export interface Ranking {
  readonly ranked: ReadonlyArray<number>
  readonly chosen: number | undefined
}

/** A place is meant when it has so many times the inhabitants of the next. */
export const clearly = 20

/** The city of a region's name is meant unless the region has more than so many times its inhabitants: then it is a village. */
const village = 50

/** So many kilometres from the middle of a county is its town. */
const around = 60

// Names of more places have no clear meaning, so the small ones do not matter.
const maxCompared = 100

const isClearlyLarger = (places: Places, one: number, other: number) =>
  populationOf(places, one) >= clearly * Math.max(1, populationOf(places, other))

/** Whether a city is in a region, or this is the country around it: counties of cities have a county around them. */
const isAround = (places: Places, region: number, city: number): boolean =>
  isWithin(places, city, region) ||
  (countryOf(places, region) === countryOf(places, city) && distanceOf(places, region, city) <= around)

/**
 * The places of one name, the most populous first. A country goes before all others, a city before the region of its name, and both
 * before what they contain: "Luxembourg" is the country, "Madrid" the city, and no quarter of it.
 */
const order = (places: Places, matches: ReadonlyArray<number>): ReadonlyArray<number> => {
  const bySize = (a: number, b: number) => populationOf(places, b) - populationOf(places, a) || a - b
  const all = [...new Set(matches)].sort(bySize).slice(0, maxCompared)
  const isOfCity = (region: number) =>
    kindOf(places, region) === "region" &&
    all.some(
      (city) =>
        kindOf(places, city) === "city" &&
        (city === cityOfRegion(places, region) ||
          (populationOf(places, city) * village >= populationOf(places, region) && isAround(places, region, city)))
    )
  const left = all.filter((place) => !isOfCity(place))
  const widest = left.filter((place) => !left.some((other) => isWithin(places, place, other)))
  const countries = widest.filter((place) => kindOf(places, place) === "country")
  return countries.length > 0 ? countries : widest
}

const chooseFrom = (places: Places, [first, second]: ReadonlyArray<number>): number | undefined =>
  first === undefined || second === undefined || isClearlyLarger(places, first, second) ? first : undefined

/**
 * Ranks what a name can mean. Places whose own name it is go before those that have it as a foreign or former name, or as a part of
 * their own; but if one of these is far larger, it is as likely.
 */
export const rank = (places: Places, matches: ReadonlyArray<Named>): Ranking => {
  const all = new Set(matches.map(({ place }) => place))
  const owners = matches
    .filter(({ isOwn }) => isOwn)
    .map(({ place }) => {
      const city = kindOf(places, place) === "region" ? cityOfRegion(places, place) : place
      return all.has(city) ? city : place
    })
  const own = order(places, owners)
  const others = order(
    places,
    matches
      .filter(({ isOwn }) => !isOwn)
      .map(({ place }) => place)
      .filter((place) => !owners.some((one) => one === place || isWithin(places, one, place)))
      .filter((place) => !own.some((one) => isWithin(places, place, one)))
  )
  const [first] = own
  if (first === undefined) return { ranked: others, chosen: chooseFrom(places, others) }
  const larger = others.filter((place) => isClearlyLarger(places, place, first))
  const chosen = larger.length > 0 ? undefined : chooseFrom(places, own)
  if (chosen !== undefined) return { ranked: own, chosen }
  return {
    ranked: [...others.filter((place) => populationOf(places, place) >= populationOf(places, first)), ...own],
    chosen
  }
}
