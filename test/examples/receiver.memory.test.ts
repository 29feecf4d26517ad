/** The example of a webhook receiver, against the service in memory. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start, type Started } from "property-network/testing"
import { Webhook } from "standardwebhooks"
import { vi } from "vitest"
import { type Api, connect } from "../../examples/api.ts"
import { makeReceiver } from "../../examples/receiver.ts"

const listen = async (server: Server, port = 0): Promise<number> => {
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  return (server.address() as AddressInfo).port
}

const close = async (server: Server): Promise<void> => {
  server.close()
  server.closeAllConnections()
  await once(server, "close")
}

describe("examples/receiver.ts", () => {
  let service: Started
  let api: Api
  let folder: string

  beforeAll(async () => {
    service = await start()
    api = connect(service.baseUrl, service.token, service.fetch)
    folder = await mkdtemp(join(tmpdir(), "property-network-receiver-"))
  })

  afterAll(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })

  it("handles each event once, and catches up on those it missed", async () => {
    const changes: Array<string> = []
    const journalReads: Array<string> = []
    const recording: Api = (method, path, options) => {
      if (path.startsWith("/changes")) journalReads.push(path)
      return api(method, path, options)
    }
    const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`
    const receiver = (secret: string) =>
      makeReceiver({
        api: recording,
        secret,
        stateFile: join(folder, "journal.txt"),
        onContact: (id, contact) => changes.push(`${id} ${contact?.name}`)
      })
    const create = async (firstName: string) =>
      (await api<{ readonly id: string }>("POST", "/network/contacts", { body: { firstName } })).body.id

    // Finds a free port, because the webhook's secret is only known after the webhook has a URL.
    const placeholder = receiver(secret)
    const port = await listen(placeholder)
    await close(placeholder)
    const url = `http://127.0.0.1:${port}/`
    const { body } = await api<{ readonly secret: string }>("POST", "/webhooks", {
      body: { url, events: ["contact.created", "contact.deleted"] }
    })

    let server = receiver(body.secret)
    await listen(server, port)
    const anna = await create("Anna")
    await service.drain()
    await vi.waitFor(() => assert.include(changes, `${anna} Anna`))
    // The first read names no number, because the journal may have dropped its oldest events.
    assert.notInclude(journalReads[0], "after=")

    // After downtime, the journal has the events at once. The service retries its deliveries later.
    await close(server)
    const bela = await create("Béla")
    await api("DELETE", `/network/contacts/${anna}`)
    await service.drain()
    server = receiver(body.secret)
    await listen(server, port)
    await vi.waitFor(() => assert.lengthOf(changes, 4))
    assert.deepStrictEqual(changes.slice(2), [`${bela} Béla`, `${anna} undefined`])

    // A duplicate, and a message with a wrong signature.
    const payload = JSON.stringify({ event: "contact.created", resource_type: "contact", resource_id: bela })
    const send = (id: string, key: string) => {
      const at = new Date()
      return fetch(url, {
        method: "POST",
        headers: {
          "webhook-id": id,
          "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
          "webhook-signature": new Webhook(key).sign(id, at, payload)
        },
        body: payload
      })
    }
    changes.length = 0
    assert.strictEqual((await send("msg_1", body.secret)).status, 204)
    assert.strictEqual((await send("msg_1", body.secret)).status, 204)
    assert.strictEqual((await send("msg_2", secret)).status, 401)
    assert.strictEqual((await send("msg_3", body.secret)).status, 204)
    await vi.waitFor(() => assert.lengthOf(changes, 2))
    await close(server)
    assert.deepStrictEqual(changes, [`${bela} Béla`, `${bela} Béla`])
  })
})
