import { query } from "../support/query.ts"

/** Adds the workers at these ports of this machine to a coordinator. The database of its URL is on all of them. */
export const addWorkers = async (url: string, ports: ReadonlyArray<number>): Promise<void> => {
  const at = (port: number) => Object.assign(new URL(url), { port: String(port) }).href
  for (const port of ports) await query(at(port), "create extension if not exists citus")
  await query(url, "create extension if not exists citus")
  await query(url, `select citus_set_coordinator_host('127.0.0.1', ${new URL(url).port})`)
  for (const port of ports) await query(url, `select citus_add_node('127.0.0.1', ${port})`)
}
