/** Marks members that authenticate their bearer: tokens and signing keys. */
import { Schema, SchemaAST } from "effect"

const annotation = "property-network/secret"

/** A secret. A REST response that shows one is sent with `Cache-Control: no-store` (http/RestResponse.ts). */
export const SecretText = Schema.String.annotate({ [annotation]: true })

/** Whether a schema is {@link SecretText}, with or without annotations. */
export const isSecret = (ast: SchemaAST.AST): boolean => SchemaAST.resolve(ast)?.[annotation] === true
