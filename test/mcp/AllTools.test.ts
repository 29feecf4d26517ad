import { assert, layer } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect, Layer } from "effect"
import { listed, Toolbox } from "../../src/mcp/Toolbox.ts"
import { maxLength } from "../../src/mcp/size.ts"
import * as Tools from "../../src/Tools.ts"
import * as Agent from "../support/Agent.ts"
import { digestOf } from "../support/Digest.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestService } from "../support/TestService.ts"
import { calls } from "./calls/all.ts"
import { aWorld } from "./world.ts"

const ajv = new Ajv2020({ strict: false })

const theTools = Effect.map(Toolbox, ({ tools }) =>
  tools.map((tool) => {
    const call = calls.get(tool.name)
    if (call === undefined) throw new Error(`${tool.name} has no call in test/mcp/calls`)
    return { ...tool, valid: ajv.compile(listed(tool).outputSchema), argumentsOf: call }
  })
)

/** Checks what holds for every answer of a tool. */
const assertAnswer = (tool: Effect.Success<typeof theTools>[number], called: Agent.Called) => {
  assert.isTrue(tool.valid(called.structured), `${tool.name}: ${called.text} ${JSON.stringify(tool.valid.errors)}`)
  assert.deepStrictEqual(JSON.parse(called.text), called.structured)
  assert.isAtMost(called.text.length, maxLength)
}

const ids = (value: unknown) => JSON.stringify(value).match(/\b[a-z]+_[0-7][0-9a-z]{25}\b/g) ?? []

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

  it.effect("refuses an argument that it does not know, and names the nearest", () =>
    Effect.gen(function* () {
      const world = yield* aWorld
      for (const tool of yield* theTools) {
        const [known] = Object.keys(tool.input)
        const wrong = `${known ?? "argument"}q`
        const called = yield* world.agent.call(tool.name, { ...(yield* tool.argumentsOf(world)), [wrong]: "x" })
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
      const [owner, other] = [yield* aWorld, yield* aWorld]
      for (const tool of yield* theTools) {
        const args = yield* tool.argumentsOf(owner)
        const foreign: ReadonlyArray<string> = ids(args)
        if (foreign.length === 0 && tool.kind !== "read") continue
        const before = yield* digestOf(owner.teamId)
        const called = yield* other.agent.call(tool.name, args)
        assertAnswer(tool, called)
        assert.deepStrictEqual(yield* digestOf(owner.teamId), before, tool.name)
        if (foreign.length > 0)
          assert.strictEqual(called.structured.error?.code, "not_found", `${tool.name}: ${called.text}`)
        assert.deepStrictEqual(
          ids(called.structured).filter((id) => foreign.includes(id)),
          [],
          tool.name
        )
      }
    })
  )

  it.effect("refuses a person without the capability, and says so", () =>
    Effect.gen(function* () {
      const world = yield* aWorld
      const { token } = yield* Tenant.make({ broker: null, investor: null })
      const agent = yield* Agent.make(token)
      for (const tool of yield* theTools) {
        const called = yield* agent.call(tool.name, yield* tool.argumentsOf(world))
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
