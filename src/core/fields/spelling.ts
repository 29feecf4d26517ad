/** Compares names in any spelling. Pure. */

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
