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
import { aRoom, ask } from "./calls/rooms.ts"
import { changes, lists, underWay } from "./underWay.ts"
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

/** What REST says of what a tool says: of objects in objects, the members that the tool has. */
const asTool = (rest: unknown, tool: unknown): unknown => {
  if (typeof rest !== "object" || typeof tool !== "object" || rest === null || tool === null) return rest
  if (!Array.isArray(rest) || !Array.isArray(tool)) {
    const names = Object.keys(tool).filter((name) => name in rest)
    return Object.fromEntries(names.map((name) => [name, asTool(rest[name as never], tool[name as never])]))
  }
  return rest.map((item, index) => asTool(item, tool[index]))
}

/** The members that both have: those of the tool, and the same of REST as agents see them. */
const shared = (answer: Agent.Answer, body: Readonly<Record<string, unknown>>) => {
  const names = Object.keys(answer).filter((name) => name in body && !ownMembers.has(name))
  const of = (value: Readonly<Record<string, unknown>>) => Object.fromEntries(names.map((name) => [name, value[name]]))
  return {
    names,
    tool: of(answer),
    rest: visibleIn(asTool(of(body), of(answer)) as Json) as Readonly<Record<string, Json>>
  }
}

/** A value without the members that are null, which the tools for properties leave out. */
const withValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withValue)
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, withValue(member)]))
}

// Text as people write it, and some that no member takes.
const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom("", "\t ", "a\u0000b", "x".repeat(201)) }
)
const amount = fc.oneof(fc.integer({ min: -1, max: 1_000_000_000 }), fc.constant(0.5))
const tags = fc.uniqueArray(text, { maxLength: 3 })
const currency = fc.constantFrom("EUR", "CHF", "XXY", "eur")
const country = fc.constantFrom("DE", "AT", "ZZ")
const categories = fc.subarray(["logistics", "office", "castle"])

type Input = { readonly [member: string]: unknown }

/** An object of the members that were sent, under a name; nothing if none was. */
const nested = (name: string, members: Input, others: Input = {}): Input => {
  const sent = Object.entries(members).filter(([, value]) => value !== undefined)
  return sent.length === 0 ? {} : { [name]: { ...Object.fromEntries(sent), ...others } }
}

/** A kind of record that both create: members that REST and the tools take under the same names. */
interface Kind {
  readonly path: string
  readonly one: string
  readonly many: string
  readonly members: { readonly [member: string]: fc.Arbitrary<unknown> }
  /** The body of REST, where the tool's arguments are flat. */
  readonly bodyOf?: (input: Input) => Input
}

const kinds: ReadonlyArray<Kind> = [
  {
    path: "/api/v1/network/contacts",
    one: "contact",
    many: "contacts",
    members: { firstName: text, lastName: text, strategy: text, tags }
  },
  {
    path: "/api/v1/network/companies",
    one: "company",
    many: "companies",
    members: { name: text, legalName: text, country, strategy: text, tags }
  },
  {
    path: "/api/v1/properties",
    one: "property",
    many: "properties",
    members: {
      name: text,
      street: text,
      country,
      lettableAreaSqm: amount,
      askingPrice: amount,
      currency,
      categories,
      tags: fc.subarray(["value_add", "core", "tower"])
    },
    bodyOf: ({ askingPrice, country, currency, lettableAreaSqm, street, ...members }) => ({
      ...members,
      ...nested("address", { street, country }),
      ...nested("lettableArea", { value: lettableAreaSqm }, { unit: "sqm" }),
      ...nested("pricing", nested("askingPrice", { value: askingPrice }, { currency }))
    })
  },
  {
    path: "/api/v1/mandates",
    one: "mandate",
    many: "mandates",
    members: {
      name: text,
      description: text,
      investmentSizeMin: amount,
      investmentSizeMax: amount,
      currency,
      categories
    },
    bodyOf: ({ currency, investmentSizeMax, investmentSizeMin, ...members }) => ({
      ...members,
      ...(currency === undefined
        ? {}
        : {
            investmentSize: { min: investmentSizeMin ?? null, max: investmentSizeMax ?? null, currency, scale: "unit" }
          })
    })
  },
  {
    path: "/api/v1/projects",
    one: "project",
    many: "projects",
    members: {
      name: text,
      description: text,
      propertyCount: amount,
      exclusivity: fc.constantFrom("exclusive", "non_exclusive", "none")
    }
  }
]

/** Inputs of which REST refuses about every other one. An amount is sent with its currency, and neither without the other. */
const inputsOf = ({ members }: Kind): fc.Arbitrary<Input> =>
  fc
    .record(members, { requiredKeys: ["name", "lastName", "currency"].filter((name) => name in members) })
    .map((input) => {
      const amounts = Object.keys(input).filter((name) => name === "askingPrice" || name.startsWith("investmentSize"))
      return amounts.length > 0 ? input : { ...input, currency: undefined }
    })

/** Whether both store an input, of which a tool gave a preview. What both refuse, they refuse with the same code. */
const storedByBoth = (
  outcomes: { refused: number; stored: number },
  preview: Agent.Called,
  { body, status }: { readonly body: Readonly<Record<string, unknown>>; readonly status: number },
  said: string
): boolean => {
  assert.strictEqual(status >= 400, preview.isError, said)
  if (preview.isError) assert.strictEqual(preview.structured.error.code, body["code"], said)
  outcomes[preview.isError ? "refused" : "stored"]++
  return !preview.isError
}

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

  it.effect.each(kinds)(
    "agree on every $one, whatever people wrote: on what is refused, and on what is stored",
    (kind) =>
      Effect.gen(function* () {
        const world = yield* aWorld
        const outcomes = { refused: 0, stored: 0 }
        for (const [index, input] of fc.sample(inputsOf(kind), 300).entries()) {
          // Thirty suffice, unless all of them had one outcome.
          if (index >= 30 && outcomes.refused > 0 && outcomes.stored > 0) break
          const preview = yield* world.agent.call(`create_${kind.one}`, { ...input, preview: true })
          const byTool = !preview.isError && index % 2 === 0
          const { body, status } = byTool
            ? { body: (yield* world.agent.call(`create_${kind.one}`, input)).structured, status: 201 }
            : yield* world.rest<Agent.Answer>("POST", kind.path, { json: kind.bodyOf?.(input) ?? input })
          const said = JSON.stringify({ input, preview: preview.structured, body })
          if (!storedByBoth(outcomes, preview, { body, status }, said)) continue
          const { structured } = yield* world.agent.call(`get_${kind.one}`, { [kind.one]: body.id })
          const stored = yield* world.rest("GET", `${kind.path}/${body.id}`)
          const { names, rest, tool } = shared(structured, stored.body)
          assert.isAtLeast(names.length, 3)
          assert.deepStrictEqual(withValue(tool), withValue(rest), said)
          assert.strictEqual(stored.body["changeOrigin"], byTool ? "mcp" : "api")
        }
        assert.isAtLeast(Math.min(outcomes.refused, outcomes.stored), 1, JSON.stringify(outcomes))
        const { body } = yield* world.rest<{ readonly data: ReadonlyArray<{ readonly id: string }> }>(
          "GET",
          `${kind.path}?page_size=100`
        )
        const { structured } = yield* world.agent.call(`list_${kind.many}`, { limit: 100 })
        const listed = structured[kind.many] as ReadonlyArray<{ readonly id: string }>
        assert.deepStrictEqual(
          listed.map(({ id }) => id),
          body.data.map(({ id }) => id)
        )
      })
  )

  it.effect("list the same prospects, offers, rooms and questions, whatever the filters and the size of pages", () =>
    Effect.gen(function* () {
      const made = yield* underWay
      for (const { argumentsOf, filters, many, path, tool } of lists) {
        const values = Object.fromEntries(Object.entries(filters).map(([argument, [, value]]) => [argument, value]))
        const inputs = fc.tuple(fc.record(values, { requiredKeys: [] }), fc.integer({ min: 1, max: 4 }))
        let rows = 0
        for (const [input, limit] of [[{}, 20] as const, ...fc.sample(inputs, 12)]) {
          const query = new URLSearchParams({ page_size: String(limit) })
          for (const [argument, value] of Object.entries(input)) {
            for (const one of [value].flat()) query.append(filters[argument]?.[0] ?? "", String(one))
          }
          const args = { ...argumentsOf(made), ...input, limit, format: "detailed" }
          const { isError, structured, text: said } = yield* made.agent.call(tool, args)
          const { body, status } = yield* made.rest("GET", `${path(made)}?${query.toString()}`)
          const shown = `${tool} ${query.toString()} ${said}`
          assert.strictEqual(isError, status >= 400, shown)
          if (isError) {
            assert.strictEqual(structured.error.code, body["code"], shown)
            continue
          }
          const { data, page } = body as unknown as {
            readonly data: ReadonlyArray<Input>
            readonly page: { readonly hasMore: boolean }
          }
          const listed = structured[many] as ReadonlyArray<Agent.Answer>
          assert.strictEqual(structured.nextCursor !== null, page.hasMore, shown)
          assert.strictEqual(listed.length, data.length, shown)
          for (const [index, row] of listed.entries()) {
            const compared = shared(row, data[index] ?? {})
            assert.isAtLeast(compared.names.length, 4, shown)
            assert.deepStrictEqual<unknown>(compared.tool, compared.rest, shown)
          }
          rows += listed.length
        }
        assert.isAtLeast(rows, 5, tool)
      }
    })
  )

  it.effect("change prospects and questions alike, whatever is sent", () =>
    Effect.gen(function* () {
      const world = yield* aWorld
      const { project, prospect, room } = yield* aRoom(world)
      const question = yield* ask(world, { prospect, room, text: "Which tenants may leave?" })
      const made = { ...world, project, prospect, question, room }
      for (const { members, one, renamed = {}, request, required, tool } of changes) {
        const outcomes = { refused: 0, stored: 0 }
        for (const [index, input] of fc.sample(fc.record(members, { requiredKeys: [...required] }), 200).entries()) {
          // Ten suffice, unless all of them were refused.
          if (index >= 10 && outcomes.stored > 0) break
          const args = { [one]: made[one], ...input }
          const json = Object.fromEntries(
            Object.entries(input).map(([argument, value]) => [renamed[argument] ?? argument, value])
          )
          const preview = yield* made.agent.call(tool, { ...args, preview: true })
          const [method, path] = request(made)
          const { body, status } =
            !preview.isError && index % 2 === 0
              ? { body: (yield* made.agent.call(tool, args)).structured, status: 200 }
              : yield* made.rest<Agent.Answer>(method, path, { json })
          const said = JSON.stringify({ tool, input, preview: preview.structured, body })
          if (!storedByBoth(outcomes, preview, { body, status }, said)) continue
          const { structured } = yield* made.agent.call(`get_${one}`, { [one]: made[one] })
          const stored = yield* made.rest("GET", paths[`get_${one}`]?.(structured) ?? "")
          const { names, rest, tool: read } = shared(structured, stored.body)
          assert.isAtLeast(names.length, 5)
          assert.deepStrictEqual(read, rest, said)
        }
        assert.isAtLeast(outcomes.stored, 1, tool)
      }
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
