import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { Toolbox } from "../../src/mcp/Toolbox.ts"
import { visibleIn } from "../../src/mcp/text.ts"
import * as Tools from "../../src/Tools.ts"
import type { Json } from "../../src/usecase/Input.ts"
import type * as Agent from "../support/Agent.ts"
import { TestService } from "../support/TestService.ts"
import { calls } from "./calls/all.ts"
import { aWorld } from "./world.ts"

/** Where REST has what a tool that gets one record answers. */
const paths: { readonly [tool: string]: (answer: Agent.Answer) => string } = {
  get_contact: ({ id }) => `/api/v1/network/contacts/${id}`,
  get_company: ({ id }) => `/api/v1/network/companies/${id}`,
  get_property: ({ id }) => `/api/v1/properties/${id}`,
  get_project: ({ id }) => `/api/v1/projects/${id}`,
  get_prospect: ({ id }) => `/api/v1/prospects/${id}`,
  get_mandate: ({ id }) => `/api/v1/mandates/${id}`,
  get_offer: ({ id }) => `/api/v1/offers/${id}`,
  get_question: ({ id, projectId, roomId }) =>
    `/api/v1/projects/${String(projectId)}/rooms/${String(roomId)}/questions/${id}`,
  get_room: ({ id, projectId }) => `/api/v1/projects/${String(projectId)}/rooms/${id}`,
  get_me: () => "/api/v1/auth/me"
}

// Members of the answer itself, and references, which tools write as arguments take them.
const ownMembers = new Set(["untrusted", "shortened", "externalRefs", "preview"])

/** The members that both have: those of the tool, and the same of REST as agents see them. */
const shared = (answer: Agent.Answer, body: Readonly<Record<string, unknown>>) => {
  const names = Object.keys(answer).filter((name) => name in body && !ownMembers.has(name))
  const of = (value: Readonly<Record<string, unknown>>) => Object.fromEntries(names.map((name) => [name, value[name]]))
  return { names, tool: of(answer), rest: visibleIn(of(body) as Json) as Readonly<Record<string, Json>> }
}

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }).filter((value) => value.trim() !== "")

const services = Tools.layer.pipe(Layer.provideMerge(TestService.layer))

layer(services, { excludeTestServices: true })("Tools and REST", (it) => {
  it.effect("say the same of one record", () =>
    Effect.gen(function* () {
      const world = yield* aWorld
      const { tools } = yield* Toolbox
      const gets = tools.filter(({ name }) => name.startsWith("get_"))
      assert.isAtLeast(gets.length, 3)
      for (const { name } of gets) {
        const { structured } = yield* world.agent.call(name, yield* calls.get(name)!(world))
        const { body, status } = yield* world.rest("GET", paths[name]?.(structured) ?? "")
        assert.strictEqual(status, 200, name)
        const { names, rest, tool } = shared(structured, body)
        assert.isAtLeast(names.length, 3, name)
        assert.deepStrictEqual(tool, rest, name)
      }
    })
  )

  it.effect("say the same of contacts, whatever people wrote, and whoever created them", () =>
    Effect.gen(function* () {
      const world = yield* aWorld
      const samples = fc.sample(
        fc.record({ firstName: text, lastName: text, strategy: text, tags: fc.uniqueArray(text, { maxLength: 3 }) }),
        15
      )
      for (const [index, sample] of samples.entries()) {
        const created =
          index % 2 === 0
            ? (yield* world.rest<{ readonly id: string }>("POST", "/api/v1/network/contacts", { json: sample })).body
            : (yield* world.agent.call("create_contact", sample)).structured
        const { structured } = yield* world.agent.call("get_contact", { contact: created.id })
        const { body } = yield* world.rest("GET", `/api/v1/network/contacts/${created.id}`)
        const { rest, tool } = shared(structured, body)
        assert.deepStrictEqual(tool, rest)
        assert.strictEqual(body["changeOrigin"], index % 2 === 0 ? "api" : "mcp")
      }
      const { body } = yield* world.rest<{ readonly data: ReadonlyArray<{ readonly id: string }> }>(
        "GET",
        "/api/v1/network/contacts?page_size=100"
      )
      const { structured } = yield* world.agent.call("list_contacts", { limit: 100 })
      const listed = structured["contacts"] as ReadonlyArray<{ readonly id: string }>
      assert.deepStrictEqual(
        listed.map(({ id }) => id),
        body.data.map(({ id }) => id)
      )
    })
  )

  it.effect("page alike, and a page that would be too long ends early without losing a row", () =>
    Effect.gen(function* () {
      const world = yield* aWorld
      const strategy = "s".repeat(9_000)
      for (let index = 0; index < 12; index++) {
        yield* world.rest("POST", "/api/v1/network/contacts", { json: { lastName: `Berg ${index}`, strategy } })
      }
      const seen: Array<string> = []
      let cursor: string | null | undefined
      let early = 0
      do {
        const called = yield* world.agent.call("list_contacts", {
          format: "detailed",
          limit: 10,
          ...(typeof cursor === "string" ? { cursor } : {})
        })
        assert.isFalse(called.isError, called.text.slice(0, 500))
        assert.isAtMost(called.text.length, 40_000)
        const rows = called.structured["contacts"] as ReadonlyArray<{ readonly id: string; readonly strategy: string }>
        for (const row of rows) assert.strictEqual(row.strategy, strategy)
        seen.push(...rows.map(({ id }) => id))
        if (called.structured["endedEarly"] === true) early++
        cursor = called.structured.nextCursor
      } while (typeof cursor === "string")
      assert.strictEqual(new Set(seen).size, 12)
      assert.strictEqual(seen.length, 12)
      assert.isAtLeast(early, 2)
    })
  )
})
