/** How people write places besides their names: with post codes, with what kind of place it is, several in one text. Pure. */
import { fold } from "./format.ts"
import type { PlaceKind } from "./Places.ts"

/** Post codes of Europe, America and Asia, with or without the sign of the country. */
const postCode = [
  String.raw`〒\s?\d{3}-\d{4}`,
  String.raw`[A-Z]{1,3}[-–\s]\d{3,6}(?:\s\d{2})?`,
  String.raw`\d{4}\s?[A-Z]{2}`,
  String.raw`\d{3}\s\d{2}|\d{2}-\d{3}|\d{4}-\d{3}|\d{3}-\d{4}|\d{5}-\d{4}`,
  String.raw`\d{3,6}`,
  String.raw`[A-Z]\d[A-Z]\s?\d[A-Z]\d`,
  String.raw`[A-Z]\d{2}\s?[A-Z\d]{4}`,
  String.raw`[A-Z]{1,2}\d[A-Z\d]?(?:\s*\d[A-Z]{2})?`
].join("|")

const ordinal = String.raw`(?:\d{1,2}|[IVX]{1,5})\s?(?:ers?|[eè]me|e|st|nd|rd|th|º|ª|\.)?`
const quarter = String.raw`(?:arr\.?|arrondissement|bezirk|district|kreis|ward|kerület)`

/** A post code, or the number of a quarter, before or after a locality. */
const codes = [
  new RegExp(String.raw`^(?:${postCode})\s+(?=\S)`, "i"),
  new RegExp(String.raw`\s+\(?(?:${postCode})\)?$`, "i"),
  new RegExp(String.raw`\s+\(?${ordinal}(?:\s*${quarter})?\)?$`, "i"),
  new RegExp(String.raw`^${ordinal}\s*${quarter}\s+(?:de\s+|of\s+|in\s+)?(?=\S)`, "i")
]

const onlyCode = new RegExp(String.raw`^(?:${postCode}|${ordinal}(?:\s*${quarter})?)$`, "i")

// The letters of post districts: København K, 2100 København Ø.
const danishQuarter =
  /(?<=^(?:København|Kobenhavn|Copenhagen|Kopenhagen|Frederiksberg|Aarhus|Århus|Odense|Aalborg|Ålborg))\s+(?:[KCVØNS]|N[ØV]|S[ØV])$/iu

/** A segment without its codes; empty if it is nothing else. */
const withoutCodes = (segment: string): string => {
  if (onlyCode.test(segment)) return ""
  const [beginning, ...others] = codes
  const left = beginning === undefined ? segment : segment.replace(beginning, "").trim()
  // "110 00 Praha 1" has both.
  for (const code of others) {
    const locality = left.replace(code, "").trim()
    if (locality !== left && /\p{L}/u.test(locality)) return locality
  }
  const town = left.replace(danishQuarter, "")
  return /\p{L}/u.test(town) ? town : segment
}

/** The text without post codes and numbers of quarters; undefined if it has none, or nothing else. */
export const lettingGoOfCodes = (text: string): string | undefined => {
  const segments = text.split(",").map((segment) => segment.trim())
  const left = segments.map(withoutCodes).filter((segment) => segment !== "")
  return left.length === 0 || left.join() === segments.join() ? undefined : left.join(", ")
}

/** What a text says of the place that it names: its kind, or that what surrounds a city is meant. */
export type Described = Exclude<PlaceKind, "country" | "group"> | "district" | "greater"

const words = (text: string): ReadonlyArray<string> => text.split("|").map(fold)

const before: Readonly<Record<Described, ReadonlyArray<string>>> = {
  greater: words(
    "großraum|raum|greater|metropolregion|metropolitan area of|metropolitan region|metro|grand|grande|gran|großregion|ballungsraum|agglomeration|stadtregion|wirtschaftsraum|umland von|umland|umgebung von|umgebung|área metropolitana de|area metropolitana di|área metropolitana|aire urbaine de|métropole de|métropole|metropoolregio|regio|region|région de|region of|regione di|rund um|around|near|nahe|environs de|stor"
  ),
  city: words(
    "stadt|city of|city|ville de|città di|comune di|ciudad de|cidade de|gemeente|gemeinde|stad|kommune|commune de|landeshauptstadt|bundesstadt|hansestadt|freie und hansestadt|freie hansestadt|kreisfreie stadt|stadtgebiet|municipality of|town of|downtown|central|inner|innenstadt|zentrum|centre|center|centro|centrum"
  ),
  region: words(
    "kanton|canton de|canton du|canton of|canton|land|bundesland|freistaat|province of|province de|provincia di|provincia de|provincie|provinz|region|région de|région du|region of|regione|county of|county|co|comté de|département de|département du|département|state of|estado de|état de|comunidad de|comunidad autónoma de|prefecture of"
  ),
  district: words(
    "landkreis|kreis|lk|lkr|district of|district|bezirk|arrondissement de|provincia di|provincia de|province of|province de"
  )
}

const after: Readonly<Record<Described, ReadonlyArray<string>>> = {
  greater: words(
    "metropolitan area|metro area|metro|metropolitan region|area|region|und umgebung|umgebung|umland|and surrounding area|and environs|environs|et environs|et alentours|e dintorni|y alrededores|en omgeving|urban area|agglomeration|conurbation|großraum|speckgürtel"
  ),
  city: words(
    "stadt|city|innenstadt|zentrum|centre|center|city centre|city center|town centre|downtown|stadtzentrum|centro|centrum|mitte|cbd|stadtgebiet|kommun|kommune"
  ),
  region: words("county|province|region|prefecture|state|oblast|län|fylke|canton|kanton|voivodeship|governorate"),
  district: words("kreis|district|landkreis")
}

const joints = words("de|di|du|of|von|der|des|da|do|la|le")

/** The readings of a text that says what kind of place it names, with the name alone. */
export const describedIn = (text: string): ReadonlyArray<readonly [described: Described, name: string]> => {
  const [first = "", ...others] = text.split(",")
  const folded = fold(first)
  const withOthers = (name: string) => [name, ...others].join(",")
  const readings: Array<readonly [Described, string]> = []
  for (const described of ["city", "region", "district", "greater"] as const) {
    for (const word of before[described]) {
      if (!folded.startsWith(`${word} `)) continue
      const name = folded.slice(word.length + 1)
      readings.push([described, withOthers(name)])
      const [joint = "", ...rest] = name.split(" ")
      if (joints.includes(joint) && rest.length > 0) readings.push([described, withOthers(rest.join(" "))])
    }
    for (const word of after[described]) {
      if (folded.endsWith(` ${word}`)) readings.push([described, withOthers(folded.slice(0, -word.length - 1))])
    }
  }
  return readings
}

/** 東京都 as 東京, 서울특별시 as 서울; undefined for a text without such an ending. */
export const withoutEnding = (text: string): string | undefined => {
  const left = text
    .trim()
    .replace(/(?:特别行政区|特別行政區|[市都府県县縣省区區]|특별시|광역시|특별자치시|시|도)$/u, "")
  return left === text.trim() || [...left].length < 2 ? undefined : left
}

/** "Trinidad and Tobago" as names have it, with "&"; undefined for a text without a conjunction. */
export const withoutConjunction = (text: string): string | undefined => {
  const left = text.replaceAll(/\s+(?:and|und|et|en|e|y)\s+/giu, " & ")
  return left === text ? undefined : left
}

/**
 * What is wider than any place that is known, and also the name of villages: "Asia" is no town of the Philippines, and "Central Europe" no
 * region of Denmark.
 */
const unknownAreas: ReadonlySet<string> = new Set(
  words(
    "africa|afrika|afrique|asia|asien|asie|azië|central asia|zentralasien|east asia|south asia|caribbean|karibik|caraïbes|caribe|oceania|ozeanien|océanie|americas|the americas|amériques|central europe|mitteleuropa|zentraleuropa|europe centrale|europa central|europa centrale|midden-europa|cis|gus|levant|gulf|the gulf|golf|pacific|riviera"
  )
)

/** Whether a text means an area that is not known, whatever places have its name. */
export const isUnknownArea = (text: string): boolean => unknownAreas.has(fold(text))

/** Places that a slash separates. */
export const slashed = (text: string): ReadonlyArray<string> =>
  text
    .split("/")
    .map((part) => part.trim())
    .filter((part) => part !== "")

/** "Westerland auf Sylt" and "Palma (Mallorca)" as the place and what it is said to lie in. */
export const placeAndRegion = (text: string): readonly [place: string, region: string] | undefined => {
  const [, place, bracketed, named] =
    /^([^(),]+?)\s*(?:\(([^(),]+)\)|\s(?:auf|on|sur|op|på)\s+([^(),]+))$/iu.exec(text.trim()) ?? []
  const region = bracketed ?? named
  return place === undefined || region === undefined ? undefined : [place, region]
}

/** Places that are separated for certain. */
export const hardParts = (text: string): ReadonlyArray<string> =>
  text
    .split(/[;|•\r\n]+|\s+·\s+/)
    .map((part) => part.trim())
    .filter((part) => part !== "")

/** What conjunctions may separate; they are also parts of names. */
export const conjoined = (text: string): ReadonlyArray<string> =>
  text
    .split(/\s+(?:und|and|et|e|y|en|i|og|och|ja|sowie|oder|or|ou|plus|u\.)\s+|\s*[&+/]\s*|\s+[–—-]\s+|、|・|،/iu)
    .map((part) => part.trim())
    .filter((part) => part !== "")
