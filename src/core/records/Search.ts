/**
 * The search of one kind of record (docs/behaviour/network.md#search): the schema of its body, made from the members of the kind, and its
 * pages.
 */
import * as Id from "../Id.ts"
import * as UnvalidatedJson from "../usecase/UnvalidatedJson.ts"
import { makeSlowReads } from "../usecase/TeamBudget.ts"
import { Effect, Schema, SchemaIssue } from "effect"
import { isNamespacePrefix, isRefText } from "../externalRefs/ExternalRef.ts"
import { check, isBlank, Text } from "../fields/Text.ts"
import { TimestampInput } from "../fields/Timestamp.ts"
import { nearest } from "../fields/spelling.ts"
import { Cursor, Cursors, defaultPageSize, type Position, read } from "../usecase/Page.ts"
import {
  type Body,
  foldsToNothing,
  type Found,
  type Kind,
  kindOf,
  type Members,
  narrowing,
  type Operator,
  operators,
  prefixOf,
  type Search,
  searchOf
} from "./SearchTable.ts"
import { authorize, type Need } from "../auth/CurrentActor.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import { all } from "../usecase/Input.ts"
import type { Stored } from "./Table.ts"

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

// A longer text is too long, and takes long to fold.
const compared = (max: number) =>
  check(
    "blank",
    "Must have something to compare besides marks.",
    (text: string) => text.length > 2 * max || isBlank(text) || !foldsToNothing(text)
  )

const Query = Text(maxQueryLength)
  .check(
    compared(maxQueryLength),
    check(
      "too_many",
      `Must have at most ${maxWords} words.`,
      // A longer one is too long, and would take long to split.
      (text: string) => text.length > 2 * maxQueryLength || text.split(/\s+/).length <= maxWords
    )
  )
  .annotate({ description: "Words that a record contains, all of them, in any order.", examples: ["muller berlin"] })

const idOf = (prefix: Id.Prefix) =>
  Schema.String.check(
    check("invalid_id", `Must be the id of a ${prefix}.`, (value: string) => Id.toUuid(prefix, value) !== undefined)
  ).annotate({ examples: [`${prefix}_01kb3n7x2ferwt5z8q4j6m9d0c`] })

// The length of the longest member that is not free text.
const maxValueLength = 2048

const Value = Text(maxValueLength)

const TextValue = Value.check(compared(maxValueLength))

const descriptions: { readonly [Name in Operator]: string } = {
  eq: "Equal to this.",
  in: `Equal to one of these values, at most ${maxValues}.`,
  contains: "Contains this.",
  prefix: "Begins with this.",
  gt: "Greater than this.",
  gte: "Greater than or equal to this.",
  lt: "Less than this.",
  lte: "Less than or equal to this.",
  exists: "Whether it is not null."
}

const tagDescriptions: typeof descriptions = {
  ...descriptions,
  eq: "Has this tag.",
  in: `Has one of these tags, at most ${maxValues}.`,
  contains: "Has this tag.",
  exists: "Whether it has any tags."
}

const refDescriptions: typeof descriptions = {
  ...descriptions,
  eq: "Has this external reference, `NAMESPACE:ID`.",
  in: `Has one of these external references, at most ${maxValues}.`,
  prefix: "Has an external reference of this namespace, `NAMESPACE:`.",
  exists: "Whether it has any external references."
}

const filterBy = (kind: Kind, value: Schema.Codec<unknown>, name: string, prefix = value) => {
  const names: ReadonlyArray<Operator> = operators[kind]
  const described = kind === "tags" ? tagDescriptions : kind === "refs" ? refDescriptions : descriptions
  const valueOf = (operator: Operator): Schema.Codec<unknown> =>
    operator === "exists"
      ? Schema.Boolean
      : operator === "in"
        ? Schema.Array(value).check(notEmpty, atMost(maxValues, "values"))
        : operator === "prefix"
          ? prefix
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
    .annotate({ identifier: `${name}Filter`, description: "Conditions, all of which must be true." })
}

const textFilter = filterBy("text", TextValue, "Text")
const timeFilter = filterBy("time", TimestampInput, "Timestamp")
const tagsFilter = filterBy("tags", Value, "Tags")
const refsFilter = filterBy(
  "refs",
  Value.check(isRefText).annotate({ examples: ["hubspot:8812"] }),
  "ExternalRefs",
  Value.check(isNamespacePrefix).annotate({ examples: ["hubspot:"] })
)
const numberFilter = filterBy("number", Schema.Finite.annotate({ examples: [1998] }), "Number")
const booleanFilter = filterBy("boolean", Schema.Boolean.annotate({ examples: [true] }), "Boolean")
const etagFilter = filterBy("etag", Value.annotate({ examples: ['"v1"'] }), "Etag")

// Members with ids of one type share a filter, so that the OpenAPI document has it once.
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
    case "number":
      return numberFilter
    case "boolean":
      return booleanFilter
    case "tags":
      return tagsFilter
    case "refs":
      return refsFilter
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
              : `Is not a field to sort by. Did you mean "${meant}"?`
        })
      },
      { toJsonSchema: () => ({ enum: [...names] }) }
    )
  ).annotate({ examples: [names[0] ?? ""] })

const countOf = (filter: object) =>
  Object.values(filter).reduce((sum: number, conditions) => sum + Object.keys(conditions as object).length, 0)

/** The body of a search, decoded. */
export interface Sent extends Body {
  readonly cursor?: string
  readonly page_size?: number
}

/** Makes the schema of a search by these members. */
export const makeSearchBody = (members: Members, identifier: string, example: Sent): Schema.Codec<Sent> => {
  const fields = Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, Schema.optionalKey(filterOf(member))])
  )
  const sortable = Object.keys(members).filter((name) => members[name] !== "tags" && members[name] !== "refs")
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
        .annotate({ description: "Conditions, all of which must be true." })
    ),
    sort: Schema.optionalKey(
      Schema.Array(
        Schema.Struct({
          field: fieldOf(sortable),
          direction: Schema.optionalKey(
            Schema.Literals(["asc", "desc"]).annotate({ description: "Defaults to `asc`.", examples: ["asc"] })
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
        .annotate({ description: "The order; defaults to `createdUtc`." })
    ),
    cursor: Schema.optionalKey(
      Cursor.annotate({
        description: "The `nextCursor` of the previous page, with the same query, filter and sort. Opaque."
      })
    ),
    page_size: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 500 })).annotate({
        // No `default`: generators of types take a member with a default for a required one.
        description: `Rows per page; ${defaultPageSize} if it is left out.`,
        examples: [defaultPageSize]
      })
    )
  }).annotate({
    identifier,
    description: "A search. Without members, it finds everything.",
    examples: [example as never]
  })
  const codec: unknown = schema
  return codec as Schema.Codec<Sent>
}

// The search of one kind of record (docs/behaviour/network.md#search). A page takes one statement.

/** The repository of a kind that can be searched. */
interface SearchRepo<Resource> {
  /** At most `limit` living records that a search finds after a position, in its order. */
  readonly search: (
    teamId: string,
    search: Search,
    position: Position | undefined,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Found<Stored<Resource>>>>
}

/** Makes the use-case. */
export const make = Effect.fnUntraced(function* <Resource>(kind: {
  /** What the use-case requires of its caller. */
  readonly needs: Need
  /** The plural, as spans and cursors name it. */
  readonly plural: string
  readonly members: Members
  readonly repo: SearchRepo<Resource>
}) {
  const { members, needs, plural, repo } = kind
  const cursors = yield* Cursors
  const slowReads = yield* makeSlowReads
  const decode = UnvalidatedJson.decoder(makeSearchBody(members, `${plural}Search`, {}))

  /** A page of the records that a search finds. */
  return Effect.fn(`${plural}.search`)(function* (request: Pick<UseCaseRequest, "body" | "query">) {
    const actor = yield* authorize(needs)
    const document = yield* request.body
    const [, sent] = yield* all(request.query, decode(document))
    const search = searchOf(members, sent)
    return yield* read({
      cursors,
      binding: { list: `${plural}.search`, teamId: actor.teamId, filters: { ...search } },
      cursor: sent.cursor,
      pageSize: sent.page_size ?? defaultPageSize,
      fetch: (position, limit) =>
        slowReads(actor.teamId, narrowing(search, limit), repo.search(actor.teamId, search, position, limit)),
      positionOf: ({ position }) => position,
      toItem: ({ stored }) => stored.resource
    })
  })
})
