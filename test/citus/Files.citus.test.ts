/** Files of offers, which belong to brokers, while the offers belong to investors in another cell. */
import * as Id from "../../src/core/Id.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { CurrentCell, inTeam } from "../../src/platform/db/Cells.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { FilesRepo } from "../../src/content/files/FilesRepo.ts"
import { deal } from "../deals/offers/OffersClient.ts"
import { TestService } from "../support/TestService.ts"

layer(TestService.layer, { excludeTestServices: true })("The purge of files", (it) => {
  it.effect("keeps those of offers in other cells, and removes those of offers that are gone", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* FilesRepo
      const { buyer, offerId, seller } = yield* deal()
      const cells = yield* sql<{ readonly cell: string }>`
        select distinct cell from team_cells where team_id = any(${[buyer.teamId, seller.teamId]}::uuid[])`
      assert.lengthOf(cells, 2)
      const add = Effect.fnUntraced(function* (offer: string) {
        const id = yield* random.uuidV7()
        yield* inTeam(seller.teamId)(sql`
          insert into files (
            id, team_id, version, created_at, updated_at, change_type, change_origin, subject_type, subject_id, name,
            content_type, size, sha256, content
          ) values (
            ${id}, ${seller.teamId}, 1, now(), now(), 'created', 'api', 'offer', ${offer}, 'plan.pdf', 'application/pdf', 1,
            ''::bytea, ${yield* random.uuidV7()}
          )`)
        return id
      })
      const kept = yield* add(Id.toUuid("offer", offerId) ?? "")
      const lost = yield* add(yield* random.uuidV7())
      yield* Effect.provideService(repo.purge(new Date(0), 1000), CurrentCell, undefined)
      const left = yield* inTeam(seller.teamId)(
        sql<{ readonly id: string }>`select id from files where id = any(${[kept, lost]}::uuid[])`
      )
      assert.deepStrictEqual(left, [{ id: kept }])
    })
  )
})
