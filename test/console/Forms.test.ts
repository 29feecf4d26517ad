/** Forms of records: what is sent of one that nobody changed, of one in which something was changed, and of lists with blank rows. */
import { assert, describe, it } from "@effect/vitest"
import { type Schema, SchemaAST } from "effect"
import { attemptOf, Form } from "../../src/console/Console.ts"
import {
  bodyOf,
  differingMembers,
  type Member,
  patchOf,
  valueAt,
  withoutBlankRows
} from "../../src/console/FormMembers.ts"
import { memberFields } from "../../src/console/Forms.ts"
import type { Reader } from "../../src/console/Texts.ts"
import { tagsSent } from "../../src/deals/teasers/pages.ts"
import type { Teaser } from "../../src/deals/teasers/Teaser.ts"
import { bodyFault } from "../../src/core/usecase/Input.ts"
import { InvalidRequest, withValues } from "../../src/core/usecase/Problem.ts"
import { Mandate } from "../../src/market/mandates/Mandate.ts"
import { mandateRecords, propertyRecords } from "../../src/market/pages.ts"
import { Property } from "../../src/market/properties/Property.ts"
import { Company } from "../../src/network/companies/Company.ts"
import { Contact } from "../../src/network/contacts/Contact.ts"
import { companyRecords, contactRecords } from "../../src/network/pages.ts"
import { attributeOf, unescaped } from "./Browser.ts"

const german: Reader = { culture: "de-DE", language: "de", timeZone: "Europe/Berlin" }

/** A value of a schema with all that it can have, by its examples; lists have two. */
const filled = (ast: SchemaAST.AST, given?: unknown): unknown => {
  const [example = given] = (SchemaAST.resolve(ast)?.["examples"] ?? []) as ReadonlyArray<unknown>
  if (SchemaAST.isUnion(ast)) {
    const [first] = ast.types.filter((type) => !SchemaAST.isNull(type) && !SchemaAST.isUndefined(type))
    return first === undefined ? null : filled(first, example)
  }
  if (SchemaAST.isObjects(ast)) {
    return Object.fromEntries(ast.propertySignatures.map(({ name, type }) => [String(name), filled(type)]))
  }
  if (SchemaAST.isArrays(ast)) {
    const [of] = ast.rest
    return of === undefined ? [] : [filled(of), filled(of)]
  }
  if (SchemaAST.isLiteral(ast)) return ast.literal
  return example ?? (SchemaAST.isNumber(ast) ? 7 : SchemaAST.isBoolean(ast) ? true : "text")
}

/** A record with a value at a path. */
const withValue = (record: object, [name = "", ...rest]: ReadonlyArray<string>, value: unknown): object => ({
  ...record,
  [name]: rest.length === 0 ? value : withValue((valueAt(record, name) ?? {}) as object, rest, value)
})

const tags = ["Core, plus", 'Known as "core"', '"core" first', "plain"]

/** A record with a value for each member of its form, as it may have come from the API. */
const recordOf = (schema: Schema.Top, members: ReadonlyArray<Member>): object =>
  members.reduce<object>(
    (record, { kind, name, options = [] }) => {
      const value = valueAt(record, name)
      if (kind === "tags") return withValue(record, name.split("."), tags)
      // In another order than the boxes, and with what this version has no box for.
      if (kind === "choices") {
        const [first = "", second = ""] = options.map(([option]) => option)
        return withValue(record, name.split("."), [second, "of_a_later_version", first])
      }
      return kind === "text" && typeof value === "string" ? withValue(record, name.split("."), ` ${value}\n `) : record
    },
    filled(schema.ast) as object
  )

const of = (schema: Schema.Top, membersOf: (reader: Reader) => ReadonlyArray<Member>, more: object = {}) => {
  const members = membersOf(german)
  return { members, record: { ...recordOf(schema, members), ...more } }
}

const square = [
  [11, 48],
  [12, 48],
  [12, 49],
  [11, 48]
]

/** All forms that change records, each with a record. */
const forms = [
  of(Property, propertyRecords.members),
  of(Mandate, mandateRecords.members, {
    geography: { type: "Polygon", coordinates: [square] },
    near: null,
    radius: null
  }),
  of(Mandate, mandateRecords.members, { near: { latitude: 48.1372, longitude: 11.5755 }, radius: 20_000 }),
  of(Contact, contactRecords.members),
  of(Company, companyRecords.members)
]

/** What a browser sends of fields. */
const sentBy = (fields: string): URLSearchParams => {
  const controls = /<input[^>]*>|<(textarea|select)\b[^>]*>([\s\S]*?)<\/\1>/g
  return new URLSearchParams(
    [...fields.matchAll(controls)].flatMap(([control, kind, inside = ""]): ReadonlyArray<[string, string]> => {
      const tag = /^<[^>]*>/.exec(control)?.[0] ?? ""
      const name = attributeOf(tag, "name") ?? ""
      if (kind === "textarea") return [[name, unescaped(inside.replace(/^\n/, ""))]]
      if (kind === "select") {
        const options = [...inside.matchAll(/<option([^>]*)>([^<]*)/g)]
        const [, attributes = "", text = ""] =
          options.find(([, one = ""]) => /\sselected/.test(one)) ?? options[0] ?? []
        return [[name, attributeOf(attributes, "value") ?? unescaped(text)]]
      }
      const isUnticked = attributeOf(tag, "type") === "checkbox" && !/\schecked/.test(tag)
      return isUnticked ? [] : [[name, (attributeOf(tag, "value") ?? "").replaceAll(/[\r\n]/g, "")]]
    })
  )
}

/** What a browser sends of the form of a record, in which `change` changes something. */
const changed = (
  members: ReadonlyArray<Member>,
  record: object,
  change: (values: URLSearchParams) => void = () => undefined
): Form => {
  const values = sentBy(memberFields(german, members, record, undefined).text)
  change(values)
  return withoutBlankRows(new Form(values, german), members)
}

describe("The form of a record", () => {
  it("changes nothing where nobody changes anything in it", () => {
    for (const { members, record } of forms) {
      const form = changed(members, record)
      const patch = patchOf(form, members, record)
      for (const { name } of members) {
        const [sent, stored] = [valueAt(patch, name), valueAt(record, name)]
        if (sent !== undefined) assert.deepStrictEqual(sent, stored ?? null, name)
      }
      assert.deepStrictEqual(differingMembers(members, record, form), [])
    }
  })

  it("keeps what its fields do not show of a value that is changed in it", () => {
    const kinds = new Set<string>()
    for (const { members, record } of forms) {
      for (const member of members) {
        const { kind, name } = member
        const stored = valueAt(record, name) as never
        const patched = (change: (values: URLSearchParams) => void) =>
          valueAt(patchOf(changed(members, record, change), members, record), name)
        if (kind === "measure") {
          kinds.add(kind)
          const sent = patched((values) => values.set(`${name}.value`, "7,5"))
          assert.deepStrictEqual(sent, { ...(stored as object), value: 7.5 }, name)
        }
        if (kind === "rows") {
          kinds.add(kind)
          const [first = {}, ...others] = stored as ReadonlyArray<object>
          const text = member.members?.find((one) => one.kind === "text")?.name ?? ""
          const sent = patched((values) => values.set(`${name}.0.${text}`, "Another"))
          assert.deepStrictEqual(sent, [{ ...first, [text]: "Another" }, ...others], name)
        }
        if (kind === "choices") {
          kinds.add(kind)
          const [second = "", later = ""] = stored as ReadonlyArray<string>
          const sent = patched((values) => values.delete(name, valueAt(record, `${name}.2`) as string))
          assert.deepStrictEqual(sent, [second, later], name)
        }
        if (kind === "tags") {
          kinds.add(kind)
          const sent = patched((values) => values.set(name, `${values.get(name)}, new`))
          assert.deepStrictEqual(sent, [...tags, "new"], name)
        }
      }
    }
    assert.sameMembers([...kinds], ["measure", "rows", "choices", "tags"])
  })

  it("has a fault at the row that it is about, also where rows before it are blank", () => {
    const members: ReadonlyArray<Member> = [
      {
        name: "tenants",
        label: "Tenants",
        kind: "rows",
        members: [
          { name: "name", label: "Name", kind: "text" },
          { name: "area", label: "Area", kind: "measure", unit: "sqm" }
        ]
      }
    ]
    const typed = {
      "tenants.0.name": "Nord",
      "tenants.0.area.value": "",
      "tenants.1.name": "",
      "tenants.1.area.value": "",
      "tenants.1.area.rest": '{"standard":"gia"}',
      "tenants.2.name": "Süd",
      "tenants.2.area.value": "viel",
      "tenants.2.area.rest": '{"standard":"nia"}'
    }
    const form = withoutBlankRows(new Form(new URLSearchParams(typed), german), members)
    assert.deepStrictEqual(bodyOf(form, members), {
      tenants: [{ name: "Nord" }, { name: "Süd", area: { value: "viel", unit: "sqm", standard: "nia" } }]
    })
    const fault = bodyFault("/tenants/1/area/value", "wrong_type", "Must be a number.")
    const attempt = attemptOf({ form, reader: german }, InvalidRequest.of([withValues(fault, { types: ["number"] })]))
    const fields = memberFields(german, members, undefined, attempt).text
    assert.match(
      fields,
      /name="tenants\.1\.area\.value"[^>]*value="viel"[^>]*aria-invalid[\s\S]*?id="field-tenants-1-area-value-fault">\s*Schreiben Sie/
    )
    assert.deepStrictEqual(
      [...sentBy(fields)].filter(([, value]) => value !== "").map(([name]) => name),
      ["tenants.0.name", "tenants.1.name", "tenants.1.area.value", "tenants.1.area.rest"]
    )
  })

  it("keeps the tags of a teaser that no property has any more, while nobody changes the others", () => {
    const teaser = {
      tags: ["single_tenant", "waterfront"],
      template: { tags: ["prime_location", "waterfront"] }
    } as unknown as Teaser
    assert.deepStrictEqual(tagsSent(["waterfront"], teaser), ["single_tenant", "waterfront"])
    assert.deepStrictEqual(tagsSent(["prime_location", "waterfront"], teaser), ["prime_location", "waterfront"])
    assert.deepStrictEqual(tagsSent([], teaser), [])
  })
})
