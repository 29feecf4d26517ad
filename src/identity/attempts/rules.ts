/** How often people may try to sign in, and clients may ask for tokens: pure. */

const minute = 60_000

/**
 * The limits of each kind of subject: how many attempts a window has, and how long it is, in milliseconds. An account and an address that
 * sign in; at the token endpoint an address, a client and a grant; a person for whom documents of apps are loaded; an address
 * whose apps register.
 */
export const limits = {
  account: { most: 10, windowMillis: 15 * minute },
  address: { most: 100, windowMillis: 15 * minute },
  tokenAddress: { most: 600, windowMillis: minute },
  tokenClient: { most: 60, windowMillis: minute },
  tokenGrant: { most: 30, windowMillis: minute },
  document: { most: 30, windowMillis: 15 * minute },
  registration: { most: 20, windowMillis: 15 * minute }
} as const

/** What attempts are counted for. */
export type AttemptKind = keyof typeof limits

/** The length of the longest window, in milliseconds. */
export const maxWindowMillis = Math.max(...Object.values(limits).map(({ windowMillis }) => windowMillis))

/** A window of attempts, the present one included. */
export interface AttemptWindow {
  readonly kind: AttemptKind
  readonly openedAt: Date
  readonly attempts: number
}

/** For how many more seconds attempts are refused; undefined if this one is allowed. */
export const refusedFor = (windows: ReadonlyArray<AttemptWindow>, now: Date): number | undefined => {
  const waits = windows
    .filter(({ attempts, kind }) => attempts > limits[kind].most)
    .map(({ kind, openedAt }) => Math.ceil((openedAt.getTime() + limits[kind].windowMillis - now.getTime()) / 1000))
  return waits.length === 0 ? undefined : Math.max(1, ...waits)
}
