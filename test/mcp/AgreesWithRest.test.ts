import fc from "fast-check"
import * as Tools from "../../src/Tools.ts"
import type * as Agent from "../support/Agent.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Toolbox } from "../../src/mcp/Toolbox.ts"
import { visibleIn } from "../../src/mcp/text.ts"
import type { Json } from "../../src/core/usecase/Input.ts"
import { times } from "../support/campaign.ts"
import { TestService } from "../support/TestService.ts"
import { calls } from "./calls/all.ts"
import { aContact } from "./calls/contacts.ts"
import { aProject } from "./calls/projects.ts"
import { aProspect } from "./calls/prospects.ts"
import { type Input, inputsOf, kinds } from "./kinds.ts"
import { changed, changes } from "./changes.ts"
import { lists, underWay } from "./underWay.ts"
import { aWorld } from "./world.ts"

/** How many inputs of each tool are compared. */
const samples = times("AGREE_SAMPLES", 4, 10)

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

/** What became of an item of a batch. */
interface Receipt {
  readonly status: string
  readonly problem?: { readonly code: string; readonly errors?: ReadonlyArray<{ readonly code: string }> }
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

  it.effect("list the same, whatever the filters and the size of pages", () =>
    Effect.gen(function* () {
      const made = yield* underWay
      for (const { argumentsOf, filters, many, path, searchOf, tool } of lists) {
        const values = Object.fromEntries(Object.entries(filters).map(([argument, [, value]]) => [argument, value]))
        const inputs = fc.tuple(fc.record(values, { requiredKeys: [] }), fc.integer({ min: 1, max: 4 }))
        let rows = 0
        for (const [input, limit] of [[{}, 20] as const, ...fc.sample(inputs, samples - 1)]) {
          const query = new URLSearchParams({ page_size: String(limit) })
          for (const [argument, value] of Object.entries(input)) {
            for (const one of [value].flat()) query.append(filters[argument]?.[0] ?? "", String(one))
          }
          const args = { ...argumentsOf(made), ...input, limit, format: "detailed" }
          const { isError, structured, text: said } = yield* made.agent.call(tool, args)
          const { body, status } =
            searchOf === undefined
              ? yield* made.rest("GET", `${path(made)}${path(made).includes("?") ? "&" : "?"}${query.toString()}`)
              : yield* made.rest("POST", path(made), { json: { ...searchOf(input), page_size: limit } })
          const shown = `${tool} ${JSON.stringify(args)} ${said}`
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
            assert.deepStrictEqual<unknown>(withValue(compared.tool), withValue(compared.rest), shown)
          }
          rows += listed.length
        }
        // Whatever the samples are, the first call has no filter.
        assert.isAtLeast(rows, 1, tool)
      }
    })
  )

  it.effect.each(changes)("$tool changes the same as REST, whatever is sent", (change) =>
    Effect.gen(function* () {
      const { argumentsOf, bodyOf, inputs, one, request, tool } = change
      const made = yield* changed
      const outcomes = { refused: 0, stored: 0 }
      for (const [index, input] of fc.sample(inputs, 200).entries()) {
        // So many suffice, unless all of them were refused.
        if (index >= samples && outcomes.stored > 0) break
        const args = { ...argumentsOf(made), ...input }
        const preview = yield* made.agent.call(tool, { ...args, preview: true })
        const [method, path] = request(made)
        const { body, status } =
          !preview.isError && index % 2 === 0
            ? { body: (yield* made.agent.call(tool, args)).structured, status: 200 }
            : yield* made.rest<Agent.Answer>(method, path, { json: bodyOf(input, made) })
        const said = JSON.stringify({ tool, input, preview: preview.structured, body })
        if (!storedByBoth(outcomes, preview, { body, status }, said)) continue
        const { structured } = yield* made.agent.call(`get_${one}`, { [one]: made[one] })
        const stored = yield* made.rest("GET", paths[`get_${one}`]?.(structured) ?? "")
        const { names, rest, tool: read } = shared(structured, stored.body)
        assert.isAtLeast(names.length, 5)
        assert.deepStrictEqual(withValue(read), withValue(rest), said)
      }
      assert.isAtLeast(outcomes.stored, 1, tool)
    })
  )

  it.effect("add the same prospects, and say the same of those that are not added", () =>
    Effect.gen(function* () {
      const world = yield* aWorld
      const [byTool, byRest] = [yield* aProject(world), yield* aProject(world)]
      const contacts = yield* Effect.all([aContact(world), aContact(world), aContact(world)])
      const absent = contacts[0].replace(/.{4}$/, "0000")
      for (const [classification, added] of [
        ["contacted", [contacts[0], absent, contacts[1]]],
        ["bidder", [contacts[0], contacts[2]]]
      ] as const) {
        const args = { project: byTool, contacts: added, classification, projectTags: ["core"] }
        const called = yield* world.agent.call("add_prospects", args)
        const items = added.map((contactId) => ({ contactId, classification, projectTags: ["core"] }))
        const { body, text: said } = yield* world.rest<{ readonly results: ReadonlyArray<Receipt> }>(
          "POST",
          `/api/v1/projects/${byRest}/prospects/batch`,
          { json: { items } }
        )
        const receipts = called.structured["results"] as ReadonlyArray<Receipt & { readonly code?: string }>
        assert.deepStrictEqual(
          receipts.map(({ code, status }) => [status, code]),
          body.results.map(({ problem, status }) => [status, problem?.errors?.[0]?.code ?? problem?.code]),
          `${called.text} ${said}`
        )
      }
      const membersOf = Effect.fnUntraced(function* (project: string) {
        const { body } = yield* world.rest<{ readonly data: ReadonlyArray<Input> }>(
          "GET",
          `/api/v1/projects/${project}/prospects`
        )
        return body.data.map(({ classification, contact, projectTags }) => ({ classification, contact, projectTags }))
      })
      const added = yield* membersOf(byTool)
      assert.lengthOf(added, 3)
      assert.deepStrictEqual(added, yield* membersOf(byRest))
    })
  )

  it.effect("move notes and tasks alike, through all their states", () =>
    Effect.gen(function* () {
      const world = yield* aWorld
      const { project, prospect } = yield* aProspect(world)
      const contact = yield* aContact(world)
      const notes = `/api/v1/network/contacts/${contact}/notes`
      const tasks = `/api/v1/projects/${project}/prospects/${prospect}/tasks`
      const post = (path: string, json: Input) =>
        Effect.map(world.rest<Agent.Answer>("POST", path, { json }), ({ body }) => body)
      const codesOf = (
        called: Agent.Called,
        { body, status }: { readonly body: Agent.Answer; readonly status: number }
      ) => [called.isError ? called.structured.error.code : "done", status >= 400 ? body["code"] : "done"]
      const codes: Array<string> = []
      const [byTool, byRest] = [yield* post(notes, { message: "Called" }), yield* post(notes, { message: "Called" })]
      let [toolEtag, restEtag] = [byTool.etag, byRest.etag]
      for (const action of ["unarchive", "archive", "archive", "supersede", "unarchive", "supersede", "archive"]) {
        const message = action === "supersede" ? { message: "Called again" } : {}
        const args = { networkRef: contact, activity: byTool.id, etag: toolEtag, action, ...message }
        const called = yield* world.agent.call("update_activity", args)
        const answered = yield* world.rest<Agent.Answer>("PATCH", `${notes}/${byRest.id}`, {
          json: { action, ...(action === "supersede" ? { supersede: message } : {}) },
          headers: { "if-match": restEtag }
        })
        const [tool, rest] = codesOf(called, answered)
        assert.strictEqual(tool, rest, `${action}: ${called.text} ${answered.text}`)
        codes.push(String(tool))
        if (tool === "done" && action !== "supersede")
          [toolEtag, restEtag] = [called.structured.etag, answered.headers.get("etag") ?? ""]
      }
      assert.isAbove(new Set(codes).size, 1)
      const { structured } = yield* world.agent.call("list_activities", { networkRef: contact, type: "notes" })
      const texts = structured["activities"] as ReadonlyArray<{ readonly details: Input }>
      assert.deepStrictEqual(
        texts.map(({ details }) => details["message"]),
        ["Called again", "Called again"]
      )
      const due = { type: "call", dueDate: "7d" }
      const [first, second] = [yield* post(tasks, due), yield* post(tasks, due)]
      for (const before of ["open", "completed", "canceled"]) {
        if (before === "canceled") {
          for (const { id } of [first, second]) {
            yield* world.rest("POST", `${tasks}/${id}/reopen`)
            yield* world.rest("POST", `${tasks}/${id}/cancel`)
          }
        }
        const called = yield* world.agent.call("complete_prospect_task", { task: first.id })
        const answered = yield* world.rest<Agent.Answer>("POST", `${tasks}/${second.id}/complete`)
        const [tool, rest] = codesOf(called, answered)
        assert.deepStrictEqual(
          [tool, called.structured["status"]],
          [rest, rest === "done" ? "completed" : undefined],
          `${before}: ${called.text} ${answered.text}`
        )
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
