/**
 * Countries by their codes and names, in the languages of Europe's brokers and in their own, and degrees
 * (docs/behaviour/properties.md#coordinates).
 */
import type { FaultCode } from "./FaultCode.ts"
import countries from "i18n-iso-countries/index.js"
import de from "i18n-iso-countries/langs/de.json" with { type: "json" }
import en from "i18n-iso-countries/langs/en.json" with { type: "json" }
import es from "i18n-iso-countries/langs/es.json" with { type: "json" }
import fr from "i18n-iso-countries/langs/fr.json" with { type: "json" }
import it from "i18n-iso-countries/langs/it.json" with { type: "json" }
import nl from "i18n-iso-countries/langs/nl.json" with { type: "json" }
import { check } from "./Text.ts"
import { Schema } from "effect"
import { isAbsence } from "./absence.ts"
import { germanSpellings } from "./spelling.ts"

// The package lists XK (Kosovo), which ISO 3166 does not assign.
/** The assigned ISO 3166-1 alpha-2 codes. */
export const countryCodes: ReadonlyArray<string> = Object.keys(countries.getAlpha2Codes()).filter(
  (code) => code !== "XK"
)

const assigned = new Set(countryCodes)

/** An assigned ISO 3166-1 alpha-2 code in upper case: docs/behaviour/http.md#text. */
export const Country = Schema.String.check(
  check(
    "invalid_country",
    "Must be an assigned ISO 3166-1 alpha-2 code in upper case, such as DE.",
    (value: string) => assigned.has(value),
    { pattern: "^[A-Z]{2}$" }
  )
).annotate({ examples: ["DE"] })

// Countries by their codes and names, in the languages of Europe's brokers and in their own. Pure.

/** Names that the tables of the languages lack: short and former ones, parts, and the letters on cars. */
const shortNames: { readonly [code: string]: ReadonlyArray<string> } = {
  AE: ["UAE", "U.A.E.", "VAE", "Emirates", "Emirate", "Dubai", "Abu Dhabi", "EAU", "VAR"],
  AT: ["A", "AUT", "Republik Österreich"],
  AU: ["AUS"],
  BA: ["Bosnia", "Bosnien", "BIH"],
  BE: ["B", "BEL", "Belgien (Flandern)"],
  BN: ["Brunei"],
  BO: ["Bolivia", "Bolivien"],
  CD: ["DR Congo", "DRC", "Kongo-Kinshasa", "Demokratische Republik Kongo", "Congo-Kinshasa", "Zaire"],
  CG: ["Congo", "Kongo", "Republik Kongo", "Congo-Brazzaville"],
  CH: ["Swiss", "Schweizerische Eidgenossenschaft", "CHE", "Svizzera", "Suisse", "Schweiz", "Svizra"],
  CI: ["Ivory Coast", "Côte d'Ivoire", "Elfenbeinküste", "Costa de Marfil", "Costa d'Avorio", "Ivoorkust"],
  CN: [
    "PRC",
    "P.R. China",
    "PR China",
    "People's Republic of China",
    "Volksrepublik China",
    "VR China",
    "Mainland China"
  ],
  CV: ["Cape Verde", "Kap Verde"],
  CZ: [
    "Czech Republic",
    "Czechia",
    "Czech Rep.",
    "Tschechien",
    "Tschechische Republik",
    "République tchèque",
    "República Checa",
    "Repubblica Ceca",
    "Tsjechische Republiek",
    "Česká republika",
    "CSR"
  ],
  DE: ["D", "BRD", "GER", "Bundesrepublik Deutschland", "Federal Republic of Germany", "Allemagne", "Alemania"],
  DK: ["DEN"],
  ES: ["E", "ESP", "Spain", "Kingdom of Spain", "Espagne"],
  FI: ["FIN", "SF"],
  FR: ["F", "FRA", "République française"],
  GB: [
    "UK",
    "U.K.",
    "Great Britain",
    "Britain",
    "United Kingdom (UK)",
    "England",
    "Scotland",
    "Wales",
    "Northern Ireland",
    "Cymru",
    "Großbritannien",
    "Grossbritannien",
    "Vereinigtes Königreich Großbritannien",
    "Schottland",
    "Nordirland",
    "Grande-Bretagne",
    "Royaume Uni",
    "Angleterre",
    "Écosse",
    "Gran Bretaña",
    "Inglaterra",
    "Escocia",
    "Gran Bretagna",
    "Inghilterra",
    "Scozia",
    "Groot-Brittannië",
    "Verenigd Koninkrijk",
    "Engeland",
    "Schotland"
  ],
  GR: ["EL", "Hellas", "Hellenic Republic", "Griechenland"],
  HK: ["Hong Kong", "Hongkong", "Hong Kong SAR", "Hong Kong S.A.R.", "HKSAR", "Hong-Kong"],
  HU: ["H"],
  IE: ["IRL", "Republic of Ireland", "Eire", "Republik Irland", "Southern Ireland"],
  IR: ["Iran"],
  IT: ["I", "ITA"],
  KP: ["North Korea", "Nordkorea", "Corée du Nord", "Corea del Norte", "Corea del Nord", "Noord-Korea", "DPRK"],
  KR: [
    "South Korea",
    "Korea",
    "Südkorea",
    "Republic of Korea",
    "Corée du Sud",
    "Corea del Sur",
    "Corea del Sud",
    "Zuid-Korea",
    "ROK"
  ],
  LA: ["Laos"],
  LI: ["FL", "Fürstentum Liechtenstein"],
  LU: ["L", "Luxembourg", "Luxemburg", "Grand Duchy of Luxembourg"],
  MD: ["Moldova", "Moldau", "Moldawien"],
  MK: ["Macedonia", "Mazedonien", "FYROM"],
  MM: ["Burma", "Birma"],
  MO: ["Macau", "Macao", "Macau SAR", "Macao SAR"],
  MX: ["Mexico", "Mexiko", "México", "Mexique"],
  NL: [
    "Holland",
    "The Netherlands",
    "Netherlands",
    "Niederlande",
    "die Niederlande",
    "Pays Bas",
    "Países Bajos",
    "Olanda",
    "Holanda",
    "Hollande",
    "NED"
  ],
  NO: ["N"],
  PL: ["POL", "Republic of Poland"],
  PS: ["Palestine", "Palästina"],
  PT: ["P", "POR"],
  RU: ["Russia", "Russland", "Rußland", "Russian Federation", "Russie", "Rusia"],
  SE: ["S"],
  SI: ["SLO"],
  SK: ["Slovak Republic", "Slowakische Republik"],
  SY: ["Syria", "Syrien"],
  SZ: ["Swaziland", "Swasiland"],
  TL: ["East Timor", "Osttimor"],
  TR: ["Turkey", "Türkei", "Turkiye", "Republic of Turkey"],
  TW: ["Taiwan", "Taiwan, R.O.C."],
  TZ: ["Tanzania", "Tansania"],
  US: [
    "USA",
    "U.S.A.",
    "U.S.",
    "United States",
    "United States of America",
    "America",
    "Amerika",
    "Vereinigte Staaten",
    "Vereinigte Staaten von Amerika",
    "États Unis",
    "Estados Unidos",
    "EE.UU.",
    "EEUU",
    "EE. UU.",
    "Stati Uniti",
    "Stati Uniti d'America",
    "Verenigde Staten",
    "VS",
    "V.S."
  ],
  VA: ["Vatican", "Vatican City", "Vatikan", "Holy See"],
  VE: ["Venezuela"],
  VN: ["Vietnam", "Viet Nam"],
  ZA: ["RSA", "South Africa", "Südafrika"]
}

/** Languages that a country has besides the one that most of its people speak. */
const otherLanguages: { readonly [code: string]: ReadonlyArray<string> } = {
  AE: ["en"],
  BE: ["fr", "nl", "de"],
  CA: ["fr"],
  CH: ["fr", "it", "rm"],
  CY: ["tr"],
  ES: ["ca", "eu", "gl"],
  FI: ["sv"],
  GB: ["cy", "gd"],
  HK: ["zh-Hant", "zh"],
  IE: ["ga", "en"],
  IL: ["ar"],
  IT: ["de"],
  LU: ["lb", "de", "fr"],
  MT: ["en"],
  NO: ["nn"],
  RS: ["sr-Latn"],
  TW: ["zh-Hant"],
  UA: ["ru"]
}

const tables = { de, en, es, fr, it, nl }

const namesIn = (language: string) => {
  const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" })
  const short = new Intl.DisplayNames([language], { type: "region", fallback: "none", style: "short" })
  return (code: string): ReadonlyArray<string> => [names.of(code) ?? code, short.of(code) ?? code]
}

const languagesOf = (code: string): ReadonlyArray<string> => [
  new Intl.Locale(`und-${code}`).maximize().language,
  ...(otherLanguages[code] ?? [])
]

const spellings = (name: string): ReadonlyArray<string> =>
  germanSpellings(name.replaceAll("&", " and ")).filter((spelled) => spelled !== "")

/**
 * The codes by their spelled names. What stands in a later group goes before the earlier ones; of several countries with one name in a
 * group, none has it.
 */
const byName = (): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const add = (named: Iterable<readonly [name: string, code: string]>) => {
    const group = new Map<string, string | undefined>()
    for (const [name, code] of named) {
      for (const spelled of spellings(name)) {
        group.set(spelled, group.has(spelled) && group.get(spelled) !== code ? undefined : code)
      }
    }
    for (const [spelled, code] of group) {
      if (code === undefined) found.delete(spelled)
      else found.set(spelled, code)
    }
  }
  const own = new Map<string, ReturnType<typeof namesIn>>()
  const ownNames = (language: string) => {
    const names = own.get(language) ?? namesIn(language)
    own.set(language, names)
    return names
  }
  add(
    countryCodes.flatMap((code) =>
      languagesOf(code).flatMap((one) => ownNames(one)(code).map((name) => [name, code] as const))
    )
  )
  for (const [language, { countries: table }] of Object.entries(tables)) {
    const names = ownNames(language)
    add(countryCodes.flatMap((code) => names(code).map((name) => [name, code] as const)))
    const listed: { readonly [code: string]: string | ReadonlyArray<string> } = table
    add(countryCodes.flatMap((code) => [listed[code] ?? []].flat().map((name) => [name, code] as const)))
  }
  add(Object.entries(shortNames).flatMap(([code, names]) => names.map((name) => [name, code] as const)))
  add(Object.entries(countries.getAlpha3Codes()).filter(([, code]) => code !== "XK"))
  add(countryCodes.map((code) => [code, code] as const))
  return found
}

let cached: ReadonlyMap<string, string> | undefined

const find = (name: string): string | undefined => {
  cached ??= byName()
  const known = cached
  return spellings(name)
    .map((spelled) => known.get(spelled))
    .find((code) => code !== undefined)
}

const annotated = /^(.+?)\s*[([]\s*([A-Za-z]{2,3})\s*[)\]]$/
const article = /^(?:the|die|der|das|le|la|les|l'|el|los|las|il|i|gli|lo|de|het)\s+/i

const read = (text: string): string | undefined => {
  const name = text.trim()
  // `n/a` is not Namibia, whose code is NA.
  if (isAbsence(name) && name !== "NA") return undefined
  const code = find(name) ?? find(name.replace(article, ""))
  if (code !== undefined) return code
  // `Germany (DE)`, `Schweiz/Suisse`
  const [, outer = "", inner = ""] = annotated.exec(name) ?? []
  const parts = outer === "" ? name.split(/\s*[/|]\s*|\s+[-–]\s+/) : [outer, inner]
  const [named, another] = parts.length < 2 ? [] : new Set(parts.map(find))
  return another === undefined ? named : undefined
}

// A file has few countries in many rows.
const maxRead = 1000
const alreadyRead = new Map<string, string | undefined>()

/**
 * The ISO 3166-1 alpha-2 code of a country by its code of two or three letters, or its name in English, German, French, Spanish, Italian,
 * Dutch or a language of its own; undefined for other text.
 */
export const countryOf = (text: string): string | undefined => {
  // No name is longer.
  if (text.length > 80) return undefined
  if (alreadyRead.has(text)) return alreadyRead.get(text)
  const code = read(text)
  if (alreadyRead.size < maxRead) alreadyRead.set(text, code)
  return code
}

/** What is wrong with a text that is no country. */
export const noCountry = "Must be a country: its ISO 3166-1 code or its name, such as DE, DEU, Germany or Deutschland."

// Degrees of latitude and longitude (WGS 84), as all requests may have them: docs/behaviour/properties.md#coordinates.

/** Coordinates are kept as whole numbers of this many parts of a degree: 1e-7°, at most 1.1 cm. */
export const partsPerDegree = 1e7

/** Degrees as they are kept: seven decimals. Never -0. */
export const roundDegrees = (degrees: number): number => Math.round(degrees * partsPerDegree) / partsPerDegree + 0

/** Whether degrees, as they are kept, are within a limit and its negative. Programs compute 180.00000000000003. */
export const isWithinDegrees = (degrees: number, limit: number): boolean => Math.abs(roundDegrees(degrees)) <= limit

/** Degrees between a limit and its negative, once they are rounded. `code` is that of the fault of others. */
export const Degrees = (limit: 90 | 180, code: FaultCode) =>
  Schema.Finite.check(
    check(code, `Must be from -${limit} to ${limit}.`, (value: number) => isWithinDegrees(value, limit), {
      minimum: -limit,
      maximum: limit
    })
  )
