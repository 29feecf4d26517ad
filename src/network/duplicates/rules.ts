/** The similarity of companies (docs/behaviour/network.md#duplicates). Names are compared by their keys (companies/naming.ts). */
import { distance } from "fastest-levenshtein"

/** The minimum score of a possible duplicate. */
export const minScore = 0.8

/** The maximum number of duplicates in the answer. */
export const maxCandidates = 20

// The score of the same words in another order, joined or abbreviated.
const sameWords = 0.98

// Words that do not distinguish companies: articles, prepositions, and words for a group. The indexes of names (shapes.ts) rely on particles
// having at most 3 letters.
const particles = new Set([
  ..."the of for at by".split(" "),
  ..."der die das des dem den von vom zu zum zur am im in auf fur".split(" "),
  ..."le la les de du au aux el los las del lo il gli di dei da do dos das".split(" "),
  ..."het van ten ter av af til na we".split(" ")
])

/** Words for a group, of which a name may have one more. */
export const groups = new Set(
  "group gruppe groupe groep gruppo grupo grupa gruppen koncern koncernen konzern konserni gruppa grupp grup omilos".split(
    " "
  )
)

/** Spellings of the same word. They have more than 3 letters and the same first letter. */
export const spellings: { readonly [word: string]: string } = {
  immo: "immobilien",
  immob: "immobilien",
  immobilier: "immobilien",
  property: "properties",
  prop: "properties",
  props: "properties",
  mgmt: "management",
  intl: "international",
  devt: "development",
  investments: "investment",
  bros: "brothers",
  gebr: "gebruder",
  gebroders: "gebruder",
  assoc: "associates",
  natl: "national",
  verw: "verwaltung",
  verwaltungs: "verwaltung",
  beteiligungs: "beteiligung",
  beteiligungen: "beteiligung",
  estates: "estate"
}

/** Whether a word counts in the indexes of names. */
export const isLong = (word: string) => [...word].length > 3 || /[0-9]/.test(word)

/** The distinguishing words of a name: without one word for a group and, if a long word remains, without particles. */
export const wordsOf = (key: string): ReadonlyArray<string> => {
  const all = key.split(" ").map((word) => spellings[word] ?? word)
  const group = all.findIndex((word) => groups.has(word))
  const words = all.length > 1 ? all.filter((_, index) => index !== group) : all
  const significant = words.filter((word) => !particles.has(word))
  return significant.some(isLong) ? significant : words
}

// How Cyrillic and Greek words are spelled in Latin letters: in several ways that sound alike. `Пирей` is Pirey, Pirej or Pirei.
const sounds: ReadonlyArray<readonly [spelling: RegExp, sound: string]> = [
  [/shch|sch|sh|sz/g, "s"],
  [/zh/g, "z"],
  [/ph/g, "f"],
  [/th/g, "t"],
  [/[ck]h|ch/g, "h"],
  [/t[sz]|c(?=[eiy])/g, "s"],
  [/ck|[cq]/g, "k"],
  [/x/g, "ks"],
  [/w/g, "v"],
  [/ou/g, "u"],
  [/ai/g, "e"],
  [/[ijy]+/g, "i"],
  [/(?:[eo]i|ie)/g, "i"],
  [/(.)\1+/g, "$1"]
]

/** The key of a name by the sound of its words. */
const soundOf = (nameKey: string): string =>
  sounds.reduce((text, [spelling, sound]) => text.replace(spelling, sound), nameKey)

const sorted = (word: string) => [...word].sort().join("")

/** The number of typing errors between two words: letters left out, added, changed, or two swapped. */
const typosBetween = (a: string, b: string): number => {
  const steps = distance(a, b)
  return steps === 2 && a.length === b.length && sorted(a) === sorted(b) ? 1 : steps
}

/**
 * The number of typing errors to tolerate between words of these lengths. A short word with one is another word, and so is one of five or
 * six letters that stands alone: Nestlé is not Neste.
 */
const maxTypos = (shorter: number, longer: number, isAlone: boolean): number =>
  shorter <= 4 || (isAlone && longer < 7) ? 0 : longer <= 8 ? 1 : 2

// Malmö and Malmoe. A key has no umlauts any more, and elsewhere in a word `oe` is `o` in it as well.
const isSpelledOut = (a: string, b: string) => a.length > 3 && a.endsWith("o") && b === `${a}e`

/** The share of letters that agree; 0 for different words. `isAlone` says that no other word of the names agrees. */
export const wordSimilarity = (a: string, b: string, isAlone: boolean): number => {
  if (a === b || isSpelledOut(a, b) || isSpelledOut(b, a)) return 1
  const length = Math.max(a.length, b.length)
  const limit = maxTypos(Math.min(a.length, b.length), length, isAlone)
  if (limit === 0 || Math.abs(a.length - b.length) > limit || /\p{N}/u.test(a + b)) return 0
  // Typing errors rarely affect the first letter: Essen is not Hessen.
  if (a[0] !== b[0]) return 0
  const found = typosBetween(a, b)
  return found > limit ? 0 : 1 - found / length
}

/** The most typing errors in which another word of the same company can differ from this one. */
export const typosIn = (word: string, isAlone: boolean): number => {
  const spelledOut = /^.{3,}oe?$/su.test(word) ? 1 : 0
  if (/\p{N}/u.test(word)) return spelledOut
  const limits = [0, 1, 2].map((more) => ({ more, limit: maxTypos(word.length, word.length + more, isAlone) }))
  return Math.max(spelledOut, ...limits.map(({ limit, more }) => (more > limit ? 0 : limit)))
}

/** Removes the words that both have, as often as both have them, from both. */
const withoutCommon = (a: ReadonlyArray<string>, b: ReadonlyArray<string>) => {
  const left: Array<string> = []
  const right = [...b]
  for (const word of a) {
    const at = right.indexOf(word)
    if (at === -1) left.push(word)
    else right.splice(at, 1)
  }
  return [left, right] as const
}

const lengthOf = (words: ReadonlyArray<string>) => words.reduce((sum, word) => sum + word.length, 0)

/**
 * The similarity of two names, by their keys: 1 if they are equal, 0 if they have nothing in common. Each word must be in both names, with
 * typing errors tolerated. A word in only one of them halves the similarity, because it distinguishes a subsidiary from its parent:
 * Castellum Göteborg is not Castellum.
 */
export const nameSimilarity = (a: string, b: string): number => {
  if (a === b) return 1
  if (a.replaceAll(" ", "") === b.replaceAll(" ", "")) return sameWords
  const [wordsOfA, wordsOfB] = [wordsOf(a), wordsOf(b)]
  const [left, right] = withoutCommon(wordsOfA, wordsOfB)
  const isAlone = left.length === wordsOfA.length
  const pairs = left
    .flatMap((word) => right.map((other) => ({ word, other, similarity: wordSimilarity(word, other, isAlone) })))
    .filter(({ similarity }) => similarity > 0)
    .sort((one, two) => two.similarity - one.similarity)
  let agreeing = 2 * (lengthOf(wordsOfA) - lengthOf(left))
  let [alone, others] = [left as ReadonlyArray<string>, right as ReadonlyArray<string>]
  for (const { similarity, other, word } of pairs) {
    if (!alone.includes(word) || !others.includes(other)) continue
    alone = withoutCommon(alone, [word])[0]
    others = withoutCommon(others, [other])[0]
    agreeing += similarity * (word.length + other.length)
  }
  const similarity = Math.min(sameWords, agreeing / (lengthOf(wordsOfA) + lengthOf(wordsOfB)))
  return alone.length + others.length === 0 ? similarity : similarity / 2
}

const decoded = (url: string): ReadonlyArray<string> => {
  try {
    const text = decodeURI(url)
    // Postgres stores no NUL, and accepts none to compare with.
    return text.includes("\0") ? [] : [text]
  } catch {
    return []
  }
}

/** The spellings of a URL: as it was sent, percent-encoded and decoded. */
export const spellingsOf = (url: string): ReadonlyArray<string> => {
  const parsed = URL.parse(url)
  return [...new Set([url, ...(parsed === null ? [] : [parsed.href]), ...decoded(url)])]
}

/** The members that are compared. */
export interface Compared {
  readonly nameKey: string
  readonly country: string | null
  readonly sameDomain: boolean
  readonly sameLinkedIn: boolean
  /** Whether one name is written in Latin letters and the other in Cyrillic or Greek ones: then words of the same sound are equal. */
  readonly inOtherLetters: boolean
}

/** The confidence that two companies are the same, from 0 to 1, in hundredths. */
export const scoreOf = (nameKey: string, company: Compared): number =>
  company.sameDomain || company.sameLinkedIn
    ? 1
    : Math.round(
        100 *
          Math.max(
            nameSimilarity(nameKey, company.nameKey),
            company.inOtherLetters ? Math.min(sameWords, nameSimilarity(soundOf(nameKey), soundOf(company.nameKey))) : 0
          )
      ) / 100

/** The possible duplicates: those of the country first, then by score, then in the given order. */
export const rank = <A extends Compared>(
  searched: { readonly nameKey: string; readonly country: string | null },
  companies: ReadonlyArray<A>
): ReadonlyArray<{ readonly company: A; readonly score: number }> => {
  const isOfCountry = ({ country }: Compared) => (searched.country !== null && country === searched.country ? 1 : 0)
  return companies
    .map((company) => ({ company, score: scoreOf(searched.nameKey, company) }))
    .filter(({ score }) => score >= minScore)
    .sort((a, b) => isOfCountry(b.company) - isOfCountry(a.company) || b.score - a.score)
    .slice(0, maxCandidates)
}
