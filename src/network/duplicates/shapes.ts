/**
 * What the names of duplicates look like, so that the database finds them by an index and compares few others. No name that is similar by
 * rules.ts may fail it. Each of its words resembles one of the searched name: it has the same first letter, and few letters more, fewer or
 * others.
 */
import { distance } from "fastest-levenshtein"
import { groups, isLong, spellings, typosIn, wordsOf, wordSimilarity } from "./rules.ts"

// The letters that a word of Latin letters begins with where a Cyrillic or Greek one is spelled by its key.
const spelledBeginnings: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bj/g, "y"],
  [/\bc(?=[eiy])/g, "ts"],
  [/\bc(?![eiyh])/g, "k"],
  [/\bw/g, "v"]
]

// And the other way round.
const otherBeginnings: ReadonlyArray<readonly [RegExp, string]> = [
  [/\by/g, "j"],
  [/\by/g, "i"],
  [/\bts/g, "c"],
  [/\bk/g, "c"],
  [/\bh/g, "k"],
  [/\bh/g, "c"],
  [/\bv/g, "w"],
  [/\bf/g, "p"],
  [/\bzh/g, "j"]
]

/** A word as another name may have it, and in how many typing errors it may differ there. */
interface Part {
  readonly word: string
  readonly typos: number
}

/** Names that have these initials, and otherwise differ by as many letters as there may be typing errors. */
export interface Shape {
  /** The first letter of each long word, and numbers as they are. All words if none is long. */
  readonly initials: string
  /** The number of letters of the long words. */
  readonly length: number
  /** The letters of the long words of each of the first three initials: sets of 32 bits, by the codes of the letters. */
  readonly letters: string
  readonly typos: number
  /** Those of the typing errors that are in the words of each of the three. */
  readonly each: readonly [number, number, number]
}

const initialOf = (word: string) => (/[0-9]/.test(word) ? word : ([...word][0] ?? ""))

// As Postgres orders them.
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

const bitsOf = (letters: ReadonlyArray<string>) =>
  (letters.reduce((set, letter) => set | (1 << ((letter.codePointAt(0) ?? 0) % 32)), 0) >>> 0)
    .toString(2)
    .padStart(32, "0")

const sumOf = (parts: ReadonlyArray<Part>) => parts.reduce((sum, { typos }) => sum + typos, 0)

const initialsOf = (words: ReadonlyArray<string>): string => {
  const long = words.filter(isLong)
  return (long.length === 0 ? [...words] : long.map(initialOf)).sort(byBytes).join(" ")
}

/** The shape of a name of these words. The functions of sql/0005_network.sql and sql/0039_name_traits.sql give the same of a stored name. */
export const shapeOf = (parts: ReadonlyArray<Part>): Shape => {
  const long = parts.filter(({ word }) => isLong(word))
  const initials = [...new Set(long.map(({ word }) => initialOf(word)))].sort(byBytes)
  const of = (at: number) => long.filter(({ word }) => initialOf(word) === initials[at])
  const lettersOf = (some: ReadonlyArray<Part>) => some.flatMap(({ word }) => [...word])
  const [one, two, three] = [of(0), of(1), of(2)]
  return {
    initials: initialsOf(parts.map(({ word }) => word)),
    length: lettersOf(long).length,
    letters: [one, two, three].map((some) => bitsOf(lettersOf(some))).join(""),
    typos: sumOf(parts),
    each: [sumOf(one), sumOf(two), sumOf(three)]
  }
}

// A word for a group by each of their initials, with the letters in which the others differ from it.
const groupParts = [...Map.groupBy(groups, (word) => word[0]).values()].map(([word = "", ...others]): Part => ({
  word,
  typos: Math.max(0, ...others.map((other) => distance(word, other)))
}))

const aloneAndInGroups = (parts: ReadonlyArray<Part>) => [parts, ...groupParts.map((group) => [...parts, group])]

// More than any name has letters.
const anyTypos = 1000

/** All names of these initials. */
const allOf = (initials: string): Shape => ({
  initials,
  length: 0,
  letters: "0".repeat(96),
  typos: anyTypos,
  each: [anyTypos, anyTypos, anyTypos]
})

// With more ways to write a name, of many words that are abbreviated, it is compared with all names of its initials.
const maxSpellings = 16

/** The ways to write these words: each as it is, with typing errors, or abbreviated. */
const waysToWrite = (words: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<Part>> | undefined => {
  const isAlone = words.length === 1
  let ways: ReadonlyArray<ReadonlyArray<Part>> = [[]]
  for (const word of words) {
    const abbreviated = Object.entries(spellings).filter(([, spelled]) => wordSimilarity(word, spelled, isAlone) > 0)
    const parts = [
      { word, typos: typosIn(word, isAlone) },
      ...abbreviated.map(([short]) => ({ word: short, typos: 0 }))
    ]
    ways = ways.flatMap((way) => parts.map((part) => [...way, part]))
    if (ways.length > maxSpellings) return undefined
  }
  return ways
}

/** The initials of names that sound like one of these words: these, and those that they have in other letters. */
const initialsLike = (words: ReadonlyArray<string>, isTransliterated: boolean): ReadonlyArray<string> => {
  const text = words.join(" ")
  const others = (isTransliterated ? otherBeginnings : spelledBeginnings).map(([from, to]) => text.replace(from, to))
  const alike = [...new Set([text, ...others])].map((key) => key.split(" "))
  return [...new Set(alike.flatMap((some) => [some, ...groupParts.map(({ word }) => [...some, word])]).map(initialsOf))]
}

/** Where to look for names that are similar to one. */
export interface Shapes {
  /** The shapes of names in Latin letters. */
  readonly latin: ReadonlyArray<Shape>
  /**
   * The initials of names in Cyrillic or Greek letters. Where one of the two is in such letters, they are compared by sound, of which letters
   * and their number say nothing.
   */
  readonly transliterated: ReadonlyArray<string>
}

/** Where to look for names that are similar to the one of this key. */
export const shapesOf = (nameKey: string, isTransliterated = false): Shapes => {
  const words = wordsOf(nameKey)
  const transliterated = initialsLike(words, isTransliterated)
  const ways = isTransliterated ? undefined : waysToWrite(words)
  return {
    latin: ways === undefined ? transliterated.map(allOf) : ways.flatMap(aloneAndInGroups).map(shapeOf),
    transliterated
  }
}
