/** The process of the bare loop: signed POSTs of the rows of the table of events. */
import { createHmac } from "node:crypto"
import { Client } from "pg"
import { Pool } from "undici"

/** To the bare loop: to post all events of a team. */
export interface LoopOrder {
  readonly database: string
  readonly team: string
  readonly url: string
  readonly secret: string
  readonly concurrency: number
}

/** From the bare loop: the time of the last response. */
export interface LoopReport {
  readonly endedAt: number
}

interface Event {
  readonly message_id: string
  readonly type: string
  readonly body: string
}

const read = async ({ database, team }: LoopOrder): Promise<ReadonlyArray<Event>> => {
  const client = new Client({ connectionString: database })
  await client.connect()
  const { rows } = await client.query<Event>(
    "select message_id, type, body from events where team_id = $1 order by occurred_at, transaction_id, seq",
    [team]
  )
  await client.end()
  return rows
}

const run = async (order: LoopOrder): Promise<LoopReport> => {
  const events = await read(order)
  const { concurrency, secret } = order
  const { origin, pathname } = new URL(order.url)
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
  const pool = new Pool(origin, { connections: concurrency, pipelining: 1 })

  const post = async ({ body, message_id, type }: Event) => {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createHmac("sha256", key).update(`${message_id}.${timestamp}.${body}`).digest("base64")
    const response = await pool.request({
      method: "POST",
      path: pathname,
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "PropertyNetwork-Webhooks/1",
        "webhook-id": message_id,
        "X-Service-Event": type,
        "webhook-timestamp": timestamp,
        "webhook-signature": `v1,${signature}`
      },
      body
    })
    await response.body.dump()
    if (response.statusCode !== 204) throw new Error(`The receiver answered ${response.statusCode}`)
  }

  let next = 0
  const poster = async () => {
    for (let event = events[next++]; event !== undefined; event = events[next++]) await post(event)
  }
  await Promise.all(Array.from({ length: concurrency }, poster))
  const endedAt = performance.timeOrigin + performance.now()
  await pool.close()
  return { endedAt }
}

process.on("message", (order: LoopOrder) => {
  void run(order).then((report) => process.send?.(report))
})
process.once("disconnect", () => process.exit())
