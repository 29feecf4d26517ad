import * as Id from "../../src/core/Id.ts"
import * as Tools from "../../src/Tools.ts"
import * as Agent from "../support/Agent.ts"
import * as Tenant from "../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect, Layer } from "effect"
import { Database } from "../../src/platform/db/Database.ts"
import { listed, Toolbox } from "../../src/mcp/Toolbox.ts"
import { referredTypes } from "../../src/mcp/References.ts"
import { maxLength } from "../../src/mcp/text.ts"
import { digestOf } from "../support/Digest.ts"
import { TestService } from "../support/TestService.ts"
import { calls } from "./calls/all.ts"
import { aCompany } from "./calls/companies.ts"
import { aProject } from "./calls/projects.ts"
import { underWay } from "./underWay.ts"
import { aWorld } from "./world.ts"

const ajv = new Ajv2020({ strict: false })

const theTools = Effect.map(Toolbox, ({ tools }) =>
  tools.map((tool) => {
    const call = calls.get(tool.name)
    if (call === undefined) throw new Error(`${tool.name} has no call in test/mcp/calls`)
    return { ...tool, valid: ajv.compile(listed(tool).outputSchema), argumentsOf: call }
  })
)

/** The valid calls of all tools in one world, for tests in which each is refused and nothing changes. */
const refusedCalls = Effect.runSync(
  Effect.cached(
    Effect.gen(function* () {
      const world = yield* aWorld
      const tools = yield* Effect.forEach(yield* theTools, (tool) =>
        Effect.map(tool.argumentsOf(world), (args) => ({ ...tool, args }))
      )
      return { world, tools }
    })
  )
)

/** Checks what holds for every answer of a tool. */
const assertAnswer = (tool: Effect.Success<typeof theTools>[number], called: Agent.Called) => {
  assert.isTrue(tool.valid(called.structured), `${tool.name}: ${called.text} ${JSON.stringify(tool.valid.errors)}`)
  assert.deepStrictEqual(JSON.parse(called.text), called.structured)
  assert.isAtMost(called.text.length, maxLength)
}

const ids = (value: unknown) => JSON.stringify(value).match(/\b[a-z]+_[0-7][0-9a-z]{25}\b/g) ?? []

const uuidOf = (id: string) => Id.toUuid(Id.prefixOf(id) ?? "contact", id) ?? ""

let tables: ReadonlyArray<string> | undefined

const tablesWithIds = Effect.gen(function* () {
  const sql = yield* Database
  const found = yield* sql<{ readonly name: string }>`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
      and (c.column_name = 'team_id' or (c.column_name = 'id' and c.data_type = 'uuid'))
    group by c.table_name having count(*) = 2`
  return found.map(({ name }) => name)
})

/** The ids of all rows of a team, as UUIDs. */
const uuidsOf = Effect.fnUntraced(function* (teamId: string) {
  const sql = yield* Database
  tables ??= yield* tablesWithIds
  const rows = yield* sql.unsafe<{ readonly id: string }>(
    tables.map((name) => `select id from ${name} where team_id = $1`).join(" union "),
    [teamId]
  )
  return new Set(rows.map(({ id }) => id))
})

const services = Tools.layer.pipe(Layer.provideMerge(TestService.layer))

layer(services, { excludeTestServices: true })("Every tool", (it) => {
  it.effect("describes its arguments as the members of an object, as hosts expect even where there are none", () =>
    Effect.gen(function* () {
      for (const tool of yield* theTools) {
        const { additionalProperties, properties, required = [], type, ...others } = listed(tool).inputSchema
        assert.deepStrictEqual([type, additionalProperties, others], ["object", false, {}], tool.name)
        assert.deepStrictEqual(Object.keys(properties as object), Object.keys(tool.input), tool.name)
        assert.isArray(required)
      }
    })
  )

  it.effect("answers a valid call as its output schema says", () =>
    Effect.gen(function* () {
      const world = yield* aWorld
      for (const tool of yield* theTools) {
        const called = yield* world.agent.call(tool.name, yield* tool.argumentsOf(world))
        assert.isFalse(called.isError, `${tool.name}: ${called.text}`)
        assertAnswer(tool, called)
      }
    })
  )

  it.effect("has a description that no other tool has", () =>
    Effect.gen(function* () {
      const names = Map.groupBy(yield* theTools, ({ description }) => description.toLowerCase())
      assert.deepStrictEqual(
        [...names.values()].filter((tools) => tools.length > 1).map((tools) => tools.map(({ name }) => name)),
        []
      )
    })
  )

  it.effect("takes null for an optional argument that cannot be cleared, and for all arguments, as absent", () =>
    Effect.gen(function* () {
      const world = yield* aWorld
      const seen = new Set<string>()
      for (const tool of yield* theTools) {
        const { properties, required = [] } = listed(tool).inputSchema as {
          readonly properties: Readonly<Record<string, object>>
          readonly required?: ReadonlyArray<string>
        }
        const args = yield* tool.argumentsOf(world)
        const isCleared = (schema: object) => JSON.stringify(schema).includes('"null"')
        const nulls = Object.entries(properties).flatMap(([name, schema]) =>
          required.includes(name) || name in args || isCleared(schema) ? [] : [[name, null] as const]
        )
        for (const [name] of nulls) seen.add(name)
        const called = yield* world.agent.call(tool.name, { ...args, ...Object.fromEntries(nulls) })
        assert.isFalse(called.isError, `${tool.name}: ${called.text}`)
        if (required.length > 0) continue
        for (const nothing of [null, undefined]) {
          const { body, text } = yield* world.agent.send("tools/call", { name: tool.name, arguments: nothing })
          const answer = yield* world.agent.call(tool.name)
          assert.strictEqual(body.result?.isError, answer.isError, `${tool.name}: ${text}`)
          if (tool.kind === "read" && !answer.isError)
            assert.deepStrictEqual(body.result?.structuredContent, answer.structured)
        }
      }
      for (const name of ["cursor", "limit", "format", "etag", "preview", "idempotencyKey", "tags"]) {
        assert.isTrue(seen.has(name), name)
      }
    })
  )

  it.effect("finds nothing by what has the form of an id and is none of its kind, whatever the argument", () =>
    Effect.gen(function* () {
      const { tools, world } = yield* refusedCalls
      const projectRef = yield* aProject(world)
      let tried = 0
      for (const tool of tools) {
        const args = tool.args as Readonly<Record<string, unknown>>
        const schemas = listed(tool).inputSchema["properties"] as Readonly<Record<string, { readonly type: unknown }>>
        for (const [name, schema] of Object.entries(tool.input)) {
          const [type] = referredTypes({ [name]: schema })
          if (type === undefined) continue
          // Of references to one of several records, a call has one alone, and a prospect's has that of its project.
          const others = name.endsWith("Ref") ? Object.keys(args).filter((key) => key.endsWith("Ref")) : []
          const cleared = Object.fromEntries(others.map((key) => [key, undefined]))
          for (const text of [Id.fromUuid("webhook", "019a6a1c-2222-7000-8000-000000000001"), `${type}_1`]) {
            const called = yield* world.agent.call(tool.name, {
              ...args,
              ...cleared,
              ...(name === "prospectRef" ? { projectRef } : {}),
              [name]: schemas[name]?.type === "array" ? [text] : text
            })
            const shown = `${tool.name} ${name} ${text}: ${called.text}`
            assert.strictEqual(called.structured.error?.code, "not_found", shown)
            assert.match(called.structured.error.hint ?? "", /\b(?:list|get)_\w+/, shown)
            tried++
          }
        }
      }
      assert.isAtLeast(tried, 80)
    })
  )

  it.effect("refuses an argument that it does not know, and names the nearest", () =>
    Effect.gen(function* () {
      const { tools, world } = yield* refusedCalls
      for (const tool of tools) {
        const [known] = Object.keys(tool.input)
        const wrong = `${known ?? "argument"}q`
        const called = yield* world.agent.call(tool.name, { ...tool.args, [wrong]: "x" })
        assert.isTrue(called.isError, tool.name)
        assertAnswer(tool, called)
        const { code, errors = [], hint, requestId } = called.structured.error
        assert.strictEqual(code, "invalid_request")
        const fault = errors.find(({ argument }) => argument === wrong)
        assert.strictEqual(fault?.code, "unknown_member", called.text)
        if (known !== undefined) assert.include(fault?.detail, `Did you mean "`)
        assert.isString(hint)
        assert.match(requestId, /^req_/)
      }
    })
  )

  it.effect("shows and changes nothing of another team", () =>
    Effect.gen(function* () {
      const [owner, other] = [yield* underWay, yield* aWorld]
      yield* aCompany(owner)
      yield* owner.agent.call("create_mandate", { name: "Halls", location: "Munich" })
      yield* owner.agent.call("create_property", { name: "Turm", tags: ["value_add"] })
      const tools = yield* theTools
      const ofAllProjects = tools
        .filter(({ name }) => name === "list_prospects")
        .map((tool) => ({ ...tool, argumentsOf: () => Effect.succeed({}) }))
      for (const tool of [...tools, ...ofAllProjects]) {
        const args = yield* tool.argumentsOf(owner)
        const named = ids(args)
        if (named.length === 0 && tool.kind !== "read") continue
        const own = yield* uuidsOf(owner.teamId)
        const ofOwner = (value: unknown) => ids(value).filter((id) => own.has(uuidOf(id)))
        const before = yield* digestOf(owner.teamId)
        const called = yield* other.agent.call(tool.name, args)
        assertAnswer(tool, called)
        assert.deepStrictEqual(yield* digestOf(owner.teamId), before, tool.name)
        assert.deepStrictEqual(ofOwner(called.structured), [], tool.name)
        assert.deepStrictEqual(
          named.filter((id) => !own.has(uuidOf(id))),
          [],
          tool.name
        )
        if (named.length > 0) {
          assert.strictEqual(called.structured.error?.code, "not_found", `${tool.name}: ${called.text}`)
        } else if (tool.name !== "get_me") {
          // The owner sees records by the same arguments, so that nobody else could miss them.
          const { structured, text } = yield* owner.agent.call(tool.name, args)
          assert.isNotEmpty(ofOwner(structured), `${tool.name}: ${text}`)
        }
      }
    })
  )

  it.effect("refuses a person without the capability, and says so", () =>
    Effect.gen(function* () {
      const { tools } = yield* refusedCalls
      const { token } = yield* Tenant.make({ broker: null, investor: null })
      const agent = yield* Agent.make(token)
      for (const tool of tools) {
        const called = yield* agent.call(tool.name, tool.args)
        assertAnswer(tool, called)
        if (tool.name === "get_me") continue
        assert.strictEqual(called.structured.error?.code, "capability_required", `${tool.name}: ${called.text}`)
        assert.include(called.structured.error.hint, "get_me")
      }
    })
  )

  it.effect("is closed to requests without a token, and to those that write with a token that reads", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { token } = yield* Tenant.make({ broker: "active", investor: "active", scopes: ["api:read"] })
      const reader = yield* Agent.make(token)
      for (const { kind, name } of yield* theTools) {
        const message = Agent.message("tools/call", { name, arguments: {} })
        assert.strictEqual((yield* request("POST", "/mcp", message)).status, 401, name)
        const { status } = yield* reader.send("tools/call", { name, arguments: {} })
        assert.strictEqual(status, kind === "read" ? 200 : 403, name)
      }
    })
  )

  it.effect("that writes changes nothing in a preview, and says what it would change", () =>
    Effect.gen(function* () {
      const world = yield* aWorld
      for (const tool of yield* theTools) {
        if (tool.kind === "read") continue
        const args = yield* tool.argumentsOf(world)
        const before = yield* digestOf(world.teamId)
        const previewed = yield* world.agent.call(tool.name, { ...args, preview: true })
        assert.isFalse(previewed.isError, `${tool.name}: ${previewed.text}`)
        assertAnswer(tool, previewed)
        assert.deepStrictEqual(yield* digestOf(world.teamId), before, tool.name)
        assert.isAtLeast(previewed.structured.preview?.affectedCount ?? 0, 1, tool.name)
        const written = yield* world.agent.call(tool.name, args)
        assert.isFalse(written.isError, `${tool.name}: ${written.text}`)
        assert.notDeepEqual(yield* digestOf(world.teamId), before, tool.name)
      }
    })
  )
})
