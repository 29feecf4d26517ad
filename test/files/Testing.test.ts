import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { File } from "../../src/files/File.ts"
import { type Started, start } from "../../src/testing/PropertyNetwork.ts"

describe("Files in the service for tests of clients", () => {
  let network: Started
  beforeAll(async () => {
    network = await start()
  })
  afterAll(() => network.stop())

  it("go up and down within the process", async () => {
    const call = (path: string, init: RequestInit = {}) =>
      network.fetch(`${network.baseUrl}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${network.token}`, ...init.headers }
      })
    const made = await call("/api/v1/network/contacts", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ firstName: "Anna" })
    })
    const { id } = (await made.json()) as { readonly id: string }
    const form = new FormData()
    form.append("file", new Blob(["0123456789".repeat(100_000)]), "numbers.txt")
    const uploaded = await call(`/api/v1/network/contacts/${id}/files`, { method: "POST", body: form })
    expect(uploaded.status).toBe(201)
    const file = (await uploaded.json()) as File
    expect(file.size).toBe(1_000_000)
    const whole = await call(`/api/v1/files/${file.id}/content`)
    expect((await whole.text()).length).toBe(1_000_000)
    const part = await call(`/api/v1/files/${file.id}/content`, { headers: { range: "bytes=-3" } })
    expect([part.status, part.headers.get("content-range"), await part.text()]).toStrictEqual([
      206, "bytes 999997-999999/1000000", "789"
    ])
    const head = await call(`/api/v1/files/${file.id}/content`, { method: "HEAD" })
    expect([head.status, head.headers.get("content-length"), await head.text()]).toStrictEqual([200, "1000000", ""])
    expect((await call(`/api/v1/files/${file.id}`, { method: "DELETE" })).status).toBe(204)
    await network.drain()
    expect((await call(`/api/v1/files/${file.id}/content`)).status).toBe(404)
  })
})
