/** The official clients of MCP, against two API processes that take turns, and across a restart. */
import { assert, layer } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { isLong } from "../support/campaign.ts"
import { stop } from "../support/Process.ts"
import * as Tenant from "../support/Tenant.ts"
import { Apis, startApi } from "./fixture.ts"

const unlimited = { RATE_LIMIT_PAT: "100000" }

/** A `fetch` that sends each request to the next of the ports, and counts those of each. */
const takingTurns = (ports: ReadonlyArray<number>) => {
  const counts = ports.map(() => 0)
  let next = 0
  const send = (input: string | URL | Request, init?: RequestInit) => {
    const turn = next++ % ports.length
    counts[turn] = (counts[turn] ?? 0) + 1
    const url = new URL(input instanceof Request ? input.url : input)
    url.port = String(ports[turn])
    return fetch(url, init)
  }
  return { counts, send }
}

const endpoint = new URL("http://127.0.0.1:1/mcp")

const info = { name: "test", version: "1" }

/** What both clients can do. */
interface Connection {
  readonly listTools: () => Promise<{ readonly tools: ReadonlyArray<{ readonly name: string }> }>
  readonly callTool: (call: { readonly name: string; readonly arguments: Record<string, unknown> }) => Promise<unknown>
  readonly close: () => Promise<void>
}

type Send = ReturnType<typeof takingTurns>["send"]

const optionsOf = (token: string, send: Send) => ({
  fetch: send as typeof fetch,
  requestInit: { headers: { authorization: `Bearer ${token}` } }
})

const second =
  (mode: "legacy" | "auto" | { readonly pin: string }) =>
  async (token: string, send: Send): Promise<Connection> => {
    const client = new Client(info, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(endpoint, optionsOf(token, send)))
    return client as Connection
  }

const clients: { readonly [name: string]: (token: string, send: Send) => Promise<Connection> } = {
  "the first client": async (token, send) => {
    const client = new FirstClient(info)
    await client.connect(new FirstTransport(endpoint, optionsOf(token, send)) as never)
    return client as Connection
  },
  "the second client, as an older one": second("legacy"),
  "the second client, choosing by itself": second("auto"),
  "the second client, pinned to 2026-07-28": second({ pin: "2026-07-28" })
}

const structuredOf = (result: unknown) =>
  (result as { readonly structuredContent: Record<string, unknown> }).structuredContent

layer(Apis.layer(unlimited), { excludeTestServices: true, timeout: 60_000 })("Agents", (it) => {
  for (const [name, connect] of Object.entries(clients)) {
    it.effect(`list and call tools through two processes that take turns: ${name}`, () =>
      Effect.gen(function* () {
        const { a, b } = yield* Apis
        const { token } = yield* Tenant.make()
        const { counts, send } = takingTurns([a.port, b.port])
        yield* Effect.promise(async () => {
          const client = await connect(token, send)
          const { tools } = await client.listTools()
          assert.include(
            tools.map((tool) => tool.name),
            "create_company"
          )
          const created = structuredOf(await client.callTool({ name: "create_company", arguments: { name: "Rossi" } }))
          const company = String(created["id"])
          // Clients validate answers, errors included, by the output schemas that they have listed.
          for (let index = 0; index < 3; index++) {
            const read = structuredOf(await client.callTool({ name: "get_company", arguments: { company } }))
            assert.strictEqual(read["name"], "Rossi")
          }
          const refused = (await client.callTool({ name: "get_company", arguments: { company: "Rossi" } })) as {
            readonly isError: boolean
          }
          assert.isTrue(refused.isError)
          await client.close()
        })
        assert.isAtLeast(Math.min(...counts), 3)
      })
    )
  }

  it.effect.runIf(isLong)("go on when the process that they spoke to is replaced", () =>
    Effect.gen(function* () {
      const { token } = yield* Tenant.make()
      const old = yield* startApi(unlimited)
      const ports = [old.port]
      const { send } = takingTurns(ports)
      const connections = yield* Effect.promise(() =>
        Promise.all(Object.values(clients).map((connect) => connect(token, send)))
      )
      yield* Effect.promise(() => stop(old))
      ports[0] = (yield* Apis).a.port
      for (const client of connections) {
        const { tools } = yield* Effect.promise(() => client.listTools())
        assert.include(
          tools.map((tool) => tool.name),
          "get_me"
        )
        const result = yield* Effect.promise(() => client.callTool({ name: "get_me", arguments: {} }))
        assert.isString(structuredOf(result)["id"])
        yield* Effect.promise(() => client.close())
      }
    })
  )

  it.effect("are accepted by the inspector's strict checks, in both eras", () =>
    Effect.gen(function* () {
      const { a } = yield* Apis
      const { token } = yield* Tenant.make()
      const inspector = fileURLToPath(import.meta.resolve("@modelcontextprotocol/inspector/package.json")).replace(
        /package\.json$/,
        "clients/launcher/build/index.js"
      )
      for (const era of isLong ? ["legacy", "modern"] : ["modern"]) {
        const { stdout } = yield* Effect.promise(() =>
          promisify(execFile)(process.execPath, [
            inspector,
            "--cli",
            "--strict",
            "--protocol-era",
            era,
            `http://127.0.0.1:${a.port}/mcp`,
            "--transport",
            "http",
            "--header",
            `Authorization: Bearer ${token}`,
            "--method",
            "tools/list"
          ])
        )
        assert.include(stdout, "create_company", era)
      }
    })
  )
})
