/** Which places a text names: a name, and qualifiers that each contain the place. Pure. */
import { countryOf as countryNamed } from "../../../core/fields/Place.ts"
import { fold } from "./fold.ts"
import { clearly, type Named } from "./ranking.ts"
import {
  areaOfCode,
  codeOf,
  countryOf,
  isWithin,
  kindOf,
  lookup,
  type PlaceKind,
  type Places,
  populationOf
} from "./Places.ts"

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
