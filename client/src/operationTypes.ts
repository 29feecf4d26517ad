/** The types of the client's methods, derived from the operations of the OpenAPI document. */
import type { components, operations } from "../schema.d.ts"

/** The id of an operation in the OpenAPI document, such as `contacts.create`. */
export type OperationId = keyof operations & string

/** The schemas of the OpenAPI document, such as `Schemas["Contact"]`. */
export type Schemas = components["schemas"]

/** The report of a dry run. */
export type DryRunReport = Schemas["DryRunReport"]

type Parameters<Id extends OperationId> = operations[Id]["parameters"]

type RequestBody<Id extends OperationId> = operations[Id] extends { readonly requestBody?: infer Body }
  ? NonNullable<Body> extends { readonly content: infer Content }
    ? Content extends { readonly "application/json": infer Json }
      ? Json
      : Content extends { readonly "application/x-www-form-urlencoded": infer Form }
        ? Form
        : FormData
    : never
  : never

type HasRequiredBody<Id extends OperationId> = operations[Id] extends { readonly requestBody: object } ? true : false

type Keys<Part> = Part extends object ? keyof Part : never

/** An optional member if all members of the part are optional, and none if there is no part. */
type Member<Name extends string, Part> = [NonNullable<Part>] extends [never]
  ? unknown
  : Record<string, never> extends NonNullable<Part>
    ? { readonly [Key in Name]?: NonNullable<Part> }
    : { readonly [Key in Name]: NonNullable<Part> }

/** The parameters of a query, each of which may also be given as undefined. */
type Loose<Part> = Part extends object ? { readonly [Key in keyof Part]: Part[Key] | undefined } : Part

type BodyMember<Id extends OperationId> = [RequestBody<Id>] extends [never]
  ? unknown
  : HasRequiredBody<Id> extends true
    ? { readonly body: RequestBody<Id> }
    : { readonly body?: RequestBody<Id> }

type HeaderMember<Id extends OperationId, Header extends string, Name extends string> =
  Header extends Keys<NonNullable<Parameters<Id>["header"]>> ? { readonly [Key in Name]?: string } : unknown

/** The options of every request. */
export interface RequestOptions {
  /** Aborts the request, and the waits between its attempts. */
  readonly signal?: AbortSignal
  /** Further headers, such as `X-Request-Id`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The argument of a method: the path's and the query's parameters, the body, and the headers that the operation takes. */
export type Input<Id extends OperationId> = Member<"path", Parameters<Id>["path"]> &
  Member<"query", Loose<NonNullable<Parameters<Id>["query"]>>> &
  BodyMember<Id> &
  HeaderMember<Id, "If-Match", "ifMatch"> &
  HeaderMember<Id, "Idempotency-Key", "idempotencyKey"> &
  RequestOptions

type Success = 200 | 201 | 202 | 206 | 207

type Responses<Id extends OperationId> = operations[Id]["responses"]

type JsonOf<Response> = Response extends { readonly content: { readonly "application/json": infer Json } }
  ? Json
  : never

type JsonResult<Id extends OperationId> = JsonOf<Responses<Id>[keyof Responses<Id> & Success]>

type Answered<Id extends OperationId> = [JsonResult<Id>] extends [never]
  ? Responses<Id> extends { readonly 200: { readonly content: object } }
    ? Response
    : void
  : JsonResult<Id>

/** The answer of an operation: its JSON body, nothing for 204, and the `Response` itself for the content of a file. */
export type Result<Id extends OperationId> = Answered<Id>

type Query<Id extends OperationId> = NonNullable<Parameters<Id>["query"]>

type WithParameter<Id extends OperationId, Name extends string> = Id extends OperationId
  ? Name extends Keys<Query<Id>>
    ? Id
    : never
  : never

/** The operations that page by `cursor`. */
export type ListId = WithParameter<OperationId, "cursor">

/** The operations that list changes since a moment. */
export type DeltaId = WithParameter<ListId, "updated_since">

/** The operations that page by a `cursor` in their body. */
export type SearchId = Extract<OperationId, `${string}.search`>

/** The operations with a dry run. */
export type DryRunId = {
  [Id in OperationId]: "Prefer" extends Keys<NonNullable<Parameters<Id>["header"]>> ? Id : never
}[OperationId]

type WithoutSecret<Answer> = Answer extends { readonly secret: string } ? Omit<Answer, "secret"> : Answer

/** The report of an operation's dry run. */
export type DryRunOf<Id extends DryRunId> = Omit<DryRunReport, "result"> & {
  /** What the write would have answered, but without secrets; null where it answers nothing. */
  readonly result: Result<Id> extends void ? null : WithoutSecret<Result<Id>>
}

/** A row of a list. */
export type Row<Id extends ListId | SearchId> = Result<Id> extends { readonly data: ReadonlyArray<infer A> } ? A : never

type WithoutKeys<Part, Names extends PropertyKey> = Part extends unknown ? Omit<Part, Names> : never

/** The argument of a walk through a list: that of the list without `cursor`. */
export type ListInput<Id extends ListId> = WithoutKeys<Input<Id>, "query"> & {
  readonly query?: Loose<Omit<Query<Id>, "cursor">>
}

/** The argument of a delta: that of the list without what the client sets. */
export type DeltaInput<Id extends DeltaId> = WithoutKeys<Input<Id>, "query"> & {
  readonly query?: Loose<Omit<Query<Id>, "cursor" | "updated_since" | "include_deleted">>
}

type IsOptional<Argument> = Record<string, never> extends Argument ? true : false

/** A parameter that may be left out if it has no required member. */
export type Argument<A> = IsOptional<A> extends true ? [input?: A] : [input: A]
