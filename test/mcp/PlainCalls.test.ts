import { assert, describe, it } from "@effect/vitest"
import {
  classifyInboundRequest,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS
} from "@modelcontextprotocol/server"
import { Schema } from "effect"
import * as fc from "fast-check"
import { legacyVersions, metaKeys, newest, plainCall } from "../../src/mcp/PlainCalls.ts"

const versions = [...legacyVersions, newest, "1999-01-01"]

const meta = fc.oneof(
  fc.constant(undefined),
  fc.record(
    {
      progressToken: fc.constantFrom(7, "a", null),
      [metaKeys.protocolVersion]: fc.constantFrom(...versions, 1),
      [metaKeys.clientCapabilities]: fc.constantFrom({}, { roots: {} }, null),
      [metaKeys.clientInfo]: fc.constantFrom({ name: "a", version: "1" }, { name: "a" }, null)
    },
    { requiredKeys: [] }
  )
)

const message = fc.record({
  jsonrpc: fc.constantFrom("2.0", "2.0", "2.0", "1.0"),
  id: fc.constantFrom(1, "a", null, 1.5, {}),
  method: fc.constantFrom("tools/call", "tools/call", "tools/list"),
  params: fc.record({
    name: fc.constantFrom("get_me", "get_me", 1),
    arguments: fc.constantFrom({}, {}, []),
    _meta: meta
  })
})

const header = (values: ReadonlyArray<string>) => fc.constantFrom(undefined, ...values)

describe("A call that has nothing unusual", () => {
  it("goes by the names and versions of the protocol's library", () => {
    assert.deepStrictEqual(metaKeys, {
      protocolVersion: PROTOCOL_VERSION_META_KEY,
      clientCapabilities: CLIENT_CAPABILITIES_META_KEY,
      clientInfo: CLIENT_INFO_META_KEY,
      serverInfo: SERVER_INFO_META_KEY
    })
    assert.deepStrictEqual(legacyVersions, SUPPORTED_PROTOCOL_VERSIONS)
  })

  it("is of the protocol that the library says, which refuses none of them", () => {
    let found = 0
    fc.assert(
      fc.property(
        message,
        header(versions),
        header(["tools/call"]),
        header(["get_me"]),
        (made, version, method, name) => {
          const body = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Json))(JSON.stringify(made))
          const call = plainCall(body, {
            "content-type": "application/json",
            "mcp-protocol-version": version,
            "mcp-method": method,
            "mcp-name": name
          })
          if (call === undefined) return
          found += 1
          const { kind } = classifyInboundRequest({
            httpMethod: "POST",
            body,
            ...(version === undefined ? {} : { protocolVersionHeader: version })
          })
          assert.strictEqual(kind, call.era)
        }
      ),
      { numRuns: 3000 }
    )
    assert.isAbove(found, 10)
  })
})
