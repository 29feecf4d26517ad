/** How alike two companies are. Names are compared by their keys (see companies/naming.ts). */
import { distance } from "fastest-levenshtein"

/** The least score that makes a candidate. */
export const minScore = 0.8

/** How many candidates are told. */
export const maxCandidates = 20

// The same words, in another order, joined or abbreviated.
const sameWords = 0.98

// What a name can have or lack without meaning another company: articles and prepositions, and that it is a group. The
// index `companies_name_initials` relies on the former having at most 3 letters, and on `shapesOf` for the latter.
const particles = new Set([
  ..."the of for at by".split(" "),
  ..."der die das des dem den von vom zu zum zur am im in auf fur".split(" "),
  ..."le la les de du au aux el los las del lo il gli di dei da do dos das".split(" "),
  ..."het van ten ter av af til na we".split(" ")
])
const groups = new Set(
  "group gruppe groupe groep gruppo grupo grupa gruppen koncern koncernen konzern konserni".split(" ")
)

// Other spellings that people take for the same word: longer than 3 letters, and with the same first letter.
const spellings: { readonly [word: string]: string } = {
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
  saint: "sankt",
  assoc: "associates",
  natl: "national",
  verw: "verwaltung",
  verwaltungs: "verwaltung",
  beteiligungs: "beteiligung",
  beteiligungen: "beteiligung",
  estates: "estate"
}

// As the index `companies_name_initials` has it.
const isLong = (word: string) => word.length > 3 || /[0-9]/.test(word)

/** The words that tell a name from others: without one word for a group and, where a long word is left, particles. */
const wordsOf = (key: string): ReadonlyArray<string> => {
  const all = key.split(" ").map((word) => spellings[word] ?? word)
  const group = all.findIndex((word) => groups.has(word))
  const words = all.length > 1 ? all.filter((_, index) => index !== group) : all
  const eventMapper = words.filter((word) => !particles.has(word))
  return eventMapper.some(isLong) ? eventMapper : words
}

/**
 * Names of the same shape as this one, by their keys: a name that is like it has the first letters and the numbers of one
 * of these.
 */
export const shapesOf = (nameKey: string): ReadonlyArray<string> => {
  const words = wordsOf(nameKey).join(" ")
  return [words, `${words} group`, `${words} koncern`]
}

const sorted = (word: string) => [...word].sort().join("")

/** How many slips of the pen lead from one word to the other: letters left out, added, changed, or two swapped. */
const slips = (a: string, b: string): number => {
  const steps = distance(a, b)
  return steps === 2 && a.length === b.length && sorted(a) === sorted(b) ? 1 : steps
}

/** How many slips may lie between words of these lengths. A short word with one is another word, and so is a number. */
const maxTypos = (shorter: number, longer: number): number => (shorter <= 4 ? 0 : longer <= 8 ? 1 : 2)

/** The share of letters that agree, or 0 for words that are not the same one. */
const wordLikeness = (a: string, b: string): number => {
  if (a === b) return 1
  const length = Math.max(a.length, b.length)
  const most = maxTypos(Math.min(a.length, b.length), length)
  if (most === 0 || Math.abs(a.length - b.length) > most || /\p{N}/u.test(a + b)) return 0
  // Hardly anybody gets the first letter wrong: Essen is not Hessen.
  if (a[0] !== b[0]) return 0
  const found = slips(a, b)
  return found > most ? 0 : 1 - found / length
}

/** Takes the words that both have, each as often as it is there, out of both. */
const apart = (a: ReadonlyArray<string>, b: ReadonlyArray<string>) => {
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
 * How alike two names are, by their keys: 1 when they are the same, 0 when they have nothing in common. Every word of
 * either has to be in the other too, give or take a slip; what stands in one of them only halves the likeness, for it
 * tells a daughter from her mother: Castellum Göteborg is not Castellum.
 */
export const nameLikeness = (a: string, b: string): number => {
  if (a === b) return 1
  if (a.replaceAll(" ", "") === b.replaceAll(" ", "")) return sameWords
  const [wordsOfA, wordsOfB] = [wordsOf(a), wordsOf(b)]
  const [left, right] = apart(wordsOfA, wordsOfB)
  const pairs = left
    .flatMap((word) => right.map((other) => ({ word, other, likeness: wordLikeness(word, other) })))
    .filter(({ likeness }) => likeness > 0)
    .sort((one, two) => two.likeness - one.likeness)
  let agreeing = 2 * (lengthOf(wordsOfA) - lengthOf(left))
  let [alone, others] = [left as ReadonlyArray<string>, right as ReadonlyArray<string>]
  for (const { likeness, other, word } of pairs) {
    if (!alone.includes(word) || !others.includes(other)) continue
    alone = apart(alone, [word])[0]
    others = apart(others, [other])[0]
    agreeing += likeness * (word.length + other.length)
  }
  const likeness = Math.min(sameWords, agreeing / (lengthOf(wordsOfA) + lengthOf(wordsOfB)))
  return alone.length + others.length === 0 ? likeness : likeness / 2
}

const decoded = (url: string): ReadonlyArray<string> => {
  try {
    return [decodeURI(url)]
  } catch {
    return []
  }
}

/** The ways to write one URL: as it was sent, and with letters outside ASCII as browsers copy them, and plain. */
export const writingsOf = (url: string): ReadonlyArray<string> => {
  const parsed = URL.parse(url)
  return [...new Set([url, ...(parsed === null ? [] : [parsed.href]), ...decoded(url)])]
}

/** What is compared. */
export interface Compared {
  readonly nameKey: string
  readonly country: string | null
  readonly sameDomain: boolean
  readonly sameLinkedIn: boolean
}

/** How sure it is that a company is the one asked about, from 0 to 1, in hundredths. */
export const scoreOf = (nameKey: string, company: Compared): number =>
  company.sameDomain || company.sameLinkedIn ? 1 : Math.round(100 * nameLikeness(nameKey, company.nameKey)) / 100

/** Those that it may be: of the country first, then the surest; equals stay in their order. */
export const ranked = <A extends Compared>(
  question: { readonly nameKey: string; readonly country: string | null },
  companies: ReadonlyArray<A>
): ReadonlyArray<{ readonly company: A; readonly score: number }> => {
  const isOfCountry = ({ country }: Compared) => (question.country !== null && country === question.country ? 1 : 0)
  return companies
    .map((company) => ({ company, score: scoreOf(question.nameKey, company) }))
    .filter(({ score }) => score >= minScore)
    .sort((a, b) => isOfCountry(b.company) - isOfCountry(a.company) || b.score - a.score)
    .slice(0, maxCandidates)
}
