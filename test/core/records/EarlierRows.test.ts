/** What an import remembers of the rows of a file. */
import { assert, describe, it } from "@effect/vitest"
import * as EarlierRows from "../../../src/core/records/EarlierRows.ts"

const names = EarlierRows.nameKeysOf

describe("Names", () => {
  it("agree with themselves in any order and split, and with missing ones", () => {
    const anna = names(["anna", "berg"])
    for (const other of [
      ["anna", "berg"],
      ["berg", "anna"],
      ["anna berg", null],
      [null, "anna berg"],
      ["anna", null],
      [null, "berg"],
      [null, null],
      ["", ""]
    ]) {
      assert.isTrue(EarlierRows.namesAgree(anna, names(other)), JSON.stringify(other))
      assert.isTrue(EarlierRows.namesAgree(names(other), anna), JSON.stringify(other))
    }
    for (const other of [
      ["bo", "lind"],
      ["anna", "lind"],
      ["bo", "berg"],
      ["anna", "berg anna"],
      ["bo", null]
    ]) {
      assert.isFalse(EarlierRows.namesAgree(anna, names(other)), JSON.stringify(other))
    }
  })
})

const idOf = (n: number) => `contact_${n.toString(36).padStart(26, "0")}`

const written = (n: number, fields: object): EarlierRows.Written => ({
  resource: { id: idOf(n), externalRefs: [{ namespace: "crm", externalId: String(n) }] },
  fields,
  keys: [`${n}@example.com`],
  names: names([`name ${n}`])
})

describe("The earlier rows of a file", () => {
  it("are found by the ids of their records, the first one of each, when their batch has an answer", () => {
    const rows = EarlierRows.make(false)
    const count = 50_000
    for (let n = 0; n < count; n++) rows.settle([{ line: n + 2, id: idOf(n) }])
    rows.settle([{ line: 99_999, id: idOf(7) }])
    for (let n = 0; n < count; n++) assert.strictEqual(rows.lineOf(idOf(n)), n + 2)
    assert.strictEqual(rows.lineOf(idOf(count)), undefined)
  })

  it("of one batch are found before it has an answer, and forgotten when its transaction begins again", () => {
    const rows = EarlierRows.make(false).batch()
    rows.begin()
    rows.note(2, idOf(1), true, () => written(1, {}))
    rows.note(3, idOf(1), false, () => written(1, {}))
    assert.strictEqual(rows.lineOf(idOf(1)), 2)
    assert.isFalse(rows.isInvented(idOf(1)))
    rows.begin()
    assert.strictEqual(rows.lineOf(idOf(1)), undefined)
  })

  it("of a dry run are found by what they are known by, and know what they say", () => {
    const earlier = EarlierRows.make(true)
    const blank = { phone: null, tags: [], strategy: null, address: null, externalRefs: [] }
    for (let n = 0; n < 3000; n++) {
      const rows = earlier.batch()
      rows.begin()
      rows.note(n + 2, idOf(n), n % 2 === 0, () =>
        written(n, { ...blank, phone: `${n}`, tags: ["a"], address: { street: "Kai", city: null } })
      )
      if (n % 2 === 0) assert.isTrue(rows.isInvented(idOf(n)))
      rows.settle([])
    }
    const rows = earlier.batch()
    const [row, another] = rows.withKeys(["10@example.com"])
    assert.isUndefined(another)
    assert.deepInclude(row, { line: 12, id: undefined, names: names(["name 10"]) })
    assert.deepInclude(rows.rolledBack(idOf(11)), { line: 13, id: idOf(11) })
    assert.isUndefined(rows.rolledBack(idOf(10)))
    assert.deepStrictEqual(
      rows.holding([{ namespace: "crm", externalId: "10" }]).map(({ line }) => line),
      [12]
    )
    assert.isTrue(row?.hasNamespace("crm"))
    assert.isFalse(row?.hasNamespace("erp"))
    for (const sent of [
      {},
      { phone: "10" },
      { tags: ["a"], strategy: null },
      { address: { street: "Kai", city: null } },
      { externalRefs: [{ namespace: "crm", externalId: "x" }] }
    ]) {
      assert.isTrue(row?.says(sent, blank), JSON.stringify(sent))
    }
    for (const sent of [
      { phone: "11" },
      { phone: null },
      { tags: [] },
      { tags: ["b"] },
      { strategy: "Core" },
      { address: { street: "Ufer", city: null } }
    ]) {
      assert.isFalse(row?.says(sent, blank), JSON.stringify(sent))
    }
    if (row !== undefined) rows.noteRefs(row, [{ namespace: "erp", externalId: "5" }])
    assert.isTrue(rows.withKeys(["10@example.com"])[0]?.hasNamespace("erp"))
    assert.isTrue(rows.withKeys(["10@example.com"])[0]?.holds({ namespace: "erp", externalId: "5" }))
  })

  const touching = (names: ReadonlyArray<string>, { rows = 1, room = 1000 } = {}) => ({
    names: new Set(names),
    rows,
    room
  })

  it("keep a batch waiting that has to do with one that was under way when it began", () => {
    const rows = EarlierRows.make(false)
    const [first, second, third] = [rows.batch(), rows.batch(), rows.batch()] as const
    first.begin()
    assert.isFalse(first.dependsOn(touching(["key a", "record 1"])))
    second.begin()
    third.begin()
    assert.isTrue(second.dependsOn(touching(["key b", "record 1"])), "the same record")
    assert.isTrue(second.dependsOn(touching(["key a", "record 2"])), "the same key")
    assert.isFalse(second.dependsOn(touching(["key b", "record 2"])))
    assert.isTrue(third.dependsOn(touching(["key a"])), "of the one before the last")
    assert.isFalse(first.dependsOn(touching(["key b"])), "of a later one")
    first.dependsOn(touching(["key a"]))
    first.settle([])
    assert.isTrue(third.dependsOn(touching(["key a"])), "what it looked up may be older than that answer")
    third.begin()
    assert.isFalse(third.dependsOn(touching(["key a"])))
  })

  it("keep a batch waiting whose records and those of the one before may be more than the quota has room for", () => {
    const rows = EarlierRows.make(false)
    const [first, second] = [rows.batch(), rows.batch()] as const
    first.begin()
    assert.isFalse(first.dependsOn(touching(["key a"], { rows: 5, room: 3 })))
    second.begin()
    assert.isTrue(second.dependsOn(touching(["key b"], { rows: 5, room: 9 })))
    assert.isFalse(second.dependsOn(touching(["key b"], { rows: 5, room: 10 })))
  })

  it("have those of each batch for itself until it has an answer", () => {
    const rows = EarlierRows.make(false)
    const [first, second] = [rows.batch(), rows.batch()] as const
    first.begin()
    first.note(2, idOf(1), true, () => written(1, {}))
    second.begin()
    second.note(3, idOf(2), true, () => written(2, {}))
    assert.strictEqual(first.lineOf(idOf(1)), 2)
    assert.isUndefined(second.lineOf(idOf(1)))
    second.settle([{ line: 3, id: idOf(2) }])
    assert.strictEqual(first.lineOf(idOf(1)), 2)
    assert.strictEqual(first.lineOf(idOf(2)), 3)
  })
})
