import fc from "fast-check"
import countries from "i18n-iso-countries/index.js"
import { readFile, stat } from "node:fs/promises"
import { Effect, Result } from "effect"
import { expect, test } from "vitest"
import { digestOfInputs } from "../../../../src/market/mandates/gazetteer/build/sources.ts"
import { fold } from "../../../../src/market/mandates/gazetteer/format.ts"
import { Gazetteer, load } from "../../../../src/market/mandates/gazetteer/Gazetteer.ts"
import {
  areaOf,
  areaOfCode,
  codeOf,
  countryOf,
  keyAt,
  nameOf,
  positionOf,
  postingsAt,
  radiusOf,
  territoryOf
} from "../../../../src/market/mandates/gazetteer/Places.ts"
import { resolve } from "../../../../src/market/mandates/gazetteer/resolve.ts"
import { circleAt } from "../../../../src/market/mandates/geography/Area.ts"
import { geographyOf, positionsOf } from "../../../../src/market/mandates/geography/Geography.ts"
import { contains, meets } from "../../../../src/market/mandates/geography/geometry.ts"
import { parseGeography } from "../../../../src/market/mandates/geography/parseGeography.ts"

const { header, places } = await load()

const located = (text: string, country?: string) => {
  const resolution = resolve(places, text, country)
  expect(resolution, text).toMatchObject({ _tag: "Resolved" })
  return resolution._tag === "Resolved" ? resolution.location : undefined
}

const candidatesOf = (text: string, country?: string) => {
  const resolution = resolve(places, text, country)
  return resolution._tag === "Resolved"
    ? [resolution._tag]
    : [resolution._tag, ...resolution.candidates.map(({ name }) => name)]
}

const areaFor = (text: string) => {
  const resolution = resolve(places, text)
  if (resolution._tag !== "Resolved") throw new Error(`${text} is ${resolution._tag}`)
  return resolution.area
}

const has = (text: string, latitude: number, longitude: number) => contains(areaFor(text), longitude, latitude)

test("Case, accents, umlauts, ß and punctuation make no difference to a name", () => {
  expect(fold("Île-de-France")).toBe(fold("ILE DE FRANCE"))
  expect(fold("Gießen")).toBe("giessen")
  expect(fold("Łódź  (Lodz)")).toBe("lodz lodz")
  expect(fold("Ærø")).toBe("aero")
})

test.each([
  "Munich",
  "München",
  "munchen",
  "Muenchen",
  "MÜNCHEN",
  "Monaco di Baviera",
  "München, Bayern",
  "Munich Germany",
  "Deutschland, München"
])("%s is München", (text) => {
  expect(located(text)).toStrictEqual({
    name: "München",
    kind: "city",
    country: "DE",
    region: "Bayern",
    latitude: expect.closeTo(48.1374, 3),
    longitude: expect.closeTo(11.5755, 3),
    source: "GeoNames (CC BY 4.0)"
  })
})

test.each([
  ["Bavaria", "Bayern", "DE"],
  ["Bayern", "Bayern", "DE"],
  ["Catalonia", "Cataluña", "ES"],
  ["Katalonien", "Cataluña", "ES"],
  ["Lombardy", "Lombardia", "IT"],
  ["Lombardei", "Lombardia", "IT"],
  ["Île-de-France", "Île-de-France", "FR"],
  ["ile de france", "Île-de-France", "FR"],
  ["Greater London", "Greater London", "GB"],
  ["Schottland", "Scotland", "GB"],
  ["Kanton Zürich", "Zürich", "CH"],
  ["Südtirol", "Südtirol", "IT"],
  ["NRW", "Nordrhein-Westfalen", "DE"]
])("%s is the region %s", (text, name, country) => {
  expect(located(text)).toMatchObject({ name, kind: "region", country, source: "Natural Earth" })
})

test.each([
  ["Deutschland", "DE"],
  ["Allemagne", "DE"],
  ["Niemcy", "DE"],
  ["Luxembourg", "LU"],
  ["UK", "GB"],
  ["USA", "US"],
  ["Österreich", "AT"],
  ["Oesterreich", "AT"],
  ["Suisse", "CH"],
  ["Turkey", "TR"]
])("%s is the country %s", (text, country) => {
  expect(located(text)).toMatchObject({ kind: "country", country })
})

test.each(["DACH", "Nordics", "Benelux", "Baltics", "Iberia", "European Union"])(
  "%s is a group of countries",
  (text) => {
    expect(located(text)).toMatchObject({ kind: "group", country: null, region: null })
  }
)

test.each([
  ["Berlin", 52.45, 13.3, 52.39, 13.06],
  ["Paris", 48.85, 2.35, 48.9, 2.2],
  ["Wien", 48.2, 16.4, 48.3, 16.7],
  ["London", 51.4, -0.1, 51.75, -0.34],
  ["Hamburg", 53.55, 10, 53.55, 9.6]
])(
  "%s is a city with the outline of its small region",
  (text, insideLatitude, insideLongitude, latitude, longitude) => {
    expect(located(text)).toMatchObject({ kind: "city" })
    expect(areaFor(text)).toMatchObject({ kind: "polygons" })
    expect(has(text, insideLatitude, insideLongitude)).toBe(true)
    expect(has(text, latitude, longitude)).toBe(false)
  }
)

test("Ports that a generalized coast leaves out are in their country, region and group", () => {
  for (const text of ["Spain", "Comunidad Valenciana", "Iberia"]) expect(has(text, 38.3452, -0.4815), text).toBe(true)
  for (const text of ["United Kingdom", "England"]) expect(has(text, 50.3715, -4.143), text).toBe(true)
})

test("Other cities are circles, which are larger for more inhabitants", () => {
  expect(areaFor("München")).toMatchObject({ kind: "circle", radius: 11_000 })
  expect([0, 1000, 100_000, 1_000_000, 1e9].map(radiusOf)).toStrictEqual([2000, 2000, 4000, 10_000, 40_000])
})

test.each([
  ["Salzburg", "Salzburg", "AT"],
  ["Madrid", "Madrid", "ES"],
  ["Zürich", "Zürich", "CH"],
  ["Stadt Zürich", "Zürich", "CH"],
  ["Zürich, Zürich", "Zürich", "CH"],
  ["Stavanger", "Stavanger", "NO"],
  ["Tromsø", "Tromsø", "NO"],
  ["Bern", "Bern", "CH"],
  ["Genève", "Genève", "CH"],
  ["Utrecht", "Utrecht", "NL"],
  ["Groningen", "Groningen", "NL"],
  ["Murcia", "Murcia", "ES"],
  ["Lisboa", "Lisboa", "PT"],
  ["Porto", "Porto", "PT"],
  ["Uppsala", "Uppsala", "SE"],
  ["Milano", "Milano", "IT"],
  ["New York", "New York City", "US"],
  ["New York City", "New York City", "US"],
  ["Québec", "Québec", "CA"],
  ["São Paulo", "São Paulo", "BR"],
  ["Moscow", "Moscow", "RU"],
  ["Tokyo", "Tokyo", "JP"],
  ["Cork", "Cork", "IE"],
  ["Galway", "Galway", "IE"]
])("%s is the city before the region of its name", (text, name, country) => {
  expect(located(text)).toMatchObject({ name, kind: "city", country })
})

test.each([
  ["Brandenburg", "Brandenburg", "DE"],
  ["Kanton Bern", "Bern", "CH"],
  ["Provinz Utrecht", "Utrecht", "NL"],
  ["Land Salzburg", "Salzburg", "AT"],
  ["Yorkshire", "Yorkshire and the Humber", "GB"],
  ["Texas", "Texas", "US"]
])("%s is the region: no city has that name as its own, or the text says so", (text, name, country) => {
  expect(located(text)).toMatchObject({ name, kind: "region", country })
})

test.each([
  // A former or foreign name of a place that is far larger is as likely as the own name of a small one.
  ["Salisbury", ["Harare", "Salisbury, South West England", "Salisbury, Maryland"]],
  ["Sion", ["Jerusalem", "Sion, Valais"]],
  ["Şile", ["Chile", "Şile, Istanbul"]],
  // Others are none; these have the name themselves.
  ["Granada", ["Granada, Andalucía", "Granada, Nicaragua"]],
  ["Guadalupe", ["Guadalupe, Nuevo León"]],
  ["Vitoria", ["Vitória, Espírito Santo", "Vitoria-Gasteiz"]],
  ["Freiburg", ["Freiburg, Baden-Württemberg", "Fribourg"]]
])("%s is ambiguous", (text, locations) => {
  const resolution = resolve(places, text)
  if (resolution._tag !== "Ambiguous") throw new Error(`${text} is ${resolution._tag}`)
  expect(resolution.candidates.map(({ location }) => location)).toEqual(expect.arrayContaining(locations))
})

test.each([
  ["Granada", "ES", "Granada"],
  ["Salisbury", "GB", "Salisbury"],
  ["Sion", "CH", "Sion"],
  ["Vitoria", "ES", "Vitoria-Gasteiz"],
  ["Şile", "TR", "Şile"]
])("%s in %s is %s", (text, country, name) => {
  expect(located(text, country)).toMatchObject({ name, country, kind: "city" })
})

test.each([
  ["Cologne", "Köln"],
  ["Nuremberg", "Nürnberg"],
  ["Mailand", "Milano"],
  ["Venise", "Venezia"],
  ["Breslau", "Wrocław"],
  ["Den Haag", "The Hague"],
  ["Genf", "Genève"],
  ["Prag", "Praha"]
])("%s is a foreign name that nothing else has: %s", (text, name) => {
  expect(located(text)).toMatchObject({ name, kind: "city" })
})

test("What is a slip from a city is no village of which it was a name", () => {
  expect(candidatesOf("Müchen").slice(0, 2)).toStrictEqual(["Unknown", "München"])
})

test("Qualifiers must contain the place", () => {
  expect(located("Berlin Mitte")).toMatchObject({ name: "Mitte", region: "Berlin" })
  expect(located("Springfield, IL")).toMatchObject({ region: "Illinois" })
  expect(located("Springfield, Illinois, United States")).toMatchObject({ region: "Illinois" })
  expect(located("Paris, Texas")).toMatchObject({ region: "Texas" })
  expect(located("Frankfurt Oder")).toMatchObject({ name: "Frankfurt (Oder)", region: "Brandenburg" })
  expect(located("Frankfurt/Oder")).toMatchObject({ name: "Frankfurt (Oder)" })
  expect(located("Frankfurt am Main, Hessen")).toMatchObject({ name: "Frankfurt am Main" })
  expect(candidatesOf("München, Schleswig-Holstein")).toStrictEqual(["Unknown", "München"])
})

test("With a country, only what is in it is meant", () => {
  expect(located("Halle", "NL")).toMatchObject({ country: "NL", region: "Gelderland" })
  expect(candidatesOf("München", "FR")).toStrictEqual(["Unknown"])
})

test("Several places of like size are ambiguous", () => {
  expect(candidatesOf("Frankfurt").slice(0, 3)).toStrictEqual(["Ambiguous", "Frankfurt am Main", "Frankfurt (Oder)"])
  expect(candidatesOf("Halle").slice(0, 2)).toStrictEqual(["Ambiguous", "Halle (Saale)"])
  expect(candidatesOf("Springfield")[0]).toBe("Ambiguous")
})

test("What names no place is unknown, with places of nearly this spelling or of a part of it", () => {
  expect(candidatesOf("Munchn")).toContain("München")
  expect(candidatesOf("Mnuich")).toContain("München")
  expect(candidatesOf("Munchn, Deutschland")).toContain("München")
  expect(candidatesOf("München Kreuzberg")).toContain("München")
  for (const text of ["", " ", ",", "🏢", "geonames:1", "place:XX-1", "x".repeat(201)]) {
    expect(resolve(places, text), text).toStrictEqual({ _tag: "Unknown", candidates: [] })
  }
})

test("A code of a state or country qualifies a name, but is none", () => {
  expect(candidatesOf("IL")[0]).toBe("Unknown")
  expect(located("Frankfurt am Main, DE")).toMatchObject({ kind: "city" })
})

/** Names with at least three places. */
const sharedNames = Array.from({ length: places.columns.keyLength.length }, (_, key) => key).filter(
  (key) => postingsAt(places, key).filter(({ strength }) => strength !== "code").length > 2
)

/** Checks that the spelling of each candidate for a text means that candidate and no other. */
const expectSpellings = (text: string) => {
  const resolution = resolve(places, text)
  if (resolution._tag === "Resolved") return
  const { candidates } = resolution
  // What may be a slip has one guess, or several.
  expect(candidates.length, text).toBeGreaterThan(resolution._tag === "Ambiguous" ? 1 : 0)
  const resolved = candidates.map(({ location, ...candidate }) => {
    const found = located(location)
    expect(found, location).toMatchObject(candidate)
    // Some towns have the position of the district that they are the seat of.
    return `${found?.kind} ${found?.name} ${found?.latitude} ${found?.longitude}`
  })
  expect(new Set(candidates.map(({ location }) => location)).size).toBe(candidates.length)
  expect(new Set(resolved).size, resolved.join()).toBe(candidates.length)
}

test("The spelling of each candidate means that candidate and no other", () => {
  fc.assert(
    fc.property(fc.constantFrom(...sharedNames), (key) => {
      expectSpellings(keyAt(places, key))
    }),
    { numRuns: 150 }
  )
})

test.each([
  // A candidate has the name of a well-known region.
  "Chora",
  "Champana-Ardenne",
  "Midland",
  "Rodes",
  "Siti",
  // Two have one position.
  "Amphoe Benchalak",
  "Chengjiao Xiang",
  // One guess.
  "Alos"
])("The spelling of each candidate for %s means that candidate and no other", expectSpellings)

test("Any text gives an answer", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 250, unit: "grapheme" }),
        fc.string({ maxLength: 40, unit: fc.constantFrom(..."san ta,ei") })
      ),
      (text) => {
        expect(["Resolved", "Ambiguous", "Unknown"]).toContain(resolve(places, text)._tag)
      }
    ),
    { numRuns: 60 }
  )
})

test("Every outline is a valid geography", () => {
  const invalid: Array<string> = []
  for (let area = 0; area < places.columns.outlineLength.length; area += 1) {
    const parsed = parseGeography(geographyOf(areaOf(places, area)))
    if (Result.isFailure(parsed)) invalid.push(`${nameOf(places, area)}: ${JSON.stringify(parsed.failure[0])}`)
  }
  expect(invalid).toStrictEqual([])
})

test.each([
  // In the outline, off the coast, on islands that the map leaves out; then what is too far off, and what is in another country.
  [
    "DK",
    [
      [55.68, 12.5],
      [55.7105, 12.6285],
      [57.9, 10.6],
      [55.32, 15.19]
    ],
    [
      [57.4, 9.0],
      [55.59, 13.02],
      [54.7, 9.43]
    ]
  ],
  [
    "DE",
    [
      [54.78, 8.28],
      [54.18, 7.89],
      [53.87, 8.7],
      [47.66, 9.18]
    ],
    [
      [54.9, 6.1],
      [54.94, 8.86],
      [48.58, 7.75]
    ]
  ],
  [
    "MV",
    [
      [4.175, 73.51],
      [-0.6, 73.08],
      [6.9, 73.1],
      [1.77, 73.43]
    ],
    [[4.2, 76]]
  ],
  [
    "FJ",
    [
      [-17.8, 177.4],
      [-16.8, 179.99],
      [-16.8, -179.99],
      [-17.2, -178.8]
    ],
    [[-17, -176]]
  ],
  [
    "NL",
    [
      [51.95, 4.0],
      [53.45, 5.8]
    ],
    [
      [52.3, 3.2],
      [51.2, 2.95],
      [51.87, 6.2]
    ]
  ],
  [
    "SG",
    [
      [1.24, 103.83],
      [1.29, 103.86]
    ],
    [[1.5, 103.75]]
  ],
  [
    "CH",
    [
      [46.2, 6.15],
      [47.37, 8.54]
    ],
    [
      [47.73, 9.36],
      [45.98, 9.06]
    ]
  ]
] as const)("The territory of %s is its land and what is off its coast", (code, inside, outside) => {
  const country = areaOfCode(places, code)
  if (country === undefined) throw new Error(code)
  const territory = territoryOf(places, country)
  for (const [latitude, longitude] of inside) {
    expect(contains(territory, longitude, latitude), `${latitude}, ${longitude}`).toBe(true)
  }
  for (const [latitude, longitude] of outside) {
    expect(contains(territory, longitude, latitude), `${latitude}, ${longitude}`).toBe(false)
  }
})

test("Territories contain their outlines, are valid, and are in no other country", () => {
  const { kind, territoryLength } = places.columns
  const all = Array.from({ length: territoryLength.length }, (_, country) => ({
    code: codeOf(places, country),
    outline: areaOf(places, country),
    territory: territoryOf(places, country)
  }))
  expect(all.length).toBe(kind.indexOf(1))
  const faults: Array<string> = []
  for (const { code, outline, territory } of all) {
    if (Result.isFailure(parseGeography(geographyOf(territory)))) faults.push(`${code} is invalid`)
    for (const [longitude, latitude] of positionsOf(geographyOf(outline)).filter((_, at) => at % 7 === 0)) {
      // Where borders would touch themselves, a corner is cut.
      const isIn = meets(territory, circleAt(longitude, latitude, 500))
      if (!isIn) faults.push(`${code} is not in it: ${latitude}, ${longitude}`)
    }
  }
  expect(faults).toStrictEqual([])
  // Each country holds its towns, and nobody's else, but at borders, which are less exact than towns.
  const wrong = { missing: 0, foreign: 0, all: 0 }
  for (let city = kind.indexOf(3); city < kind.length; city += 211) {
    const country = countryOf(places, city)
    if (country === undefined) continue
    const { latitude, longitude } = positionOf(places, city)
    wrong.all += 1
    if (!contains(territoryOf(places, country), longitude, latitude)) wrong.missing += 1
    if (all.some(({ outline }, other) => other !== country && contains(outline, longitude, latitude)))
      wrong.foreign += 1
  }
  expect(wrong.all).toBeGreaterThan(900)
  expect(
    [wrong.missing, wrong.foreign].every((count) => count < wrong.all / 100),
    JSON.stringify(wrong)
  ).toBe(true)
})

test("Every town of an island state is in it", () => {
  for (const code of ["MV", "FJ", "KI", "BS", "SC", "TO", "MT", "BH", "SG", "HK"]) {
    const country = areaOfCode(places, code) ?? -1
    const territory = territoryOf(places, country)
    const outside: Array<string> = []
    for (let city = places.columns.kind.indexOf(3); city < places.columns.kind.length; city += 1) {
      if (countryOf(places, city) !== country) continue
      const { latitude, longitude } = positionOf(places, city)
      if (!contains(territory, longitude, latitude)) outside.push(nameOf(places, city))
    }
    expect(outside, code).toStrictEqual([])
  }
})

test("The file is that of its sources and of the program that makes it: if not, run npm run gazetteer", async () => {
  expect(header.inputs).toBe(await digestOfInputs())
  const { size } = await stat(new URL("../../../../src/market/mandates/gazetteer/places.bin.br", import.meta.url))
  expect(size).toBeLessThan(8e6)
})

test("The sources are named beside the file, as their licences ask", async () => {
  const notice = await readFile(new URL("../../../../src/market/mandates/gazetteer/NOTICE.md", import.meta.url), "utf8")
  for (const name of ["GeoNames", "Creative Commons Attribution 4.0", "Natural Earth", "UNICODE LICENSE V3"]) {
    expect(notice).toContain(name)
  }
})

test("The service loads the file when it is first asked, and knows every country", async () => {
  const resolved = Effect.gen(function* () {
    const gazetteer = yield* Gazetteer
    const texts = yield* Effect.all([gazetteer.resolve("Munich"), gazetteer.resolve("Halle", "NL")], { concurrency: 2 })
    expect(texts).toMatchObject([{ location: { name: "München" } }, { location: { country: "NL" } }])
    const areas = yield* Effect.forEach(Object.keys(countries.getAlpha2Codes()), gazetteer.territoryOf)
    expect(areas.filter((area) => area === undefined)).toStrictEqual([])
    expect(yield* gazetteer.territoryOf("DACH")).toBeUndefined()
  })
  await Effect.runPromise(Effect.provide(resolved, Gazetteer.layer))
})

test.each([
  ["Kanada", "CA"],
  ["Francia", "FR"],
  ["Grecia", "GR"],
  ["Polonia", "PL"],
  ["Marocco", "MA"],
  ["Inde", "IN"],
  ["Singapur", "SG"],
  ["Holanda", "NL"],
  ["EEUU", "US"],
  ["Vereinigte Staaten von Amerika", "US"],
  ["Repubblica Ceca", "CZ"],
  ["Česká republika", "CZ"]
])("%s is the country, whatever villages have its name", (text, code) => {
  expect(resolve(places, text)).toMatchObject({ _tag: "Resolved", countries: [code], location: { kind: "country" } })
})

test("A country of a foreign name loses to a place of some size, and to all within the given country", () => {
  expect(resolve(places, "Granada")._tag).toBe("Ambiguous")
  expect(located("Kanada", "ID")).toMatchObject({ kind: "city", country: "ID" })
  expect(located("England")).toMatchObject({ kind: "region" })
  expect(located("Toronto, Kanada")).toMatchObject({ name: "Toronto" })
  expect(located("Miami, EEUU")).toMatchObject({ name: "Miami" })
})

test.each(["Asia", "Africa", "Central Europe", "Mitteleuropa", "CIS", "Central Asia", "Riviera"])(
  "%s is no village of this name",
  (text) => {
    expect(resolve(places, text)._tag).toBe("Unknown")
  }
)

test.each([
  ["Düsseldorf/Neuss", "Düsseldorf, Neuss"],
  ["Ulm/Neu-Ulm", "Ulm, Neu-Ulm"],
  ["Zürich / Winterthur", "Zürich, Winterthur"],
  ["Frankfurt/Main", "Frankfurt am Main"],
  ["Berlin • Hamburg", "Berlin, Hamburg"],
  ["Berlin · München", "Berlin, München"],
  ["110 00 Praha 1", "Praha"],
  ["DK-2100 København Ø", "København"],
  ["〒100-0001 東京", "Tokyo"]
])("%s is %s", (text, name) => {
  expect(located(text)).toMatchObject({ name })
})

test("Long Island is New York's, and in the Bahamas theirs", () => {
  expect(located("Long Island")).toMatchObject({ country: "US" })
  expect(located("Long Island", "BS")).toMatchObject({ country: "BS" })
})

test.each([
  ["Palma, Mallorca", "Palma", "ES"],
  ["Westerland, Sylt", "Westerland", "DE"],
  ["Marbella, Costa del Sol", "Marbella", "ES"],
  ["Cannes, Côte d'Azur", "Cannes", "FR"],
  ["Essen, Ruhrgebiet", "Essen", "DE"],
  ["Westerland auf Sylt", "Westerland", "DE"],
  ["Palma (Mallorca)", "Palma", "ES"]
])("%s is the town in the region", (text, name, country) => {
  expect(located(text)).toMatchObject({ name, kind: "city", country })
})

test("A region that does not have the town before it is a mistake", () => {
  expect(resolve(places, "München, Mallorca")._tag).toBe("Unknown")
})

test.each([
  ["Bohemia", "CZ"],
  ["Mähren", "CZ"],
  ["Patagonia", "AR"],
  ["Langhe", "IT"],
  ["Spessart", "DE"]
])("%s is the region, whatever villages have its name", (text, country) => {
  expect(located(text)).toMatchObject({ kind: "region", country })
})

test.each([
  ["Mallorca, Ibiza", "Mallorca, Ibiza"],
  ["Sylt, Rügen, Usedom", "Sylt, Rügen, Usedom"],
  ["Ruhrgebiet, Köln", "Ruhrgebiet, Köln"],
  ["Ruhrgebiet, Rhein-Main", "Ruhrgebiet, Rhein-Main"],
  ["Ruhrgebiet, Hessen", "Ruhrgebiet, Hessen"],
  ["Mallorca, Spanien", "Mallorca"],
  ["Sylt, Schleswig-Holstein", "Sylt"],
  ["Côte d'Azur, France", "Côte d'Azur"]
])("%s is %s: what follows a well-known region is another place, unless the region lies in it", (text, name) => {
  expect(located(text)).toMatchObject({ name })
})
