/** The tokens of forms, which tell that a form is from a page that the same browser loaded. */
import { createHash, timingSafeEqual } from "node:crypto"

/** The token of forms for a browser that has this secret in a cookie. */
export const formTokenOf = (secret: string): string => createHash("sha256").update(`form:${secret}`).digest("base64url")

/** Whether a form has the token of this browser. */
export const isFormToken = (sent: string | undefined, token: string): boolean => {
  const [found, expected] = [Buffer.from(sent ?? ""), Buffer.from(token)]
  return found.length === expected.length && timingSafeEqual(found, expected)
}
