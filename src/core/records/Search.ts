/** The search of one kind of record (docs/behaviour/network.md#search). A page takes one statement. */
import { Effect } from "effect"
import { authorize, type Need } from "../auth/CurrentActor.ts"
import * as SlowReads from "../usecase/SlowReads.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import * as UnvalidatedJson from "../usecase/UnvalidatedJson.ts"
import { all } from "../usecase/Input.ts"
import { Cursors, defaultPageSize, type Position, read } from "../usecase/Page.ts"
import type { Stored } from "./Table.ts"
import * as SearchBody from "./SearchBody.ts"
import { type Members, narrowing, type Search, searchOf } from "./SearchRules.ts"
import type { Found } from "./SearchTable.ts"

/** The repository of a kind that can be searched. */
export interface SearchRepo<Resource> {
  /** At most `limit` living records that a search finds after a position, in its order. */
  readonly search: (
    teamId: string,
    search: Search,
    position: Position | undefined,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Found<Stored<Resource>>>>
}

/** Makes the use-case. */
export const make = Effect.fnUntraced(function* <Resource>(kind: {
  /** What the use-case requires of its caller. */
  readonly needs: Need
  /** The plural, as spans and cursors name it. */
  readonly plural: string
  readonly members: Members
  readonly repo: SearchRepo<Resource>
}) {
  const { members, needs, plural, repo } = kind
  const cursors = yield* Cursors
  const slowReads = yield* SlowReads.make
  const decode = UnvalidatedJson.decoder(SearchBody.make(members, `${plural}Search`, {}))

  /** A page of the records that a search finds. */
  return Effect.fn(`${plural}.search`)(function* (request: Pick<UseCaseRequest, "body" | "query">) {
    const actor = yield* authorize(needs)
    const document = yield* request.body
    const [, sent] = yield* all(request.query, decode(document))
    const search = searchOf(members, sent)
    return yield* read({
      cursors,
      binding: { list: `${plural}.search`, teamId: actor.teamId, filters: { ...search } },
      cursor: sent.cursor,
      pageSize: sent.page_size ?? defaultPageSize,
      fetch: (position, limit) =>
        slowReads(actor.teamId, narrowing(search, limit), repo.search(actor.teamId, search, position, limit)),
      positionOf: ({ position }) => position,
      toItem: ({ stored }) => stored.resource
    })
  })
})
