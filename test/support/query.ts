import pg from "pg"

/** Runs a statement on a connection of its own, and returns its rows. */
export const query = async <Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Array<Row>> => {
  const client = new pg.Client({ connectionString: url })
  // A server that ends meanwhile fails the statement as well.
  client.on("error", () => {})
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}
