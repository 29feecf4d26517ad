/** The cost of a page of a timeline, by the query plans of Postgres. */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  type Action,
  partitionsOf,
  type ProspectTimelineQuery,
  type RollUps,
  type Subject
} from "../../../src/core/mutation/Timeline.ts"
import { Timelines } from "../../../src/core/mutation/Timelines.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { Cursors, type Page } from "../../../src/core/usecase/Page.ts"
import { type SentStatement, statementsSentBy } from "../../support/Statements.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { secretKeys } from "../../support/TestService.ts"

const services = Timelines.layer.pipe(
  Layer.provideMerge(Cursors.layer(secretKeys)),
  Layer.provideMerge(Layer.merge(TestDatabase.layer, SecureRandom.layerWebCrypto))
)

const rows = 6_000

/**
 * Makes a timeline of 6,000 rows among as many others, the older the greater `age` is. Of a hundred rows ninety are
 * hidden notes, four are shown ones, five are audit rows and one is of a chat. What `rollUp` says they are rows of has
 * them on its own timeline, too.
 */
const fill = Effect.fnUntraced(function* (teamId: string, id: string, rollUp: "" | "prospect" = "", age = 0) {
  const sql = yield* Database
  yield* sql`
    with made as (
      insert into actions (id, team_id, type, occurred_at, origin, details)
      select gen_random_uuid(), ${teamId}::uuid, 'note', now() - (${age}::int + n) * interval '1 minute', 'api',
        '{"kind":"note"}'
      from generate_series(1, ${2 * rows}::int) n
      returning id, occurred_at
    ), counted as (
      select *, row_number() over (order by occurred_at desc) as n from made
    ), owned as (
      insert into action_subjects (subject_type, subject_id, action_id, team_id, occurred_at)
      select ${rollUp}::text, gen_random_uuid(), id, ${teamId}::uuid, occurred_at from made where ${rollUp !== ""}
    )
    insert into action_subjects (subject_type, subject_id, action_id, team_id, occurred_at, partition)
    select 'contact', case when n % 2 = 0 then ${id}::uuid else gen_random_uuid() end, id, ${teamId}::uuid,
      occurred_at,
      ${rollUp === "" ? "" : `${rollUp}:`}::text || case
        when n / 2 % 100 < 30 then 'note_archived'
        when n / 2 % 100 < 60 then 'note_superseded'
        when n / 2 % 100 < 90 then 'note_archived_superseded'
        when n / 2 % 100 < 94 then 'note'
        when n / 2 % 100 < 99 then 'audit'
        else 'chat'
      end
    from counted`
})

/** A timeline with as many rows rolled up on it as its own, and another one. */
const longTimelines = Effect.gen(function* () {
  const sql = yield* Database
  const random = yield* SecureRandom.SecureRandom
  const [teamId, id, other] = [yield* random.uuidV7(), yield* random.uuidV7(), yield* random.uuidV7()]
  yield* fill(teamId, id)
  yield* fill(teamId, id, "prospect", rows)
  yield* fill(teamId, other, "", rows / 2)
  yield* sql`analyze actions, action_subjects`
  return { subject: { teamId, type: "contact", id } as const, other }
})

class LongTimelines extends Context.Service<LongTimelines, Effect.Success<typeof longTimelines>>()(
  "test/core/mutation/LongTimelines"
) {}

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly Plans?: ReadonlyArray<Plan>
}

const nodesOf = (plan: Plan): ReadonlyArray<Plan> => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** By which indexes the statement reads, and how many rows it looks at there; a table that is read whole has none. */
const readsOf = Effect.fnUntraced(function* ({ parameters, text }: SentStatement) {
  const sql = yield* Database
  const [row] = yield* sql.unsafe<{ "QUERY PLAN": ReadonlyArray<{ readonly Plan: Plan }> }>(
    `explain (analyze, format json) ${text}`,
    parameters
  )
  const plan = row?.["QUERY PLAN"][0]?.Plan
  return (
    (plan === undefined ? [] : nodesOf(plan))
      .filter((node) => "Index Name" in node || node["Node Type"].includes("Seq Scan"))
      // Users are few.
      .filter((node) => node["Relation Name"] !== "users")
      .map((node) => ({
        by: node["Index Name"] ?? `none of ${node["Relation Name"]}`,
        looked:
          node["Actual Loops"] *
          (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0))
      }))
  )
})

const flags = [false, true]

const queries: ReadonlyArray<ProspectTimelineQuery> = (["all", "notes", "chat", "audit", "tasks"] as const).flatMap(
  (type) =>
    flags.flatMap((include_archived) =>
      flags.map((include_superseded) => ({ type, include_archived, include_superseded }))
    )
)

/** How many rows of a hundred a query shows. */
const shareOf = ({ include_archived, include_superseded, type }: ProspectTimelineQuery): number => {
  const notes =
    4 +
    (include_archived === true ? 30 : 0) +
    (include_superseded === true ? 30 : 0) +
    (include_archived === true && include_superseded === true ? 30 : 0)
  return { all: notes + 6, notes, chat: 1, audit: 5, tasks: 0 }[type ?? "all"]
}

/**
 * Reads a timeline to its end, and answers how many rows it showed. A page looks at no more than its rows, and the one
 * after them, in each of the places where such rows stand, of which there are `times` as many as partitions; and where those
 * that are rolled up stand besides.
 */
const readWhole = Effect.fnUntraced(function* (
  subject: Subject,
  query: ProspectTimelineQuery,
  { pageSize, rollUps, times }: { readonly pageSize: number; readonly rollUps?: RollUps; readonly times: number }
) {
  const timelines = yield* Timelines
  let cursor: string | null | undefined
  let count = 0
  let depth = 0
  do {
    const { reply, statements }: { readonly reply: Page<Action>; readonly statements: ReadonlyArray<SentStatement> } =
      yield* statementsSentBy(
        timelines.read(
          subject,
          {
            ...query,
            page_size: pageSize,
            ...(typeof cursor === "string" ? { cursor } : {})
          },
          rollUps
        )
      )
    count += reply.data.length
    cursor = reply.page.nextCursor
    // The first page, those after it, and the deepest.
    if (depth < 3 || cursor === null) {
      const reads = (yield* Effect.forEach(statements, readsOf)).flat()
      const label = `${JSON.stringify(query)} page ${depth}`
      const most: Record<string, number> = {
        action_subjects_by_partition: times * partitionsOf(query).length,
        actions_pkey: 1,
        // A row that is rolled up stands in two places.
        ...(rollUps === undefined || query.include_rollups === false ? {} : { action_subjects_by_action: 2 })
      }
      assert.deepStrictEqual(reads.map(({ by }) => by).sort(), Object.keys(most).sort(), label)
      for (const { by, looked } of reads) {
        assert.isAtMost(looked, (pageSize + 1) * (most[by] ?? 0), `${label}: ${by}`)
      }
      for (const { subject, subjectId } of reply.data) {
        if (subject === "prospect") assert.match(subjectId ?? "", /^prospect_/)
      }
    }
    depth++
  } while (cursor !== null)
  return count
})

layer(Layer.provideMerge(Layer.effect(LongTimelines, longTimelines), services), {
  excludeTestServices: true,
  timeout: 60_000
})("A page of a timeline", (it) => {
  it.effect(
    "is read by index, and reads no more rows than a page has, with every filter, at any depth",
    () =>
      Effect.gen(function* () {
        const { subject } = yield* LongTimelines
        for (const query of queries) {
          const shown = yield* readWhole(subject, query, { pageSize: 100, times: 1 })
          assert.strictEqual(shown, (shareOf(query) * rows) / 100, JSON.stringify(query))
        }
      }),
    120_000
  )

  it.effect(
    "reads no more rows per partition with rolled-up and included rows",
    () =>
      Effect.gen(function* () {
        const { other, subject } = yield* LongTimelines
        const rollUps: RollUps = { rollUps: ["prospect"], others: [{ id: other, as: "contact" }] }
        for (const query of queries.filter((query) => query.include_archived === query.include_superseded)) {
          const shown = yield* readWhole(subject, query, { pageSize: 100, rollUps, times: 3 })
          assert.strictEqual(shown, (shareOf(query) * 3 * rows) / 100, JSON.stringify(query))
          const own = yield* readWhole(
            subject,
            { ...query, include_rollups: false },
            { pageSize: 100, rollUps, times: 1 }
          )
          assert.strictEqual(own, (shareOf(query) * rows) / 100, JSON.stringify(query))
        }
      }),
    120_000
  )
})
