/** Text and names as they are compared, in any spelling, and the known name that is meant by an unknown one. Pure. */
import { distance } from "fastest-levenshtein"

// Apostrophes that are an accent beside a space once they are decomposed.
const spacingApostrophes = /[´΄᾽᾿῾]/g

const rangesOf = (...ranges: ReadonlyArray<string>) =>
  ranges
    .join(" ")
    .split(" ")
    .map((range) => range.replace(/[0-9a-f]+/g, "\\u{$&}"))
    .join("")

// What stands above, below or within letters, and what shows nothing, by code points.
const unseen = new RegExp(
  `[${rangesOf(
    // Accents, Cyrillic titles, Hebrew points, Arabic marks, vowels and hamza, and the tatweel.
    "300-36f 483-487 591-5bd 5bf 5c1 5c2 5c4 5c5 5c7 610-61a 640 64b-65f 670 6d6-6dc 6df-6e4 6e7 6e8 6ea-6ed 1ab0-1aff 1dc0-1dff 20d0-20ff fe20-fe2f",
    // Soft hyphens, fillers, joiners, directions, variation selectors, tags and other characters that are ignored.
    "ad 61c 115f 1160 17b4 17b5 180b-180f 200b-200f 202a-202e 2060-206f fe00-fe0f feff fff9-fffb 1bca0-1bca3 1d173-1d17a e0000-e0fff"
  )}]`,
  "gu"
)

// The letters of alphabets with two cases that do not decompose. Letters of the rest of Unicode stay as they are.
const cased = /[\u00c0-\u024f\u0370-\u058f\u1c90-\u1cbf]/g

const replacements: ReadonlyMap<string, string> = new Map([
  ...Array.from("`ʹʻʼʽʾʿ՚׳‘’‛′‵ꞌ", (from) => [from, "'"] as const),
  ...Array.from("״“”„‟«»〝〞", (from) => [from, '"'] as const),
  ...Array.from("˗֊־‐‒–—―⁃−⸺⸻", (from) => [from, "-"] as const),
  ...Array.from("\u0085\u1680\u2028\u2029", (from) => [from, " "] as const),
  // Letters that do not decompose.
  ...Object.entries({
    ß: "ss",
    ẞ: "ss",
    æ: "ae",
    œ: "oe",
    þ: "th",
    ø: "o",
    ł: "l",
    đ: "d",
    ð: "d",
    ħ: "h",
    ı: "i",
    ŧ: "t"
  }),
  ["ς", "σ"],
  // Arabic and Persian letters that are written for one another.
  ...Object.entries({ ٱ: "ا", ى: "ي", ی: "ي", ې: "ي", ک: "ك", ة: "ه", ھ: "ه", ہ: "ه", ۃ: "ه", ە: "ه", ء: "" }),
  ...["٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹", "०१२३४५६७८९", "০১২৩৪৫৬৭৮৯", "๐๑๒๓๔๕๖๗๘๙"].flatMap((digits) =>
    Array.from(digits, (digit, value) => [digit, String(value)] as const)
  )
])

const replaced = new RegExp(`[${[...replacements.keys()].join("")}]`, "gu")

// Languages that are written with these do not part words, or do so as they please.
const unspaced =
  "[\\u1100-\\u11ff\\u2e80-\\u2fdf\\u3005-\\u3007\\u3041-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\u{20000}-\\u{3ffff}]"
const spaceWithin = new RegExp(`(?<=${unspaced}) +(?=${unspaced})`, "gu")

const isAscii = (text: string) => !/[^\0-\x7f]/.test(text)

/**
 * A text without case, accents, invisible characters and the differences between kinds of apostrophes, quotes, dashes, spaces, digits and
 * widths, and without white space between Chinese, Japanese or Korean characters; ß is ss. It is decomposed (NFKD). Folding what is
 * folded changes nothing.
 */
export const fold = (text: string): string => {
  if (isAscii(text)) return text.toLowerCase().replaceAll("`", "'")
  return text
    .replace(spacingApostrophes, "'")
    .normalize("NFKD")
    .replace(unseen, "")
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replace(cased, (letter) => letter.toLowerCase())
    .replace(replaced, (character) => replacements.get(character) ?? character)
    .replace(spaceWithin, "")
}

/**
 * A folded text in which umlauts that are spelled out, and apostrophes, do not count: `mueller` is `muller`, as `Müller` is in it, and
 * `o'brien` is `obrien`; `bauer` stays. The SQL function `search_loose` gives the same.
 */
export const foldLoosely = (folded: string): string =>
  folded
    .replaceAll("'", "")
    .replace(/a[ae]+/g, "a")
    .replace(/oe+/g, "o")
    .replace(/(^|[^aeoq])ue+/g, "$1u")

// Compares names in any spelling. Pure.

/** Normalizes a spelling for comparison: without case, accents, spaces and punctuation. */
export const plain = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "")

const germanLetters: ReadonlyArray<readonly [letter: RegExp, written: string]> = [
  [/ä/gi, "ae"],
  [/ö/gi, "oe"],
  [/ü/gi, "ue"],
  [/ß|ẞ/g, "ss"]
]

/** Both normal spellings of a name that may be German: `Fläche` is also written `Flaeche`, and `Flache` where accents are lost. */
export const germanSpellings = (name: string): ReadonlyArray<string> => {
  const written = germanLetters.reduce((text, [letter, other]) => text.replaceAll(letter, other), name.normalize("NFC"))
  return [...new Set([plain(written), plain(name.replaceAll(/ß|ẞ/g, "ss"))])]
}

/** Finds what is known by a name in any of its spellings. */
export const finder = <A>(named: Iterable<readonly [name: string, found: A]>): ((name: string) => A | undefined) => {
  const found = new Map(
    [...named].flatMap(([name, one]) =>
      germanSpellings(name)
        .filter((spelled) => spelled !== "")
        .map((spelled) => [spelled, one] as const)
    )
  )
  return (name) =>
    germanSpellings(name)
      .map((spelled) => found.get(spelled))
      .find((one) => one !== undefined)
}

// What faults say of names and values that are not known. Pure.

// Longer names are cut off in faults, so that a response does not repeat megabytes of the request.
const maxNameLength = 100

/** A name of a request, as faults repeat it. */
export const shortened = (name: string): string =>
  name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name

/** The known name that is most similar to `name`, for "Did you mean …?". */
export const nearest = (name: string, known: ReadonlyArray<string>): string | undefined => {
  if (name.length > maxNameLength) return undefined
  const near = known
    .map((candidate) => ({ candidate, steps: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(
      ({ candidate, steps }) => steps < candidate.length && steps <= Math.max(2, Math.floor(candidate.length / 3))
    )
    .sort((a, b) => a.steps - b.steps)
  return near[0]?.candidate
}

/** Longer lists of known names are left out of a fault. */
export const maxListed = 12

/** What to say of a value that is none of these: the most similar one, or else all of them. */
export const mustBeOneOf = (value: unknown, known: ReadonlyArray<string>): string => {
  const meant = typeof value === "string" && known.length > maxListed ? nearest(value, known) : undefined
  return meant === undefined
    ? `Must be one of: ${known.join(", ")}.`
    : `Unknown value "${shortened(String(value))}". Did you mean "${meant}"?`
}
