/**
 * Normalizes the names of companies (docs/behaviour/network.md#duplicates). Pure. The column `name_key` and the search for duplicates use
 * the same function, so whoever changes it must rewrite the column.
 */
import { beginnings, endings, middles } from "./legalForms.ts"

// Letters without a Unicode decomposition.
const letters: { readonly [letter: string]: string } = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ı: "i",
  ŧ: "t"
}

// The words for `&` in several languages. A single letter is not one between other single letters, where it may be an initial.
const conjunctions = new Set(["und", "and", "et", "och", "og", "en", "ja"])
const letterConjunctions = new Set(["e", "y"])

/** The words of a text in lower-case letters without accents, and digits; ä, ae and a are one letter. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[ßæœøłđðþħıŧ]/g, (letter) => letters[letter] ?? letter)
    .replace(/['’‘`´]/g, "")
    .replace(/[&+]/g, " und ")
    // Initials: S.p.A. is one word, E.ON is two.
    .replace(/(?<![\p{L}\p{N}])\p{L}(?:\.\p{L}(?![\p{L}\p{N}]))+/gu, (initials) => initials.replaceAll(".", ""))
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "")
    // Müller, Mueller and Muller are equal. Bauer, Quelle, Blue and Monroe stay as they are.
    .map((word) => word.replace(/(?<![aeiouyq])([aou])e(?=[b-df-hj-np-tv-xz])/g, "$1"))

const compact = (forms: ReadonlyArray<string>) => new Set(forms.map((form) => wordsOf(form).join("")))

const atEnd = compact(endings)
const atBeginning = compact(beginnings)
const inTheMiddle = compact(middles)
// In code points, so that a key fits into an index: NFKD can expand one character to a phrase.
const maxKeyLength = 300
// In words, because a form with dots may be split into letters.
const maxLength = 7

/** The number of words at the end (or the beginning) that are a legal form. At least one word remains. */
const formLength = (words: ReadonlyArray<string>, side: "end" | "beginning"): number => {
  for (let length = Math.min(maxLength, words.length - 1); length > 0; length--) {
    const part = side === "end" ? words.slice(-length) : words.slice(0, length)
    if ((side === "end" ? atEnd : atBeginning).has(part.join(""))) return length
  }
  return 0
}

const withoutForms = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  let rest = words
  for (let length = formLength(rest, "end"); length > 0; length = formLength(rest, "end")) {
    rest = rest.slice(0, -length)
    // GmbH & Co. KG
    while (rest.length > 1 && conjunctions.has(rest.at(-1) ?? "")) rest = rest.slice(0, -1)
  }
  return rest.slice(formLength(rest, "beginning"))
}

/** The words without conjunctions and legal forms between others: `&`, and the AB of Fastighets AB Balder. */
const withoutJoints = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.filter((word, index) => {
    const before = words[index - 1]
    const after = words[index + 1]
    if (before === undefined || after === undefined) return true
    return (
      !conjunctions.has(word) &&
      !inTheMiddle.has(word) &&
      !(letterConjunctions.has(word) && before.length > 1 && after.length > 1)
    )
  })

/**
 * The name of a company as duplicates are compared: its words in lower case and in their order, without accents, punctuation, legal forms
 * and conjunctions. It is empty for blank names only: a company called AG keeps `ag`. The key of a key is the key itself.
 */
export const nameKeyOf = (name: string): string => {
  const words = withoutJoints(withoutForms(wordsOf(name)))
  const key = [...(words.length === 0 ? name.trim().toLowerCase() : words.join(" "))]
    .slice(0, maxKeyLength)
    .join("")
    .trim()
  return key === name ? key : nameKeyOf(key)
}
