import * as Id from "../../src/core/Id.ts"
import { Effect, Result } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { actAs, operatorOf } from "../../src/core/auth/CurrentActor.ts"
import { type Fault, InvalidRequest } from "../../src/core/usecase/Problem.ts"
import { AmbiguousReference, parse, References, type ReferenceType, referenceTypes } from "../../src/mcp/References.ts"

const uuid = "019a6a1c-2222-7000-8000-000000000001"
const types = Object.keys(referenceTypes) as ReadonlyArray<ReferenceType>

const refusalOf = (type: ReferenceType, text: string) => {
  const parsed = parse([type], "record", text)
  return Result.isFailure(parsed) ? parsed.failure : undefined
}

const faultOf = (type: ReferenceType, text: string) => {
  const refusal = refusalOf(type, text)
  return refusal instanceof InvalidRequest ? refusal.errors[0] : undefined
}

describe("References", () => {
  it("are ids of their type, bare or after id=", () => {
    for (const type of types) {
      const id = Id.fromUuid(type, uuid)
      for (const text of [id, `id=${id}`, ` ${id} `]) {
        assert.deepStrictEqual(parse([type], "record", text), Result.succeed({ type, id }))
      }
    }
  })

  it("are no ids of another type, which the refusal names", () => {
    for (const type of types) {
      for (const other of types.filter((one) => one !== type)) {
        for (const text of [Id.fromUuid(other, uuid), `id=${Id.fromUuid(other, uuid)}`]) {
          const refusal = refusalOf(type, text)
          assert.strictEqual(refusal?.code, "not_found")
          assert.match(refusal?.detail ?? "", /^This is the id of an? /)
        }
      }
    }
  })

  it("with the form of an id that is none are the ids of nothing", () => {
    for (const type of types) {
      const id = Id.fromUuid(type, uuid)
      for (const text of [
        `${type}_`,
        `${type}_1`,
        id.toUpperCase(),
        `${id}0`,
        id.slice(0, -1),
        `${type}_z${id.slice(-25)}`,
        `lead_${id.slice(-26)}`,
        uuid,
        uuid.toUpperCase(),
        "id=Rossi",
        `id=${uuid}`
      ]) {
        const refusal = refusalOf(type, text)
        assert.strictEqual(refusal?.code, "not_found", `${type} ${text}`)
        assert.include(refusal?.detail, `(${type}_…)`)
      }
      assert.strictEqual(faultOf(type, "id= ")?.code, "invalid_reference")
    }
  })

  it("are the selectors of their type and no others", () => {
    const texts = { ext: "hubspot:8812:1", email: "anna@example.com", domain: "example.com" }
    for (const type of types) {
      for (const by of ["ext", "email", "domain"] as const) {
        const selectors: ReadonlyArray<string> = referenceTypes[type].selectors
        const parsed = parse([type], "record", `${by}=${texts[by]}`)
        if (selectors.includes(by))
          assert.deepStrictEqual(parsed, Result.succeed({ types: [type], selector: { by, value: texts[by] } }))
        else assert.strictEqual(faultOf(type, `${by}=${texts[by]}`)?.code, "invalid_reference")
      }
    }
  })

  it("to several types are ids of each, and selectors of those that have them", () => {
    const several = ["contact", "company"] as const
    const company = Id.fromUuid("company", uuid)
    assert.deepStrictEqual(parse(several, "record", company), Result.succeed({ type: "company" as const, id: company }))
    for (const [by, having] of [
      ["ext", several],
      ["domain", ["company"]]
    ] as const) {
      const parsed = parse(several, "record", `${by}=crm:7`)
      assert.deepStrictEqual(Result.isSuccess(parsed) && "types" in parsed.success ? parsed.success.types : [], having)
    }
    const refused = parse(several, "record", Id.fromUuid("project", uuid))
    assert.match(Result.isFailure(refused) ? refused.failure.detail : "", /id of a project.*contact_….*company_…/)
  })

  it("are refused with what they must be", () => {
    for (const text of [
      "",
      "Rossi",
      "ext=",
      "ext=hubspot",
      "ext=:1",
      "ext=hubspot:",
      "email=",
      "name=Rossi",
      "acme_corp",
      "anna@example.com"
    ]) {
      const fault = faultOf("contact", text)
      assert.strictEqual(fault?.code, "invalid_reference", text)
      assert.include(fault?.detail, "ext=NAMESPACE:ID")
      assert.include(fault?.detail, "email=ADDRESS")
    }
  })

  const found = (...ids: ReadonlyArray<string>) =>
    References.make({ contact: (_selector, limit) => Effect.succeed(ids.slice(0, limit).map((id) => ({ id }))) })
      .resolve("contact", "contact", "email=anna@example.com")
      .pipe(actAs(operatorOf()), Effect.result)

  it.effect("mean the only record that is found", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* found("contact_a"), Result.succeed("contact_a"))
    })
  )

  it.effect("of a list that are all refused for one reason have its code, each with its place", () =>
    Effect.gen(function* () {
      const id = Id.fromUuid("contact", uuid)
      const list = (...texts: ReadonlyArray<string>) =>
        References.make({
          contact: ({ value }) => Effect.succeed(value === "both@example.com" ? [{ id: "a" }, { id: "b" }] : [])
        })
          .resolveAll("contact", "contacts", texts)
          .pipe(actAs(operatorOf()), Effect.flip)
      const shown = (refusal: Effect.Success<ReturnType<typeof list>>) => [
        refusal.code,
        ("errors" in refusal ? (refusal.errors as ReadonlyArray<Fault>) : []).map(({ code, pointer }) => [
          pointer,
          code
        ])
      ]
      assert.deepStrictEqual(shown(yield* list(id, "contact_1", "email=nobody@example.com")), [
        "not_found",
        [
          ["/contacts/1", "not_found"],
          ["/contacts/2", "not_found"]
        ]
      ])
      assert.deepStrictEqual(shown(yield* list("email=both@example.com", id)), [
        "ambiguous_reference",
        [["/contacts/0", "ambiguous_reference"]]
      ])
      assert.deepStrictEqual(shown(yield* list("contact_1", "Rossi")), [
        "invalid_request",
        [
          ["/contacts/0", "not_found"],
          ["/contacts/1", "invalid_reference"]
        ]
      ])
    })
  )

  it.effect("are refused when none is found, or several, of which five are named", () =>
    Effect.gen(function* () {
      const none = yield* found()
      assert.strictEqual(Result.isFailure(none) ? none.failure.code : "", "not_found")
      const several = yield* found("a", "b", "c", "d", "e", "f")
      const refusal = Result.isFailure(several) ? several.failure : undefined
      assert.strictEqual(refusal?.code, "ambiguous_reference")
      assert.deepStrictEqual(refusal instanceof AmbiguousReference ? refusal.candidates.map(({ id }) => id) : [], [
        "a",
        "b",
        "c",
        "d",
        "e"
      ])
    })
  )
})
