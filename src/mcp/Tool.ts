/**
 * What a module's `tools.ts` declares: an adapter of its use-cases for agents, as its `http.ts` is for REST. A tool says its input, calls
 * a use-case, and says its output, which is shorter than REST's. All tools share the rest: previews, entity tags, idempotency keys, pages,
 * limits of size, errors and marks (docs/behaviour/mcp.md).
 *
 *     export const tools = Effect.gen(function* () {
 *       const companies = yield* Companies
 *       const references = yield* References
 *       return [
 *         Tool.list({
 *           name: "list_companies",
 *           …
 *           input: { tags: Schema.optionalKey(…) },
 *           items: "companies",
 *           item: companyLine,
 *           rows: (input, page) => companies.list(page.request({ tags: input.tags })),
 *           concise: lineOf,
 *           detailed: viewOf
 *         }),
 *         Tool.read({ … }),
 *         Tool.create({ … })
 *       ]
 *     })
 */
import * as UnvalidatedJson from "../core/usecase/UnvalidatedJson.ts"
import { DryRun, emptyOutcome, type Outcome } from "../core/mutation/ChangeRecord.ts"
import { Effect, Option, Predicate, Schema, SchemaAST } from "effect"
import type { CurrentActor } from "../core/auth/CurrentActor.ts"
import { bodyFault, type Input, type Json, unknownName } from "../core/usecase/Input.ts"
import { parseKey } from "../core/usecase/Idempotency.ts"
import type { Page } from "../core/usecase/Page.ts"
import { itemTags, type UseCaseRequest } from "../core/usecase/UseCaseRequest.ts"
import { InvalidRequest, Merged } from "../core/usecase/Problem.ts"
import { fitting, maxLength } from "./text.ts"
import { type ExternalRef, isRefText, parseQuery, refText } from "../core/externalRefs/ExternalRef.ts"
import { Name, Tags } from "../core/fields/Text.ts"

/** The groups of tools that `?toolsets=` chooses from. */
export const toolsets = [
  "identity",
  "network",
  "projects",
  "properties",
  "mandates",
  "offers",
  "activities",
  "rooms"
] as const
export type Toolset = (typeof toolsets)[number]

/** What a tool does to records: `update` and `delete` may overwrite or remove, the others never do. */
export type Kind = "read" | "create" | "update" | "delete"

/** Members by their names. */
type Fields = Schema.Struct.Fields
type Values<F extends Fields> = Schema.Struct<F>["Type"]

/** A refusal of a use-case: a problem with its code. */
export interface Refusal {
  readonly code: string
  readonly detail: string
}

interface Described<F extends Fields> {
  /** Frozen: agents and their instructions know tools by their names. */
  readonly name: string
  readonly title: string
  /** One to three sentences for an agent: what it does, when to use it instead of another tool, what it does not do. */
  readonly description: string
  readonly toolset: Toolset
  /** The arguments besides those that all tools of the kind have. Each has a description. */
  readonly input: F
  /** What to do about a refusal with a code, where this tool knows more than the toolbox. */
  readonly hints?: { readonly [code: string]: string }
  /** The names of arguments for members that the use-case names otherwise, by JSON Pointer without the first slash. */
  readonly renamed?: { readonly [member: string]: string }
}

/** An answer before it is marked and measured. */
export type Answer = { readonly [member: string]: Json }

/** A tool of any input and output. */
export interface Tool extends Described<Fields> {
  readonly kind: Kind
  readonly output: Schema.Top
  readonly call: (document: UnvalidatedJson.UnvalidatedJson) => Effect.Effect<Answer, Refusal, CurrentActor>
}

const Argument = (description: string) => Schema.String.annotate({ description })

const pageFields = {
  limit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })).annotate({ description: "Rows, 20 by default." })
  ),
  cursor: Schema.optionalKey(Argument("nextCursor of the previous page, with the same filters.")),
  format: Schema.optionalKey(Schema.Literals(["concise", "detailed"]).annotate({ description: "concise by default." }))
}

/** Reads a record by its id; if it was merged, the record that it was merged into, as REST redirects to. */
export const followingMerge =
  <A, E extends Refusal>(get: (id: string) => Effect.Effect<A, E, CurrentActor>) =>
  (id: string): Effect.Effect<A, E, CurrentActor> =>
    Effect.catchIf(
      get(id),
      (refusal: Refusal): refusal is Merged & E => refusal instanceof Merged,
      ({ mergedInto }) => get(mergedInto)
    )

const previewField = {
  preview: Schema.optionalKey(Schema.Boolean.annotate({ description: "Change nothing, show what would change." }))
}
const keyField = { idempotencyKey: Schema.optionalKey(Argument("Unique text that makes a repeat safe.")) }
const etagField = { etag: Schema.optionalKey(Argument("Write only if this is still the record's etag.")) }
const requiredEtagField = { etag: Argument("The record's etag, as you read it.") }

/** Where a call's request goes: parts of its path, query and body, as a REST request has them. */
interface RequestParts<Query extends object> {
  /** The ids of the records that the request is about. With the tool's name they are the scope of an idempotency key. */
  readonly about?: ReadonlyArray<string>
  readonly query?: Query
  readonly body?: Json
}

/** Makes the requests of use-cases for one call. */
export interface Given {
  readonly request: <Query extends object = Record<never, never>>(
    parts: RequestParts<Query>
  ) => UseCaseRequest<Present<Query>>
}

/** A value whose members may be left out instead of undefined. */
type Present<A> = { [Key in keyof A as undefined extends A[Key] ? never : Key]: A[Key] } & {
  [Key in keyof A as undefined extends A[Key] ? Key : never]?: Exclude<A[Key], undefined>
}

const withoutAbsent = <A extends object>(value: A): Present<A> =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Present<A>

/** Filters without the lists that are empty: REST cannot send one, and an agent means no filter by it. */
const withoutEmpty = <A extends object>(filters: A): A =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => !Array.isArray(value) || value.length > 0)) as A

interface Conditions {
  readonly etag?: string | undefined
  readonly idempotencyKey?: string | undefined
}

const givenOf = (name: string, { etag, idempotencyKey }: Conditions): Given => ({
  request: <Query extends object>({ about = [], body, query }: RequestParts<Query>) => ({
    operation: JSON.stringify(["tool", name, ...about]),
    query: Effect.succeed(query === undefined ? ({} as Present<Query>) : withoutAbsent(query)),
    body: Effect.succeed(UnvalidatedJson.of(body ?? {})),
    ifMatch: Effect.fromResult(itemTags(etag)).pipe(Effect.mapError((fault) => InvalidRequest.of([fault]))),
    idempotencyKey: parseKey(idempotencyKey)
  })
})

/** The names of arguments for which null means nothing: models send it for what they leave out. */
const withoutMeaningOfNull = (fields: Fields): ReadonlySet<string> =>
  new Set(
    Object.entries(fields).flatMap(([name, schema]) =>
      SchemaAST.isOptional(schema.ast) &&
      Option.isNone(Schema.decodeUnknownOption(schema as Schema.Codec<unknown>)(null))
        ? [name]
        : []
    )
  )

const withoutNulls = (value: Json, names: ReadonlySet<string>): Json =>
  Predicate.isObject(value) && Object.entries(value).some(([name, item]) => item === null && names.has(name))
    ? (Object.fromEntries(Object.entries(value).filter(([name, item]) => item !== null || !names.has(name))) as Json)
    : value

const decoding = <F extends Fields, A>(
  fields: F,
  use: (input: Values<F>) => Effect.Effect<A, Refusal, CurrentActor>
) => {
  // A struct without members would accept any value.
  const decode =
    Object.keys(fields).length === 0
      ? ({ value }: UnvalidatedJson.UnvalidatedJson): Input<object> => {
          const names = Object.keys(value ?? {})
          return names.length === 0
            ? Effect.succeed({})
            : Effect.fail(InvalidRequest.of(names.map((name) => unknownName("body", [name], []))))
        }
      : UnvalidatedJson.decoder(Schema.Struct(fields) as Schema.Top as Schema.Codec<Values<F>, Json>)
  const nothing = withoutMeaningOfNull(fields)
  return (document: UnvalidatedJson.UnvalidatedJson) =>
    Effect.flatMap(
      decode({ ...document, value: withoutNulls(document.value, nothing) }) as Input<Values<F>>,
      use
    ) as Effect.Effect<A, Refusal, CurrentActor>
}

/** A tool that reads one thing. */
export const read = <F extends Fields, O extends Fields>(
  definition: Described<F> & {
    readonly output: O
    readonly read: (input: Values<F>, given: Given) => Effect.Effect<Values<O>, Refusal, CurrentActor>
  }
): Tool => {
  const given = givenOf(definition.name, {})
  return {
    ...definition,
    kind: "read",
    output: Schema.Struct(definition.output),
    call: decoding(definition.input, (input) => definition.read(input, given)) as Tool["call"]
  }
}

/** Makes the request of a list's use-case for one page. */
export interface PageRequest {
  /** With these filters in the query. */
  readonly request: <Query extends object>(
    filters: Query
  ) => {
    readonly query: Input<Present<Query> & { readonly cursor?: string; readonly page_size: number }>
  }
  /** With this search in the body: words, and a tag that a record must have, or another filter. */
  readonly search: (wanted: {
    readonly query: string
    readonly tags?: ReadonlyArray<string> | undefined
    readonly filter?: { readonly [member: string]: Json } | undefined
  }) => Pick<UseCaseRequest, "query" | "body">
  /** With these members of the body of a search. */
  readonly body: (members: { readonly [member: string]: unknown }) => Pick<UseCaseRequest, "query" | "body">
}

/** The request of the search of one page. */
const searchOf = (
  { filter, query, tags = [] }: Parameters<PageRequest["search"]>[0],
  cursor: string | undefined,
  pageSize: number
): Pick<UseCaseRequest, "query" | "body"> => ({
  query:
    tags.length > 1
      ? Effect.fail(InvalidRequest.of([bodyFault("/tags", "too_many", "Send at most one tag with query.")]))
      : Effect.succeed({}),
  body: Effect.succeed(
    UnvalidatedJson.of({
      query,
      ...(filter === undefined ? {} : { filter }),
      ...(tags[0] === undefined ? {} : { filter: { ...filter, tags: { contains: tags[0] } } }),
      ...(cursor === undefined ? {} : { cursor }),
      page_size: pageSize
    })
  )
})

// What the marks and the other members of a page may take beside its rows.
const pageOverhead = 2_000

/** The output of a page: its rows under the name `items`. */
const pageOutput = (items: string, item: Schema.Top) =>
  Schema.Struct({
    [items]: Schema.Array(item),
    nextCursor: Schema.NullOr(Schema.String),
    endedEarly: Schema.optionalKey(Schema.Boolean)
  })

/** A page; some lists say whether they looked at all records. */
type PageOfRows<Row> = Page<Row> & { readonly isComplete?: boolean }

/** A tool that reads pages: `limit`, `cursor` and `format` are added to its input. */
export const list = <F extends Fields, I extends Fields, Row>(
  definition: Described<F> & {
    /** The name of the member that has the rows. */
    readonly items: string
    /** A row of the format `concise`. */
    readonly item: I
    readonly rows: (input: Values<F>, page: PageRequest) => Effect.Effect<PageOfRows<Row>, Refusal, CurrentActor>
    readonly concise: (row: Row) => Values<I>
    readonly detailed: (row: Row) => Values<I>
  }
): Tool => {
  const { items } = definition
  const input = { ...definition.input, ...pageFields }
  const call = Effect.fnUntraced(function* (given: Values<F & typeof pageFields>) {
    const { cursor, format, limit = 20, ...filters } = given as Values<typeof pageFields>
    const view = format === "detailed" ? definition.detailed : definition.concise
    const rowsOf = (pageSize: number) =>
      definition.rows(filters as Values<F>, {
        request: (query) => ({
          query: Effect.succeed({
            ...withoutAbsent(withoutEmpty(query)),
            ...(cursor === undefined ? {} : { cursor }),
            page_size: pageSize
          })
        }),
        search: (wanted) => searchOf(wanted, cursor, pageSize),
        body: (members) => ({
          query: Effect.succeed({}),
          body: Effect.succeed(UnvalidatedJson.of(withoutAbsent({ ...members, cursor, page_size: pageSize }) as Json))
        })
      })
    const page = yield* rowsOf(limit)
    const views = page.data.map(view) as ReadonlyArray<Json>
    const count = fitting(views, maxLength - pageOverhead)
    const completeness = page.isComplete === undefined ? {} : { isComplete: page.isComplete }
    if (count === views.length) return { [items]: views, nextCursor: page.page.nextCursor, ...completeness }
    // Only the list itself can make the cursor after a row in the middle of a page.
    const shorter = yield* rowsOf(count)
    return {
      [items]: shorter.data.map(view) as ReadonlyArray<Json>,
      nextCursor: shorter.page.nextCursor,
      endedEarly: true,
      ...completeness
    }
  })
  return {
    ...definition,
    input,
    kind: "read",
    output: pageOutput(items, Schema.Struct(definition.item)),
    call: decoding(input, call)
  }
}

/** What a preview says besides the answer that the write would give. */
const Preview = Schema.Struct({
  events: Schema.Array(Schema.String),
  affected: Schema.Array(Schema.Struct({ type: Schema.String, id: Schema.String, change: Schema.String })),
  affectedCount: Schema.Int,
  later: Schema.optionalKey(
    Schema.Array(Schema.Struct({ type: Schema.String, change: Schema.String, count: Schema.Int }))
  )
})

// A cascade can affect thousands of records; their number says enough.
const maxAffected = 50

const previewOf = ({ affected, events, later }: Outcome): typeof Preview.Type => ({
  events: [...new Set(events.map(({ event }) => event))],
  affected: affected.slice(0, maxAffected).map(({ change, id, type }) => ({ type, id, change })),
  affectedCount: affected.length,
  ...(later.length === 0 ? {} : { later })
})

interface Writing<F extends Fields, O extends Fields> extends Described<F> {
  /** What the write answers; a preview answers the same, with `preview`. */
  readonly output: O
  readonly write: (input: Values<F>, given: Given) => Effect.Effect<Values<O>, Refusal, CurrentActor>
}

const writing = <F extends Fields, O extends Fields>(kind: Kind, definition: Writing<F, O>, added: Fields): Tool => {
  const input = { ...definition.input, ...previewField, ...added }
  const call = Effect.fnUntraced(function* (all: Values<typeof previewField & typeof keyField & typeof etagField>) {
    const { etag, idempotencyKey, preview, ...own } = all
    const written = definition.write(own as Values<F>, givenOf(definition.name, { etag, idempotencyKey }))
    if (preview !== true) return yield* written
    const outcome = emptyOutcome()
    const answer = yield* Effect.provideService(written, DryRun, outcome)
    return { ...answer, preview: previewOf(outcome) }
  })
  return {
    ...definition,
    input,
    kind,
    output: Schema.Struct({ ...definition.output, preview: Schema.optionalKey(Preview) }),
    call: decoding(input, call) as Tool["call"]
  }
}

/** A tool that creates: `preview` and `idempotencyKey` are added to its input. */
export const create = <F extends Fields, O extends Fields>(definition: Writing<F, O>): Tool =>
  writing("create", definition, keyField)

/** A tool that changes one record: `preview` and `etag` are added to its input. With `needsEtag`, nobody calls it without `etag`. */
export const update = <F extends Fields, O extends Fields>(
  definition: Writing<F, O> & { readonly needsEtag?: true }
): Tool => writing("update", definition, definition.needsEtag === true ? requiredEtagField : etagField)

/** A tool that changes one record, and whose use-case compares no entity tag: only `preview` is added to its input. */
export const act = <F extends Fields, O extends Fields>(definition: Writing<F, O>): Tool =>
  writing("update", definition, {})

/** A tool that changes several records: `preview` and `idempotencyKey` are added to its input. */
export const updateMany = <F extends Fields, O extends Fields>(definition: Writing<F, O>): Tool =>
  writing("update", definition, keyField)

/** A tool that deletes one record: `preview` and `etag` are added to its input. */
export const remove = <F extends Fields, O extends Fields>(definition: Writing<F, O>): Tool =>
  writing("delete", definition, etagField)

// Arguments that tools of several modules have. Their schemas are those of REST; the descriptions are for agents, and shorter.

/** External references of a record that is written, each as text. */
export const externalRefs = Schema.optionalKey(
  Schema.Array(Schema.String.check(isRefText)).annotate({
    description: "NAMESPACE:ID in other systems: the whole list."
  })
)

/** The member `externalRefs` of a body, as REST has it, from the argument. */
export const refsOf = (refs: ReadonlyArray<string> | undefined) =>
  refs === undefined ? {} : { externalRefs: refs.map(parseQuery) }

/** External references in an answer: as the argument takes them. */
export const refTexts = (refs: ReadonlyArray<ExternalRef>): ReadonlyArray<string> => refs.map(refText)

/** The name of a record that is written. */
export const name = Name.annotate({ description: "Display name." })

/** Whether to write a contact or company that may be there already. */
export const force = Schema.optionalKey(Schema.Boolean.annotate({ description: "Write despite possible duplicates." }))

/** The tags of a record that is written. */
export const tags = Schema.optionalKey(Tags.annotate({ description: "Labels: the whole list." }))

/** The filter of a list by tags. */
export const tagsFilter = Schema.optionalKey(Tags.annotate({ description: "Only records with all of these labels." }))

/** The full-text search of a list. */
export const query = Schema.optionalKey(Schema.String.annotate({ description: "Words to find, in any order." }))

/** Members of a record: each with its schema, and what it is. */
type Kinds = { readonly [member: string]: readonly [schema: Schema.Top, description: string] }

/** The arguments for members of a record that is created: each may be omitted. */
export const members = <const K extends Kinds>(kinds: K): { readonly [M in keyof K]: Schema.optionalKey<K[M][0]> } =>
  Object.fromEntries(
    Object.entries(kinds).map(([name, [schema, description]]) => [
      name,
      Schema.optionalKey(schema.annotate({ description }))
    ])
  ) as { readonly [M in keyof K]: Schema.optionalKey<K[M][0]> }

/** The arguments for members of a record that is changed: each may be omitted, and null clears it. */
export const clearables = <const K extends Kinds>(
  kinds: K
): { readonly [M in keyof K]: Schema.optionalKey<Schema.NullOr<K[M][0]>> } =>
  Object.fromEntries(
    Object.entries(kinds).map(([name, [schema, description]]) => [
      name,
      Schema.optionalKey(Schema.NullOr(schema)).annotate({ description })
    ])
  ) as { readonly [M in keyof K]: Schema.optionalKey<Schema.NullOr<K[M][0]>> }
