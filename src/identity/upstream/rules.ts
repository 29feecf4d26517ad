/** The decisions on people who sign in with an OpenID provider (docs/behaviour/sign-in.md#openid-provider): pure. */

/** How long a person has for it, in milliseconds. */
export const attemptMillis = 10 * 60_000

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
