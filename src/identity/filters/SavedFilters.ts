/** The use-cases of saved filters: each person has their own. */
import * as Id from "../../core/Id.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { bodyFault, type Json } from "../../core/usecase/Input.ts"
import { InvalidRequest, NotFound } from "../../core/usecase/Problem.ts"
import { now } from "../../platform/Time.ts"
import { maxPerPage, SavedFilterCreate } from "./SavedFilter.ts"
import { SavedFiltersRepo } from "./SavedFiltersRepo.ts"

const decodeCreate = UnvalidatedJson.decoder(SavedFilterCreate)

const tooMany = InvalidRequest.of([
  bodyFault("/name", "too_many", `A list has at most ${maxPerPage} saved filters. Delete one first.`)
])

const notFound = new NotFound({ detail: "There is no saved filter with this id." })

const make = Effect.gen(function* () {
  const repo = yield* SavedFiltersRepo
  const random = yield* SecureRandom.SecureRandom

  /** Keeps filters of a list under a name; those that had it are replaced. Returns where they are applied. */
  const save = Effect.fn("SavedFilters.save")(function* (userId: string, input: Json) {
    const filter = yield* decodeCreate(UnvalidatedJson.of(input))
    const saved = yield* repo.save({ ...filter, id: yield* random.uuidV7(), userId, at: yield* now }, maxPerPage)
    return saved ? filter : yield* tooMany
  })

  /** Deletes a filter of a person (UUIDs). Returns which list it was of. */
  const remove = Effect.fn("SavedFilters.remove")(function* (userId: string, id: string) {
    return (Id.isUuid(id) ? yield* repo.remove(userId, id) : undefined) ?? (yield* notFound)
  })

  return { save, remove }
})

/** Keeps filters of lists, for whoever is signed in. */
export class SavedFilters extends Context.Service<SavedFilters, Effect.Success<typeof make>>()(
  "identity/filters/SavedFilters"
) {
  static readonly layer = Layer.effect(SavedFilters, make).pipe(Layer.provide(SavedFiltersRepo.layer))
}
