/** Resources by the id that a caller names. */
import { Effect } from "effect"
import * as Id from "../Id.ts"
import { NotFound } from "./Problem.ts"

/**
 * The resource that `find` has under the UUID of `id`. An id of another type, or no id at all, is as unknown as one that
 * nothing has (decisions §1).
 */
export const byId = <A, E, R>(
  prefix: Id.Prefix,
  id: string,
  find: (uuid: string) => Effect.Effect<A | undefined, E, R>
): Effect.Effect<A, E | NotFound, R> => {
  const notFound = () => Effect.fail(new NotFound({ detail: `There is no ${Id.nounOf(prefix)} with this id.` }))
  const uuid = Id.toUuid(prefix, id)
  return uuid === undefined
    ? notFound()
    : Effect.flatMap(find(uuid), (found) => (found === undefined ? notFound() : Effect.succeed(found)))
}
