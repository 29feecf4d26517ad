/** Valid calls of tools, for the tests that walk over all of them: one file for each `tools.ts`. */
import type { Effect, Layer } from "effect"
import type { Reply, RequestOptions, TestService } from "../../support/TestService.ts"

/** A team whose user may do everything: a broker and an investor. */
export interface World {
  readonly teamId: string
  readonly userId: string
  readonly token: string
  /** A request of the REST API as this user. */
  readonly rest: <Body = Record<string, unknown>>(
    method: string,
    path: string,
    options?: RequestOptions
  ) => Effect.Effect<Reply<Body>>
}

/** Makes what a valid call needs, by REST or by use-cases, and returns its arguments. Each call gets records of its own. */
export type Call = (
  world: World
) => Effect.Effect<{ readonly [argument: string]: unknown }, never, Layer.Success<typeof TestService.layer>>

/** Calls by the names of tools. */
export type Calls = { readonly [tool: string]: Call }
