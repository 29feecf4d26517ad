/** Names of places as they are compared: without case, accents and punctuation. Pure. */

/** Letters that Unicode does not decompose into a letter and an accent. */
const letters: Readonly<Record<string, string>> = {
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
  ŋ: "n",
  ς: "σ"
}

/** `Île-de-France` as `ile de france`. Words are separated by one space; what is neither letter nor digit separates. */
export const fold = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþħıŋς]/g, (letter) => letters[letter] ?? letter)
    .replaceAll(/[\p{M}'’ʻʼ`´]/gu, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
