/** One short conversation with the server, through `pg`. */
import { Client } from "pg"
import { superuser } from "./Cluster.ts"

export interface Address {
  readonly port: number
  readonly password: string
  readonly database: string
}

/** The address as other programs take it. The password is base64url: nothing in it needs escaping. */
export const urlOf = ({ database, password, port }: Address): string =>
  `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`

/** Connects, asks, and disconnects whatever happens. */
export const withClient = async <A>(address: Address, use: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client({ connectionString: urlOf(address), connectionTimeoutMillis: 5000 })
  // A server that goes away meanwhile fails the query; unheard, the event would end the process as well.
  client.on("error", () => {})
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}
