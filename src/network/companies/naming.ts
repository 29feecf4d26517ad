/**
 * How companies are told apart by what they are called. Pure: what is written beside a company's name, and what a look for
 * duplicates asks for, come from the same function.
 */
import { beginnings, endings, middles } from "./legalForms.ts"

// Letters that no decomposition of Unicode takes apart.
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

// How languages write `&`. A single letter may be a name too, between other single letters.
const conjunctions = new Set(["und", "and", "et", "och", "og", "en", "ja"])
const letterConjunctions = new Set(["e", "y"])

/** The words of a text in plain lower-case letters and digits, ä, ae and a being one letter. */
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
    // Initials: S.p.A. is one word, E.ON two.
    .replace(/(?<![\p{L}\p{N}])\p{L}(?:\.\p{L}(?![\p{L}\p{N}]))+/gu, (initials) => initials.replaceAll(".", ""))
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "")
    // Müller, Mueller and Muller. Not in Bauer or Quelle, and not at the end of Blue or Monroe.
    .map((word) => word.replace(/(?<![aeiouyq])([aou])e(?=[b-df-hj-np-tv-xz])/g, "$1"))

const compact = (forms: ReadonlyArray<string>) => new Set(forms.map((form) => wordsOf(form).join("")))

const atEnd = compact(endings)
const atBeginning = compact(beginnings)
const inTheMiddle = compact(middles)
// In code points, so that a key fits into an index: a single character may stand for a whole phrase.
const maxKeyLength = 300
// In words; a form with dots may be taken apart letter by letter.
const maxLength = 7

/** How many words of the end (or the beginning) are a legal form, leaving at least one word. */
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

/** Without what stands between the other words and says nothing: `&`, and the form in Fastighets AB Balder. */
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
 * A company's name as duplicates are compared: words in lower case, without accents, punctuation and legal forms, and
 * without what joins them (`&`, `and`, `und`, `et` …). Their order stays. It is never empty for a name that is not
 * blank: a company called AG keeps `ag`. The key of a key is itself.
 */
export const nameKeyOf = (name: string): string => {
  const words = withoutJoints(withoutForms(wordsOf(name)))
  const key = [...(words.length === 0 ? name.trim().toLowerCase() : words.join(" "))]
    .slice(0, maxKeyLength)
    .join("")
    .trim()
  return key === name ? key : nameKeyOf(key)
}
