/** The scopes of tokens (docs/behaviour/authorization.md#scopes). */

/** Reading and writing. */
export const publicScope = "api:public"

/** Reading alone. */
export const readScope = "api:read"

/** A refresh token, with which an app stays connected. */
export const offlineScope = "offline_access"

/** Whether a token with these scopes may be used for a request that reads, or for one that writes. */
export const allows = (scopes: ReadonlyArray<string>, request: "read" | "write"): boolean =>
  scopes.includes(publicScope) || (request === "read" && scopes.includes(readScope))
