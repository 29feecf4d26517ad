/** The database that those of the tests are copies of: migrated, with one cell. */
import * as CellSchema from "../../src/platform/db/CellSchema.ts"
import * as Migrations from "../../src/platform/db/Migrations.ts"
import { Context, Effect, Layer, Redacted } from "effect"
import { CurrentCell } from "../../src/platform/db/Cells.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { query } from "../support/query.ts"
import { addWorkers } from "./addWorkers.ts"

/** The cell of all teams, or of every other one. */
const name = "cell_a"

/** Statements of tests find the tables of the cell, as those of the service do that are about a team. */
export const cell = process.env["TEST_STORE"] === "citus" ? Layer.succeed(CurrentCell, { cell: name }) : Layer.empty

const databaseOf = (url: string, database: string): string => Object.assign(new URL(url), { pathname: database }).href

/** The URLs of the database `postgres` on the coordinator and its workers. */
const servers = async (url: string): Promise<ReadonlyArray<string>> => {
  const workers = await query<{ nodename: string; nodeport: number }>(
    url,
    "select nodename, nodeport from pg_dist_node where isactive and groupid <> 0"
  )
  return [
    url,
    ...workers.map(
      ({ nodename, nodeport }) => Object.assign(new URL(url), { hostname: nodename, port: String(nodeport) }).href
    )
  ].map((of) => databaseOf(of, "postgres"))
}

const known = new Map<string, Promise<ReadonlyArray<string>>>()

/** Runs a statement about databases on all servers. Nobody may be connected to a template: Citus itself is, now and then. */
export const administer = async (clusterUrl: string, statement: string): Promise<void> => {
  const all = known.get(clusterUrl) ?? servers(clusterUrl)
  known.set(clusterUrl, all)
  const template = / template (\w+)/.exec(statement)?.[1]
  for (const server of await all) {
    for (let tries = 0; ; tries++) {
      try {
        if (template !== undefined) {
          await query(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`)
        }
        await query(server, statement)
        break
      } catch (error) {
        if (tries > 20) throw error
      }
    }
  }
}

/**
 * Makes a template of this name on the cluster; returns its own URL. If it is `split`, every other team is in a second cell, on another
 * server.
 */
export const make = async (clusterUrl: string, of: string, split: boolean): Promise<string> => {
  const database = `test_${of}_${process.pid}`
  await administer(clusterUrl, `drop database if exists ${database} with (force)`)
  await administer(clusterUrl, `create database ${database}`)
  const url = databaseOf(clusterUrl, database)
  const workers = (await servers(clusterUrl)).slice(1).map((server) => Number(new URL(server).port))
  await addWorkers(url, workers)
  await Effect.runPromise(
    Effect.gen(function* () {
      yield* Migrations.run(Redacted.make(url))
      const context = yield* Layer.build(Database.layer({ url: Redacted.make(url), maxConnections: 2 }))
      for (const cell of split ? [name, "cell_b"] : [name])
        yield* CellSchema.create(Context.get(context, Database), cell)
    }).pipe(Effect.scoped)
  )
  return url
}
