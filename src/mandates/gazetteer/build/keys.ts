/** The folded names under which a place is found. Pure. */
import { fold } from "../fold.ts"
import type { SourceCity } from "./sources.ts"

const umlauts: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", å: "aa" }

/** "Münster" is also looked for as "Muenster", "Sankt Gallen" and "Saint-Denis" with "St", "Halle (Saale)" as "Halle". */
const variants = (name: string): ReadonlyArray<string> => {
  const lower = name.normalize("NFC").toLowerCase()
  const written = [
    lower,
    lower.replaceAll(/[äöüå]/g, (letter) => umlauts[letter] ?? letter),
    lower.replaceAll("ø", "oe")
  ]
  const bare = written.map((text) => text.replaceAll(/\s*\([^)]*\)/g, ""))
  const folded = [...written, ...bare].map(fold)
  return [...folded, ...folded.map((text) => text.replaceAll(/\b(?:saint|sankt|sint|sainte)\b/g, "st"))]
}

/** The different folded forms of names, without empty ones. */
export const keysOf = (names: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(names.flatMap(variants).filter((key) => key !== ""))

// Greek and Cyrillic names are looked up for cities of this size.
const largeCity = 50_000

// Other names of smaller places in the United States are former ones, and those of other places.
const knownCity = 300_000

/**
 * Whether one of GeoNames' other names is a name of a language of Europe. Its transcriptions are in lower case, its
 * codes of airports and railway stations in upper case.
 */
export const isUsualName = (name: string, { country, population }: SourceCity): boolean => {
  if (country === "US" && population < knownCity) return false
  if (/^\p{Lu}{1,5}$/u.test(name) || name.length > 60) return false
  const isLatin = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+$/u.test(name)
  if (isLatin) return /^['’]?(?:\p{Lu}|s-)/u.test(name)
  return (
    population >= largeCity &&
    /^[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]+$/u.test(name)
  )
}

/** Languages of Europe in which countries are looked for. */
const languages = [
  "bg",
  "bs",
  "ca",
  "cs",
  "cy",
  "da",
  "de",
  "el",
  "en",
  "es",
  "et",
  "eu",
  "fi",
  "fr",
  "ga",
  "gl",
  "hr",
  "hu",
  "is",
  "it",
  "lb",
  "lt",
  "lv",
  "mk",
  "mt",
  "nb",
  "nl",
  "nn",
  "pl",
  "pt",
  "pt-PT",
  "ro",
  "ru",
  "sk",
  "sl",
  "sq",
  "sr",
  "sr-Latn",
  "sv",
  "tr",
  "uk"
]

const displayNames = languages.flatMap((language) =>
  (["long", "short"] as const).map(
    (style) => new Intl.DisplayNames(language, { type: "region", style, fallback: "none" })
  )
)

/** The names of a country, English first. */
export const countryNames = (code: string): ReadonlyArray<string> => [
  new Intl.DisplayNames("en", { type: "region" }).of(code) ?? code,
  ...displayNames.map((names) => names.of(code)).filter((name) => name !== undefined)
]
