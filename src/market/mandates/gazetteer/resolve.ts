/** What a text about a location means. Pure. */
import { type Area, toDegrees } from "../geography/Area.ts"
import { contains, meets } from "../geography/geometry.ts"
import { describeAll, type Meaning, piecesOf, polygonsOf, type ResolvedLocation, union } from "./areas.ts"
import { fold } from "./format.ts"
import {
  match,
  maxWords,
  misspelt,
  type Named,
  nearSpellings,
  rank,
  type Ranking,
  type Words,
  wordsOf
} from "./matching.ts"
import {
  conjoined,
  describedIn,
  hardParts,
  isUnknownArea,
  lettingGoOfCodes,
  placeAndRegion,
  slashed,
  withoutConjunction,
  withoutEnding
} from "./phrases.ts"
import {
  areaOf,
  areaOfCode,
  cityOfGeonames,
  codeOf,
  countryOf,
  distanceOf,
  kindOf,
  lookup,
  nameOf,
  parentOf,
  type PlaceKind,
  type Places,
  populationOf,
  positionOf,
  radiusOf,
  regionOf
} from "./Places.ts"
import { wellKnown } from "./wellKnown.ts"

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

/** What is left of the work that one text may take: places that are looked for, and ways to divide texts. */
interface Budget {
  finds: number
  left: number
}

const newBudget = (): Budget => ({ finds: 60, left: 400 })

/** A search for slips costs as much as so many searches for a name. */
const costOfSlips = 15

const nothing: Ranking = { ranked: [], chosen: undefined }

/** The places that a text names by a name of theirs, perhaps with what contains them. */
const find = (
  places: Places,
  text: string,
  country?: string,
  budget: Budget = newBudget(),
  kind?: PlaceKind
): Ranking => {
  if (budget.finds <= 0) return nothing
  budget.finds -= 1
  const place = byId(places, text)
  if (place !== undefined) return { ranked: [place], chosen: place }
  const words = wordsOf(text)
  const matches = match(places, words, country, budget).filter(
    (named) => kind === undefined || kindOf(places, named.place) === kind
  )
  const ranking = rank(places, matches)
  const { chosen } = ranking
  if (chosen === undefined || matches.some(({ isOwn }) => isOwn)) return ranking
  // "Müchen" is a former name of a village, and more likely a slip.
  budget.finds -= costOfSlips
  return misspelt(places, words.words.join(" "), chosen).length > 0 ? nothing : ranking
}

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

/** What a part of a text means: some places, or one of several, which a text made of their spelling tells apart. */
type Understood =
  | { readonly meanings: ReadonlyArray<Meaning> }
  | { readonly ranked: ReadonlyArray<number>; readonly compose: (spelling: string) => string }

const asIs = (spelling: string) => spelling

const fromRanking = ({ chosen, ranked }: Ranking, compose = asIs): Understood | undefined =>
  chosen !== undefined
    ? { meanings: [{ kind: "place", place: chosen }] }
    : ranked.length > 0
      ? { ranked, compose }
      : undefined

/** The metres around the centre of a city that its region, or the district of its name, has: GeoNames has no districts. */
const around = { greater: [2.5, 15_000, 60_000], district: [1.5, 15_000, 40_000] } as const

const aroundCity = (places: Places, ranking: Ranking, described: "district" | "greater"): Understood | undefined => {
  const { chosen } = ranking
  if (chosen === undefined || kindOf(places, chosen) !== "city") {
    return fromRanking(ranking, (spelling) => (spelling.includes(":") ? spelling : `${described} ${spelling}`))
  }
  const [factor, least, most] = around[described]
  const radius = Math.min(most, Math.max(least, factor * radiusOf(populationOf(places, chosen))))
  return { meanings: [{ kind: "around", place: chosen, radius }] }
}

/** What a text means as one place. */
const understandOne = (
  places: Places,
  text: string,
  country: string | undefined,
  budget: Budget
): Understood | undefined => {
  const named = (name: string): Understood | undefined => {
    const [first = "", ...others] = name.split(",")
    const region = wellKnown(fold(name), country) ?? wellKnown(fold(first), country)
    // "Mallorca, Spain" and "Sylt, Schleswig-Holstein", but "Mallorca, Ibiza" and "Ruhrgebiet, Köln" are two places.
    const isThere = (wider: string) => {
      const { chosen } = find(places, wider, undefined, budget)
      if (chosen === undefined || region === undefined) return false
      const home = countryOf(places, chosen)
      if (home === undefined || codeOf(places, home) !== region.country || kindOf(places, chosen) === "city")
        return false
      const pieces = piecesOf(places, { kind: "region", region }, (place, there) => find(places, place, there).chosen)
      return home === chosen || pieces.some(({ area }) => meets(areaOf(places, chosen), area))
    }
    if (region !== undefined && (wellKnown(fold(name)) !== undefined || others.every(isThere))) {
      return { meanings: [{ kind: "region", region }] }
    }
    return fromRanking(find(places, name, country, budget))
  }
  if (country === undefined && isUnknownArea(text)) return undefined
  const bare = lettingGoOfCodes(text)
  // "Trinidad and Tobago" is a name; "England and Wales" is none, and no Wales in England.
  const unjoined = withoutConjunction(text)
  const isName = unjoined !== undefined && lookup(places, fold(unjoined)).some(({ strength }) => strength !== "code")
  const candidates = [text, isName ? unjoined : undefined, bare, withoutEnding(bare ?? text)]
  for (const candidate of candidates) {
    const understood = candidate === undefined ? undefined : named(candidate)
    if (understood !== undefined) return understood
  }
  for (const [described, name] of describedIn(bare ?? text)) {
    const kind = described === "greater" ? undefined : described === "district" ? "region" : described
    const ranking = find(places, name, country, budget, kind)
    const understood =
      described === "greater"
        ? aroundCity(places, ranking, described)
        : described === "district" && ranking.ranked.length === 0
          ? aroundCity(places, find(places, name, country, budget, "city"), described)
          : fromRanking(ranking)
    if (understood !== undefined) return understood
  }
  return undefined
}

/** At most so many places in one text. */
const maxParts = 12

const isArea = (places: Places, understood: Understood) =>
  "meanings" in understood &&
  understood.meanings.every(
    (meaning) => meaning.kind === "region" || (meaning.kind === "place" && kindOf(places, meaning.place) !== "city")
  )

/** Whether a small place far from a city is more likely a quarter of it that is not known: "Westend, Frankfurt am Main". */
const isQuarter = (places: Places, one: Understood, other: Understood): boolean => {
  const [a, b] = [one, other].map((each) => ("meanings" in each ? each.meanings[0] : undefined))
  if (a?.kind !== "place" || b?.kind !== "place") return false
  const [small, large] = [populationOf(places, a.place), populationOf(places, b.place)]
  return small < 50_000 && small * 10 < large && distanceOf(places, a.place, b.place) > 100
}

/** All parts of a text, or undefined if one of them means nothing. An ambiguous part makes the whole ambiguous. */
const joined = (
  parts: ReadonlyArray<string>,
  each: (part: string) => Understood | undefined
): Understood | undefined => {
  if (parts.length < 2 || parts.length > maxParts) return undefined
  const meanings: Array<Meaning> = []
  for (const [index, part] of parts.entries()) {
    const understood = each(part)
    if (understood === undefined) return undefined
    if ("ranked" in understood) {
      const { compose, ranked } = understood
      return { ranked, compose: (spelling) => parts.with(index, compose(spelling)).join("; ") }
    }
    meanings.push(...understood.meanings)
  }
  return { meanings }
}

/** The place before a comma that is in the well-known region after it: "Palma, Mallorca". */
const placeInRegion = (places: Places, one: Understood, other: Understood): Understood | undefined => {
  const [region, ...more] = "meanings" in other ? other.meanings : []
  if (region?.kind !== "region" || more.length > 0) return undefined
  const pieces = piecesOf(places, region, (name, home) => find(places, name, home).chosen)
  const meant =
    "ranked" in one ? one.ranked : one.meanings.flatMap((each) => (each.kind === "place" ? [each.place] : []))
  const inside = meant.filter((place) => {
    const { latitude, longitude } = positionOf(places, place)
    return pieces.some(({ area }) => contains(area, longitude, latitude))
  })
  const [place] = inside
  return place === undefined || inside.length > 1 ? undefined : { meanings: [{ kind: "place", place }] }
}

/** The places that commas separate: each with as many of the next segments as belong to it, such as its country. */
const listed = (places: Places, text: string, country: string | undefined, budget: Budget): Understood | undefined => {
  const segments = text.split(",").map((segment) => segment.trim())
  if (segments.length > maxParts) return undefined
  const one = (part: string) => understandOne(places, part, country, budget)
  const parts: Array<string> = []
  for (let from = 0; from < segments.length;) {
    let to = Math.min(segments.length, from + 3)
    while (to > from + 1 && one(segments.slice(from, to).join(", ")) === undefined) to -= 1
    parts.push(segments.slice(from, to).join(", "))
    from = to
  }
  const [first, second, ...others] = parts
  if (first === undefined || second === undefined) return undefined
  // A region that does not contain the place before it is a mistake: "München, Schleswig-Holstein".
  const [a, b] = others.length > 0 ? [] : [one(first), one(second)]
  const within = a === undefined || b === undefined || isArea(places, a) ? undefined : placeInRegion(places, a, b)
  if (within !== undefined) return within
  if (a !== undefined && b !== undefined && (isQuarter(places, a, b) || (!isArea(places, a) && isArea(places, b)))) {
    return undefined
  }
  return joined(parts, (part) => one(part) ?? joined(conjoined(part), one))
}

/** Whether all parts of a text are countries, and the first is no part of the others: "USA, China". */
const areCountries = (places: Places, segments: ReadonlyArray<string>, budget: Budget): boolean => {
  const kinds = segments.map((segment) => {
    const { chosen } = find(places, segment, undefined, budget)
    return chosen === undefined ? undefined : kindOf(places, chosen)
  })
  if (segments.length < 2 || !kinds.every((kind) => kind === "country" || kind === "group")) return false
  const firsts = new Set(match(places, wordsOf(segments[0] ?? "")).map(({ place }) => place))
  // "Georgia, USA" is a state.
  return !find(places, segments.join(", "), undefined, budget).ranked.some((place) => firsts.has(place))
}

/** The cities that slashes separate, if one name does not have them all: "Düsseldorf/Neuss", but "Frankfurt/Main". */
const citiesBetweenSlashes = (
  places: Places,
  text: string,
  country: string | undefined,
  budget: Budget
): Understood | undefined => {
  const parts = text.includes(",") ? [] : slashed(text)
  if (parts.length < 2 || lookup(places, fold(text)).length > 0 || wellKnown(fold(text), country) !== undefined) {
    return undefined
  }
  const isCity = (part: string) => {
    const { chosen } = find(places, part, country, budget)
    return chosen !== undefined && kindOf(places, chosen) === "city"
  }
  return parts.every(isCity) ? joined(parts, (part) => understandOne(places, part, country, budget)) : undefined
}

const understand = (places: Places, text: string, country: string | undefined): Understood | undefined => {
  const budget = newBudget()
  const locatedIn = (one: string) => {
    const [place, region] = (placeAndRegion(one) ?? []).map((each) => understandOne(places, each, country, budget))
    return place === undefined || region === undefined ? undefined : placeInRegion(places, place, region)
  }
  const part = (one: string) =>
    [one.split(","), conjoined(one)]
      .filter((segments) => areCountries(places, segments, budget))
      .map((segments) => joined(segments, (each) => understandOne(places, each, country, budget)))[0] ??
    citiesBetweenSlashes(places, one, country, budget) ??
    understandOne(places, one, country, budget) ??
    joined(conjoined(one), (each) => understandOne(places, each, country, budget)) ??
    listed(places, one, country, budget) ??
    locatedIn(one)
  const parts = hardParts(text)
  return parts.length > 1 ? joined(parts, part) : part(text)
}

/** Whether a text that is understood so means this place alone. */
const isOnly = (place: number, understood: Understood | undefined): boolean => {
  const [meaning, ...more] = understood !== undefined && "meanings" in understood ? understood.meanings : []
  return meaning?.kind === "place" && meaning.place === place && more.length === 0
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
  // A name can also be that of a well-known region, which goes before places: Mykonos is the island.
  const means = (spelling: string) =>
    find(places, spelling).chosen === place && isOnly(place, understand(places, spelling, undefined))
  return [...qualified, ...withKind].find(means) ?? id
}

const candidateOf = (places: Places, place: number): Candidate => ({
  location: spellingOf(places, place),
  ...describe(places, place)
})

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

type Finder = (text: string, country: string) => number | undefined

const describeMeaning = (places: Places, meaning: Meaning, inPlaces: Finder): ResolvedLocation => {
  if (meaning.kind === "region") {
    const { country, name } = meaning.region
    const [piece] = piecesOf(places, meaning, inPlaces)
    const [polygon] = piece === undefined ? [] : polygonsOf(piece.area)
    const circle = piece?.area.kind === "circle" ? piece.area : undefined
    const longitude = circle?.longitude ?? ((polygon?.box.west ?? 0) + (polygon?.box.east ?? 0)) / 2
    const latitude = circle?.latitude ?? ((polygon?.box.south ?? 0) + (polygon?.box.north ?? 0)) / 2
    const source = "GeoNames (CC BY 4.0), Natural Earth"
    const position = { latitude: toDegrees(Math.round(latitude)), longitude: toDegrees(Math.round(longitude)) }
    return { name, kind: "region", country, region: null, ...position, source }
  }
  const { kind, ...description } = describe(places, meaning.place)
  const position = positionOf(places, meaning.place)
  return meaning.kind === "place"
    ? { ...description, kind, ...position, source: sources[kind] }
    : { ...description, name: `Greater ${description.name}`, kind: "region", ...position, source: sources[kind] }
}

const keyOf = (meaning: Meaning) =>
  meaning.kind === "region" ? meaning.region.name : `${meaning.kind} ${meaning.place}`

/** What a text means. With `country`, an ISO 3166-1 code, only what is in this country. */
export const resolve = (places: Places, text: string, country?: string): Resolution => {
  if (text.length > maxLocationLength) return { _tag: "Unknown", candidates: [] }
  const understood = understand(places, text, country)
  if (understood === undefined) return { _tag: "Unknown", candidates: guesses(places, text, country) }
  if ("ranked" in understood) {
    const candidates = understood.ranked.slice(0, maxCandidates).map((one) => candidateOf(places, one))
    return {
      _tag: "Ambiguous",
      candidates: candidates.map((one) => ({ ...one, location: understood.compose(one.location) }))
    }
  }
  const inPlaces: Finder = (name, home) => find(places, name, home).chosen
  const meanings = [...new Map(understood.meanings.map((meaning) => [keyOf(meaning), meaning])).values()]
  const location = describeAll(meanings.map((meaning) => describeMeaning(places, meaning, inPlaces)))
  const pieces = meanings.flatMap((meaning) => piecesOf(places, meaning, inPlaces))
  if (location === undefined || pieces.length === 0) return { _tag: "Unknown", candidates: [] }
  const isOfCountries = pieces.every(({ countries }) => countries.length > 0)
  return {
    _tag: "Resolved",
    location,
    area: union(pieces.map(({ area, territory }) => (isOfCountries ? area : territory))),
    countries: isOfCountries ? [...new Set(pieces.flatMap(({ countries }) => countries))] : []
  }
}
