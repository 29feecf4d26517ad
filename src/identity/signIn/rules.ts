/**
 * The decisions on sign-in: how often people and clients may try, passwords, sessions, and people at an OpenID provider
 * (docs/behaviour/sign-in.md): pure.
 */
import { sessionIdleMillis } from "../users/rules.ts"

const minute = 60_000

/**
 * The limits of each kind of subject: how many attempts a window has, and how long it is, in milliseconds. An account and an address that
 * sign in; at the token endpoint an address, a client and a grant; a person for whom documents of apps are loaded; an address
 * whose apps register.
 */
export const attemptLimits = {
  account: { most: 10, windowMillis: 15 * minute },
  address: { most: 100, windowMillis: 15 * minute },
  tokenAddress: { most: 600, windowMillis: minute },
  tokenClient: { most: 60, windowMillis: minute },
  tokenGrant: { most: 30, windowMillis: minute },
  document: { most: 30, windowMillis: 15 * minute },
  registration: { most: 20, windowMillis: 15 * minute }
} as const

/** What attempts are counted for. */
export type AttemptKind = keyof typeof attemptLimits

/** The length of the longest window, in milliseconds. */
export const maxWindowMillis = Math.max(...Object.values(attemptLimits).map(({ windowMillis }) => windowMillis))

/** A window of attempts, the present one included. */
export interface AttemptWindow {
  readonly kind: AttemptKind
  readonly openedAt: Date
  readonly attempts: number
}

/** For how many more seconds attempts are refused; undefined if this one is allowed. */
export const refusedFor = (windows: ReadonlyArray<AttemptWindow>, now: Date): number | undefined => {
  const waits = windows
    .filter(({ attempts, kind }) => attempts > attemptLimits[kind].most)
    .map(({ kind, openedAt }) =>
      Math.ceil((openedAt.getTime() + attemptLimits[kind].windowMillis - now.getTime()) / 1000)
    )
  return waits.length === 0 ? undefined : Math.max(1, ...waits)
}

/** The shortest and the longest password, in characters. */
export const [minPasswordLength, maxPasswordLength] = [12, 256]

/** Why a password cannot be set. */
export type PasswordFault = "too_short" | "too_long" | "contains_name"

const folded = (text: string) => text.normalize("NFKC").toLowerCase()

/** Why a person cannot have this password; undefined if they can. */
export const passwordFaultOf = (
  password: string,
  { email, name }: { readonly email: string; readonly name: string }
): PasswordFault | undefined => {
  const { length } = [...password.normalize("NFC")]
  if (length < minPasswordLength) return "too_short"
  if (length > maxPasswordLength) return "too_long"
  const [local = ""] = email.split("@")
  const guesses = [email, local, name].map(folded).filter((text) => text.length >= 4)
  const rest = guesses.reduce((text, guess) => text.replaceAll(guess, ""), folded(password))
  return [...rest].length < minPasswordLength / 2 ? "contains_name" : undefined
}

/** How long a link that sets a password is valid, in milliseconds. */
export const passwordLinkMillis = 15 * minute

/** How often the use of a session is written, in milliseconds. */
export const sessionTouchMillis = minute

/** When a session was used and when it ends. */
export interface SessionTimes {
  readonly lastUsedAt: Date
  readonly expiresAt: Date
  readonly revokedAt: Date | null
}

/** Whether a session is valid, and whether its use is to be written; undefined if it is over. */
export const sessionUseOf = (
  { expiresAt, lastUsedAt, revokedAt }: SessionTimes,
  now: Date
): { readonly isWritten: boolean } | undefined => {
  const idle = now.getTime() - lastUsedAt.getTime()
  return revokedAt !== null || now >= expiresAt || idle >= sessionIdleMillis
    ? undefined
    : { isWritten: idle >= sessionTouchMillis }
}

/** What a browser says of itself, as far as it is kept. */
export const userAgentOf = (header: string | undefined): string | null =>
  header === undefined ? null : header.replaceAll(/[^\x20-\x7e]/g, "").slice(0, 300)

/** How long a person has for signing in with an OpenID provider, in milliseconds. */
export const upstreamMillis = 10 * minute

/** What an OpenID provider says of a person. */
export interface UpstreamPerson {
  readonly subject: string
  readonly email: string | undefined
  readonly isVerified: boolean
}

/** Reads what an ID token and the provider's answer about the person say; what the token says comes first. */
export const personOf = (
  subject: string,
  claims: { readonly [name: string]: unknown },
  more: { readonly [name: string]: unknown } = {}
): UpstreamPerson => {
  const source = typeof claims["email"] === "string" ? claims : more
  const email = source["email"]
  return {
    subject,
    email: typeof email === "string" && email !== "" ? email : undefined,
    isVerified: source["email_verified"] === true
  }
}

/** What a browser keeps while its person is at the provider. */
export interface PendingSignIn {
  readonly expiresAt: number
  /** The path to go on to. */
  readonly next: string
}

/** The text of a cookie. `secret` has no dot. */
export const cookieOf = (secret: string, { expiresAt, next }: PendingSignIn): string =>
  `${secret}.${expiresAt}.${Buffer.from(next).toString("base64url")}`

/** What a cookie says; undefined if it says nothing, or if it is over. */
export const pendingOf = (cookie: string | undefined, now: Date): PendingSignIn | undefined => {
  const [, expires, next] = /^[\w-]+\.(\d{1,15})\.([\w-]*)$/.exec(cookie ?? "") ?? []
  if (expires === undefined || next === undefined || now.getTime() >= Number(expires)) return undefined
  return { expiresAt: Number(expires), next: Buffer.from(next, "base64url").toString() }
}
