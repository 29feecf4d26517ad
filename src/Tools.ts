/** The MCP surface: one line per module. */
import { Effect, Layer } from "effect"
import { References } from "./mcp/References.ts"
import { Toolbox } from "./mcp/Toolbox.ts"
import * as companies from "./network/companies/tools.ts"

const references = Layer.effect(
  References,
  Effect.map(Effect.all({ company: companies.finder }), (finders) => References.make(finders))
)

/** All tools. They need the use-cases. */
export const layer = Layer.effect(
  Toolbox,
  Effect.map(Effect.all([companies.tools]), (groups) => Toolbox.of({ tools: groups.flat() }))
).pipe(Layer.provide(references))
