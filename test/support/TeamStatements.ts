/** Which statements could not be routed by an engine that keeps each team's rows together: those that look for rows of a team without its id. */
import { Effect, Layer, Redacted } from "effect"
import { CurrentTransformer } from "effect/sql/Statement"
import pg from "pg"

// Rows of people and of access, by which a caller's team is found in the first place, and the audit log. They stay in one place.
const ofInstallation = new Set([
  "audit_counts",
  "audit_log",
  "clients",
  "grants",
  "invitations",
  "memberships",
  "tokens"
])

/** Records the text of each statement in a set. */
export const recordingIn = (texts: Set<string>) =>
  Layer.succeed(CurrentTransformer, (statement) =>
    Effect.sync(() => {
      texts.add(statement.compile()[0])
      return statement
    })
  )

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly Alias?: string
  readonly Plans?: ReadonlyArray<Plan>
  readonly [member: string]: unknown
}

const nodesOf = (plan: Plan): ReadonlyArray<Plan> => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

const conditionsOf = (plan: Plan): string =>
  ["Index Cond", "Recheck Cond", "Filter", "Join Filter", "Hash Cond", "Merge Cond"]
    .map((name) => String(plan[name] ?? ""))
    .join(" ")

/** The tables that a plan reads without the id of a team: neither the scan nor a join compares it. */
const readWithoutTeam = (plan: Plan, ofTeams: ReadonlySet<string>): ReadonlyArray<string> => {
  const nodes = nodesOf(plan)
  const conditions = nodes.map(conditionsOf).join(" ")
  return nodes.flatMap((node) => {
    const table = node["Relation Name"]
    if (table === undefined || !ofTeams.has(table) || node["Node Type"] === "ModifyTable") return []
    const isCompared = /\bteam_id\b/.test(conditionsOf(node)) || conditions.includes(`${node.Alias}.team_id`)
    return isCompared ? [] : [table]
  })
}

/**
 * Those of these statements that read or write rows of a table with `team_id` without comparing it, as the planner of this database
 * sees them, whatever their values: each with these tables. And how many statements there were.
 */
export const unrouted = Effect.fnUntraced(function* (url: Redacted.Redacted<string>, texts: Iterable<string>) {
  const client = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client({ connectionString: Redacted.value(url) })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )
  return yield* Effect.promise(async () => {
    const { rows } = await client.query<{ table_name: string }>(
      "select table_name from information_schema.columns where table_schema = 'public' and column_name = 'team_id'"
    )
    const ofTeams = new Set(rows.map(({ table_name }) => table_name).filter((table) => !ofInstallation.has(table)))
    const found: Array<{ readonly tables: ReadonlyArray<string>; readonly text: string }> = []
    const planned = [...texts].filter((text) => /^\s*(?:with|select|insert|update|delete)\b/.test(text))
    for (const text of planned) {
      const { rows } = await client.query<{ "QUERY PLAN": readonly [{ readonly Plan: Plan }] }>(
        `explain (generic_plan, verbose, format json) ${text}`
      )
      const tables = rows.flatMap((row) => readWithoutTeam(row["QUERY PLAN"][0].Plan, ofTeams))
      if (tables.length > 0) found.push({ tables, text: text.replaceAll(/\s+/g, " ").trim() })
    }
    return { found, planned: planned.length }
  })
})
