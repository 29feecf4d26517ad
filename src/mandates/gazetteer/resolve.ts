/** What a text about a location means. Pure. */
import type { Area } from "../geography/Area.ts"
import { groupMembers } from "./groups.ts"
import { match, maxWords, type Words, wordsOf } from "./matching.ts"
import { misspelt, nearSpellings } from "./nearSpellings.ts"
import {
  areaOf,
  areaOfCode,
  cityOfGeonames,
  codeOf,
  countryOf,
  kindOf,
  nameOf,
  parentOf,
  type PlaceKind,
  type Places,
  positionOf,
  regionOf
} from "./Places.ts"
import { type Named, rank, type Ranking } from "./ranking.ts"

/** A place as answers describe it. */
export interface ResolvedLocation {
  readonly name: string
  readonly kind: PlaceKind
  /** ISO 3166-1 alpha-2, or XK for Kosovo; null for a group of countries. */
  readonly country: string | null
  readonly region: string | null
  readonly latitude: number
  readonly longitude: number
  /** Where the data come from, with what their licence asks for. */
  readonly source: string
}

/** A place that a text may mean. */
export interface Candidate {
  /** A text that means this place and no other. */
  readonly location: string
  readonly name: string
  readonly kind: PlaceKind
  readonly country: string | null
  readonly region: string | null
}

/** What a text means: one place, several of like size, or none, with places of nearly this spelling. */
export type Resolution =
  | {
      readonly _tag: "Resolved"
      readonly location: ResolvedLocation
      readonly area: Area
      /** The codes of the countries that the place consists of; none if it is a part of one. */
      readonly countries: ReadonlyArray<string>
    }
  | { readonly _tag: "Ambiguous"; readonly candidates: ReadonlyArray<Candidate> }
  | { readonly _tag: "Unknown"; readonly candidates: ReadonlyArray<Candidate> }

/** Longer texts are unknown. */
export const maxLocationLength = 200

/** At most so many candidates. */
export const maxCandidates = 10

// Places of nearly the right spelling are guesses: fewer of them say more.
const maxGuesses = 5

const sources: Readonly<Record<PlaceKind, string>> = {
  country: "Natural Earth",
  group: "Natural Earth",
  region: "Natural Earth",
  city: "GeoNames (CC BY 4.0)"
}

const describe = (places: Places, place: number) => {
  const country = countryOf(places, place)
  const region = regionOf(places, place)
  return {
    name: nameOf(places, place),
    kind: kindOf(places, place),
    country: country === undefined ? null : codeOf(places, country),
    region: region === undefined ? null : nameOf(places, region)
  }
}

/** The place that a text names by its id: `geonames:2867714`, `place:DEU-1591`. */
const byId = (places: Places, text: string): number | undefined => {
  const [, scheme, id] = /^(geonames|place):\s*(\S{1,40})$/i.exec(text.trim()) ?? []
  if (scheme === undefined || id === undefined) return undefined
  return scheme.toLowerCase() === "geonames" ? cityOfGeonames(places, Number(id)) : areaOfCode(places, id)
}

const find = (places: Places, text: string, country?: string): Ranking => {
  const place = byId(places, text)
  if (place !== undefined) return { ranked: [place], chosen: place }
  const words = wordsOf(text)
  const matches = match(places, words, country)
  const ranking = rank(places, matches)
  const { chosen } = ranking
  if (chosen === undefined || matches.some(({ isOwn }) => isOwn)) return ranking
  // "Müchen" is a former name of a village, and more likely a slip.
  return misspelt(places, words.words.join(" "), chosen).length > 0 ? { ranked: [], chosen: undefined } : ranking
}

/** The shortest text that means this place and no other, with or without `country` beside it. */
const spellingOf = (places: Places, place: number): string => {
  const { kind, name, region } = describe(places, place)
  const home = countryOf(places, place)
  const country = home === undefined || home === place ? undefined : nameOf(places, home)
  const parent = parentOf(places, place)
  const county = parent === undefined || parent === home ? null : nameOf(places, parent)
  const qualified = [[], [region], [country], [region, country], [county], [county, country]]
    .map((qualifiers) => [name, ...qualifiers].filter((part) => part !== null && part !== undefined))
    .map((parts) => parts.join(", "))
  const withKind = kind === "group" ? [] : qualified.map((spelling) => `${spelling}, ${kind}`)
  const id = kind === "city" ? `geonames:${places.columns.geonames[place]}` : `place:${codeOf(places, place)}`
  const means = (spelling: string) => find(places, spelling).chosen === place
  return [...qualified, ...withKind].find(means) ?? id
}

const candidateOf = (places: Places, place: number): Candidate => ({
  location: spellingOf(places, place),
  ...describe(places, place)
})

/** The place that is meant, or those that may be. */
const likely = (places: Places, matches: ReadonlyArray<Named>): ReadonlyArray<number> => {
  const { chosen, ranked } = rank(places, matches)
  return chosen === undefined ? ranked.slice(0, maxGuesses) : [chosen]
}

/** Places that a part of the text names, the longest part first. */
const partly = (places: Places, { words }: Words, country: string | undefined): ReadonlyArray<number> => {
  for (let length = words.length - 1; length > 0; length -= 1) {
    for (const part of [words.slice(0, length), words.slice(words.length - length)]) {
      const found = likely(places, match(places, { words: part, breaks: new Set() }, country))
      if (found.length > 0) return found
    }
  }
  return []
}

/** Places of nearly this spelling, or that a part of it names. What is before a comma is the name, if there is one. */
const guesses = (places: Places, text: string, country: string | undefined): ReadonlyArray<Candidate> => {
  const words = wordsOf(text)
  if (words.words.length > maxWords) return []
  const isHere = (place: number) => {
    const home = countryOf(places, place)
    return country === undefined || (home !== undefined && codeOf(places, home) === country)
  }
  const near = (part: Words) =>
    rank(
      places,
      nearSpellings(places, part.words.join(" "))
        .filter(isHere)
        .map((place) => ({ place, isOwn: true }))
    ).ranked.slice(0, maxGuesses)
  const [beforeComma] = words.breaks
  const name = { words: words.words.slice(0, beforeComma), breaks: new Set<number>() }
  const named = beforeComma === undefined ? [] : likely(places, match(places, name, country))
  const found =
    named.length > 0
      ? named
      : [...near(words), ...(beforeComma === undefined ? [] : near(name)), ...partly(places, words, country)]
  return [...new Set(found)].slice(0, maxGuesses).map((place) => candidateOf(places, place))
}

/** The codes of the countries that a country or a group consists of. */
const countriesIn = (places: Places, place: number): ReadonlyArray<string> => {
  const kind = kindOf(places, place)
  const code = kind === "country" || kind === "group" ? codeOf(places, place) : undefined
  return code === undefined ? [] : kind === "country" ? [code] : (groupMembers[code] ?? [])
}

/** What a text means. With `country`, an ISO 3166-1 code, only what is in this country. */
export const resolve = (places: Places, text: string, country?: string): Resolution => {
  if (text.length > maxLocationLength) return { _tag: "Unknown", candidates: [] }
  const { chosen: place, ranked } = find(places, text, country)
  if (place !== undefined) {
    const { kind, ...description } = describe(places, place)
    const location = { ...description, kind, ...positionOf(places, place), source: sources[kind] }
    return { _tag: "Resolved", location, area: areaOf(places, place), countries: countriesIn(places, place) }
  }
  if (ranked.length === 0) return { _tag: "Unknown", candidates: guesses(places, text, country) }
  return { _tag: "Ambiguous", candidates: ranked.slice(0, maxCandidates).map((one) => candidateOf(places, one)) }
}
