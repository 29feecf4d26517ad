/** Finds the setting that keeps a server from listening. */
import { Predicate } from "effect"
import { SettingRefused } from "../platform/Setting.ts"

const hostErrorCodes = new Set<unknown>(["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL"])

/** The error of the setting that keeps a server from listening; undefined if the reason is another. */
export const refusal = (
  error: unknown,
  variables: { readonly port: string; readonly host: string }
): SettingRefused | undefined => {
  const cause = Predicate.hasProperty(error, "cause") ? error.cause : undefined
  if (!Predicate.hasProperty(cause, "code")) return undefined
  const { code } = cause
  if (Predicate.hasProperty(cause, "port")) {
    const port = String(cause.port)
    if (code === "EADDRINUSE") {
      return new SettingRefused({
        variable: variables.port,
        reason: `${port} is in use; choose another, or 0 for any free one`
      })
    }
    if (code === "EACCES")
      return new SettingRefused({ variable: variables.port, reason: `this user may not listen on ${port}` })
  }
  // Only errors of the server itself: other DNS lookups fail with the same codes.
  if (!Predicate.isTagged(error, "ServeError") || !hostErrorCodes.has(code)) return undefined
  const host = "hostname" in cause ? cause.hostname : "address" in cause ? cause.address : ""
  return new SettingRefused({ variable: variables.host, reason: `"${String(host)}" is not an address of this machine` })
}
