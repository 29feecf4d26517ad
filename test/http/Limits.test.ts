import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { make, path } from "../support/ContactsClient.ts"
import { faultsOf } from "../support/faults.ts"
import { maxPageBytes } from "../../src/core/usecase/Page.ts"
import { type Reply, TestService } from "../support/TestService.ts"

const client = make()
const many = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => item(i)).join(",")

layer(TestService.layer, { excludeTestServices: true })("An expensive body", (it) => {
  const bodies: { readonly [name: string]: readonly [status: number, text: string] } = {
    "a million wrong tags": [413, `{"tags":[${many(1_000_000, () => "1")}]}`],
    "a hundred thousand unknown members": [413, `{${many(100_000, (index) => `"m${index}":1`)}}`],
    "as many unknown members as values are allowed": [400, `{${many(49_999, (index) => `"m${index}":1`)}}`],
    "a member with a name of 4 MB": [400, `{"${"x".repeat(4_000_000)}":1}`],
    "as many unusable strings as values are allowed": [400, `{"tags":[${many(49_998, () => '"\\u0000"')}]}`]
  }

  for (const [name, [status, text]] of Object.entries(bodies)) {
    it.effect(`is refused with a short answer: ${name}`, () =>
      Effect.gen(function* () {
        const { create, request, token } = yield* client
        const headers = { "content-type": "application/json" }
        const created = yield* request("POST", path, { token, text, headers })
        assert.strictEqual(created.status, status)
        assert.strictEqual(created.body["code"], status === 400 ? "invalid_request" : "payload_too_large")
        assert.isAtMost(faultsOf(created).length, 20)
        assert.isBelow(created.text.length, 64 * 1024)
        const { body: contact } = yield* create({ firstName: "Anna" })
        const patched = yield* request("PATCH", `${path}/${contact.id}`, { token, text, headers })
        assert.strictEqual(patched.status, status)
        assert.isBelow(patched.text.length, 64 * 1024)
      })
    )
  }

  it.effect("gets the first twenty faults and the number of the others", () =>
    Effect.gen(function* () {
      const { create, patch, request, token } = yield* client
      const tags = Array.from({ length: 150 }, () => 1)
      const contact = yield* create({ firstName: "Anna" })
      const unknown = Object.fromEntries(tags.map((_, index) => [`m${index}`, 1]))
      const header = { "idempotency-key": "ä" }
      for (const [refused, count] of [
        [yield* create({ tags }), 150],
        [yield* create({ tags }, header), 151],
        [yield* create({ tags, firstName: "\0" }), 151],
        [yield* patch(contact.body.id, { tags, ...unknown }), 300],
        [yield* request("GET", `${path}?${Object.keys(unknown).join("=1&")}=1`, { token }), 150]
      ] as const) {
        const { detail, moreErrors } = refused.body as { readonly detail?: unknown; readonly moreErrors?: unknown }
        assert.deepStrictEqual([faultsOf(refused).length, moreErrors], [20, count - 20])
        assert.isTrue(String(detail).endsWith(` (and ${count - 1} more)`), String(detail))
      }
      const two = yield* create({ tags: [1, 1] })
      assert.notProperty(two.body, "moreErrors")
    })
  )

  it.effect("of a batch gets ids repeated in short", () =>
    Effect.gen(function* () {
      const { request, token } = yield* client
      const id = "x".repeat(4_000_000)
      for (const [action, json] of [
        ["get", { ids: [id] }],
        ["delete", { ids: [id] }],
        ["upsert", { items: [{ id }] }]
      ] as const) {
        const reply = yield* request<{ results: ReadonlyArray<{ id: string }> }>("POST", `${path}/batch/${action}`, {
          token,
          json
        })
        assert.deepStrictEqual([reply.status, reply.body.results[0]?.id.length], [207, 101])
        assert.isBelow(reply.text.length, 1000)
      }
    })
  )

  it.effect("of a tool may have 21,000 values and 1,000 members", () =>
    Effect.gen(function* () {
      const { request, token } = yield* client
      const statusOf = (x: object) =>
        Effect.map(
          request("POST", "/mcp", {
            token,
            json: {
              jsonrpc: "2.0",
              id: 1,
              method: "ping",
              params: { _meta: { x } }
            },
            headers: { accept: "application/json, text/event-stream" }
          }),
          ({ status }) => status
        )
      const values = (length: number) => Array.from({ length }, () => 0)
      const members = (length: number) => Object.fromEntries(values(length).map((value, index) => [`x${index}`, value]))
      assert.deepStrictEqual([yield* statusOf(values(20_990)), yield* statusOf(values(21_000))], [200, 413])
      assert.deepStrictEqual([yield* statusOf(members(990)), yield* statusOf(members(1_000))], [200, 413])
    })
  )

  it.effect("is answered in pages of at most 2 MiB, without gaps and repetitions", () =>
    Effect.gen(function* () {
      const { request, token } = yield* client
      type Body = {
        readonly data: ReadonlyArray<{ readonly id: string }>
        readonly page: {
          readonly nextCursor: string | null
          readonly hasMore: boolean
          readonly nextSince?: string | null
        }
      }
      const ids: Array<string> = []
      const strategy = "Offices in a city. ".repeat(1_050)
      for (const batch of [0, 1]) {
        const reply = yield* request<{ readonly results: ReadonlyArray<{ readonly id: string }> }>(
          "POST",
          `${path}/batch/upsert`,
          {
            token,
            json: { items: Array.from({ length: 90 }, (_, index) => ({ lastName: `${batch}-${index}`, strategy })) }
          }
        )
        ids.push(...reply.body.results.map(({ id }) => id))
      }
      const pagesOf = (ask: (cursor: string | undefined) => Effect.Effect<Reply<Body>>) =>
        Effect.gen(function* () {
          const pages: Array<Body> = []
          for (let cursor: string | null | undefined; cursor !== null;) {
            const { body, status, text } = yield* ask(cursor)
            assert.strictEqual(status, 200, text.slice(0, 500))
            assert.isBelow(text.length, maxPageBytes * 1.1)
            pages.push(body)
            cursor = body.page.nextCursor
          }
          return pages
        })
      for (const query of ["", "&updated_since=2020-01-01", "&updated_since=2020-01-01&include_deleted=true"]) {
        const pages = yield* pagesOf((cursor) =>
          request("GET", `${path}?page_size=500${query}${cursor === undefined ? "" : `&cursor=${cursor}`}`, { token })
        )
        assert.isAtLeast(pages.length, 2)
        assert.deepStrictEqual(pages.flatMap(({ data }) => data.map(({ id }) => id)).toSorted(), ids.toSorted())
        assert.deepStrictEqual(
          pages.map(({ page }) => [page.hasMore, typeof page.nextSince]),
          pages.map((_, index) => (index < pages.length - 1 ? [true, "object"] : [false, "string"]))
        )
        const since = pages.at(-1)?.page.nextSince ?? ""
        const after = yield* request<Body>("GET", `${path}?updated_since=${since}`, { token })
        assert.deepStrictEqual(after.body.data, [])
      }
      const found = yield* pagesOf((cursor) =>
        request("POST", `${path}:search`, {
          token,
          json: { page_size: 500, ...(cursor === undefined ? {} : { cursor }) }
        })
      )
      assert.deepStrictEqual(found.flatMap(({ data }) => data.map(({ id }) => id)).toSorted(), ids.toSorted())
    })
  )

  it.effect("of a batch gets the first twenty faults of each item", () =>
    Effect.gen(function* () {
      const { request, token } = yield* client
      const item = Object.fromEntries(Array.from({ length: 98 }, (_, index) => [`m${index}`, "\0"]))
      const reply = yield* request<{
        results: ReadonlyArray<{ problem: { errors: Array<unknown>; moreErrors: number } }>
      }>("POST", `${path}/batch/upsert`, { token, json: { items: Array.from({ length: 100 }, () => item) } })
      assert.strictEqual(reply.status, 207)
      for (const { problem } of reply.body.results) {
        assert.deepStrictEqual([problem.errors.length, problem.moreErrors], [20, 2 * 98 - 20])
      }
      assert.isBelow(reply.text.length, 600_000)
    })
  )
})
