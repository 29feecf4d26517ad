/**
 * The members of a property, each said once: what a request may have, what an answer has, how a write changes what is stored, and how
 * it is kept and searched. The schemas, columns, searches and merge patches of properties are made of these.
 */
import { Predicate, Record, Schema } from "effect"
import { CalendarDate } from "../../../core/fields/Timestamp.ts"
import { Degrees, roundDegrees } from "../../../core/fields/Place.ts"
import {
  Area,
  AreaInput,
  areaOf,
  Decimal,
  Money,
  Percent,
  Share,
  SignedMoney,
  Years
} from "../../../core/fields/Measure.ts"
import { check, Name, OpenEnum } from "../../../core/fields/Text.ts"
import type { Members as SearchMembers } from "../../../core/records/SearchTable.ts"
import type { MemberKinds } from "../../../core/records/Table.ts"

/** How a member is kept in a column of its own. */
export type Kind = MemberKinds[string]

/** How a member is searched. */
interface Searched {
  readonly kind: SearchMembers[string]
  /** The member of a value that is compared, such as the number of an area. */
  readonly part?: string
  /** What follows the name of the member in a search, if the value itself is found by that name. */
  readonly suffix?: string
}

/** A member. */
export interface Member<
  Input extends Schema.Top = Schema.Top,
  Answer extends Schema.Top = Schema.Top,
  K extends Kind = Kind
> {
  readonly kind: K
  readonly input: Input
  readonly answer: Answer
  /** What is stored after a write of `sent` to a member that holds `stored`. */
  readonly write: (sent: unknown, stored: unknown) => unknown
  /** By what it is found; empty for what is not searched. */
  readonly searched: ReadonlyArray<Searched>
  /** The members of an object, which patches write one by one. */
  readonly members?: Members
}

/** Members by their names. */
export type Members = { readonly [name: string]: Member }

/** The schemas of members in a request, all optional. */
export type InputsOf<M extends Members> = { readonly [Name in keyof M]: Schema.optionalKey<M[Name]["input"]> }

/** The schemas of members in an answer. */
export type AnswersOf<M extends Members> = { readonly [Name in keyof M]: M[Name]["answer"] }

/** {@link InputsOf} */
export const inputsOf = <M extends Members>(members: M): InputsOf<M> =>
  Record.map(members, ({ input }) => Schema.optionalKey(input)) as never

/** {@link AnswersOf} */
export const answersOf = <M extends Members>(members: M): AnswersOf<M> =>
  Record.map(members, ({ answer }) => answer) as never

/** What a member means, and an example of it. */
type Meaning<Example> = readonly [description: string, example: Example]

const asSent = (sent: unknown) => sent

const nullable = <S extends Schema.Top>(schema: S, [description, example]: Meaning<unknown>): Schema.NullOr<S> =>
  Schema.NullOr(schema).annotate({ description, examples: [example] as never }) as never

const alike = <S extends Schema.Top, K extends Kind>(
  kind: K,
  schema: S,
  meaning: Meaning<unknown>,
  ...searched: ReadonlyArray<Searched>
): Member<Schema.NullOr<S>, Schema.NullOr<S>, K> => {
  const both = nullable(schema, meaning)
  return { kind, input: both, answer: both, write: asSent, searched }
}

/** A text of this schema, of at most 200 characters unless another one is given. */
export const text = (description: string, example: string, schema: Schema.String = Name) =>
  alike("text", schema, [description, example], { kind: "text" })

/** A code, such as that of a country. */
export const code = (schema: Schema.String, description: string, example: string) =>
  alike("code", schema, [description, example], { kind: "code" })

/** A date. */
export const date = (description: string, example: string) =>
  alike("code", CalendarDate, [description, example], { kind: "code" })

/** True or false. */
export const flag = (description: string, example: boolean) =>
  alike("boolean", Schema.Boolean, [description, example], { kind: "boolean" })

/** A whole number within these bounds. */
export const whole = (
  description: string,
  { example, maximum, minimum = 0 }: { readonly example: number; readonly minimum?: number; readonly maximum: number }
) =>
  alike(
    "integer",
    Schema.Int.check(
      check(
        "out_of_range",
        `Must be a whole number from ${minimum} to ${maximum}.`,
        (value: number) => value >= minimum && value <= maximum,
        { minimum, maximum }
      )
    ),
    [description, example],
    { kind: "number" }
  )

/** A decimal of at most four places within these bounds. */
export const decimal = (
  description: string,
  { example, maximum, minimum = 0 }: { readonly example: number; readonly minimum?: number; readonly maximum: number }
) => alike("json", Decimal({ minimum, maximum }), [description, example], { kind: "number" })

/** Degrees between this limit and its negative, which are kept with seven decimals. */
export const degrees = (description: string, example: number, limit: 90 | 180) => ({
  ...alike("json", Degrees(limit, "out_of_range"), [description, example], { kind: "number" }),
  // What was kept with more decimals stays as it is when it is sent back.
  write: (sent: unknown, stored: unknown) => (typeof sent === "number" && sent !== stored ? roundDegrees(sent) : sent)
})

const byValue: Searched = { kind: "number", part: "value" }

const byCurrency: Searched = { kind: "code", part: "currency", suffix: ".currency" }

/** An area. */
export const area = (
  description: string,
  example: number
): Member<Schema.NullOr<typeof AreaInput>, Schema.NullOr<typeof Area>, "json"> => ({
  kind: "json",
  input: nullable(AreaInput, [description, { value: example, unit: "sqm" }]),
  answer: nullable(Area, [description, { value: example, unit: "sqm" }]),
  write: (sent) => (sent === null ? null : areaOf(sent as AreaInput)),
  searched: [byValue]
})

/** An amount of money. */
export const money = (description: string, example: number) =>
  alike("json", Money, [description, { value: example, currency: "EUR" }], byValue, byCurrency)

/** An amount of money, which may be a loss. */
export const signedMoney = (description: string, example: number) =>
  alike("json", SignedMoney, [description, { value: example, currency: "EUR" }], byValue, byCurrency)

/** A part of a whole, in percent. */
export const share = (description: string, example: number) =>
  alike("json", Share, [description, { value: example, unit: "percent" }], byValue)

/** A percentage. */
export const percent = (description: string, example: number) =>
  alike("json", Percent, [description, { value: example, unit: "percent" }], byValue)

/** A duration in years. */
export const years = (description: string, example: number) =>
  alike("json", Years, [description, { value: example, unit: "years" }], byValue)

type Values = readonly [string, ...Array<string>]

/** One value of a vocabulary. */
export const oneOf = <const V extends Values>(
  values: V,
  description: string
): Member<Schema.NullOr<Schema.Literals<V>>, Schema.NullOr<ReturnType<typeof OpenEnum>>, "code"> => ({
  kind: "code",
  input: nullable(Schema.Literals(values), [description, values[0]]),
  answer: nullable(OpenEnum(values, description), [
    `${description} Known values: ${values.map((value) => `\`${value}\``).join(", ")}. Later versions may add more.`,
    values[0]
  ]),
  write: asSent,
  searched: [{ kind: "code" }]
})

/** Any values of a vocabulary, each once. */
export const anyOf = <const V extends Values>(
  values: V,
  description: string
): Member<Schema.NullOr<Schema.$Array<Schema.Literals<V>>>, Schema.$Array<ReturnType<typeof OpenEnum>>, "tags"> => ({
  kind: "tags",
  input: nullable(Schema.Array(Schema.Literals(values)), [
    `${description} The whole list; each value counts once.`,
    [values[0]]
  ]),
  answer: Schema.Array(OpenEnum(values, "One of them.")).annotate({ description, examples: [[values[0]]] }),
  write: (sent) => [...new Set((sent ?? []) as ReadonlyArray<string>)],
  searched: [{ kind: "tags" }]
})

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)

const emptyOf = ({ kind }: Member) => (kind === "tags" || kind === "list" ? [] : null)

/** The members of an object after a write of those that were sent; the others stay. */
export const writeMembers = (
  members: Members,
  sent: object,
  stored: object | null
): Readonly<Record<string, unknown>> =>
  Record.map(members, (member, name) => {
    const before: unknown = stored?.[name as never] ?? emptyOf(member)
    return Object.hasOwn(sent, name) ? member.write(sent[name as never], before) : before
  })

/** An object whose members are patched one by one; without any value, it is null. */
export const object = <M extends Members>(
  name: string,
  description: string,
  members: M
): Member<Schema.NullOr<Schema.Struct<InputsOf<M>>>, Schema.NullOr<Schema.Struct<AnswersOf<M>>>, "json"> => ({
  kind: "json",
  input: Schema.NullOr(
    Schema.Struct(inputsOf(members)).annotate({
      identifier: `${name}Input`,
      description: `${description} Members are patched one by one.`
    })
  ).annotate({ description }) as never,
  answer: Schema.NullOr(Schema.Struct(answersOf(members)).annotate({ identifier: name, description })).annotate({
    description: `${description} Null if none of its members has a value.`
  }) as never,
  write: (sent, stored) => {
    if (!Predicate.isObject(sent)) return null
    const written = writeMembers(members, sent, stored as object | null)
    return Object.values(written).every(isEmpty) ? null : written
  },
  searched: [],
  members
})

/** A list of at most `maximum` objects, which a write replaces as a whole. */
export const list = <M extends Members>(
  name: string,
  [description, itemDescription]: readonly [description: string, itemDescription: string],
  maximum: number,
  members: M
): Member<
  Schema.NullOr<Schema.$Array<Schema.Struct<InputsOf<M>>>>,
  Schema.$Array<Schema.Struct<AnswersOf<M>>>,
  "list"
> => ({
  kind: "list",
  input: Schema.NullOr(
    Schema.Array(
      Schema.Struct(inputsOf(members)).annotate({ identifier: `${name}Input`, description: itemDescription })
    ).check(
      check(
        "too_many",
        `Must have at most ${maximum} items.`,
        (items: ReadonlyArray<unknown>) => items.length <= maximum,
        {
          maxItems: maximum
        }
      )
    )
  ).annotate({ description: `${description} The whole list, at most ${maximum}.` }) as never,
  answer: Schema.Array(
    Schema.Struct(answersOf(members)).annotate({ identifier: name, description: itemDescription })
  ).annotate({ description }) as never,
  write: (sent) => ((sent ?? []) as ReadonlyArray<object>).map((item) => writeMembers(members, item, null)),
  searched: []
})

// What a search compares inside of members.

/** What a search compares, and where it is. */
interface Found {
  readonly kind: SearchMembers[string]
  /** The stored member, then the path of the value inside of it. */
  readonly path: ReadonlyArray<string>
}

/** By the names in a search. */
type FoundMembers = { readonly [name: string]: Found }

const entriesOf = (members: Members, above: ReadonlyArray<string>): ReadonlyArray<readonly [string, Found]> =>
  Object.entries(members).flatMap(([name, { members: inner, searched }]) => {
    const path = [...above, name]
    if (inner !== undefined) return entriesOf(inner, path)
    return searched
      .filter(({ kind }) => kind !== "tags" || above.length === 0)
      .map(({ kind, part, suffix = "" }): readonly [string, Found] => [
        path.join(".") + suffix,
        { kind, path: part === undefined ? path : [...path, part] }
      ])
  })

/** What a search compares: scalars at every depth, by their path with dots, and the vocabularies at the top. */
export const foundIn = (members: Members): FoundMembers => Object.fromEntries(entriesOf(members, []))

/** How each is compared. */
export const kindsOf = (found: FoundMembers): SearchMembers =>
  Object.fromEntries(Object.entries(found).map(([name, { kind }]) => [name, kind]))
