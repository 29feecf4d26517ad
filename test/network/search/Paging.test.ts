/** Pages of searches against a model that sorts and filters in memory. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import * as Id from "../../../src/core/Id.ts"
import { TestService } from "../../support/TestService.ts"
import * as SearchClient from "./SearchClient.ts"

const companies = ["01890000-0000-7000-8000-000000000001", "01890000-0000-7000-8000-000000000002"]

// Few values, so that there are ties and nulls.
const row = fc.record({
  first_name: fc.constantFrom(null, "Anna", "anna", "Änna", "Bo", "bö"),
  last_name: fc.constantFrom(null, "Weiß", "WEISS", "Wei", "%", "Weisz"),
  email: fc.constantFrom("a@x.example", "b@x.example", "B@x.example"),
  primary_language: fc.constantFrom(null, "de", "de-DE", "en"),
  primary_company_id: fc.constantFrom(null, ...companies),
  tags: fc.subarray(["core", "office"]),
  strategy: fc.constantFrom(null, "x".repeat(300), `${"x".repeat(300)}y`, "Ø"),
  created_at: fc.constantFrom("2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.001Z", "2026-01-01T00:00:00.000400Z"),
  updated_at: fc.constantFrom("2026-02-01T00:00:00.000Z", "2026-02-02T00:00:00.000Z"),
  version: fc.integer({ min: 1, max: 3 })
})

type Row = typeof row extends fc.Arbitrary<infer A> ? A : never

interface Stored extends Row {
  readonly uuid: string
}

const fold = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")

const textKey = (text: string | null) => (text === null ? null : fold(text).slice(0, 200))

/** The sort key of a contact, by member; null sorts last. */
const keys: { readonly [member: string]: (row: Stored) => string | null } = {
  id: ({ uuid }) => uuid,
  name: ({ email, first_name, last_name }) =>
    textKey([first_name, last_name].filter((part) => part !== null).join(" ") || email),
  firstName: ({ first_name }) => textKey(first_name),
  lastName: ({ last_name }) => textKey(last_name),
  email: ({ email }) => textKey(email),
  strategy: ({ strategy }) => textKey(strategy),
  primaryLanguage: ({ primary_language }) => textKey(primary_language),
  primaryCompanyId: ({ primary_company_id }) => primary_company_id,
  createdUtc: ({ created_at }) => created_at.replace("Z", "").padEnd(26, "0"),
  updatedUtc: ({ updated_at }) => updated_at,
  etag: ({ version }) => String(version),
  deletedUtc: () => null
}

const compare = (a: string | null, b: string | null) =>
  a === b ? 0 : a === null ? 1 : b === null ? -1 : Buffer.compare(Buffer.from(a), Buffer.from(b))

interface Sort {
  readonly field: string
  readonly direction: "asc" | "desc"
}

const inOrder = (rows: ReadonlyArray<Stored>, sort: ReadonlyArray<Sort>) => {
  const fields: ReadonlyArray<Sort> = sort.length === 0 ? [{ field: "createdUtc", direction: "asc" }] : sort
  const all = [...fields, { field: "id", direction: fields.at(-1)?.direction ?? "asc" }]
  return rows.toSorted((a, b) => {
    for (const { direction, field } of all) {
      const order = compare(keys[field]?.(a) ?? null, keys[field]?.(b) ?? null)
      if (order !== 0) return direction === "asc" ? order : -order
    }
    return 0
  })
}

/** Filters with what they mean. */
const filters: ReadonlyArray<readonly [filter: object, accepts: (row: Stored) => boolean]> = [
  [{}, () => true],
  [{ lastName: { exists: true } }, ({ last_name }) => last_name !== null],
  [{ lastName: { prefix: "weis" } }, ({ last_name }) => fold(last_name ?? "").startsWith("weis")],
  [{ lastName: { gt: "wei" } }, (row) => compare(keys["lastName"]?.(row) ?? "", "wei") > 0],
  [
    { lastName: { lte: "weiss", gte: "%" } },
    ({ last_name }) => last_name !== null && ["%", "wei", "weiss"].includes(fold(last_name))
  ],
  [
    { firstName: { in: ["ANNA", "x"] }, tags: { in: ["core", "none"] } },
    (row) => row.tags.includes("core") && keys["firstName"]?.(row) === "anna"
  ],
  [{ strategy: { eq: "X".repeat(300) } }, ({ strategy }) => strategy === "x".repeat(300)],
  [{ strategy: { prefix: "X".repeat(250) } }, ({ strategy }) => (strategy ?? "").startsWith("xx")],
  [{ strategy: { contains: "xy" } }, ({ strategy }) => (strategy ?? "").endsWith("y")],
  [
    { primaryCompanyId: { eq: Id.fromUuid("company", companies[0] ?? "") } },
    (row) => row.primary_company_id === companies[0]
  ],
  [
    { tags: { exists: false }, primaryLanguage: { contains: "d" } },
    (row) => row.tags.length === 0 && (row.primary_language ?? "").includes("d")
  ],
  [{ etag: { in: ['"v1"', '"v3"'] } }, ({ version }) => version !== 2]
]

const search = fc.record({
  rows: fc.array(row, { maxLength: 14 }),
  sort: fc.uniqueArray(
    fc.record({
      field: fc.constantFrom(...Object.keys(keys)),
      direction: fc.constantFrom("asc" as const, "desc" as const)
    }),
    { maxLength: 3, selector: ({ field }) => field }
  ),
  filter: fc.constantFrom(...filters),
  query: fc.constantFrom(undefined, undefined, "example", "weiss"),
  pageSize: fc.integer({ min: 1, max: 5 })
})

layer(TestService.layer, { excludeTestServices: true, timeout: 60_000 })("The pages of a search", (it) => {
  it.effect("list every found contact once, for any order, filter and page size", () =>
    Effect.gen(function* () {
      for (const {
        filter: [filter, accepts],
        pageSize,
        query,
        rows,
        sort
      } of fc.sample(search, { numRuns: 150, seed: 20_261_122 })) {
        const tenant = yield* SearchClient.make()
        const uuids = yield* SearchClient.write(tenant.teamId, rows)
        const stored = rows.map((one, index): Stored => ({ ...one, uuid: uuids[index] ?? "" }))
        const found = stored
          .filter(accepts)
          .filter(({ last_name }) => query !== "weiss" || fold(last_name ?? "").includes("weiss"))
        const expected = inOrder(found, sort).map(({ uuid }) => uuid)
        const pages: Array<ReadonlyArray<string>> = []
        const json: object = { filter, sort, page_size: pageSize, ...(query === undefined ? {} : { query }) }
        let cursor: string | null | undefined
        while (cursor !== null && pages.length <= rows.length) {
          const { body, status, text } = yield* tenant.searchContacts(cursor === undefined ? json : { ...json, cursor })
          assert.strictEqual(status, 200, text)
          pages.push(body.data.map(({ id }) => Id.toUuid("contact", id) ?? ""))
          cursor = body.page.nextCursor
        }
        const what = JSON.stringify({ json, stored })
        assert.deepStrictEqual(pages.flat(), expected, what)
        assert.strictEqual(pages.length, Math.max(1, Math.ceil(expected.length / pageSize)), what)
      }
    })
  )
})
