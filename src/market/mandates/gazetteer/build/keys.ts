/** The folded names under which a place is found. Pure. */
import { fold } from "../fold.ts"
import type { SourceCity } from "./sources.ts"

const umlauts: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", å: "aa" }

/** "Münster" is also looked for as "Muenster", "Sankt Gallen" and "Saint-Denis" with "St", "Halle (Saale)" as "Halle". */
const variants = (name: string, isWhole: boolean): ReadonlyArray<string> => {
  const lower = name.normalize("NFC").toLowerCase()
  const written = [
    lower,
    lower.replaceAll(/[äöüå]/g, (letter) => umlauts[letter] ?? letter),
    lower.replaceAll("ø", "oe")
  ]
  const bare = isWhole ? [] : written.map((text) => text.replaceAll(/\s*\([^)]*\)/g, ""))
  const folded = [...written, ...bare].map(fold)
  return [...folded, ...folded.map((text) => text.replaceAll(/\b(?:saint|sankt|sint|sainte)\b/g, "st"))]
}

/** The different folded forms of names, without empty ones; of a whole name, what is in parentheses is a part. */
export const keysOf = (names: ReadonlyArray<string>, isWhole = false): ReadonlySet<string> =>
  new Set(names.flatMap((name) => variants(name, isWhole)).filter((key) => key !== ""))

// Names in scripts of other countries are looked up for cities of the first size, in that of their own for the second.
const [largeCity, town] = [50_000, 5_000]

/** The scripts in which names are looked up, and where they are at home. */
const scripts: ReadonlyArray<readonly [pattern: RegExp, countries: string]> = [
  [/^[\p{Script=Greek}\p{Script=Common}\p{Script=Inherited}]+$/u, "GR CY"],
  [/^[\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]+$/u, "RU UA BY BG RS MK ME BA KZ KG TJ MN"],
  [/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Common}]+$/u, "CN TW HK MO JP"],
  [/^[\p{Script=Hangul}\p{Script=Common}]+$/u, "KR KP"],
  [
    /^[\p{Script=Arabic}\p{Script=Common}\p{Script=Inherited}]+$/u,
    "AE SA QA KW BH OM YE IQ SY LB JO PS EG LY TN DZ MA SD MR IR AF PK"
  ],
  [/^[\p{Script=Hebrew}\p{Script=Common}\p{Script=Inherited}]+$/u, "IL"],
  [/^[\p{Script=Thai}\p{Script=Common}\p{Script=Inherited}]+$/u, "TH"],
  [/^[\p{Script=Devanagari}\p{Script=Common}\p{Script=Inherited}]+$/u, "IN NP"],
  [/^[\p{Script=Georgian}\p{Script=Common}\p{Script=Inherited}]+$/u, "GE"],
  [/^[\p{Script=Armenian}\p{Script=Common}\p{Script=Inherited}]+$/u, "AM"]
]

/** The countries in which the script of a name is at home; undefined for the Latin script, and for those without names here. */
const homesOf = (name: string): ReadonlyArray<string> | undefined =>
  scripts.find(([pattern]) => pattern.test(name))?.[1].split(" ")

/** Whether a name is in a script, other than the Latin, of the place's country. */
export const isInOwnScript = (name: string, country: string): boolean =>
  /\p{L}/u.test(name) && homesOf(name)?.includes(country) === true

// Other names of smaller places in the United States are former ones, and those of other places.
const knownCity = 300_000

/**
 * Whether one of GeoNames' other names is one that people write. Its transcriptions are in lower case, its codes of airports and
 * railway stations in upper case.
 */
export const isUsualName = (name: string, { country, population }: SourceCity): boolean => {
  if (country === "US" && population < knownCity) return false
  if (/^\p{Lu}{1,5}$/u.test(name) || name.length > 60 || !/\p{L}/u.test(name)) return false
  const isLatin = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+$/u.test(name)
  if (isLatin) return /^['’]?(?:\p{Lu}|s-)/u.test(name)
  const homes = homesOf(name)
  return homes !== undefined && population >= (homes.includes(country) ? town : largeCity)
}

/** Languages in which countries are looked for. */
const languages = [
  "ar",
  "fa",
  "he",
  "hi",
  "id",
  "ja",
  "ko",
  "th",
  "vi",
  "zh",
  "zh-Hant",
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

const namesIn = (languages: ReadonlyArray<string>, code: string): ReadonlyArray<string> =>
  Intl.DisplayNames.supportedLocalesOf(languages).flatMap((language) =>
    (["long", "short"] as const).flatMap(
      (style) => new Intl.DisplayNames(language, { type: "region", style, fallback: "none" }).of(code) ?? []
    )
  )

/** The names of a country: its own, English first, in the languages that are spoken there, and those of other languages. */
export const countryNames = (
  code: string,
  spoken: ReadonlyArray<string>
): { readonly own: ReadonlyArray<string>; readonly others: ReadonlyArray<string> } => ({
  own: [...namesIn(["en"], code), ...namesIn(spoken, code)],
  others: namesIn(languages, code)
})
