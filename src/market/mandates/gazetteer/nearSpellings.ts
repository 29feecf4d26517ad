/** Names that are spelled nearly like a text. The work is bounded, whatever the text. Pure. */
import { distance } from "fastest-levenshtein"
import { firstKey, keyAt, lookup, type Places, populationOf, postingsAt } from "./Places.ts"
import { clearly } from "./ranking.ts"

/** Shorter texts are near to too many names; longer ones are no misspelt name. */
const [minLength, maxLength] = [4, 30]

/** Letters that may be missing or wrong; accents are folded. */
const alphabet = "abcdefghijklmnopqrstuvwxyz "

/** All texts that one slip of a finger turns into `name`: one letter too many, too few, wrong, or two swapped. */
function* oneSlipFrom(name: string): Generator<string> {
  for (let i = 0; i <= name.length; i += 1) {
    const [before, after] = [name.slice(0, i), name.slice(i)]
    if (after !== "") yield before + after.slice(1)
    if (after.length > 1) yield `${before}${after[1]}${after[0]}${after.slice(2)}`
    for (const letter of alphabet) {
      yield before + letter + after
      if (after !== "") yield before + letter + after.slice(1)
    }
  }
}

// Names that begin alike are compared one by one, if there are no more.
const maxCompared = 4000

/** Names from `from` on that begin with `prefix`. */
const rangeOf = (places: Places, prefix: string): readonly [number, number] => [
  firstKey(places, Buffer.from(prefix)),
  // No letter is greater than this one.
  firstKey(places, Buffer.from(`${prefix}\u{10FFFF}`))
]

/** Places whose name begins like `name` and differs from it by two letters. */
const twoSlipsFrom = (places: Places, name: string): ReadonlyArray<number> => {
  for (let length = 3; length < name.length; length += 1) {
    const [from, to] = rangeOf(places, name.slice(0, length))
    if (to - from > maxCompared) continue
    const near: Array<number> = []
    for (let key = from; key < to; key += 1) {
      const other = keyAt(places, key)
      if (Math.abs(other.length - name.length) <= 2 && distance(other, name) <= 2) near.push(key)
    }
    return near
      .flatMap((key) => postingsAt(places, key))
      .flatMap(({ place, strength }) => (strength === "code" ? [] : [place]))
  }
  return []
}

/** Places with a name from which a folded one differs by a slip; with `own`, with one of their own names. */
const oneSlipAway = (places: Places, name: string, own: boolean): ReadonlySet<number> => {
  const found = new Set<number>()
  if (name.length < minLength || name.length > maxLength) return found
  for (const other of oneSlipFrom(name)) {
    for (const { place, strength } of lookup(places, other)) {
      if (strength === "own" || (strength === "other" && !own)) found.add(place)
    }
  }
  return found
}

/** Places with a name like this folded one: with one slip, or, if there are none, with two in a name that is not short. */
export const nearSpellings = (places: Places, name: string): ReadonlyArray<number> => {
  const found = oneSlipAway(places, name, false)
  if (found.size > 0 || name.length < 6 || name.length > maxLength) return [...found]
  return [...new Set(twoSlipsFrom(places, name))]
}

// Names of larger places are known by other people, too, and are not slips.
const knownSize = 100_000

/** The places of one slip away that are far larger than a small place which has the text as a foreign or former name only. */
export const misspelt = (places: Places, name: string, place: number): ReadonlyArray<number> => {
  const population = populationOf(places, place)
  if (population >= knownSize) return []
  const least = Math.max(knownSize, clearly * population)
  return [...oneSlipAway(places, name, true)].filter((other) => populationOf(places, other) >= least)
}
