/** The decisions on passwords (docs/behaviour/sign-in.md#passwords). */

/** The shortest and the longest password, in characters. */
export const [minLength, maxLength] = [12, 256]

/** Why a password cannot be set. */
export type PasswordFault = "too_short" | "too_long" | "contains_name"

const folded = (text: string) => text.normalize("NFKC").toLowerCase()

/** Why a person cannot have this password; undefined if they can. */
export const faultOf = (
  password: string,
  { email, name }: { readonly email: string; readonly name: string }
): PasswordFault | undefined => {
  const { length } = [...password.normalize("NFC")]
  if (length < minLength) return "too_short"
  if (length > maxLength) return "too_long"
  const [local = ""] = email.split("@")
  const guesses = [email, local, name].map(folded).filter((text) => text.length >= 4)
  const rest = guesses.reduce((text, guess) => text.replaceAll(guess, ""), folded(password))
  return [...rest].length < minLength / 2 ? "contains_name" : undefined
}

/** How long a link that sets a password is valid, in milliseconds. */
export const linkMillis = 15 * 60_000
