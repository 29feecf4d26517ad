import { describe, expect, test } from "vitest"
import { narrowing, searchOf, termsOf } from "../../../src/core/records/SearchTable.ts"

const words = (query: string) =>
  termsOf(query).map(({ phone, words }) =>
    [
      ...words.map(({ at, spellings }) => (at === "beginning" ? `^${spellings.join("|")}` : spellings.join("|"))),
      ...(phone === undefined ? [] : [`#${phone}`])
    ].join(" ")
  )

describe("the terms of a query", () => {
  test.each([
    ["anna", ["anna"]],
    ["  anna\t Müller ", ["anna", "muller"]],
    ["Mueller Joe", ["mueller|muller", "joe"]],
    ["O’Brien", ["o'brien|obrien"]],
    ["anna \u200b berg", ["anna", "berg"]],
    ["山田　太郎", ["山田", "太郎"]],
    ["٠٣٠/٥٥٥٠١٩٩", ["030/5550199 #030/5550199"]],
    ["Li", ["^li"]],
    ["Ä x", ["^a", "^x"]],
    ["ß 王 % c+", ["ss", "王", "%", "c+"]],
    ["12", ["^12"]],
    ["1234567", ["1234567 #1234567"]],
    ["+49 30 1234567", ["+49 ^30 1234567 #+49 30 1234567"]],
    ["anna 030/123 45 berg", ["anna", "030/123 ^45 #030/123 45", "berg"]],
    ["(0) 1", ["(0) ^1"]],
    ["00493012", ["00493012 #00493012"]],
    ["24/7", ["24/7 #24/7"]],
    ["-- 100%", ["--", "100%"]],
    ["ext.12", ["ext.12"]],
    ["Jörg@Müller.de", ["jorg@muller.de|jorg@xn--mller-kva.de"]],
    ["@müller.de", ["@muller.de|@xn--mller-kva.de"]]
  ])("%j", (query, expected) => {
    expect(words(query)).toStrictEqual(expected)
  })
})

describe("a search", () => {
  const members = {
    id: "id contact",
    name: "text",
    createdUtc: "time",
    tags: "tags",
    primaryCompanyId: "id company"
  } as const

  test("lists everything by creation by default", () => {
    expect(searchOf(members, {})).toStrictEqual({
      terms: [],
      conditions: [],
      order: [{ member: "createdUtc", kind: "time", descending: false }]
    })
  })

  test("has its conditions in one order, independent of the request", () => {
    const filter = { tags: { in: ["a"], exists: true }, name: { prefix: "x", eq: "y" } }
    const turned = { name: { eq: "y", prefix: "x" }, tags: { exists: true, in: ["a"] } }
    expect(searchOf(members, { filter })).toStrictEqual(searchOf(members, { filter: turned }))
    expect(
      searchOf(members, { filter }).conditions.map(({ member, operator }) => `${member} ${operator}`)
    ).toStrictEqual(["name eq", "name prefix", "tags in", "tags exists"])
  })

  test("has ids and timestamps as they are stored", () => {
    const filter = { createdUtc: { gt: "2026-01-01" }, primaryCompanyId: { eq: "company_01kb3n7x2ferwt5z8q4j6m9d0c" } }
    expect(
      searchOf(members, { filter }).conditions.map((one) => (one.operator === "exists" ? [] : one.values))
    ).toStrictEqual([["2026-01-01T00:00:00.000Z"], ["019ac753-f44f-7639-a2fd-17248d44b40c"]])
  })

  test("has no sort key after the id", () => {
    const sort = [{ field: "name" }, { field: "id", direction: "desc" }, { field: "createdUtc" }] as const
    expect(searchOf(members, { sort }).order).toStrictEqual([
      { member: "name", kind: "text", descending: false },
      { member: "id", kind: "id", descending: true }
    ])
  })

  test("names what makes it costly, for people", () => {
    const search = searchOf(members, {
      query: "anna b",
      filter: { name: { contains: "a", prefix: "b" }, id: { eq: "contact_01kb3n7x2ferwt5z8q4j6m9d0c" } },
      sort: [{ field: "name" }]
    })
    expect(narrowing(search, 500)).toBe(
      "Compare fewer texts (name), or with `contains` longer ones. Search for longer words in query. Sort by createdUtc or id instead of name. Add conditions that fewer records meet, such as on tags, an id or a time. Ask for a smaller page_size."
    )
    expect(narrowing(searchOf(members, { filter: { name: { exists: true } } }), 50)).toBe(
      "Add conditions that fewer records meet, such as on tags, an id or a time."
    )
  })
})
