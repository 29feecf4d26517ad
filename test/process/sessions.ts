/** Where a process stands: locks that stop it at a statement, and what its sessions do. */
import { assert } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import pg from "pg"
import { eventually } from "../support/polling.ts"
import { testUrl } from "../support/TestDatabase.ts"

const connect = Effect.flatMap(testUrl, (url) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client({ connectionString: Redacted.value(url), application_name: "test" })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )
)

/** Locks of the test's own, each held until it is let go or the scope ends. */
export const holder = Effect.map(connect, (client) => ({
  lock: (statement: string, values: ReadonlyArray<string> = []) =>
    Effect.promise(async () => {
      await client.query("begin")
      await client.query(statement, [...values])
    }),
  letGo: Effect.promise(() => client.query("rollback"))
}))

/** The lock that whoever gives a team's deliveries their turn takes. */
export const turnsOf = (teamId: string) =>
  ["select pg_advisory_xact_lock(hashtextextended('deliveries ' || $1, 0))", [teamId]] as const

/** Looks at the sessions of the test's database. */
export const sessions = Effect.map(connect, (client) => {
  const count = async (condition: string, value: string) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and ${condition}`,
      [value]
    )
    return rows[0]?.count ?? 0
  }
  return {
    /** Completes when so many statements with this in their text wait for a lock. */
    waitAt: (text: string, least = 1) =>
      eventually(
        async () =>
          assert.isAtLeast(await count("wait_event_type = 'Lock' and strpos(query, $1) > 0", text), least, text),
        4000
      ),
    /** Completes when the database has no session of this name left: what a killed process began is undone then. */
    gone: (name: string) =>
      eventually(async () => assert.strictEqual(await count("application_name like $1 || '%'", name), 0)),
    /** The processes of Postgres that listen for jobs. */
    listeners: Effect.promise(async () => {
      const { rows } = await client.query<{ pid: number }>(`
        select pid from pg_stat_activity where datname = current_database() and query like 'LISTEN "jobs:insert"%'`)
      return rows.map(({ pid }) => pid)
    }),
    /** Ends all sessions of this name at once, as Postgres does when it is restarted. */
    endAll: (name: string) =>
      Effect.promise(() =>
        client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name like $1 || '%'`,
          [name]
        )
      ),
    /** Ends one of them, as an administrator does. */
    end: (pid: number) => Effect.promise(() => client.query("select pg_terminate_backend($1)", [pid]))
  }
})
