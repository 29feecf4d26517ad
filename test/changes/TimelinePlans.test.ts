/** What a page of a timeline costs, by the plans that Postgres makes for it. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { shelvesOf, type TimelineQuery } from "../../src/changes/Timeline.ts"
import { Timelines } from "../../src/changes/Timelines.ts"
import { Database } from "../../src/db/Database.ts"
import { Cursors, type Page } from "../../src/http/Page.ts"
import type { Action } from "../../src/changes/Action.ts"
import { askedBy, type Asked } from "../support/Statements.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { secretKey } from "../support/TestService.ts"

const services = Timelines.layer.pipe(
  Layer.provideMerge(Cursors.layer(secretKey)),
  Layer.provideMerge(Layer.merge(TestDatabase.layer, SecureRandom.layerWebCrypto))
)

const rows = 12_000

/**
 * A timeline of 12,000 rows among as many others. Of a hundred rows ninety are hidden notes, four are shown ones, five
 * are audit rows and one is of a chat.
 */
const aLongTimeline = Effect.gen(function*() {
  const sql = yield* Database
  const random = yield* SecureRandom.SecureRandom
  const [teamId, id] = [yield* random.uuidV7(), yield* random.uuidV7()]
  yield* sql`
    with made as (
      insert into actions (id, number, team_id, type, occurred_at, origin, details)
      select gen_random_uuid(), n, ${teamId}::uuid, 'note', now() - n * interval '1 minute', 'api', '{"kind":"note"}'
      from generate_series(1, ${2 * rows}::int) n
      returning id, number, occurred_at
    )
    insert into action_subjects (subject_type, subject_id, action_id, team_id, occurred_at, shelf)
    select 'contact', case when number % 2 = 0 then ${id}::uuid else gen_random_uuid() end, id, ${teamId}::uuid,
      occurred_at,
      case
        when number / 2 % 100 < 30 then 'note_archived'
        when number / 2 % 100 < 60 then 'note_superseded'
        when number / 2 % 100 < 90 then 'note_archived_superseded'
        when number / 2 % 100 < 94 then 'note'
        when number / 2 % 100 < 99 then 'audit'
        else 'chat'
      end
    from made`
  yield* sql`analyze actions, action_subjects`
  return { teamId, type: "contact", id } as const
})

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly "Plans"?: ReadonlyArray<Plan>
}

const nodesOf = (plan: Plan): ReadonlyArray<Plan> => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** By which indexes the statement reads, and how many rows it looks at there; a table that is read whole has none. */
const readsOf = Effect.fnUntraced(function*({ parameters, text }: Asked) {
  const sql = yield* Database
  const [row] = yield* sql.unsafe<{ "QUERY PLAN": ReadonlyArray<{ readonly Plan: Plan }> }>(
    `explain (analyze, format json) ${text}`,
    parameters
  )
  const plan = row?.["QUERY PLAN"][0]?.Plan
  return (plan === undefined ? [] : nodesOf(plan))
    .filter((node) => "Index Name" in node || node["Node Type"].includes("Seq Scan"))
    // Users are few.
    .filter((node) => node["Relation Name"] !== "users")
    .map((node) => ({
      by: node["Index Name"] ?? `none of ${node["Relation Name"]}`,
      looked: node["Actual Loops"] *
        (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0))
    }))
})

const flags = [false, true]

const queries: ReadonlyArray<TimelineQuery> = (["all", "notes", "chat", "audit"] as const).flatMap((type) =>
  flags.flatMap((include_archived) =>
    flags.map((include_superseded) => ({ type, include_archived, include_superseded }))
  )
)

layer(services, { excludeTestServices: true, timeout: 60_000 })("A page of a timeline", (it) => {
  it.effect("is read by index, and looks at no more rows than it may show, with every filter, at any depth", () =>
    Effect.gen(function*() {
      const timelines = yield* Timelines
      const subject = yield* aLongTimeline
      const shown: Array<number> = []
      for (const query of queries) {
        const pageSize = 100
        let cursor: string | null | undefined
        let count = 0
        let depth = 0
        do {
          const { reply, statements }: { readonly reply: Page<Action>; readonly statements: ReadonlyArray<Asked> } =
            yield* askedBy(timelines.read(subject, {
              ...query,
              page_size: pageSize,
              ...(typeof cursor === "string" ? { cursor } : {})
            }))
          count += reply.data.length
          cursor = reply.page.nextCursor
          // The first page, those after it, and the deepest.
          if (depth < 3 || cursor === null) {
            const reads = (yield* Effect.forEach(statements, readsOf)).flat()
            const label = `${JSON.stringify(query)} page ${depth}`
            assert.deepStrictEqual(reads.map(({ by }) => by).sort(), ["action_subjects_by_shelf", "actions_pkey"], label)
            for (const { by, looked } of reads) {
              const most = (pageSize + 1) * (by === "actions_pkey" ? 1 : shelvesOf(query).length)
              assert.isAtMost(looked, most, `${label}: ${by}`)
            }
          }
          depth++
        } while (cursor !== null)
        shown.push(count)
      }
      const hundreds = rows / 100
      const notes = [4, 34, 34, 94]
      assert.deepStrictEqual(
        shown,
        [...notes.map((share) => share + 6), ...notes, 1, 1, 1, 1, 5, 5, 5, 5].map((share) => share * hundreds)
      )
    }), 120_000)
})
