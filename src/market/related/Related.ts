/** The names of the contacts, companies and projects that properties and mandates name by their ids, for pages. */
import { Context, Effect, Layer } from "effect"
import { authorize } from "../../core/auth/CurrentActor.ts"
import * as Id from "../../core/Id.ts"
import { RelatedRepo } from "./RelatedRepo.ts"

const make = Effect.gen(function* () {
  const repo = yield* RelatedRepo

  /** The names of records by their ids, in one statement; none for who may not read the network and the deals of the team. */
  const names = Effect.fn("Related.names")(function* (ids: ReadonlyArray<string>) {
    const { broker, membership, teamId } = yield* authorize("none")
    const uuids = ids.flatMap(
      (id) => Id.toUuid("contact", id) ?? Id.toUuid("company", id) ?? Id.toUuid("project", id) ?? []
    )
    if (uuids.length === 0 || broker !== "active" || membership !== "active") return new Map<string, string>()
    const found = yield* repo.named(teamId, uuids)
    return new Map(
      found.flatMap(({ id, name, type }) => (name === null ? [] : [[Id.fromUuid(type, id), name] as const]))
    )
  })

  return { names }
})

/** Names what properties and mandates are related to. */
export class Related extends Context.Service<Related, Effect.Success<typeof make>>()("market/related/Related") {
  static readonly layer = Layer.effect(Related, make).pipe(Layer.provide(RelatedRepo.layer))
}
