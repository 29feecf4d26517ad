/** The pure decisions on accounts: docs/behaviour/identity.md#accounts. */

/** `deactivated`: nobody signs in with it, and nothing acts for it, until it is activated. `deleted`: an id, for good. */
export type UserState = "active" | "deactivated" | "deleted"

/** What the operator does with an account. */
export type UserMove = "deactivate" | "activate" | "delete"

/** The state after a move. If it is the same state, nothing changes. */
export const transitions: { readonly [from in UserState]: { readonly [move in UserMove]: UserState | "refused" } } = {
  active: { deactivate: "deactivated", activate: "active", delete: "deleted" },
  deactivated: { deactivate: "deactivated", activate: "active", delete: "deleted" },
  deleted: { deactivate: "refused", activate: "refused", delete: "deleted" }
}

/** The state of an account that has these times. */
export const stateOf = ({
  deactivatedAt,
  deletedAt
}: {
  readonly deactivatedAt: Date | null
  readonly deletedAt: Date | null
}): UserState => (deletedAt !== null ? "deleted" : deactivatedAt !== null ? "deactivated" : "active")

/** How long a session of an account lasts without being used, in milliseconds. */
export const sessionIdleMillis = 12 * 3_600_000
