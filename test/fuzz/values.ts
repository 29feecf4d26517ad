/** Arbitrary JSON values: those that a schema describes, and those that programs are known to trip over. */
import fc from "fast-check"

/** A part of a JSON text that is written as it is, for what no JSON value stands for. */
export class Verbatim {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A JSON value with {@link Verbatim} parts. */
export type Value =
  | null
  | boolean
  | number
  | string
  | Verbatim
  | ReadonlyArray<Value>
  | { readonly [member: string]: Value }

/** Whether a value has members. */
export const isObject = (value: Value | undefined): value is { readonly [member: string]: Value } =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Verbatim)

/** The JSON text of a value. */
export const textOf = (value: Value): string => {
  if (value instanceof Verbatim) return value.text
  if (Array.isArray(value)) return `[${value.map(textOf).join(",")}]`
  if (!isObject(value)) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([member, one]) => `${JSON.stringify(member)}:${textOf(one)}`)
    .join(",")}}`
}

/** A schema of the OpenAPI document. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<Value>
  readonly const?: Value
  readonly examples?: ReadonlyArray<Value>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly properties?: { readonly [member: string]: Schema }
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly format?: string
}

/** The schemas of the document, by name. */
export interface Schemas {
  readonly [name: string]: Schema
}

/** The id of a record of a type; each of the ten numbers stands for another of the team's, or of another team's, records. */
export const idOf = (type: string, number: number, isForeign = false): string =>
  `${type}_01kb3n7x2ferwt5z8q4j6m9${isForeign ? "o" : "d"}${number}c`

const exampleId = /^([a-z]+)_01k[0-9a-z]{23}$/

const typesOfMembers: { readonly [suffix: string]: string } = {
  company: "company",
  contact: "contact",
  property: "property",
  project: "project",
  prospect: "prospect",
  owner: "user",
  assignee: "user"
}

const idTypeOf = (member: string): string | undefined => {
  const [, suffix = ""] = /([A-Za-z]+?)(?:_?[iI]ds?)?$/.exec(member) ?? []
  const name = Object.keys(typesOfMembers).find((one) => suffix.toLowerCase().endsWith(one))
  return /[iI]ds?$/.test(member) && name !== undefined ? typesOfMembers[name] : undefined
}

/** Times and dates, most of them odd. */
export const times: ReadonlyArray<string> = [
  "2026-11-21T09:30:00.000Z",
  "2026-11-21",
  "2026-11-21T09:30+0530",
  "0000-01-01",
  "0000-12-31",
  "0001-01-01T00:00:00+23:59",
  "-000001-01-01T00:00:00Z",
  "+275760-09-13T00:00:00.001Z",
  "9999-12-31T23:59:59.999999999Z",
  "9999-12-31T23:59:59-23:59",
  "10000-01-01",
  "1582-10-10",
  "2026-02-29",
  "2024-02-29",
  "2026-13-01",
  "2026-11-21T24:00:00Z",
  "2026-12-31T23:59:60Z",
  "2026-11-21T09:30:00",
  "2026-W47-6",
  "294277-01-01",
  "infinity",
  "now",
  "epoch",
  "٢٠٢٦-١١-٢١"
]

/** Addresses in the web, most of them odd. */
const urls: ReadonlyArray<string> = [
  "http://127.0.0.1:9/hook",
  "http://127.0.0.1:9/hook",
  "https://www.linkedin.com/in/anna-berg",
  "https://www.linkedin.com/in/%00",
  "https://www.linkedin.com/in/%c0%80",
  "https://www.linkedin.com/in/%",
  "https://linkedin.com/",
  "https://linkedin.com/in/a/../../b?x=%00#%ff",
  "https://example.com/%00",
  "https://exa%00mple.com/",
  "http://[::1",
  "http://[::ffff:127.0.0.1]/",
  "https://xn--/",
  "https://xn--a.example/",
  "https://例え.テスト/ä?ö#ü",
  "https://user:secret@example.com/",
  "https://example.com:99999/",
  "https://example.com:0/",
  "http://0x7f.1/",
  "https://./",
  "https://-/",
  `https://${"a".repeat(63)}.${"b".repeat(64)}.example/`,
  `https://example.com/${"a".repeat(2_030)}`,
  "HTTPS:\\\\EXAMPLE.COM\\",
  "https:example.com",
  "//example.com",
  "javascript:alert(1)",
  "file:///etc/passwd"
]

/** Mail addresses, most of them odd. */
const emails: ReadonlyArray<string> = [
  "anna@example.com",
  "ANNA@EXAMPLE.COM",
  "a@b@c",
  "@",
  "a@",
  '"a b"@example.com',
  "anna+tag@example.com",
  "anna@[127.0.0.1]",
  "anna@例え.テスト",
  "ÄNNA@example.com",
  "İ@example.com",
  "a\r\nBcc: b@example.com",
  `${"a".repeat(310)}@b.example`
]

/** Texts that have broken programs: encodings, escapes of other languages, unusual Unicode. */
export const texts: ReadonlyArray<string> = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\ufeffAnna",
  "\u202eanna\u2066",
  "e\u0301\u0327".repeat(40),
  "👩‍👩‍👧‍👦🏳️‍🌈",
  "İıſßﬀ",
  "ａｂｃ",
  "\u2028\u2029\u0085\u000b",
  "null",
  "NaN",
  "-0",
  "1e400",
  "0x10",
  "'; drop table contacts; --",
  "\\",
  "\\'",
  "%",
  "_%_\\%",
  "%00",
  "%2f..%2f",
  "a & b | !(c) <-> :*",
  "((((",
  '"unclosed',
  "=cmd|' /C calc'!A0",
  "{{constructor.constructor('return 1')()}}",
  "${7*7}",
  "<script>alert(1)</script>",
  '"v1"',
  'W/"v1"',
  "*",
  "me",
  "DE",
  "UK",
  "de_DE-x-",
  "EUR",
  "../../etc/passwd",
  "__proto__",
  "toString",
  ...times
]

/** Numbers at the bounds of common types. */
const numbers: ReadonlyArray<Value> = [
  -1,
  0,
  1,
  1.5,
  0.1,
  1e-7,
  99.99999,
  2147483647,
  2147483648,
  4294967296,
  9007199254740991,
  1e15,
  123456789012345.67,
  1e21,
  5e-324,
  1.7976931348623157e308,
  ...[
    "-0",
    "9007199254740993",
    "1e400",
    "-1e400",
    "1E+2",
    "1.0",
    "1".repeat(400),
    `0.${"3".repeat(300)}`,
    "1e-400"
  ].map((text) => new Verbatim(text))
]

const nested = (depth: number): Value => new Verbatim("[".repeat(depth) + "]".repeat(depth))

const manyMembers = (count: number): Value =>
  new Verbatim(`{${Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join(",")}}`)

/** Values that belong nowhere. */
export const odd: fc.Arbitrary<Value> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<Value>(null, true, false, [], {}, [[]], [null], { "": null }) },
  { weight: 8, arbitrary: fc.constantFrom<Value>(...texts) },
  { weight: 6, arbitrary: fc.constantFrom<Value>(...numbers) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(201, 2_049, 20_001, 70_000).map((length) => "ä".repeat(length))
  },
  { weight: 2, arbitrary: fc.constantFrom(nested(10), nested(62), nested(66), nested(3_000)) },
  { weight: 1, arbitrary: fc.constantFrom(manyMembers(200), manyMembers(12_000)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...['{"a":1,"a":2}', '{"__proto__":{"id":1}}', '"\\u0000"', '"\\ud800"', "01", "nul", "'a'", "[1,]", '"\t"'].map(
        (text) => new Verbatim(text)
      )
    )
  }
)

const lengthsOf = ({ maxLength, minLength = 0 }: Schema) => {
  const longest = maxLength ?? 300
  return fc.constantFrom(...new Set([minLength, minLength + 1, 12, longest].filter((length) => length <= longest)))
}

// Texts for members of one kind, most of them odd, by what such a text looks like.
const alike: ReadonlyArray<readonly [example: RegExp, texts: ReadonlyArray<string>]> = [
  [/^\d{4}-\d\d-\d\d/, times],
  [/^https?:/, urls],
  [/@/, emails],
  [/^[A-Z]{2,3}$/, ["DE", "SE", "UK", "XK", "de", "EUR", "CHF", "BTC", "", "ẞẞ"]],
  [
    /^[a-z]{2}-[A-Z]{2}$/,
    ["de", "en-us", "zh-Hant-TW", "x-private", "de-", "i-klingon", "a".repeat(35), "en-u-ca-gregory"]
  ]
]

/** Texts of the same kind as another one: dates for a date, addresses for an address. */
export const textsLike = (text: string): ReadonlyArray<string> =>
  alike.find(([example]) => example.test(text))?.[1] ?? texts

const textsOf = (schema: Schema, member: string): fc.Arbitrary<Value> => {
  const examples = (schema.examples ?? []).filter((one) => typeof one === "string")
  const type = examples.flatMap((one) => exampleId.exec(one)?.[1] ?? [])[0] ?? idTypeOf(member)
  if (type !== undefined) return fc.nat(9).map((number) => idOf(type, number))
  const written = fc.oneof(
    fc.constantFrom("Anna", "Berg", "core", "a b", "Größe", "12", "example.com", "anna@example.com"),
    fc
      .tuple(lengthsOf(schema), fc.constantFrom("a", "ß", "漢", "😀", "a "))
      .map(([length, unit]) => Array.from(unit.repeat(length)).slice(0, length).join(""))
  )
  return examples.length === 0
    ? fc.oneof({ weight: 6, arbitrary: written }, { weight: 1, arbitrary: fc.constantFrom<Value>(...texts) })
    : fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom<Value>(...examples) },
        { weight: 2, arbitrary: fc.constantFrom<Value>(...examples.flatMap(textsLike), ...examples) },
        { weight: 1, arbitrary: written }
      )
}

const numbersOf = ({ maximum = 1_000_000, minimum = 0, type }: Schema): fc.Arbitrary<Value> => {
  const [least, most] = [Math.ceil(minimum), Math.floor(maximum)]
  const bounds = fc.constantFrom<Value>(minimum, maximum, least)
  const whole = fc.integer({ min: Math.max(least, -1e9), max: Math.min(Math.max(most, least), 1e9) })
  return type === "integer"
    ? fc.oneof(bounds, whole)
    : fc.oneof(
        bounds,
        whole,
        whole.map((number) => Math.min(number + 0.25, maximum))
      )
}

const maxDepth = 5

/** The values that a schema describes; a few of them break rules that no schema says. */
export const valueOf = (schemas: Schemas, schema: Schema, member = "", depth = 0): fc.Arbitrary<Value> => {
  const of = (inner: Schema, name = member) => valueOf(schemas, inner, name, depth + 1)
  if (schema.$ref !== undefined) {
    const target = schemas[schema.$ref.slice("#/components/schemas/".length)]
    return target === undefined ? fc.constant(null) : valueOf(schemas, target, member, depth)
  }
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) {
    if (depth >= maxDepth) {
      const simple = choices.find(({ type }) => type === "null") ?? choices[0] ?? {}
      return of(simple)
    }
    const examples = schema.examples ?? []
    return fc.oneof(
      ...(examples.length === 0 ? [] : [{ weight: 2, arbitrary: fc.constantFrom(...examples) }]),
      ...choices.map((choice) => ({ weight: choice.type === "null" ? 1 : 3, arbitrary: of(choice) }))
    )
  }
  if (schema.allOf !== undefined) {
    const parts = [...schema.allOf.map((part) => of(part)), ...(schema.properties ? [objectOf(schema, of, depth)] : [])]
    return fc.tuple(...parts).map((values) => {
      const objects = values.filter(isObject)
      return objects.length === 0 ? (values[0] ?? null) : Object.assign({}, ...objects)
    })
  }
  switch (schema.type) {
    case "string":
      return textsOf(schema, member)
    case "integer":
    case "number":
      return numbersOf(schema)
    case "boolean":
      return fc.boolean()
    case "null":
      return fc.constant(null)
    case "array": {
      const minLength = schema.minItems ?? 0
      const items = fc.array(of(schema.items ?? {}), {
        minLength,
        maxLength: Math.max(minLength, depth >= maxDepth ? minLength : Math.min(schema.maxItems ?? 4, 4))
      })
      const examples = (schema.examples ?? []).filter(Array.isArray)
      return examples.length === 0 ? items : fc.oneof(items, fc.constantFrom<Value>(...examples))
    }
    case "object":
      return objectOf(schema, of, depth)
    default:
      return fc.constantFrom<Value>("Anna", 1, null)
  }
}

const objectOf = (
  { properties = {}, required = [] }: Schema,
  of: (schema: Schema, name: string) => fc.Arbitrary<Value>,
  depth: number
): fc.Arbitrary<Value> => {
  const members = Object.entries(properties)
  // A few of the optional members, since all at once are seldom accepted.
  const chosen = fc.subarray(
    members.map(([name]) => name).filter((name) => !required.includes(name)),
    {
      maxLength: Math.min(
        depth >= maxDepth ? 1 : depth === 0 ? 5 : 2,
        members.filter(([name]) => !required.includes(name)).length
      )
    }
  )
  const cache = new Map<string, fc.Arbitrary<Value>>()
  const memberOf = (name: string, schema: Schema) => {
    const known = cache.get(name) ?? of(schema, name)
    cache.set(name, known)
    return known
  }
  return chosen.chain((optional) =>
    fc.record(
      Object.fromEntries(
        members.flatMap(([name, schema]) =>
          required.includes(name) || optional.includes(name) ? [[name, memberOf(name, schema)] as const] : []
        )
      )
    )
  )
}
