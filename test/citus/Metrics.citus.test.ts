/** The metrics of the connections to cells. */
import * as Tenant from "../support/Tenant.ts"
import { registerDatabase } from "../../src/process/Metrics.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Metric } from "effect"
import { SecureRandom } from "effect/crypto"
import { CurrentCell, inTeam } from "../../src/platform/db/Cells.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const pools = Effect.map(Metric.snapshot, (metrics) =>
  metrics
    .filter(({ id }) => id === "property_network_database_pool_max_connections")
    .map(({ attributes }) => attributes?.["pool"] ?? "")
    .toSorted()
)

layer(Layer.merge(TestDatabase.layer, SecureRandom.layerWebCrypto))("The metrics of pools", (it) => {
  it.effect("include those of a cell from its first use until the process ends", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { teamId } = yield* Tenant.make()
      const registered = Effect.gen(function* () {
        yield* registerDatabase
        yield* inTeam(teamId)(sql`select from contacts where team_id = ${teamId}`)
        return yield* pools
      }).pipe(Effect.scoped)
      const found = yield* registered
      const [row] = yield* Effect.provideService(
        sql<{ cell: string }>`select cell from team_cells where team_id = ${teamId}`,
        CurrentCell,
        undefined
      )
      assert.includeMembers(found, ["main", "slow_reads", `${row?.cell}`, `${row?.cell}_slow_reads`])
      assert.deepStrictEqual(yield* pools, [])
    })
  )
})
