/** The output of `npm start` when the service is ready. */
import { Console, type Effect } from "effect"
import type { Settings } from "../platform/Config.ts"
import { paths } from "../console/SignInPages.ts"
import { adminCommand } from "./AdminCommand.ts"

const withToken = (baseUrl: string, token: string, settings: Settings) => `
  Try it:

    ${adminCommand(settings, "listen")}

    curl -X POST ${baseUrl}/api/v1/network/contacts \\
      -H "Authorization: Bearer ${token}" \\
      -H "Content-Type: application/json" \\
      -d '{"firstName": "Maria", "lastName": "Rossi", "tags": ["logistics"]}'

    curl "${baseUrl}/api/v1/network/contacts?page_size=3" -H "Authorization: Bearer ${token}"
`

const withoutToken = (settings: Settings) => `
  Create a team, a user and a token:  ${adminCommand(settings, "--help")}
`

/** The access of the demo user: a token for programs, and the link that signs in. */
export interface Access {
  readonly token: string
  readonly link: string
}

/** Prints the address, the documentation, the access of the demo user if there is one, and the next commands to try. */
export const print = (baseUrl: string, access: Access | undefined, settings: Settings): Effect.Effect<void> =>
  Console.log(
    `
  Property Network is ready.

  Address  ${baseUrl}
  Docs     ${baseUrl}/docs${access === undefined ? "" : `\n  Token    ${access.token}\n  Sign in  ${baseUrl}${paths.password}?link=${access.link}`}
${access === undefined ? withoutToken(settings) : withToken(baseUrl, access.token, settings)}
  Ctrl-C stops it; the data stays.
`
  )
