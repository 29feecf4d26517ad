/** Puts the members of JSON into the order that its schema documents: `jsonb` keeps them by length. */
import { Predicate, type Schema, SchemaAST } from "effect"

type Ordering = (value: unknown) => unknown

const asItIs: Ordering = (value) => value

const orderingOf = (ast: SchemaAST.AST): Ordering => {
  if (SchemaAST.isUnion(ast)) {
    // Only one of the alternatives has members: the others are null, or texts.
    return ast.types.map(orderingOf).find((ordering) => ordering !== asItIs) ?? asItIs
  }
  if (SchemaAST.isArrays(ast)) {
    const ordering = ast.rest.map(orderingOf)[0] ?? asItIs
    return ordering === asItIs ? asItIs : (value) => (Array.isArray(value) ? value.map(ordering) : value)
  }
  if (!SchemaAST.isObjects(ast) || ast.propertySignatures.length === 0) return asItIs
  const members = ast.propertySignatures.map(({ name, type }) => [String(name), orderingOf(type)] as const)
  return (value) => {
    if (!Predicate.isReadonlyObject(value) || Array.isArray(value)) return value
    const present: { readonly [name: string]: unknown } = { ...value }
    const ordered: Record<string, unknown> = {}
    for (const [name, ordering] of members) if (name in present) ordered[name] = ordering(present[name])
    // A later release may have stored more.
    return Object.keys(ordered).length === Object.keys(present).length ? ordered : { ...ordered, ...present }
  }
}

/** Makes the function that orders a value as its schema does, at every depth. */
export const answerOrder = (schema: Schema.Top): Ordering => orderingOf(schema.ast)
