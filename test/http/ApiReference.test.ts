import { describe, expect, it } from "vitest"
import { simplified } from "../../src/http/ApiReference.ts"

describe("A schema on the documentation page", () => {
  it("has no examples of members, and members of that name", () => {
    const schema = {
      type: "object",
      examples: [{ name: "Turm" }],
      properties: {
        name: { type: "string", examples: ["Turm"] },
        examples: { type: "array", items: { examples: [1] } }
      }
    }
    expect(simplified(schema)).toStrictEqual({
      type: "object",
      properties: { name: { type: "string" }, examples: { type: "array", items: {} } }
    })
  })

  it("has null as a second type, and conditions beside the type", () => {
    const nullable = {
      anyOf: [{ type: "string", allOf: [{ maxLength: 200 }, { minLength: 1 }] }, { type: "null" }],
      description: "A name."
    }
    expect(simplified(nullable)).toStrictEqual({
      type: ["string", "null"],
      allOf: [{ maxLength: 200 }, { minLength: 1 }],
      description: "A name."
    })
    expect(simplified({ type: "string", allOf: [{ maxLength: 200 }] })).toStrictEqual({
      type: "string",
      maxLength: 200
    })
  })

  it.each([
    { anyOf: [{ $ref: "#/components/schemas/Money" }, { type: "null" }] },
    { anyOf: [{ type: "string", enum: ["a", "b"] }, { type: "null" }] },
    { anyOf: [{ type: "string" }, { type: "number" }] },
    { anyOf: [{ type: "string", description: "One." }, { type: "null" }], description: "Another." },
    { allOf: [{ $ref: "#/components/schemas/Money" }], description: "A price." },
    { type: "string", maxLength: 10, allOf: [{ maxLength: 200 }] }
  ])("stays as it is where another form would mean something else: %j", (schema) => {
    expect(simplified(schema)).toStrictEqual(schema)
  })
})
