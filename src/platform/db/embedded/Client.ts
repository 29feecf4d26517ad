/** Short-lived connections to the embedded server, through `pg`. */
import { Client } from "pg"
import { superuser } from "./Cluster.ts"

export interface Address {
  readonly port: number
  readonly password: string
  readonly database: string
}

/** The URL of an address. The password is base64url, so nothing needs escaping. */
export const urlOf = ({ database, password, port }: Address): string =>
  `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`

/** Connects, runs `use`, and disconnects in every case. */
export const withClient = async <A>(address: Address, use: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client({ connectionString: urlOf(address), connectionTimeoutMillis: 5000 })
  // A server that ends meanwhile fails the query. Without a listener the event would also end the process.
  client.on("error", () => {})
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}
