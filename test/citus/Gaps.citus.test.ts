/** Deltas and the journal while writers are busy in cells on two servers: nothing is missed, because ids are those of the cell's server. */
import * as Transaction from "../../src/platform/db/Transaction.ts"
import * as Id from "../../src/core/Id.ts"
import * as Tenant from "../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Random, Ref } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Fragment } from "effect/sql/Statement"
import { setTimeout as sleep } from "node:timers/promises"
import { inTeam } from "../../src/platform/db/Cells.ts"
import { Database } from "../../src/platform/db/Database.ts"
import type { DeltaPage } from "../../src/core/usecase/Page.ts"
import { type Reply, TestService } from "../support/TestService.ts"

const writersPerTeam = 4
const changesPerWriter = 40
const readingsAfterwards = 60

type Team = Effect.Success<ReturnType<typeof Tenant.make>>

interface Written {
  readonly id: string
  readonly team: Team
}

const pause = (milliseconds: number) => Effect.promise(() => sleep(milliseconds))

/** Inserts contacts, each in a transaction of its own that stays open for a moment. `source` is where its id comes from. */
const writer = Effect.fnUntraced(function* ({ teamId }: Team, source: (sql: Database["Service"]) => Fragment) {
  const sql = yield* Database
  const random = yield* SecureRandom.SecureRandom
  const written: Array<string> = []
  for (let n = 0; n < changesPerWriter; n++) {
    const id = yield* random.uuidV7()
    const before = yield* Random.nextIntBetween(0, 3)
    const after = yield* Random.nextIntBetween(0, 25)
    yield* Effect.gen(function* () {
      yield* pause(before)
      const [begun] = yield* sql<{ readonly at: Date; readonly id: string }>`
        select changed_at as at, transaction_id::text as id from ${source(sql)} begin_change(${teamId}::uuid, null)`
      yield* sql`
        insert into contacts (
          id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, first_name
        ) values (
          ${id}, ${teamId}, 1, ${begun?.id ?? null}::xid8, ${begun?.at ?? null}, ${begun?.at ?? null}, 'created', 'api', 'Nora'
        )`
      yield* pause(after)
    }).pipe(Transaction.run, inTeam(teamId))
    written.push(Id.fromUuid("contact", id))
  }
  return written
})

/**
 * Reads the delta of a team again and again. When the writers have ended, it goes on until it has seen what they `wrote`, or has not for
 * some time: transactions of others may hold back the last changes for a moment.
 */
const reader = Effect.fnUntraced(function* (
  { teamId, token }: Team,
  wrote: Ref.Ref<ReadonlyArray<Written> | undefined>
) {
  const { request } = yield* TestService
  const seen = new Set<string>()
  let since: string | undefined
  for (let readings = 0; readings < readingsAfterwards;) {
    const written = yield* Ref.get(wrote)
    let cursor: string | null = null
    do {
      const query: ReadonlyArray<string> = [
        "page_size=5",
        ...(since === undefined ? [] : [`updated_since=${since}`]),
        ...(cursor === null ? [] : [`cursor=${cursor}`])
      ]
      const answer: Reply<DeltaPage<{ readonly id: string }>> = yield* request<DeltaPage<{ readonly id: string }>>(
        "GET",
        `/api/v1/network/contacts?${query.join("&")}`,
        { token }
      )
      assert.strictEqual(answer.status, 200, answer.text)
      const { data, page } = answer.body
      for (const { id } of data) seen.add(id)
      cursor = page.nextCursor
      since = page.nextSince ?? since
    } while (cursor !== null)
    if (written === undefined) continue
    if (written.every(({ id, team }) => team.teamId !== teamId || seen.has(id))) break
    readings++
    yield* pause(50)
  }
  return seen
})

/** How many contacts writers in two cells wrote, and how many of them the readers of the deltas never saw. */
const run = Effect.fnUntraced(function* (source: (sql: Database["Service"]) => Fragment) {
  const teams = [yield* Tenant.make(), yield* Tenant.make()]
  const wrote = yield* Ref.make<ReadonlyArray<Written> | undefined>(undefined)
  const [seen, written] = yield* Effect.all(
    [
      Effect.forEach(teams, (team) => reader(team, wrote), { concurrency: "unbounded" }),
      Effect.forEach(
        teams.flatMap((team) => Array.from({ length: writersPerTeam }, () => team)),
        (team) => Effect.map(writer(team, source), (ids) => ids.map((id) => ({ id, team }))),
        { concurrency: "unbounded" }
      ).pipe(Effect.tap((all) => Ref.set(wrote, all.flat())))
    ],
    { concurrency: "unbounded" }
  )
  const found = new Set(seen.flatMap((ids) => [...ids]))
  const all = written.flat().map(({ id }) => id)
  return { written: all.length, missed: all.filter((id) => !found.has(id)).length }
})

layer(TestService.layer, { excludeTestServices: true })("Deltas of teams in two cells", (it) => {
  it.effect("miss nothing while eight writers are busy", () =>
    Effect.gen(function* () {
      const { missed, written } = yield* run((sql) => sql`this_cell cross join lateral`)
      assert.strictEqual(written, 2 * writersPerTeam * changesPerWriter)
      assert.strictEqual(missed, 0)
    })
  )

  // Why `begin_change` runs where the rows are. On the coordinator, its ids say nothing about the transactions of a worker.
  it.effect("would miss changes whose ids are those of the coordinator", () =>
    Effect.gen(function* () {
      const { missed } = yield* run((sql) => sql``)
      assert.isAbove(missed, 0)
    })
  )
})
