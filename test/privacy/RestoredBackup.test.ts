/** A backup from before an erasure is erased again when it is restored: docs/behaviour/erasure.md#replay. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import * as Id from "../../src/core/Id.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { runToEnd } from "../support/Admin.ts"
import * as OwnPostgres from "../support/OwnPostgres.ts"
import { query } from "../support/query.ts"
import { isLong } from "../support/campaign.ts"
import { scratch } from "../support/scratch.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const newFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(scratch, "erasures-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

layer(Layer.merge(TestDatabase.layer, SecureRandom.layerWebCrypto), { excludeTestServices: true })("A backup", (it) => {
  it.effect.runIf(isLong)(
    "from before an erasure is erased by the list of a newer one, on another server with another file store",
    () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const { team, teamId } = yield* Tenant.make()
        const uuid = crypto.randomUUID()
        yield* sql`
          insert into contacts (id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, first_name, email)
          values (${uuid}, ${teamId}, 1, pg_current_xact_id(), now(), now(), 'created', 'api', 'Maria', 'maria@rossi.example')`
        const files = { FILE_STORE: yield* newFolder }
        const parent = yield* newFolder
        const [before, after] = [join(parent, "before"), join(parent, "after")]
        const done = Effect.fnUntraced(function* (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) {
          const { err, ok, out } = yield* runToEnd([...args, "--json"], env)
          assert.isTrue(ok, err)
          return JSON.parse(out.split("\n").at(-1) ?? "{}") as { readonly [member: string]: unknown }
        })
        yield* done(["backup", "create", before], files)
        yield* done(["privacy", "erase", Id.fromUuid("contact", uuid), "--team", team], files)
        yield* done(["backup", "create", after], files)
        const list = yield* Effect.promise(() => readFile(join(after, "erasures.list"), "utf8"))
        assert.include(list, uuid)
        assert.notMatch(list, /maria/i)

        const target = yield* OwnPostgres.start()
        const env = { DATABASE_URL: target.url, FILE_STORE: yield* newFolder }
        const found = Effect.promise(() =>
          query<{ readonly email: string | null; readonly change_type: string }>(
            target.url,
            `select email, change_type from contacts where id = '${uuid}'`
          )
        )
        const restored = yield* done(["backup", "restore", before, "--erasures", join(after, "erasures.list")], env)
        assert.deepStrictEqual(restored["erasedAgain"], { contacts: 1, accounts: 0 })
        assert.deepStrictEqual(yield* found, [{ email: null, change_type: "erased" }])
      })
  )
})
