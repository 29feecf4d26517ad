/** Which places a text names: a name, and qualifiers that each contain the place; which of several is meant; which was misspelt. Pure. */
import { countryOf as countryNamed } from "../../../core/fields/Place.ts"
import { fold } from "./format.ts"
import {
  areaOfCode,
  cityOfRegion,
  codeOf,
  countryOf,
  distanceOf,
  firstKey,
  isWithin,
  keyAt,
  kindOf,
  lookup,
  type PlaceKind,
  type Places,
  populationOf,
  postingsAt
} from "./Places.ts"
import { distance } from "fastest-levenshtein"

/** Longer texts name no place. */
export const maxWords = 16

/** Words that say what a place is: "Kanton Zürich", "Salzburg, Stadt". */
const kindWords: Readonly<Record<string, PlaceKind>> = {
  ...Object.fromEntries(
    [
      "city",
      "town",
      "village",
      "municipality",
      "stadt",
      "gemeinde",
      "ville",
      "commune",
      "citta",
      "comune",
      "ciudad",
      "stad"
    ].map((word) => [word, "city" as const])
  ),
  ...Object.fromEntries(
    "region state county province canton department land bundesland kanton provinz provincia provincie regione etat departement regiao lan"
      .split(" ")
      .map((word) => [word, "region" as const])
  ),
  country: "country",
  staat: "country",
  pays: "country",
  pais: "country",
  paese: "country"
}

/** The words of a text, folded. Qualifiers do not reach over a comma. */
export interface Words {
  readonly words: ReadonlyArray<string>
  /** Indexes of the words that begin after a comma. */
  readonly breaks: ReadonlySet<number>
}

export const wordsOf = (text: string): Words => {
  const words: Array<string> = []
  const breaks = new Set<number>()
  for (const segment of text.split(/[,;\r\n]/)) {
    if (words.length > 0) breaks.add(words.length)
    words.push(
      ...fold(segment)
        .split(" ")
        .filter((word) => word !== "")
    )
  }
  return { words, breaks }
}

/** The country that has a name in one of the languages that imports read, also where the gazetteer does not know it. */
const countryOfName = (places: Places, name: string): number | undefined => {
  // Shorter ones are codes.
  const code = name.length < 4 ? undefined : countryNamed(name)
  return code === undefined ? undefined : areaOfCode(places, code)
}

/**
 * The places that have a name. Codes are no names: "IN" is not Indiana. A country owns its names of foreign languages where no place of
 * some size has them: "Kanada" is no village of Indonesia, but "Granada" not Grenada either.
 */
const named = (places: Places, words: ReadonlyArray<string>): ReadonlyArray<Named> => {
  const name = words.join(" ")
  const found = lookup(places, name).filter(({ strength }) => strength !== "code")
  const country = countryOfName(places, name)
  if (country !== undefined && found.length === 0) return [{ place: country, isOwn: true }]
  const isCountry = ({ place }: { readonly place: number }) =>
    place === country &&
    found.every(
      (other) =>
        other.place === place ||
        isWithin(places, other.place, place) ||
        populationOf(places, place) >= clearly * populationOf(places, other.place)
    )
  return found.map((posting) => ({ place: posting.place, isOwn: posting.strength === "own" || isCountry(posting) }))
}

// Of the cities of a name, those that contain others are the large ones.
const maxCities = 20

/** The places whose name or code qualifies others. */
const qualifiersOf = (places: Places, name: string): ReadonlyArray<number> => {
  const listed = lookup(places, name).map(({ place }) => place)
  const all = listed.length > 0 ? listed : [countryOfName(places, name) ?? []].flat()
  const cities = all
    .filter((place) => kindOf(places, place) === "city")
    .sort((a, b) => populationOf(places, b) - populationOf(places, a))
  return [...all.filter((place) => kindOf(places, place) !== "city"), ...cities.slice(0, maxCities)]
}

/** What one qualifier leaves of the candidates. */
const qualify = (
  places: Places,
  candidates: ReadonlyArray<Named>,
  words: ReadonlyArray<string>
): ReadonlyArray<Named> => {
  const name = words.join(" ")
  const kind = kindWords[name]
  const ofKind = candidates.filter(({ place }) => kindOf(places, place) === kind)
  if (ofKind.length > 0) return ofKind
  const qualifiers = qualifiersOf(places, name)
  return candidates.filter(({ place }) => qualifiers.some((qualifier) => isWithin(places, place, qualifier)))
}

// Texts that can be divided in more ways than this name no place.
const maxSteps = 300

/** What the qualifiers in `words` from `from` to `to` leave of the candidates, wherever one ends and the next begins. */
const qualifyAll = (
  places: Places,
  candidates: ReadonlyArray<Named>,
  { breaks, words }: Words,
  from: number,
  to: number,
  steps: { left: number }
): ReadonlyArray<Named> => {
  if (from === to || candidates.length === 0) return candidates
  let end = from + 1
  while (end < to && !breaks.has(end)) end += 1
  for (; end > from && steps.left > 0; end -= 1) {
    steps.left -= 1
    const left = qualify(places, candidates, words.slice(from, end))
    const result = qualifyAll(places, left, { breaks, words }, end, to, steps)
    if (result.length > 0) return result
  }
  return []
}

/**
 * The places that a text names, as a whole if it can be: "Frankfurt Oder" is a name. Otherwise the longest name whose
 * other words all contain the place, before it or after it. With `country`, only places of this country.
 */
export const match = (
  places: Places,
  text: Words,
  country?: string,
  steps: { left: number } = { left: maxSteps }
): ReadonlyArray<Named> => {
  const { words } = text
  if (words.length > maxWords) return []
  const isHere = (place: number) => {
    const home = country === undefined ? undefined : countryOf(places, place)
    return country === undefined || (home !== undefined && codeOf(places, home) === country)
  }
  const here = (name: ReadonlyArray<string>) => named(places, name).filter(({ place }) => isHere(place))
  for (let length = words.length; length > 0; length -= 1) {
    const first = qualifyAll(places, here(words.slice(0, length)), text, length, words.length, steps)
    if (first.length > 0) return first
    if (length === words.length) continue
    const from = words.length - length
    const last = qualifyAll(places, here(words.slice(from)), text, 0, from, steps)
    if (last.length > 0) return last
  }
  return []
}

// Which of several places of one name is meant.

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

// Names that are spelled nearly like a text. The work is bounded, whatever the text.

/** Shorter texts are near to too many names; longer ones are no misspelt name. */
const [minLength, maxLength] = [4, 30]

/** Letters that may be missing or wrong; accents are folded. */
const alphabet = "abcdefghijklmnopqrstuvwxyz "

/** All texts that one slip of a finger turns into `name`: one letter too many, too few, wrong, or two swapped. */
function* oneSlipFrom(name: string): Generator<string> {
  for (let i = 0; i <= name.length; i += 1) {
    const [before, after] = [name.slice(0, i), name.slice(i)]
    if (after !== "") yield before + after.slice(1)
    if (after.length > 1) yield `${before}${after[1]}${after[0]}${after.slice(2)}`
    for (const letter of alphabet) {
      yield before + letter + after
      if (after !== "") yield before + letter + after.slice(1)
    }
  }
}

// Names that begin alike are compared one by one, if there are no more.
const maxAlike = 4000

/** Names from `from` on that begin with `prefix`. */
const rangeOf = (places: Places, prefix: string): readonly [number, number] => [
  firstKey(places, Buffer.from(prefix)),
  // No letter is greater than this one.
  firstKey(places, Buffer.from(`${prefix}\u{10FFFF}`))
]

/** Places whose name begins like `name` and differs from it by two letters. */
const twoSlipsFrom = (places: Places, name: string): ReadonlyArray<number> => {
  for (let length = 3; length < name.length; length += 1) {
    const [from, to] = rangeOf(places, name.slice(0, length))
    if (to - from > maxAlike) continue
    const near: Array<number> = []
    for (let key = from; key < to; key += 1) {
      const other = keyAt(places, key)
      if (Math.abs(other.length - name.length) <= 2 && distance(other, name) <= 2) near.push(key)
    }
    return near
      .flatMap((key) => postingsAt(places, key))
      .flatMap(({ place, strength }) => (strength === "code" ? [] : [place]))
  }
  return []
}

/** Places with a name from which a folded one differs by a slip; with `own`, with one of their own names. */
const oneSlipAway = (places: Places, name: string, own: boolean): ReadonlySet<number> => {
  const found = new Set<number>()
  if (name.length < minLength || name.length > maxLength) return found
  for (const other of oneSlipFrom(name)) {
    for (const { place, strength } of lookup(places, other)) {
      if (strength === "own" || (strength === "other" && !own)) found.add(place)
    }
  }
  return found
}

/** Places with a name like this folded one: with one slip, or, if there are none, with two in a name that is not short. */
export const nearSpellings = (places: Places, name: string): ReadonlyArray<number> => {
  const found = oneSlipAway(places, name, false)
  if (found.size > 0 || name.length < 6 || name.length > maxLength) return [...found]
  return [...new Set(twoSlipsFrom(places, name))]
}

// Names of larger places are known by other people, too, and are not slips.
const knownSize = 100_000

/** The places of one slip away that are far larger than a small place which has the text as a foreign or former name only. */
export const misspelt = (places: Places, name: string, place: number): ReadonlyArray<number> => {
  const population = populationOf(places, place)
  if (population >= knownSize) return []
  const least = Math.max(knownSize, clearly * population)
  return [...oneSlipAway(places, name, true)].filter((other) => populationOf(places, other) >= least)
}
