/** The output of `npm start` when the service is ready. */
import { Console, type Effect } from "effect"
import type { Settings } from "../Config.ts"
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

/** Prints the address, the documentation, the demo token if there is one, and the next commands to try. */
export const print = (baseUrl: string, token: string | undefined, settings: Settings): Effect.Effect<void> =>
  Console.log(
    `
  Property Network is ready.

  Address  ${baseUrl}
  Docs     ${baseUrl}/docs${token === undefined ? "" : `\n  Token    ${token}`}
${token === undefined ? withoutToken(settings) : withToken(baseUrl, token, settings)}
  Ctrl-C stops it; the data stays.
`
  )
