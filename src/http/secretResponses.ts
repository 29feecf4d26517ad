/** Finds the responses that show a secret, which no cache may store (RFC 9111 §5.2.2.5), and no dry run shows. */
import { SchemaAST } from "effect"
import { type HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { isSecret } from "../core/fields/SecretText.ts"

/** The response header that keeps a response out of every cache. */
export const noStore = { "cache-control": "no-store" } as const

const secretMembers = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap(secretMembers)
  return SchemaAST.isObjects(ast)
    ? ast.propertySignatures.filter(({ type }) => isSecret(type)).map(({ name }) => String(name))
    : []
}

/** The members of an endpoint's response bodies that the contract declares as `SecretText`. */
export const secretsOf = (endpoint: HttpApiEndpoint.Top): ReadonlySet<string> =>
  new Set(
    [...endpoint.success].flatMap((success) =>
      secretMembers((HttpApiSchema.isWithHeaders(success) ? success.schema : success).ast)
    )
  )

/** Whether a body shows one of these secrets. */
export const showsSecret = (body: unknown, secrets: ReadonlySet<string>): boolean => {
  for (const name of secrets) if (Object(body)[name] !== undefined) return true
  return false
}

/** A body without these secrets. */
export const withoutSecrets = (body: unknown, secrets: ReadonlySet<string>): unknown =>
  showsSecret(body, secrets)
    ? Object.fromEntries(Object.entries(Object(body)).filter(([name]) => !secrets.has(name)))
    : body
