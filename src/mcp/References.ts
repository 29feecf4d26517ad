/** How arguments name records: docs/behaviour/mcp.md#references. */
import * as Id from "../core/Id.ts"
import { Context, Data, Effect, Result, Schema, SchemaAST } from "effect"
import { HttpApiError } from "effect/http-api"
import type { CurrentActor } from "../core/auth/CurrentActor.ts"
import { check } from "../core/fields/Text.ts"
import { bodyFault, type Input } from "../core/usecase/Input.ts"
import { declare, type Fault, InvalidRequest, members, NotFound } from "../core/usecase/Problem.ts"
import type { Refusal } from "./Tool.ts"

/**
 * What arguments refer to, with the tool that finds its id. Records can be named by more than their id: by an external reference, an
 * e-mail address or a domain. As several can have these, `reader` shows a candidate.
 */
export const referenceTypes = {
  contact: { finder: "list_contacts", reader: "get_contact", selectors: ["ext", "email"] },
  company: { finder: "list_companies", reader: "get_company", selectors: ["ext", "domain"] },
  property: { finder: "list_properties", reader: "get_property", selectors: ["ext"] },
  project: { finder: "list_projects", reader: "get_project", selectors: ["ext"] },
  prospect: { finder: "list_prospects", reader: "get_prospect", selectors: ["ext"] },
  mandate: { finder: "list_mandates", reader: "get_mandate", selectors: ["ext"] },
  offer: { finder: "list_offers", reader: "get_offer", selectors: ["ext"] },
  task: { finder: "get_prospect", selectors: [] },
  room: { finder: "list_rooms", selectors: [] },
  question: { finder: "list_questions", selectors: [] },
  act: { finder: "list_activities", selectors: [] },
  user: { finder: "get_me", selectors: [] }
} as const satisfies {
  readonly [type in Id.Prefix]?:
    | { readonly finder: string; readonly reader: string; readonly selectors: ReadonlyArray<Selector["by"]> }
    | { readonly finder: string; readonly selectors: readonly [] }
}
export type ReferenceType = keyof typeof referenceTypes

/** What a reference says instead of an id: an external reference `NAMESPACE:ID`, an e-mail address or a domain. */
export interface Selector {
  readonly by: "ext" | "email" | "domain"
  readonly value: string
}

/** Lists at most `limit` records with a selector, by a use-case: their ids. */
export type Finder = (
  selector: Selector,
  limit: number
) => Effect.Effect<ReadonlyArray<{ readonly id: string }>, Refusal, CurrentActor>

/** What finders filter lists by. */
interface SelectorQuery {
  readonly page_size: number
  readonly external_ref?: string
  readonly email?: string
  readonly domain?: string
}

const filters = { ext: "external_ref", email: "email", domain: "domain" } as const

/** A finder by the list of a use-case, whose filters have REST's names. */
export const findingIn =
  (
    list: (request: {
      readonly query: Input<SelectorQuery>
    }) => Effect.Effect<{ readonly data: ReadonlyArray<{ readonly id: string }> }, Refusal, CurrentActor>
  ): Finder =>
  ({ by, value }, limit) =>
    Effect.map(list({ query: Effect.succeed({ page_size: limit, [filters[by]]: value }) }), ({ data }) => data)

/** 409: a reference means several records. Only tools answer it. */
export class AmbiguousReference extends HttpApiError.Problem<AmbiguousReference>()(
  "AmbiguousReference",
  declare("ambiguous_reference", 409, "The reference means several records."),
  {
    ...members("ambiguous_reference"),
    candidates: Schema.Array(Schema.Struct({ id: Schema.String }))
  }
) {}

// Enough to choose from; more would ask for a narrower reference anyway.
const maxCandidates = 5

// Each is looked up by itself.
const maxSelectors = 20

const forms: { readonly [By in Selector["by"]]: string } = {
  ext: "ext=NAMESPACE:ID",
  email: "email=ADDRESS",
  domain: "domain=NAME"
}

const formsOf = (types: ReadonlyArray<ReferenceType>): ReadonlyArray<string> => {
  const selectors = types.flatMap((type): ReadonlyArray<Selector["by"]> => referenceTypes[type].selectors)
  return [...new Set(selectors)].map((by) => forms[by])
}

/** A noun with its article. */
const a = (noun: string): string => `${/^[ao]/.test(noun) ? "an" : "a"} ${noun}`

/** What people call a record of a type. */
export const nounOf = (type: ReferenceType): string => (type === "act" ? "activity" : Id.nounOf(type))

const annotationKey = "mcp/reference"

/** An argument that refers to a record of one of these types; `what` says which one, where the name of the argument does not. */
export const referenceToAny = (types: ReadonlyArray<ReferenceType>, what?: string) =>
  Schema.String.annotate({
    description: [
      `${what === undefined ? "" : `${what}: `}${types.map(nounOf).join(" or ")} id`,
      ...formsOf(types)
    ].join(", "),
    [annotationKey]: types
  })

/** An argument that refers to a record of a type; `what` says which one, where the name of the argument does not. */
export const reference = (type: ReferenceType, what?: string) => referenceToAny([type], what)

// As many as a batch of REST has items.
const maxReferences = 100

/** An argument that refers to records of a type: up to a hundred, or up to `most`. */
export const references = (type: ReferenceType, most = maxReferences) =>
  Schema.Array(reference(type))
    .check(
      check("too_many", `Must have at most ${most} references.`, ({ length }: ReadonlyArray<string>) => length <= most)
    )
    .annotate({ description: `At most ${most}.` })

/** The types that the arguments of a tool refer to. */
export const referredTypes = (fields: Schema.Struct.Fields): ReadonlyArray<ReferenceType> => {
  const types = Object.values(fields).flatMap(({ ast }) => {
    const parts = [ast, ...(SchemaAST.isArrays(ast) ? ast.rest : SchemaAST.isUnion(ast) ? ast.types : [])]
    return parts.flatMap(
      (one) => (SchemaAST.resolve(one)?.[annotationKey] as ReadonlyArray<ReferenceType> | undefined) ?? []
    )
  })
  return [...new Set(types)]
}

const describe = ({ by, value }: Selector) =>
  by === "ext" ? "this external reference" : by === "email" ? `the e-mail address ${value}` : `the domain ${value}`

const fault = (argument: string, detail: string) =>
  InvalidRequest.of([bodyFault(`/${argument}`, "invalid_reference", detail)])

/** What a text means as a reference: a record of a type, or a selector of records of these types. */
export type Meant<Type extends ReferenceType = ReferenceType> =
  | { readonly type: Type; readonly id: string }
  | { readonly types: ReadonlyArray<Type>; readonly selector: Selector }

// Ids of other services, and of rows, have it too.
const idForm = new RegExp(
  `^(?:(?:${Id.prefixes.join("|")})_.*|[a-z]+_[0-9a-z]{26}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`,
  "is"
)

/**
 * What a text means as a reference to a record of one of these types. What has the form of an id and is none of them is the id of nothing,
 * as in REST.
 */
export const parse = <Type extends ReferenceType>(
  types: ReadonlyArray<Type>,
  argument: string,
  text: string
): Result.Result<Meant<Type>, InvalidRequest | NotFound> => {
  const ids = types.map((type) => `the id of ${a(nounOf(type))} (${type}_…)`)
  const must = `Must be ${[...ids, ...formsOf(types)].join(" or ")}.`
  const [, by = "", value = ""] = /^(id|ext|email|domain)=(.*)$/s.exec(text) ?? []
  if (by !== "" && by !== "id") {
    const having = types.filter((type) => (referenceTypes[type].selectors as ReadonlyArray<string>).includes(by))
    if (having.length === 0) return Result.fail(fault(argument, must))
    if (value.trim() === "" || (by === "ext" && !/^[^:]+:./s.test(value))) return Result.fail(fault(argument, must))
    return Result.succeed({ types: having, selector: { by: by as Selector["by"], value: value.trim() } })
  }
  const id = by === "id" ? value.trim() : text.trim()
  const type = types.find((one) => Id.toUuid(one, id) !== undefined)
  if (type !== undefined) return Result.succeed({ type, id })
  if (id === "" || (by === "" && !idForm.test(id))) return Result.fail(fault(argument, must))
  const other = Id.prefixOf(id)
  const what =
    other === undefined
      ? `There is no ${types.map(nounOf).join(" or ")} with this id.`
      : `This is the id of ${a(Id.nounOf(other))}.`
  return Result.fail(new NotFound({ detail: `${what} ${must}` }))
}

/** The faults of a reference in a list, whose other references may have faults as well; any other refusal stays. */
const faultsOf = (at: string, refusal: Refusal): Effect.Effect<ReadonlyArray<Fault>, Refusal> => {
  if (refusal instanceof InvalidRequest) return Effect.succeed(refusal.errors)
  const { detail } = refusal
  if (refusal instanceof NotFound) return Effect.succeed([bodyFault(`/${at}`, refusal.code, detail)])
  if (!(refusal instanceof AmbiguousReference)) return Effect.fail(refusal)
  const ids = refusal.candidates.map(({ id }) => id).join(", ")
  return Effect.succeed([bodyFault(`/${at}`, refusal.code, `${detail} They are ${ids}.`)])
}

/** References of a list that are all refused for the same reason: its code, and each with its place. */
class OneKindOfFault extends Data.Error<Refusal & { readonly errors: ReadonlyArray<Fault> }> {}

/** Finds the records that arguments refer to. */
export class References extends Context.Service<
  References,
  {
    /** The id of the one record that `text` means, in the argument of this name. An id is not looked up. */
    readonly resolve: (
      type: ReferenceType,
      argument: string,
      text: string
    ) => Effect.Effect<string, Refusal, CurrentActor>
    /** The same where the record may be of several types. */
    readonly resolveAny: <Type extends ReferenceType>(
      types: ReadonlyArray<Type>,
      argument: string,
      text: string
    ) => Effect.Effect<{ readonly type: Type; readonly id: string }, Refusal, CurrentActor>
    /**
     * The ids of the records that these texts mean, in their order; the faults of all of them at once. If all of these are of one kind,
     * such as records that do not exist, the refusal has their code.
     */
    readonly resolveAll: (
      type: ReferenceType,
      argument: string,
      texts: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>, Refusal, CurrentActor>
  }
>()("mcp/References") {
  /** With a finder for each type that has selectors. */
  static readonly make = (finders: { readonly [Type in ReferenceType]?: Finder }): References["Service"] => {
    const found = <Type extends ReferenceType>(type: Type, selector: Selector) => {
      const finder = finders[type]
      return finder === undefined
        ? Effect.die(new Error(`no finder for ${type}`))
        : Effect.map(finder(selector, maxCandidates), (records) => records.map(({ id }) => ({ type, id })))
    }
    const search = Effect.fn("References.search")(function* <Type extends ReferenceType>(
      meant: Extract<Meant<Type>, { readonly selector: Selector }>
    ) {
      const { selector } = meant
      const records = (yield* Effect.forEach(meant.types, (type) => found(type, selector))).flat()
      const [only, ...others] = records
      if (only === undefined) {
        const nouns = meant.types.map(nounOf).join(" or ")
        return yield* new NotFound({ detail: `There is no ${nouns} with ${describe(selector)}.` })
      }
      if (others.length === 0) return only
      return yield* new AmbiguousReference({
        detail: `Several records have ${describe(selector)}. Send the id of one of them.`,
        candidates: records.slice(0, maxCandidates).map(({ id }) => ({ id }))
      })
    })
    const resolveAny = <Type extends ReferenceType>(types: ReadonlyArray<Type>, argument: string, text: string) =>
      Effect.flatMap(
        Effect.fromResult(parse(types, argument, text)),
        (meant): Effect.Effect<{ readonly type: Type; readonly id: string }, Refusal, CurrentActor> =>
          "id" in meant ? Effect.succeed(meant) : search(meant)
      )
    const resolve: References["Service"]["resolve"] = (type, argument, text) =>
      Effect.map(resolveAny([type], argument, text), ({ id }) => id)
    const resolveAll = Effect.fn("References.resolveAll")(function* (
      type: ReferenceType,
      argument: string,
      texts: ReadonlyArray<string>
    ) {
      if (texts.filter((text) => /^(?:ext|email|domain)=/.test(text)).length > maxSelectors) {
        return yield* fault(argument, `Must have at most ${maxSelectors} references that are not ids.`)
      }
      const faults: Array<Fault> = []
      const ids: Array<string> = []
      for (const [index, text] of texts.entries()) {
        const at = `${argument}/${index}`
        const outcome = yield* Effect.result(resolve(type, at, text))
        if (Result.isSuccess(outcome)) ids.push(outcome.success)
        else faults.push(...(yield* faultsOf(at, outcome.failure)))
      }
      const [first] = faults
      if (first === undefined) return ids
      const isOne = first.code !== "invalid_reference" && faults.every(({ code }) => code === first.code)
      return yield* isOne
        ? new OneKindOfFault({ code: first.code, detail: first.detail, errors: faults })
        : InvalidRequest.of(faults)
    })
    return References.of({ resolve, resolveAll, resolveAny })
  }
}
