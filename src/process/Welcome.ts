/** The output of `npm start` when the service is ready. */
import { Console, type Effect } from "effect"

const withToken = (baseUrl: string, token: string) => `
  Try it:

    npm run -s admin -- listen

    curl -X POST ${baseUrl}/api/v1/network/contacts \\
      -H "Authorization: Bearer ${token}" \\
      -H "Content-Type: application/json" \\
      -d '{"firstName": "Maria", "lastName": "Rossi", "tags": ["logistics"]}'

    curl "${baseUrl}/api/v1/network/contacts?page_size=3" -H "Authorization: Bearer ${token}"
`

const withoutToken = `
  Create a team, a user and a token:  npm run -s admin -- --help
`

/** Prints the address, the documentation, the demo token if there is one, and the next commands to try. */
export const print = (baseUrl: string, token: string | undefined): Effect.Effect<void> =>
  Console.log(
    `
  Property Network is ready.

  Address  ${baseUrl}
  Docs     ${baseUrl}/docs${token === undefined ? "" : `\n  Token    ${token}`}
${token === undefined ? withoutToken : withToken(baseUrl, token)}
  Ctrl-C stops it; the data stays.
`
  )
