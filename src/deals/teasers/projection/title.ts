/** The titles of teasers: docs/behaviour/teasers.md#title. Pure. */
import type { Projection } from "./Projection.ts"
import { words } from "./words.ts"

/** What a title is composed of: only what the projection shows. */
type Shown = Pick<Projection, "categories" | "country" | "region" | "locality">

const maxCategories = 3

/** The languages that titles are composed in. The first one serves for all others. */
const languages = ["en", "de", "fr"] as const
type Language = (typeof languages)[number]

/** The language for a BCP-47 tag. */
const languageOf = (tag: string): Language => languages.find((one) => one === tag.split("-", 1)[0]) ?? "en"

const regionNames: { readonly [L in Language]: Intl.DisplayNames } = {
  en: new Intl.DisplayNames("en", { type: "region" }),
  de: new Intl.DisplayNames("de", { type: "region" }),
  fr: new Intl.DisplayNames("fr", { type: "region" })
}

/** `light_industrial` as `light industrial`. */
const inEnglish = (code: string): string => code.replaceAll("_", " ")

const wordOf = (category: string, language: Language): string =>
  (language === "en" ? undefined : words[language][category]) ?? inEnglish(category)

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const compose = ({ categories, country, locality, region }: Shown, language: Language): string | null => {
  // A region or a country alone labels nothing.
  if (categories.length === 0 && locality === null) return null
  const named = categories.length > maxCategories ? ["mixed_use"] : categories
  const uses = new Intl.ListFormat(language).format(named.map((category) => wordOf(category, language)))
  const place = locality ?? region ?? (country === null ? undefined : regionNames[language].of(country))
  return capitalized([uses, place].filter((part) => part !== undefined && part !== "").join(", "))
}

/** The title of what is shown, in the language of a BCP-47 tag where it has words; null if neither categories nor a locality are shown. */
export const composedTitle = (shown: Shown, tag: string): string | null => compose(shown, languageOf(tag))

/** A projection in another language: its title is composed again, unless the broker wrote it. */
export const inLanguage = (projection: Projection, tag: string): Projection =>
  languages.some((language) => compose(projection, language) === projection.title)
    ? { ...projection, title: composedTitle(projection, tag) }
    : projection

const folded = (text: string): string =>
  ` ${text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `

/** Whether a text names one of these, as whole words; case and accents do not count. */
export const mentions = (text: string, names: ReadonlyArray<string>): boolean => {
  const words = folded(text)
  return names.map(folded).some((name) => name.trim() !== "" && words.includes(name))
}

/** The names of a country in the languages of titles. */
export const namesOfCountry = (country: string): ReadonlyArray<string> =>
  languages.flatMap((language) => regionNames[language].of(country) ?? [])
