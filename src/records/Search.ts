/** The search of one kind of record: every page of it is one statement. */
import { Effect } from "effect"
import { authorize } from "../auth/CurrentActor.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import * as UnvalidatedJson from "../usecase/UnvalidatedJson.ts"
import { all } from "../usecase/Input.ts"
import { Cursors, defaultPageSize, type Position, read } from "../usecase/Page.ts"
import type { Stored } from "./Table.ts"
import * as SearchBody from "./SearchBody.ts"
import { type Members, type Search, searchOf } from "./SearchRules.ts"
import type { Found } from "./SearchTable.ts"

/** What finds records. */
export interface SearchRepo<Resource> {
  /** The living records after a place that a search finds, at most `limit`, in its order. */
  readonly search: (
    teamId: string,
    search: Search,
    position: Position | undefined,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Found<Stored<Resource>>>>
}

/** The use-case. It needs the `broker` capability. */
export const make = Effect.fnUntraced(function* <Resource>(kind: {
  /** The plural, as lists and spans are called. */
  readonly plural: string
  readonly members: Members
  readonly repo: SearchRepo<Resource>
}) {
  const { members, plural, repo } = kind
  const cursors = yield* Cursors
  const decode = UnvalidatedJson.decoder(SearchBody.make(members, `${plural}Search`, {}))

  /** A page of what a search finds. */
  return Effect.fn(`${plural}.search`)(function* (request: Pick<UseCaseRequest, "body" | "query">) {
    const actor = yield* authorize("broker")
    const document = yield* request.body
    const [, sent] = yield* all(request.query, decode(document))
    const search = searchOf(members, sent)
    return yield* read({
      cursors,
      binding: { list: `${plural}.search`, teamId: actor.teamId, filters: { ...search } },
      cursor: sent.cursor,
      pageSize: sent.page_size ?? defaultPageSize,
      fetch: (position, limit) => repo.search(actor.teamId, search, position, limit),
      positionOf: ({ position }) => position,
      toItem: ({ stored }) => stored.resource
    })
  })
})
