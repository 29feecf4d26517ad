/** Migrations where teams are in cells. */
import * as Migrations from "../../src/platform/db/Migrations.ts"
import * as Tenant from "../support/Tenant.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { CurrentCell } from "../../src/platform/db/Cells.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { folderOf } from "../platform/db/folder.ts"
import { TestDatabase, testUrl } from "../support/TestDatabase.ts"
import { SecureRandom } from "effect/crypto"

const migrate = (file: string) =>
  Effect.gen(function* () {
    const sql = yield* Database
    yield* Effect.provideService(sql`delete from schema_migrations`, CurrentCell, undefined)
    return yield* Migrations.run(yield* testUrl, yield* folderOf({ "0001_a.sql": file }))
  })

describe("Migrations", () => {
  it.live("that begin with the mark change the tables of each cell", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { teamId } = yield* Tenant.make()
      yield* migrate(
        "-- In each cell.\n\nalter table contacts add column shoe_size int default 42;\n\ncreate index on contacts (shoe_size);"
      )
      yield* sql`
        insert into contacts (id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, first_name)
        values (gen_random_uuid(), ${teamId}, 1, '1'::xid8, now(), now(), 'created', 'api', 'Nora')`
      assert.deepStrictEqual(yield* sql`select shoe_size from contacts`, [{ shoe_size: 42 }])
    }).pipe(Effect.scoped, Effect.provide([TestDatabase.layer, SecureRandom.layerWebCrypto]))
  )

  it.live("without the mark are refused when they change a table of teams, and change nothing", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const refused = yield* Effect.flip(migrate("alter table contacts add column shoe_size int"))
      assert.deepInclude(refused, { reason: "Cells", file: "0001_a.sql" })
      yield* migrate("alter table users add column shoe_size int")
      assert.lengthOf(yield* sql`select from information_schema.columns where column_name = 'shoe_size'`, 1)
    }).pipe(Effect.scoped, Effect.provide([TestDatabase.layer, SecureRandom.layerWebCrypto]))
  )
})
