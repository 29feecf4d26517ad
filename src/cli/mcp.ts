/** The operator's commands on the endpoint for agents. */
import * as Config from "../platform/Config.ts"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { baseUrlOf } from "../platform/Config.ts"
import { SettingRefused } from "../platform/Setting.ts"
import { print } from "./Output.ts"

/** What to paste to connect a client, and where. */
interface Connection {
  readonly client: string
  readonly into: string
  readonly text: string
}

const server = "property-network"

/** The variable that clients read a personal token from; a token itself would stay in files and in the history of shells. */
const variable = "PROPERTY_NETWORK_TOKEN"

const shellHeader = `--header "Authorization: Bearer $${variable}"`

const pretty = (value: object) => JSON.stringify(value, null, 2)

const headersWith = (token: string, isWanted: boolean) =>
  isWanted ? { headers: { Authorization: `Bearer ${token}` } } : {}

const clients = {
  claude: (url: string, withToken: boolean) => ({
    into: "a terminal, for Claude Code",
    text: [`claude mcp add --transport http ${server} ${url}`, ...(withToken ? [shellHeader] : [])].join(" ")
  }),
  cursor: (url: string, withToken: boolean) => ({
    into: "~/.cursor/mcp.json",
    text: pretty({ mcpServers: { [server]: { url, ...headersWith(`\${env:${variable}}`, withToken) } } })
  }),
  vscode: (url: string, withToken: boolean) => ({
    into: ".vscode/mcp.json",
    text: pretty({
      ...(withToken
        ? { inputs: [{ type: "promptString", id: server, description: "Personal access token", password: true }] }
        : {}),
      servers: { [server]: { type: "http", url, ...headersWith(`\${input:${server}}`, withToken) } }
    })
  }),
  inspector: (url: string, withToken: boolean) => ({
    into: "a terminal",
    text: [
      `npx @modelcontextprotocol/inspector@2 --transport http --server-url ${url}`,
      ...(withToken ? [shellHeader] : [])
    ].join(" ")
  })
} as const

type Client = keyof typeof clients

const names = Object.keys(clients) as ReadonlyArray<Client>

const linesOf = (connections: ReadonlyArray<Connection>) =>
  connections.flatMap(({ client, into, text }, index) => [
    ...(index === 0 ? [] : [""]),
    `${client}: paste into ${into}`,
    "",
    ...text.split("\n")
  ])

const config = Command.make(
  "config",
  {
    client: Flag.Literals("client", names).pipe(
      Flag.withDescription("The program that the agent runs in. All of them by default"),
      Flag.optional
    ),
    token: Flag.Boolean("token").pipe(
      Flag.withDescription(`Use a personal token, from the variable ${variable} or typed in, instead of signing in`),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ client, token }) {
    const settings = yield* Config.load
    if (settings.baseUrl === undefined && settings.port === 0) {
      return yield* new SettingRefused({ variable: "BASE_URL", reason: "is needed, since PORT is any free port" })
    }
    const url = `${baseUrlOf(settings, settings.port)}/mcp`
    const wanted = Option.match(client, { onNone: () => names, onSome: (name) => [name] })
    yield* print(
      wanted.map((name): Connection => ({ client: name, ...clients[name](url, token) })),
      linesOf
    )
  })
).pipe(
  Command.withDescription("Print what to paste to connect an agent to this installation"),
  Command.withExamples([{ command: "mcp config --client claude" }])
)

/** `mcp …` */
export const mcp = Command.make("mcp").pipe(
  Command.withDescription("The endpoint for AI agents"),
  Command.withSubcommands([config])
)
