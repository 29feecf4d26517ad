/** The body of a search, made of the members that can be searched by. */
import { Schema, SchemaIssue } from "effect"
import { check, Text } from "../fields/Text.ts"
import { TimestampInput } from "../fields/Timestamp.ts"
import { nearest } from "../usecase/Input.ts"
import { Cursor, defaultPageSize } from "../usecase/Page.ts"
import * as Id from "../Id.ts"
import { type Body, type Kind, kindOf, type Members, type Operator, operators, prefixOf } from "./SearchRules.ts"

const maxQueryLength = 200
const maxWords = 10
const maxValues = 100
const maxConditions = 20
const maxSorts = 10

const atMost = (most: number, what: string) =>
  check("too_many", `Must have at most ${most} ${what}.`, (values: ReadonlyArray<unknown>) => values.length <= most, {
    maxItems: most
  })

const notEmpty = check("too_few", "Must not be empty.", (values: ReadonlyArray<unknown>) => values.length > 0, {
  minItems: 1
})

const Query = Text(maxQueryLength)
  .check(
    check("too_many", `Must have at most ${maxWords} words.`, (text: string) => text.split(/\s+/).length <= maxWords)
  )
  .annotate({ description: "Words that are all there, in any order.", examples: ["muller berlin"] })

const idOf = (prefix: Id.Prefix) =>
  Schema.String.check(
    check("invalid_id", `Must be the id of a ${prefix}.`, (value: string) => Id.toUuid(prefix, value) !== undefined)
  ).annotate({ examples: [`${prefix}_01kb3n7x2ferwt5z8q4j6m9d0c`] })

// As long as the longest member that is not free text.
const Value = Text(2048)

const meanings: { readonly [Name in Operator]: string } = {
  eq: "Is this.",
  in: `Is one of these, at most ${maxValues}.`,
  contains: "Has this in it.",
  prefix: "Begins with this.",
  gt: "Comes after this.",
  gte: "Is this or comes after it.",
  lt: "Comes before this.",
  lte: "Is this or comes before it.",
  exists: "Whether it is anything but null."
}

const tagMeanings: typeof meanings = {
  ...meanings,
  eq: "Has this tag.",
  in: `Has one of these tags, at most ${maxValues}.`,
  contains: "Has this tag.",
  exists: "Whether there are any tags."
}

const filterBy = (kind: Kind, value: Schema.Codec<string>, name: string) => {
  const names: ReadonlyArray<Operator> = operators[kind]
  const described = kind === "tags" ? tagMeanings : meanings
  const valueOf = (operator: Operator): Schema.Codec<unknown> =>
    operator === "exists"
      ? Schema.Boolean
      : operator === "in"
        ? Schema.Array(value).check(notEmpty, atMost(maxValues, "values"))
        : value
  return Schema.Struct(
    Object.fromEntries(
      names.map((operator) => [
        operator,
        Schema.optionalKey(valueOf(operator).annotate({ description: described[operator] }))
      ])
    )
  )
    .check(
      check(
        "too_few",
        `Must have an operator: ${names.join(", ")}.`,
        (conditions: object) => Object.keys(conditions).length > 0,
        { minProperties: 1 }
      )
    )
    .annotate({ identifier: `${name}Filter`, description: "Conditions that are all true." })
}

const textFilter = filterBy("text", Value, "Text")
const timeFilter = filterBy("time", TimestampInput, "Timestamp")
const tagsFilter = filterBy("tags", Value, "Tags")
const etagFilter = filterBy("etag", Value.annotate({ examples: ['"v1"'] }), "Etag")

// Two members of one type, such as an id and a reference, have one filter, which the document has once.
const idFilters = new Map<Id.Prefix, ReturnType<typeof filterBy>>()

const idFilter = (prefix: Id.Prefix) => {
  const name = `${prefix.slice(0, 1).toUpperCase()}${prefix.slice(1)}Id`
  const filter = idFilters.get(prefix) ?? filterBy("id", idOf(prefix), name)
  idFilters.set(prefix, filter)
  return filter
}

const filterOf = (member: Members[string]) => {
  switch (kindOf(member)) {
    case "id":
      return idFilter(prefixOf(member))
    case "time":
      return timeFilter
    case "tags":
      return tagsFilter
    case "etag":
      return etagFilter
    default:
      return textFilter
  }
}

const fieldOf = (names: ReadonlyArray<string>) =>
  Schema.String.check(
    Schema.makeFilter<string>(
      (name) => {
        if (names.includes(name)) return undefined
        const meant = nearest(name, names)
        return new SchemaIssue.InvalidValue({
          code: "unknown_field",
          message:
            meant === undefined
              ? `Must be one of: ${names.join(", ")}.`
              : `There is no such field to sort by. Did you mean "${meant}"?`
        })
      },
      { toJsonSchema: () => ({ enum: [...names] }) }
    )
  ).annotate({ examples: [names[0] ?? ""] })

const countOf = (filter: object) =>
  Object.values(filter).reduce((sum: number, conditions) => sum + Object.keys(conditions as object).length, 0)

/** A search as it is sent. */
export interface Sent extends Body {
  readonly cursor?: string
  readonly page_size?: number
}

/** The body of a search by these members. */
export const make = (members: Members, identifier: string, example: Sent): Schema.Codec<Sent> => {
  const fields = Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, Schema.optionalKey(filterOf(member))])
  )
  const sortable = Object.keys(members).filter((name) => members[name] !== "tags")
  const schema = Schema.Struct({
    query: Schema.optionalKey(Query),
    filter: Schema.optionalKey(
      Schema.Struct(fields)
        .check(
          check(
            "too_many",
            `Must have at most ${maxConditions} conditions.`,
            (filter: object) => countOf(filter) <= maxConditions
          )
        )
        .annotate({ description: "What is true of all that is found." })
    ),
    sort: Schema.optionalKey(
      Schema.Array(
        Schema.Struct({
          field: fieldOf(sortable),
          direction: Schema.optionalKey(
            Schema.Literals(["asc", "desc"]).annotate({ description: "`asc` unless told.", examples: ["asc"] })
          )
        })
      )
        .check(
          atMost(maxSorts, "fields"),
          check(
            "not_unique",
            "Must have each field once.",
            (sort: ReadonlyArray<{ readonly field: string }>) =>
              new Set(sort.map(({ field }) => field)).size === sort.length
          )
        )
        .annotate({ description: "The order; by `createdUtc` unless told." })
    ),
    cursor: Schema.optionalKey(
      Cursor.annotate({
        description: "The `nextCursor` of the page before, with the same query, filter and sort. Opaque."
      })
    ),
    page_size: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 500 })).annotate({
        description: "Rows per page.",
        default: defaultPageSize,
        examples: [defaultPageSize]
      })
    )
  }).annotate({ identifier, description: "A search; without members, for everything.", examples: [example as never] })
  const codec: unknown = schema
  return codec as Schema.Codec<Sent>
}
