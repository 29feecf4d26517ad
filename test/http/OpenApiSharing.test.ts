/** Schemas that refer to another one for the members that both have. */
import { assert, describe, it } from "@effect/vitest"
import type { Schema } from "../../src/http/OpenApiSpec.ts"
import { withBases } from "../../src/http/OpenApiDocument.ts"

const text = { type: "string" }
const common = Object.fromEntries([..."abcdefgh"].map((name) => [name, text]))
const open = (properties: object, required: ReadonlyArray<string> = []) => ({ type: "object", properties, required })
const closed = (properties: object, required: ReadonlyArray<string> = []) => ({
  ...open(properties, required),
  additionalProperties: false
})
const base = { $ref: "#/components/schemas/Base" }

const bySchema = (schema: Schema) => withBases({ Base: open(common, ["a"]), Schema: schema })["Schema"]

describe("A schema with the members of another one", () => {
  it("refers to it, and describes only the members that it adds", () => {
    const schema = { ...open({ ...common, i: text, j: text }, ["a", "i"]), description: "More." }
    assert.deepStrictEqual<unknown>(bySchema(schema), {
      description: "More.",
      allOf: [base, { type: "object", properties: { i: text, j: text }, required: ["i"] }]
    })
  })

  it("repeats a member that it requires, unlike the other one", () => {
    assert.deepStrictEqual<unknown>(bySchema(open(common, ["a", "b"])), {
      allOf: [base, { type: "object", properties: { b: text }, required: ["b"] }]
    })
  })

  it("stays closed, and the one to which it refers open", () => {
    assert.deepStrictEqual<unknown>(bySchema(closed(common, ["a"])), { allOf: [base], unevaluatedProperties: false })
  })

  it("refers to the largest of several", () => {
    const schemas = {
      Small: open(common),
      Large: open({ ...common, i: text }),
      Whole: open({ ...common, i: text, j: text })
    }
    const { Large, Whole } = withBases(schemas)
    assert.deepStrictEqual<unknown>(
      [Large?.["allOf"], Whole?.["allOf"]],
      [
        [{ $ref: "#/components/schemas/Small" }, { type: "object", properties: { i: text } }],
        [{ $ref: "#/components/schemas/Large" }, { type: "object", properties: { j: text } }]
      ]
    )
  })

  it("is left as it is beside one that is closed, demands more, differs in a member, has conditions or few members", () => {
    const { h: _, ...few } = common
    const kept = open({ ...common, i: text }, ["a"])
    for (const other of [
      closed(common, ["a"]),
      open(common, ["a", "b"]),
      open({ ...common, a: { type: "integer" } }, ["a"]),
      open({ ...common, k: text }),
      { ...open(common), allOf: [{ minProperties: 1 }] },
      open(few)
    ]) {
      assert.deepStrictEqual<unknown>(withBases({ Base: other, Schema: kept })["Schema"], kept)
    }
  })
})
