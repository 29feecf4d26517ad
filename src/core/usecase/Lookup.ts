/** Loads resources by the id in a request. */
import { Effect } from "effect"
import * as Id from "../Id.ts"
import { NotFound } from "./Problem.ts"

/**
 * The resource that `find` returns for the UUID of `id`. A malformed id, or an id of another type, fails like an unknown one:
 * docs/behaviour/http.md#ids.
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
