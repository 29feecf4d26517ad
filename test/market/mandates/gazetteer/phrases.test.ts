/** How brokers write places: each text with what it means. */
import fc from "fast-check"
import { Result } from "effect"
import { expect, test } from "vitest"
import { load } from "../../../../src/market/mandates/gazetteer/Gazetteer.ts"
import { resolve } from "../../../../src/market/mandates/gazetteer/resolve.ts"
import { wellKnownNames } from "../../../../src/market/mandates/gazetteer/wellKnown.ts"
import { geographyOf } from "../../../../src/market/mandates/geography/Geography.ts"
import { contains } from "../../../../src/market/mandates/geography/geometry.ts"
import { parseGeography } from "../../../../src/market/mandates/geography/parseGeography.ts"

const { places } = await load()

/** `kind name country`, or why there is none. */
const meaningOf = (text: string, country?: string): string => {
  const resolution = resolve(places, text, country)
  if (resolution._tag !== "Resolved") return resolution._tag
  const { country: home, kind, name } = resolution.location
  return [kind, name, ...(home === null ? [] : [home])].join(" ")
}

const areaFor = (text: string) => {
  const resolution = resolve(places, text)
  if (resolution._tag !== "Resolved") throw new Error(`${text} is ${resolution._tag}`)
  return resolution
}

/** By what is meant: the texts, separated by `|`. */
const meant: Readonly<Record<string, string>> = {
  "city Paris FR":
    "75008 Paris|Paris 75008|Paris, 75008|F-75008 Paris|Paris 8e|Paris 8ème|Paris 16e arrondissement|Paris XVIe|8e arrondissement de Paris|75008 Paris, France|Paris (75008)|Central Paris|Paris centre|パリ|باريس|Париж",
  "city Berlin DE":
    "10115 Berlin|D-10115 Berlin|Berlin, 10115|DE-10115 Berlin|Stadt Berlin|Berlin, Germany|10115 Berlin, Deutschland|Berlin Innenstadt|Berlin City|Берлин|برلين|ベルリン",
  "city London GB":
    "London EC2|London EC2A|SW1A 1AA London|London SW1A 1AA|London, W1|London W1J 7NT|London, SW1A 1AA, UK|Central London|Inner London|Лондон|伦敦|ロンドン|لندن",
  "city Wien AT": "1010 Wien|A-1010 Wien|Wien 1010|Wien 22|Stadt Wien|1010 Wien, Österreich|1. Bezirk Wien|Vienna 1010",
  "city Zürich CH":
    "8001 Zürich|CH-8001 Zürich|Zürich 8005|Stadt Zürich|Zürich, Zürich|8001 Zürich, Schweiz|Zürich City",
  "city München DE":
    "80331 München|D-80331 München|München 80331|Landeshauptstadt München|München, Bayern|Мюнхен|慕尼黑",
  "city Hamburg DE": "20095 Hamburg|Hansestadt Hamburg|Stadt Hamburg",
  "city Köln DE": "Köln/Cologne|Cologne/Köln|50667 Köln|Koeln|Köln / Cologne",
  "city Frankfurt am Main DE":
    "Frankfurt a.M.|Frankfurt/M.|Frankfurt a. M.|60311 Frankfurt am Main|FFM|60311 Frankfurt a.M.",
  "city Amsterdam NL": "1012 AB Amsterdam|1012AB Amsterdam|Amsterdam 1012|Gemeente Amsterdam|NL-1012 Amsterdam",
  "city Warszawa PL": "00-950 Warszawa|Warszawa 00-950|Warsaw|Варшава",
  "city Lyon FR": "69003 Lyon|Lyon 3e|Lyon 3ème",
  "city Marseille FR": "13008 Marseille|Marseille 8ème|Marseille 13008",
  "city Lisboa PT": "1000-001 Lisboa|Lisboa 1000-001|Lissabon|Lisbonne",
  "city København DK": "2100 København|DK-2100 København|Kopenhagen|Copenhagen|Копенгаген",
  "city Praha CZ": "110 00 Praha|Praha 1|Praha 110 00|Prag|Прага",
  "city Budapest HU": "1051 Budapest|Budapest V|Будапешт",
  "city Milano IT": "20121 Milano|I-20121 Milano|Comune di Milano|Città di Milano|Mailand|Милан",
  "city New York City US": "New York|NYC|New York, NY 10001|10001 New York|New York, NY|City of New York|Нью-Йорк",
  "city Tokyo JP": "東京|東京都|Tokyo|Tokio|100-0001 Tokyo",
  "city Beijing CN": "北京|北京市|Peking|Beijing",
  "city Shanghai CN": "上海|上海市",
  "city Seoul KR": "서울|서울특별시|Seoul",
  "city Dubai AE": "دبي|Dubai|迪拜|Дубай",
  "city Riyadh SA": "الرياض|Riad",
  "city Tel Aviv IL": "תל אביב|Tel Aviv",
  "city Moscow RU": "Москва|Moskau|Moscou|莫斯科",
  "city Athens GR": "Αθήνα|Athens, Greece",
  "region Zürich CH": "Kanton Zürich|Canton de Zurich|Zürich, Kanton",
  "region Milano IT": "Provincia di Milano",
  "region Bayern DE": "Bayern|Bavaria|Freistaat Bayern|Land Bayern|Bundesland Bayern",
  "region Toscana IT": "Toscana|Toskana|Tuscany|Regione Toscana",
  "region Algarve PT": "Algarve",
  "region Greater München DE":
    "Großraum München|Raum München|Greater Munich|Region München|München und Umgebung|München & Umgebung|Metropolregion München|Munich area|Munich metropolitan area",
  "region Greater Paris FR": "Paris et environs|Greater Paris|Paris metropolitan area|Paris area",
  "region Greater Rosenheim DE": "Landkreis Rosenheim|LK Rosenheim|Kreis Rosenheim|Landkreis Rosenheim, Bayern",
  "region Georgia US": "Georgia, USA",
  "group United States, China": "USA, China|USA und China",
  "group England, Wales GB": "England and Wales",
  "group Starnberg, München DE": "Starnberg, München",
  "region Greater Unna DE": "Kreis Unna",
  "region Greater London GB": "Greater London|Groß-London",
  "region Ruhrgebiet DE": "Ruhrgebiet|Ruhr|Ruhr area|Metropole Ruhr|Ruhrgebiet, Deutschland|Ruhrgebiet, NRW",
  "region Rhein-Main DE": "Rhein-Main|Rhein-Main-Gebiet|Rhine-Main|Frankfurt/Rhein-Main",
  "region Randstad NL": "Randstad|De Randstad|Randstad, Netherlands",
  "region Mallorca ES": "Mallorca|Majorca|Mallorca, Spain|Mallorca, Spanien",
  "region Sylt DE": "Sylt|Insel Sylt|Sylt, Germany",
  "region Côte d'Azur FR": "Côte d'Azur|Cote d'Azur|French Riviera|Cote d Azur",
  "region Silicon Valley US": "Silicon Valley|Silicon Valley, USA",
  "region Midlands GB": "Midlands|The Midlands|Midlands, UK",
  "region Greater Manchester GB": "Greater Manchester",
  "country Trinidad & Tobago TT": "Trinidad and Tobago|Trinidad & Tobago|Trinidad und Tobago",
  "country Japan JP": "日本|Japan|Япония",
  "country China CN": "中国|China",
  "country Germany DE": "Deutschland|Allemagne|德国|ドイツ|ألمانيا|Германия",
  "group DACH": "DACH|D-A-CH|DACH-Region",
  "group Benelux": "Benelux|Beneluxländer",
  "group Nordics": "Nordics|Nordische Länder",
  "group Europe": "Europe|Europa|Pan-European|ヨーロッパ",
  "group Central and Eastern Europe": "CEE|Mittel- und Osteuropa|Central & Eastern Europe|Central and Eastern Europe",
  "group Berlin, München DE":
    "Berlin, München|Berlin und München|Berlin & München|Berlin / München|Berlin; München|Berlin + München|Berlin and Munich|10115 Berlin, 80331 München",
  "group Berlin, Hamburg DE": "Berlin und Hamburg|Berlin, Hamburg|Berlin/Hamburg",
  "group Berlin, Paris": "Berlin, Paris|Berlin, Germany, Paris, France|Berlin; Paris, France|Berlin et Paris",
  "group Düsseldorf, Köln, Bonn DE": "Düsseldorf, Köln und Bonn|Düsseldorf, Köln, Bonn|Düsseldorf/Köln/Bonn",
  "group Germany, Austria": "Deutschland, Österreich|Deutschland und Österreich|Germany and Austria",
  "group Ruhrgebiet, Rhein-Main DE": "Ruhrgebiet, Rhein-Main|Ruhrgebiet und Rhein-Main",
  Ambiguous: "Frankfurt|Granada|Salisbury|Sion|Vitoria|Frankfurt, Berlin|06108 Halle|Landkreis Halle|Springfield",
  Unknown:
    "Müchen|Xyzzy|Xyzzy und Berlin|München, Schleswig-Holstein|Westend, Frankfurt am Main|12345|und|Berlin Xyzzy|Landkreis|Großraum|75008"
}

const rows = Object.entries(meant).flatMap(([meaning, texts]) =>
  texts.split("|").map((text) => [text, meaning] as const)
)

test(`Each of ${rows.length} texts means what its row says`, () => {
  const wrong = rows.flatMap(([text, meaning]) => {
    const found = meaningOf(text)
    return found === meaning ? [] : [`${text} is ${found}, not ${meaning}`]
  })
  expect(wrong).toStrictEqual([])
  expect(rows.length).toBeGreaterThan(250)
})

test(`Each of ${wellKnownNames.length} names of well-known regions means its region, with a valid area`, () => {
  const wrong: Array<string> = []
  for (const [name, { country, extent, name: shown }] of wellKnownNames) {
    for (const home of [undefined, country]) {
      const found = meaningOf(name, home)
      if (found !== `region ${shown} ${country}`) wrong.push(`${name} is ${found}`)
    }
    if (Result.isFailure(parseGeography(geographyOf(areaFor(name).area)))) wrong.push(`${name} has no valid area`)
    const members = extent.kind === "places" ? extent.places : extent.kind === "island" ? [extent.of] : []
    for (const member of members) {
      if (resolve(places, member, country)._tag !== "Resolved") wrong.push(`${name}: no ${member}`)
    }
  }
  expect(wrong).toStrictEqual([])
})

test.each([
  ["Mallorca", [39.57, 2.65], [39.9, 4.27]],
  ["Sylt", [54.9, 8.32], [54.72, 8.7]],
  ["Ruhrgebiet", [51.45, 7.01], [51.22, 6.77]],
  ["Rhein-Main", [50.0, 8.27], [50.92, 6.96]],
  ["Randstad", [51.92, 4.48], [51.44, 5.48]],
  ["Côte d'Azur", [43.55, 7.02], [43.3, 5.37]],
  ["Großraum München", [48.25, 11.65], [48.37, 10.9]],
  ["Berlin, München", [48.14, 11.57], [50.1, 8.68]],
  ["Europe", [40.4, -3.7], [55.75, 37.6]],
  ["Deutschland und Österreich", [48.2, 16.37], [47.37, 8.54]]
] as const)(
  "%s has what is in it, and nothing else",
  (text, [latitude, longitude], [otherLatitude, otherLongitude]) => {
    const { area } = areaFor(text)
    expect(contains(area, longitude, latitude)).toBe(true)
    expect(contains(area, otherLongitude, otherLatitude)).toBe(false)
  }
)

test("Countries in a list, and groups of countries, are these as a whole", () => {
  expect(areaFor("Benelux").countries).toStrictEqual(["BE", "NL", "LU"])
  expect(areaFor("Deutschland, Österreich").countries).toStrictEqual(["DE", "AT"])
  expect(areaFor("Benelux, Dänemark").countries).toStrictEqual(["BE", "NL", "LU", "DK"])
  // Beside other places, they are compared as drawn, with what is off their coasts.
  const { area, countries } = areaFor("Dänemark und Hamburg")
  expect(countries).toStrictEqual([])
  expect(contains(area, 12.6285, 55.7105)).toBe(true)
})

test("The union of large places is within the bounds of an area, and valid", () => {
  for (const text of [
    "Russia, Canada",
    "Europe, USA, China",
    "Norway, Sweden, Finland, Chile, Indonesia",
    "Benelux; Bayern; Canada"
  ]) {
    expect(Result.isSuccess(parseGeography(geographyOf(areaFor(text).area))), text).toBe(true)
  }
})

test("A candidate of one of several places has a text that means them all", () => {
  for (const text of ["Frankfurt, Berlin", "Hamburg und Halle", "Landkreis Halle", "06108 Halle"]) {
    const resolution = resolve(places, text)
    if (resolution._tag !== "Ambiguous") throw new Error(text)
    for (const { location, name } of resolution.candidates) {
      expect(meaningOf(location), location).toMatch(/^(?:city|group|region) /)
      expect(meaningOf(location)).toContain(name)
    }
  }
})

test("Any lines of words give an answer, in bounded time", () => {
  const word = fc.constantFrom(
    "Berlin",
    "Halle",
    "und",
    "Stadt",
    "Kreis",
    "75008",
    ",",
    ";",
    "/",
    "&",
    "San",
    "Landkreis",
    "8e",
    "de",
    "Neustadt",
    "x"
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => {
      const text = words.join(" ").slice(0, 200)
      const before = process.cpuUsage().user
      expect(["Resolved", "Ambiguous", "Unknown"]).toContain(resolve(places, text)._tag)
      expect((process.cpuUsage().user - before) / 1000, text).toBeLessThan(400)
    }),
    { numRuns: 150 }
  )
})
