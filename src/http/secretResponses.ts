/** Finds the responses that show a secret, which no cache may store (RFC 9111 §5.2.2.5). */
import { SchemaAST } from "effect"
import { type HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { isSecret } from "../fields/SecretText.ts"

/** The response header that keeps a response out of every cache. */
export const noStore = { "cache-control": "no-store" } as const

const secretMembers = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap(secretMembers)
  return SchemaAST.isObjects(ast)
    ? ast.propertySignatures.filter(({ type }) => isSecret(type)).map(({ name }) => String(name))
    : []
}

/**
 * Tells whether the body of a response of `endpoint` shows a secret: one of its own members that the contract declares
 * as `SecretText`. `undefined` for an endpoint that declares none.
 */
export const secretDetector = (endpoint: HttpApiEndpoint.Top): ((body: object) => boolean) | undefined => {
  const names = [...endpoint.success].flatMap((success) =>
    secretMembers((HttpApiSchema.isWithHeaders(success) ? success.schema : success).ast)
  )
  return names.length === 0
    ? undefined
    : (body) => names.some((name) => (body as { readonly [member: string]: unknown })[name] !== undefined)
}
