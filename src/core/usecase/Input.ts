/**
 * Unvalidated input. Use-cases validate it themselves, after authorizing the caller and loading the resource, so that
 * refusals have the order of docs/behaviour/http.md#order-of-refusals. A refusal is of all faults of a request.
 */
import { Data, Effect, Predicate, Result, Schema, SchemaAST, type SchemaIssue } from "effect"
import { maxListed, mustBeOneOf, nearest, shortened } from "../fields/spelling.ts"
import type { FaultCode, FaultValues, ValueType } from "../fields/FaultCode.ts"
import { type Fault, InvalidRequest, maxFaults, withValues } from "./Problem.ts"

/** A value that is validated when a use-case runs the effect. */
export type Input<A> = Effect.Effect<A, InvalidRequest>

/** A JSON value. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

type Part = Fault["in"]

const pointerOf = (path: ReadonlyArray<PropertyKey>): string =>
  path.map((key) => `/${shortened(String(key)).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")

/** The fault of a member or parameter that the operation does not know. */
export const unknownName = (part: Part, path: ReadonlyArray<PropertyKey>, known: ReadonlyArray<string>): Fault => {
  const name = String(path.at(-1))
  const meant = nearest(name, known)
  const what = part === "query" ? "query parameter" : "member"
  const hint =
    meant !== undefined
      ? ` Did you mean "${meant}"?`
      : known.length > 0 && known.length <= maxListed
        ? ` Known names: ${known.join(", ")}.`
        : ""
  const code = part === "query" ? "unknown_parameter" : "unknown_member"
  const detail = `Unknown ${what} "${shortened(name)}".${hint}`
  return withValues({ in: part, pointer: pointerOf(path), code, detail }, { name: shortened(name) })
}

const codesByCheck: { readonly [check: string]: FaultCode } = {
  isMinLength: "too_few",
  isMaxLength: "too_many",
  isBetween: "out_of_range",
  isUnique: "not_unique",
  isPattern: "invalid_format"
}

const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> | undefined => {
  if (SchemaAST.isLiteral(ast)) return [String(ast.literal)]
  if (!SchemaAST.isUnion(ast)) return undefined
  const all = ast.types.filter((type) => !SchemaAST.isNull(type)).map(literalsOf)
  return all.length > 0 && all.every((literals) => literals !== undefined) ? (all.flat() as Array<string>) : undefined
}

const typesByTag: { readonly [tag: string]: ValueType | undefined } = {
  String: "string",
  Number: "number",
  Boolean: "boolean",
  Null: "null",
  Arrays: "array",
  Objects: "object"
}

const typeNames: { readonly [type in ValueType]: string } = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  null: "null",
  array: "an array",
  object: "an object"
}

/** The types that a value may have, as far as they have names. */
const typesOf = (ast: SchemaAST.AST): ReadonlyArray<ValueType | undefined> =>
  SchemaAST.isUnion(ast) ? [...new Set(ast.types.flatMap(typesOf))] : [typesByTag[ast._tag]]

const valueAt = (root: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
  path.reduce<unknown>(
    (value, key) => (Predicate.isObjectOrArray(value) && Object.hasOwn(value, key) ? value[key as never] : undefined),
    root
  )

const wrongType = (
  part: Part,
  path: ReadonlyArray<PropertyKey>,
  types: ReadonlyArray<ValueType | undefined>
): Fault => {
  const expected = types.map((type) => (type === undefined ? "another value" : typeNames[type])).join(" or ")
  return withValues(
    { in: part, pointer: pointerOf(path), code: "wrong_type", detail: `Must be ${expected}.` },
    { types: types.filter((type) => type !== undefined) }
  )
}

const faultOfValue = (part: Part, path: ReadonlyArray<PropertyKey>, ast: SchemaAST.AST, root: unknown): Fault => {
  const literals = literalsOf(ast)
  return literals !== undefined
    ? withValues(
        { in: part, pointer: pointerOf(path), code: "not_allowed", detail: mustBeOneOf(valueAt(root, path), literals) },
        { allowed: literals }
      )
    : wrongType(part, path, typesOf(ast))
}

const knownNames = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures.map((property) => String(property.name)) : []

/**
 * The issue of an object where only one kind of object is allowed, beside null. Effect reports none if a literal of the object is wrong
 * or missing, because it takes literals for the names of alternatives.
 */
const onlyObject = (ast: SchemaAST.AST, value: unknown): SchemaIssue.Issue | undefined => {
  if (!SchemaAST.isUnion(ast) || !Predicate.isObject(value) || Array.isArray(value)) return undefined
  const [only, ...others] = ast.types.filter((type) => !SchemaAST.isNull(type))
  if (only === undefined || others.length > 0) return undefined
  const decoded = Schema.decodeUnknownResult(Schema.make<Schema.Codec<unknown>>(only), {
    errors: "all",
    onExcessProperty: "error"
  })(value)
  return Result.isFailure(decoded) ? decoded.failure.issue : undefined
}

/** Collects faults: makes those that a refusal lists, and counts the others, of which there may be thousands. */
export const collector = () => {
  const faults: Array<Fault> = []
  let more = 0
  return {
    add: (make: () => Fault): void => {
      if (faults.length < maxFaults) faults.push(make())
      else more++
    },
    addAll: (refusal: InvalidRequest): void => {
      faults.push(...refusal.errors)
      more += refusal.moreErrors ?? 0
    },
    isEmpty: (): boolean => faults.length === 0,
    refusal: (): InvalidRequest => InvalidRequest.of(faults, more)
  }
}

type Found = ReturnType<typeof collector>

/** What a check of `core/fields/` says of what it refuses. */
interface Broken {
  readonly code?: FaultCode
  readonly values?: FaultValues
}

/** Collects the leaves of a schema's issue with the value `root` as faults. */
const collect = (
  found: Found,
  part: Part,
  root: unknown,
  issue: SchemaIssue.Issue,
  path: ReadonlyArray<PropertyKey> = [],
  parent?: SchemaAST.AST
): void => {
  switch (issue._tag) {
    case "Pointer":
      return collect(found, part, root, issue.issue, [...path, ...issue.path], parent)
    case "Composite":
      return issue.issues.forEach((inner) => collect(found, part, root, inner, path, issue.ast))
    case "Encoding":
      return collect(found, part, root, issue.issue, path, parent)
    case "AnyOf": {
      if (issue.issues.length > 0) {
        return issue.issues.forEach((inner) => collect(found, part, root, inner, path, issue.ast))
      }
      const only = onlyObject(issue.ast, valueAt(root, path))
      return only === undefined
        ? found.add(() => faultOfValue(part, path, issue.ast, root))
        : collect(found, part, root, only, path, issue.ast)
    }
    case "Filter": {
      const inner = issue.issue
      if (inner._tag === "Pointer" || inner._tag === "Composite") return collect(found, part, root, inner, path, parent)
      return found.add(() => {
        const given = inner._tag === "InvalidValue" ? inner.annotations : undefined
        const id = issue.filter.annotations?.representation?.id.split("/").at(-1) ?? ""
        const { code = codesByCheck[id] ?? "invalid", values = {} } = (given ?? {}) as Broken
        const expected =
          given?.message ??
          issue.filter.annotations?.message ??
          (issue.filter.annotations?.expected === undefined
            ? "Is not valid."
            : `Must be ${issue.filter.annotations.expected}.`)
        return withValues({ in: part, pointer: pointerOf(path), code, detail: String(expected) }, values)
      })
    }
    case "UnexpectedKey":
      return found.add(() => unknownName(part, path, parent === undefined ? [] : knownNames(parent)))
    case "MissingKey":
      return found.add(() => ({ in: part, pointer: pointerOf(path), code: "required", detail: "Is required." }))
    case "InvalidType":
      return found.add(() => faultOfValue(part, path, issue.ast, root))
    case "OneOf":
      return found.add(() => ({
        in: part,
        pointer: pointerOf(path),
        code: "ambiguous",
        detail: "Must match exactly one form."
      }))
    case "InvalidValue":
      return found.add(() => {
        const { code = "invalid", values = {} } = (issue.annotations ?? {}) as Broken
        const detail = issue.annotations?.message ?? "Is not valid."
        return withValues({ in: part, pointer: pointerOf(path), code, detail }, values)
      })
    case "Forbidden":
      return found.add(() => ({
        in: part,
        pointer: pointerOf(path),
        code: "forbidden",
        detail: "Is not allowed here."
      }))
  }
}

/**
 * A validator for a schema, which also rejects unknown members. The refusal has all faults, or only the first one if it is not
 * `exhaustive`.
 */
export const decode = <A, I>(schema: Schema.Codec<A, I>, part: Part = "body") => {
  const decodeAll = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  const decodeFirst = Schema.decodeUnknownResult(schema, { errors: "first", onExcessProperty: "error" })
  return (value: unknown, exhaustive = true): Result.Result<A, InvalidRequest> =>
    Result.mapError((exhaustive ? decodeAll : decodeFirst)(value), (error) => {
      const found = collector()
      collect(found, part, value, error.issue)
      return found.refusal()
    })
}

/** The value, or a refusal with all faults. */
export const orReject = <A>(result: Result.Result<A, ReadonlyArray<Fault>>): Input<A> =>
  Result.isSuccess(result) ? Effect.succeed(result.success) : Effect.fail(InvalidRequest.of(result.failure))

type Values<Inputs extends ReadonlyArray<Input<unknown>>> = {
  -readonly [K in keyof Inputs]: Inputs[K] extends Input<infer A> ? A : never
}

/** The values of all inputs, or one refusal with the faults of all of them. */
export const all = <const Inputs extends ReadonlyArray<Input<unknown>>>(...inputs: Inputs): Input<Values<Inputs>> =>
  Effect.flatMap(
    Effect.forEach(inputs, (input) => Effect.result(input)),
    (results): Input<Values<Inputs>> => {
      const found = collector()
      for (const result of results) if (Result.isFailure(result)) found.addAll(result.failure)
      return found.isEmpty()
        ? Effect.succeed(
            results.map((result) => (Result.isSuccess(result) ? result.success : undefined)) as Values<Inputs>
          )
        : Effect.fail(found.refusal())
    }
  )

/** A fault of one member of the body. */
export const bodyFault = (pointer: string, code: FaultCode, detail: string): Fault => ({
  in: "body",
  pointer,
  code,
  detail
})

// Forms (`application/x-www-form-urlencoded`), which are parsed here because effect's parser hides repeated parameters, which must be
// rejected.

/** The parameters of a form that have a value. */
export type Form = ReadonlyMap<string, string>

/** Why a form cannot be read: a sentence for people. */
export class FormRefused extends Data.TaggedError("FormRefused")<{ readonly detail: string }> {}

/** Whether a Content-Type is that of a form in UTF-8. */
export const isForm = (contentType: string | undefined): boolean => {
  const [type = "", ...parameters] = (contentType ?? "").split(";").map((part) => part.trim().toLowerCase())
  return (
    type === "application/x-www-form-urlencoded" &&
    parameters.every((parameter) => !parameter.startsWith("charset=") || /^charset="?utf-?8"?$/.test(parameter))
  )
}

const maxParameters = 100

/** Decodes a name or value of a form; undefined if it is not encoded UTF-8. */
export const decodePart = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part.replaceAll("+", " "))
  } catch {
    return undefined
  }
}

/** Parses a form. Parameters without a value count as omitted, but must not be repeated either (RFC 6749 §3.2). */
export const parseForm = (text: string): Result.Result<Form, FormRefused> => {
  const seen = new Set<string>()
  const form = new Map<string, string>()
  for (const pair of text.split("&")) {
    if (pair === "") continue
    const equals = pair.indexOf("=")
    const name = decodePart(equals === -1 ? pair : pair.slice(0, equals))
    const value = decodePart(equals === -1 ? "" : pair.slice(equals + 1))
    if (name === undefined || value === undefined) {
      return Result.fail(new FormRefused({ detail: "The form is not correctly encoded." }))
    }
    if (seen.size === maxParameters) {
      return Result.fail(new FormRefused({ detail: `The form must not have more than ${maxParameters} parameters.` }))
    }
    if (seen.has(name)) return Result.fail(new FormRefused({ detail: "A parameter is repeated." }))
    seen.add(name)
    if (value !== "") form.set(name, value)
  }
  return Result.succeed(form)
}
