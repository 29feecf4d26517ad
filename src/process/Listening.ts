/**
 * Where a server listens: what is said of it, to operators and to who starts the service for the first time, and the setting that keeps
 * it from listening.
 */
import { Console, Effect, Layer, Predicate } from "effect"
import { SettingRefused } from "../platform/Setting.ts"
import type { Settings } from "../platform/Config.ts"
import { paths } from "../console/SignInPages.ts"
import { adminCommand } from "./Environment.ts"

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

// What a process logs about itself: that it is ready, that it stops, and that webhooks are off.

/** Logs `start` when the layer is built, and `stop` when it ends. */
export const layer = (lines: { readonly start: string; readonly stop: string }): Layer.Layer<never> =>
  Layer.effectDiscard(Effect.acquireRelease(Effect.logInfo(lines.start), () => Effect.logInfo(lines.stop)))

/** Logs that nothing is sent to webhooks, unless `webhooks` are on. */
export const webhooksOff = ({ webhooks }: { readonly webhooks: boolean }): Layer.Layer<never> =>
  webhooks
    ? Layer.empty
    : Layer.effectDiscard(Effect.logInfo("WEBHOOKS=off: nothing is sent to webhooks, and their deliveries wait."))

// The output of `npm start` when the service is ready.

const withToken = (baseUrl: string, token: string, settings: Settings) => `
  Try it:

    ${adminCommand(settings, "listen")}

    curl -X POST ${baseUrl}/api/v1/network/contacts \\
      -H "Authorization: Bearer ${token}" \\
      -H "Content-Type: application/json" \\
      -d '{"firstName": "Maria", "lastName": "Rossi", "tags": ["logistics"]}'

    curl "${baseUrl}/api/v1/network/contacts?page_size=3" -H "Authorization: Bearer ${token}"

  What investors see, you see in the console as a member of Nordkapital Invest: choose that team in the navigation.
`

const withoutToken = (settings: Settings) => `
  Create a team, a user and a token:  ${adminCommand(settings, "--help")}
`

/** The access of the demo user: a token for programs, and the link that signs in. */
export interface Access {
  readonly token: string
  readonly link: string
}

/** Prints the link of the demo user if there is one, the address, the documentation, their token, and the next commands to try. */
export const print = (baseUrl: string, access: Access | undefined, settings: Settings): Effect.Effect<void> =>
  Console.log(
    `
  Property Network is ready.${
    access === undefined
      ? ""
      : ` Open it in a browser: the link signs you in, once, within 15 minutes.

    ${baseUrl}${paths.password}?link=${access.link}`
  }

  Address  ${baseUrl}
  Docs     ${baseUrl}/docs${access === undefined ? "" : `\n  Token    ${access.token}`}
${access === undefined ? withoutToken(settings) : withToken(baseUrl, access.token, settings)}
  Ctrl-C stops it; the data stays.
`
  )
