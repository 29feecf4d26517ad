/** Languages by their tags and names. Pure. */
import { canonicalLanguage } from "../../../core/fields/Text.ts"
import { countryOf } from "../../../core/fields/Place.ts"
import { germanSpellings } from "../../../core/fields/spelling.ts"

const letters = [..."abcdefghijklmnopqrstuvwxyz"]

/** The languages whose names are known: those with a tag of two letters, and Filipino. */
const tags = (): ReadonlyArray<string> => {
  const english = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" })
  const two = letters.flatMap((first) => letters.map((second) => `${first}${second}`))
  return [...two, "fil"].filter((tag) => canonicalLanguage(tag) === tag && english.of(tag) !== undefined)
}

/** Names that the tables lack. */
const otherNames: ReadonlyArray<readonly [name: string, tag: string]> = [
  ["Mandarin", "zh"],
  ["Chinese (Simplified)", "zh-Hans"],
  ["Simplified Chinese", "zh-Hans"],
  ["Chinese (Traditional)", "zh-Hant"],
  ["Traditional Chinese", "zh-Hant"],
  ["Castilian", "es"],
  ["Castellano", "es"],
  ["Flemish", "nl-BE"],
  ["Flämisch", "nl-BE"],
  ["Vlaams", "nl-BE"],
  ["Swiss German", "gsw"],
  ["Schweizerdeutsch", "gsw"],
  ["British English", "en-GB"],
  ["American English", "en-US"],
  ["Farsi", "fa"],
  ["Persian", "fa"],
  ["Brazilian Portuguese", "pt-BR"],
  ["Norwegian", "no"],
  ["Norwegisch", "no"],
  ["Tagalog", "fil"]
]

const spellings = (name: string) => germanSpellings(name).filter((spelled) => spelled !== "")

const byName = (): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const add = (name: string | undefined, tag: string) => {
    for (const spelled of name === undefined ? [] : spellings(name)) found.set(spelled, tag)
  }
  const known = tags()
  for (const tag of known) add(new Intl.DisplayNames([tag], { type: "language", fallback: "none" }).of(tag), tag)
  for (const language of ["nl", "it", "es", "fr", "de", "en"]) {
    const names = new Intl.DisplayNames([language], { type: "language", fallback: "none" })
    for (const tag of known) add(names.of(tag), tag)
  }
  for (const [name, tag] of otherNames) add(name, tag)
  return found
}

let cached: ReadonlyMap<string, string> | undefined

// A file has few languages in many rows.
const maxRead = 1000
const alreadyRead = new Map<string, string | undefined>()

const find = (name: string): string | undefined => {
  cached ??= byName()
  const known = cached
  return spellings(name)
    .map((spelled) => known.get(spelled))
    .find((tag) => tag !== undefined)
}

const tagged = /^[a-z]{2,3}(?:[-_][a-z0-9]{1,8})*$/i
const inCountry = /^(.+?)\s*(?:\(\s*([^()]+?)\s*\)|[-–,]\s*(.+))$/

const read = (text: string): string | undefined => {
  const name = text.trim().replace(/\.utf-?8$/i, "")
  const byItsName = find(name)
  if (byItsName !== undefined) return byItsName
  if (tagged.test(name)) return canonicalLanguage(name.replaceAll("_", "-"))
  const [, base = "", inParentheses, behind = ""] = inCountry.exec(name) ?? []
  const language = find(base)
  const country = countryOf(inParentheses ?? behind)
  return language === undefined || country === undefined ? undefined : `${language.split("-")[0]}-${country}`
}

/**
 * The BCP-47 tag of a language by its tag (`de`, `de_DE`, `deu`) or its name in English, German, French, Spanish, Italian, Dutch or the
 * language itself, also with a country (`English (US)`, `German - Switzerland`); undefined for other text.
 */
export const languageOf = (text: string): string | undefined => {
  // No name is longer.
  if (text.length > 80) return undefined
  if (alreadyRead.has(text)) return alreadyRead.get(text)
  const tag = read(text)
  if (alreadyRead.size < maxRead) alreadyRead.set(text, tag)
  return tag
}

/** What is wrong with a text that is no language. */
export const noLanguage = "Must be a language: a BCP-47 tag or a name, such as de, en-US, German or Deutsch."
