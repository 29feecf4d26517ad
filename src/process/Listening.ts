/** Which setting is wrong when a server cannot listen. */
import { Predicate } from "effect"
import { SettingRefused } from "../Setting.ts"

const noHost = new Set<unknown>(["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL"])

/** What is wrong with the setting of these names, if that is why a server does not listen. */
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
      return new SettingRefused({ variable: variables.port, reason: `${port} is not ours to listen on` })
  }
  // Other things are asked of DNS, too: only what the server says counts.
  if (!Predicate.isTagged(error, "ServeError") || !noHost.has(code)) return undefined
  const host = "hostname" in cause ? cause.hostname : "address" in cause ? cause.address : ""
  return new SettingRefused({ variable: variables.host, reason: `"${String(host)}" is no address of this machine` })
}
