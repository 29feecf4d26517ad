/**
 * Normalizes the names of companies (docs/behaviour/network.md#duplicates). Pure. The column `name_key` and the search for duplicates use
 * the same function: whoever changes what it gives raises `nameKeyVersion`, and the job `housekeeping/nameKeys` writes the column again.
 */
import anyAscii from "any-ascii"
import { fold } from "../../core/fields/spelling.ts"
import {
  beginnings,
  branches,
  branchesOfPlaces,
  eastAsian,
  eastAsianBranches,
  endings,
  middles,
  offices
} from "./legalForms.ts"

// The words for `&` in several languages. A single letter is not one between other single letters, where it may be an initial.
const conjunctions = new Set(["und", "and", "et", "och", "og", "en", "ja", "oraz", "ve", "και"])
const letterConjunctions = new Set(["e", "y", "u", "и", "і", "ו"])

// The words for a saint, which are abbreviated more often than not.
const saints = new Set(["st", "ste", "skt", "sct", "saint", "sainte", "sankt", "sint"])

// What stands before the name of a firm and is no part of it.
const announced =
  /^\s*(?:fa\.\s*(?=\S)|(?:firma|firmaet|fa:|ditta|messrs\.?|m\/s\.?|фирма|фірма|компания|компанія)\s+(?=\S))/

/** The words of a folded text: letters, digits and what belongs to them; ä, ae and a are one letter. */
const wordsOf = (folded: string): ReadonlyArray<string> =>
  folded
    .normalize("NFC")
    .replace(/(?<![\p{L}\p{N}])s:ta?(?![\p{L}\p{N}])/gu, "sankt")
    .replaceAll("&amp;", "&")
    .replaceAll("'", "")
    // An abbreviation, as in בע"מ.
    .replace(/(?<=\p{sc=Hebrew})"(?=\p{sc=Hebrew})/gu, "")
    .replace(/[&+]/g, " und ")
    // Initials: S.p.A. is one word, E.ON is two.
    .replace(/(?<![\p{L}\p{N}])\p{L}(?:\.\p{L}(?![\p{L}\p{N}]))+/gu, (initials) => initials.replaceAll(".", ""))
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "")
    // Müller, Mueller and Muller are equal, and Häuser and Haeuser, Ålborg and Aalborg. Bauer, Quelle, Blue and Monroe stay as they are.
    .map((word) =>
      word
        .replace(/(?<![aeiouyq])([aou])e(?=[b-df-hj-np-tv-xz])/g, "$1")
        .replace(/(?<![aeiouyq])ae(?=u)/g, "a")
        .replace(/a{2,}/g, "a")
        // The х of Хилтон, as some write it.
        .replace(/kh/g, "h")
    )
    .map((word) => (saints.has(word) ? "sankt" : word))

// The й that ends a syllable is y (Толстой, Район) and otherwise i (Лукойл). Folding takes its breve away.
const foldName = (name: string) => fold(name.normalize("NFC").replace(/й(?![бвгджзклмнпрстфхцчшщ])/giu, "y"))

const compact = (forms: ReadonlyArray<string>) => new Set(forms.map((form) => wordsOf(foldName(form)).join("")))

const atEnd = compact(endings)
const atBeginning = compact(beginnings)
const inTheMiddle = compact(middles)
const ofBranches = compact(branches)
const ofBranchesOfPlaces = compact(branchesOfPlaces)
const ofOffices = compact(offices)
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
    while (rest.length > 1 && (conjunctions.has(rest.at(-1) ?? "") || rest.at(-1) === "u")) rest = rest.slice(0, -1)
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

const isForm = (word: string) => inTheMiddle.has(word) || (atEnd.has(word) && word.length > 1)

/** How many words, from `index`, say that a branch is meant; 0 if none does. */
const branchLength = (words: ReadonlyArray<string>, index: number, names: ReadonlySet<string>): number => {
  for (const length of [3, 2, 1]) {
    if (index + length <= words.length && names.has(words.slice(index, index + length).join(""))) return length
  }
  return 0
}

/** The words of the company whose branch a name is of: those before "London Branch", or before "Niederlassung Berlin". */
const withoutBranch = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const last = words.findIndex((_, index) => {
    const length = branchLength(words, index, ofBranchesOfPlaces)
    return length > 0 && index + length === words.length
  })
  if (last > 1) {
    // After a legal form, all that is left is the place. Otherwise it is taken to have one word.
    const form = words.slice(0, last).findLastIndex((word, index) => index > 0 && isForm(word))
    return words.slice(0, form > 0 ? form + 1 : last - 1)
  }
  const at = words.findIndex((_, index) => index > 0 && branchLength(words, index, ofBranches) > 0)
  return at > 0 ? words.slice(0, at) : words
}

/** The parts of a folded name between commas, brackets and dashes, without those that say which branch is meant. */
const withoutBranchParts = (folded: string): string => {
  const [first = "", ...others] = folded.split(/\s*[,;()[\]|]\s*|\s+-+\s+/)
  const isBranch = (part: string) => {
    const words = wordsOf(part)
    // Büro München, agence de Lyon, London Office
    const isOffice =
      words.length > 1 && words.length < 4 && (ofOffices.has(words[0] ?? "") || ofOffices.has(words.at(-1) ?? ""))
    return (
      (isOffice && !words.some((word) => conjunctions.has(word))) ||
      words.some(
        (_, index) => branchLength(words, index, ofBranches) > 0 || branchLength(words, index, ofBranchesOfPlaces) > 0
      )
    )
  }
  return first.trim() === "" || !others.some(isBranch)
    ? folded
    : [first, ...others.filter((part) => !isBranch(part))].join(" ")
}

/** A name without the legal forms of East Asia, which are written without a space, and without the branch after them or after a space. */
const withoutEastAsianForms = (name: string): string => {
  if (!/[\p{sc=Han}\p{sc=Hangul}\u3200-\u33ff]/u.test(name)) return name
  const rest = name.normalize("NFKC").replace(eastAsianBranches, "").replace(eastAsian, " ").trim()
  return /[\p{L}\p{N}]/u.test(rest) ? rest : name
}

// Greek letters that stand for one sound together, which any-ascii spells one by one.
const greekPairs: ReadonlyArray<readonly [RegExp, string]> = [
  [/ου/g, "ou"],
  [/([αε])υ(?=[θκξπστφχψ]|$)/g, "$1φ"],
  [/([αε])υ/g, "$1β"],
  [/γγ/g, "ng"],
  [/^μπ/g, "b"],
  [/^ντ/g, "d"]
]

/** Whether the key of a name spells Cyrillic or Greek letters of it in Latin ones. */
export const isTransliterated = (name: string): boolean => /[\p{sc=Cyrillic}\p{sc=Greek}]/u.test(name)

/** A Cyrillic or Greek word in Latin letters, as they are mostly written in English: `Невский` is `nevsky`, `Τράπεζα` is `trapeza`. */
const latin = (word: string): string => {
  if (!isTransliterated(word)) return word
  const greek = greekPairs.reduce((text, [pair, by]) => text.replace(pair, by), word)
  // In Ukrainian, и is y.
  const cyrillic = /[\u0456\u0454\u0491]/.test(greek) ? greek.replaceAll("и", "y") : greek
  const english = cyrillic
    .replace(/ь|ъ(?=[еюя])/g, "")
    // In Bulgarian, ъ is a vowel.
    .replace(/ъ/g, "a")
    .replace(/[ыи][иy]$/, "y")
    .replace(/кс/g, "x")
    .replace(/х/g, "h")
  const spelled = anyAscii(english)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")
  return spelled === "" ? word : spelled
}

/** The version of what {@link nameKeyOf} gives: one more whenever it gives another key for a name. */
export const nameKeyVersion = 2

/**
 * The name of a company as duplicates are compared: its words in lower case, in Latin letters if they were Cyrillic or Greek, and in their
 * order, without accents, punctuation, legal forms, conjunctions, "Firma" before it and the branch that it names. It is empty for blank
 * names only: a company called AG keeps `ag`. The key of a key is the key itself.
 */
export const nameKeyOf = (name: string): string => {
  const folded = withoutBranchParts(foldName(withoutEastAsianForms(name)).replace(announced, ""))
  const words = withoutJoints(withoutForms(withoutBranch(withoutForms(wordsOf(folded))))).map(latin)
  const key = [...(words.length === 0 ? name.trim().toLowerCase() : words.join(" "))]
    .slice(0, maxKeyLength)
    .join("")
    .trim()
  return key === name ? key : nameKeyOf(key)
}
