import pg from "pg"

const query = async (url: string, statements: ReadonlyArray<string>): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Adds the workers at these ports of this machine to a coordinator. The database of its URL is on all of them. */
export const addWorkers = async (url: string, ports: ReadonlyArray<number>): Promise<void> => {
  const at = (port: number) => Object.assign(new URL(url), { port: String(port) }).href
  for (const port of ports) await query(at(port), ["create extension if not exists citus"])
  await query(url, [
    "create extension if not exists citus",
    `select citus_set_coordinator_host('127.0.0.1', ${new URL(url).port})`,
    ...ports.map((port) => `select citus_add_node('127.0.0.1', ${port})`)
  ])
}
