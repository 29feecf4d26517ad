/** Locks that stop a process at a statement, and observations of its database sessions. */
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

/** Takes locks for the test, until it releases them or the scope ends. */
export const holder = Effect.map(connect, (client) => ({
  lock: (statement: string, values: ReadonlyArray<string> = []) =>
    Effect.promise(async () => {
      await client.query("begin")
      await client.query(statement, [...values])
    }),
  release: Effect.promise(() => client.query("rollback"))
}))

/** The statement that takes the lock under which a team's deliveries are scheduled. */
export const schedulerLockOf = (teamId: string) =>
  ["select pg_advisory_xact_lock(hashtextextended('deliveries ' || $1, 0))", [teamId]] as const

/** Observes and ends the sessions of the database of the test. */
export const sessions = Effect.map(connect, (client) => {
  const count = async (condition: string, value: string) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and ${condition}`,
      [value]
    )
    return rows[0]?.count ?? 0
  }
  return {
    /** Completes when at least `least` statements that contain `text` wait for a lock. */
    untilWaiting: (text: string, least = 1) =>
      eventually(
        async () =>
          assert.isAtLeast(await count("wait_event_type = 'Lock' and strpos(query, $1) > 0", text), least, text),
        4000
      ),
    /** Completes when no session of this application is left: the transactions of a killed process are then rolled back. */
    gone: (name: string) =>
      eventually(async () => assert.strictEqual(await count("application_name like $1 || '%'", name), 0)),
    /** The process ids of the sessions that listen for jobs. */
    listeners: Effect.promise(async () => {
      const { rows } = await client.query<{ pid: number }>(`
        select pid from pg_stat_activity where datname = current_database() and query like 'LISTEN "jobs:insert"%'`)
      return rows.map(({ pid }) => pid)
    }),
    /** Ends all sessions of this application at once, as a restart of Postgres does. */
    endAll: (name: string) =>
      Effect.promise(() =>
        client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name like $1 || '%'`,
          [name]
        )
      ),
    /** Ends one session, as an administrator does. */
    end: (pid: number) => Effect.promise(() => client.query("select pg_terminate_backend($1)", [pid]))
  }
})
