/** The decisions on sessions (docs/behaviour/sign-in.md#sessions). */

const hour = 3_600_000

/** How long a session lasts without being used, and how long in all, in milliseconds. */
export const [idleMillis, totalMillis] = [12 * hour, 14 * 24 * hour]

/** How often the use of a session is written, in milliseconds. */
export const touchMillis = 60_000

/** When a session was used and when it ends. */
export interface SessionTimes {
  readonly lastUsedAt: Date
  readonly expiresAt: Date
  readonly revokedAt: Date | null
}

/** Whether a session is valid, and whether its use is to be written; undefined if it is over. */
export const useOf = (
  { expiresAt, lastUsedAt, revokedAt }: SessionTimes,
  now: Date
): { readonly isWritten: boolean } | undefined => {
  const idle = now.getTime() - lastUsedAt.getTime()
  return revokedAt !== null || now >= expiresAt || idle >= idleMillis ? undefined : { isWritten: idle >= touchMillis }
}

/** What a browser says of itself, as far as it is kept. */
export const userAgentOf = (header: string | undefined): string | null =>
  header === undefined ? null : header.replaceAll(/[^\x20-\x7e]/g, "").slice(0, 300)
