/** Lists, deltas, the journal and tokens of the client, on the service in memory. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { ApiError, type Client, clientCredentials, createClient } from "property-network/client"
import { start, type Started } from "property-network/testing"
import { vi } from "vitest"

describe("The client of a service", () => {
  let service: Started
  let client: Client

  beforeAll(async () => {
    service = await start()
  })

  afterAll(() => service.stop())

  const newClient = async (): Promise<Client> => {
    const { token } = await service.addTenant("Lists")
    return createClient({ baseUrl: service.baseUrl, token, fetch: service.fetch })
  }

  const addPeople = async (names: ReadonlyArray<string>) => {
    const items = names.map((firstName) => ({ firstName }))
    const { results } = await client.contacts.batchUpsert({ body: { items } })
    return results.map(({ id }) => id ?? "")
  }

  const namesOf = async (rows: AsyncIterable<{ readonly firstName: string | null }>) =>
    (await Array.fromAsync(rows)).map(({ firstName }) => firstName)

  it("walks through all pages of a list", async () => {
    client = await newClient()
    await addPeople(["A", "B", "C"])
    assert.deepStrictEqual(await namesOf(client.contacts.list.all({ query: { page_size: 2 } })), ["A", "B", "C"])
  })

  it("reads everything, then only what changed, with deletions", async () => {
    client = await newClient()
    const [a = "", b = ""] = await addPeople(["A", "B", "C"])
    const first = client.contacts.list.delta(null, { query: { page_size: 2 } })
    assert.isNull(first.nextSince)
    assert.deepStrictEqual([first.isComplete, await namesOf(first)], [true, ["A", "B", "C"]])
    const nothing = client.contacts.list.delta(first.nextSince)
    assert.deepStrictEqual([nothing.isComplete, await namesOf(nothing)], [false, []])
    await client.contacts.update({ path: { id: a }, body: { firstName: "A2" } })
    await client.contacts.delete({ path: { id: b } })
    const second = client.contacts.list.delta(nothing.nextSince)
    const rows = await Array.fromAsync(second)
    assert.deepStrictEqual(
      rows.map(({ deletedUtc, firstName, id }) => [id, firstName, deletedUtc === null]),
      [
        [a, "A2", true],
        [b, null, false]
      ]
    )
    assert.deepStrictEqual(await namesOf(client.contacts.list.delta(second.nextSince)), [])
  })

  it("has no place to go on from before a delta was read to its end", async () => {
    client = await newClient()
    await addPeople(["A", "B"])
    const delta = client.contacts.list.delta(null, { query: { page_size: 1 } })
    for await (const { firstName } of delta) if (firstName === "A") break
    assert.isNull(delta.nextSince)
  })

  it("walks through all pages of a search", async () => {
    client = await newClient()
    await addPeople(["A", "B", "C"])
    const found = client.contacts.search.all({ body: { filter: { firstName: { in: ["A", "C"] } }, page_size: 1 } })
    assert.deepStrictEqual(await namesOf(found), ["A", "C"])
  })

  it("reads the journal up to its end, and goes on from there", async () => {
    client = await newClient()
    await addPeople(["A", "B", "C"])
    const events = client.changes.list.all({ query: { page_size: 2 } })
    assert.deepStrictEqual(
      (await Array.fromAsync(events)).map(({ seq }) => seq),
      [1, 2, 3]
    )
    const after = events.nextAfter ?? 0
    assert.strictEqual(after, 3)
    const [d] = await addPeople(["D"])
    const rest = await Array.fromAsync(client.changes.list.all({ query: { after } }))
    assert.deepStrictEqual(
      rest.map(({ resource_id }) => resource_id),
      [d]
    )
  })

  it("gets tokens of an OAuth client, one for all requests until it expires", async () => {
    const { clientId, clientSecret } = service
    const { baseUrl } = service
    let requests = 0
    const token = clientCredentials({
      baseUrl,
      clientId,
      clientSecret,
      fetch: (input, init) => {
        requests++
        return service.fetch(input, init)
      }
    })
    const client = createClient({ baseUrl, token, fetch: service.fetch })
    const [me] = await Promise.all([client.me.get(), client.me.get()])
    assert.isTrue(me.isBot)
    await client.me.get()
    assert.strictEqual(requests, 1)
    vi.useFakeTimers({ toFake: ["Date"] })
    try {
      await service.advance("2 hours")
      vi.setSystemTime(Date.now() + 2 * 3_600_000)
      await client.me.get()
      assert.strictEqual(requests, 2)
    } finally {
      vi.useRealTimers()
    }
  })

  it("asks for a token again after a failure", async () => {
    const { baseUrl, clientId, clientSecret } = service
    const answers = [() => Promise.resolve(new Response("", { status: 500 })), service.fetch]
    const token = clientCredentials({
      baseUrl,
      clientId,
      clientSecret,
      fetch: (input, init) => (answers.shift() ?? service.fetch)(input, init)
    })
    assert.include(String(await token().catch((error: unknown) => error)), "500")
    assert.match(await token(), /^pn/)
  })

  it("asks for a token again when the service cannot answer", async () => {
    const { baseUrl, clientId, clientSecret } = service
    const answers = [() => Promise.resolve(new Response("", { status: 503, headers: { "retry-after": "0" } }))]
    const token = clientCredentials({
      baseUrl,
      clientId,
      clientSecret,
      fetch: (input, init) => (answers.shift() ?? service.fetch)(input, init)
    })
    const first = await token()
    assert.strictEqual(await token(), first)
    assert.notStrictEqual(await token({ refused: first }), first)
  })

  it("says why it gets no token", async () => {
    const { baseUrl, clientId, fetch } = service
    const token = clientCredentials({ baseUrl, clientId, clientSecret: "wrong", fetch })
    const error: unknown = await createClient({ baseUrl, token, fetch })
      .me.get()
      .catch((error: unknown) => error)
    assert.instanceOf(error, ApiError)
    assert.deepInclude(error.problem, { status: 401, code: "invalid_client" })
    assert.include(error.problem.detail, "no client")
  })

  it("authenticates at OAuth's endpoints only as the caller says", async () => {
    const { baseUrl, clientId: client_id, clientSecret: client_secret, fetch, token } = service
    const client = createClient({ baseUrl, token, fetch })
    const issued = await client.oauth.issueToken({
      body: { grant_type: "client_credentials", client_id, client_secret }
    })
    assert.strictEqual(issued.token_type, "Bearer")
  })

  it("uploads a file and downloads it", async () => {
    client = await newClient()
    const [id = ""] = await addPeople(["A"])
    const body = new FormData()
    body.append("file", new Blob(["hello"]), "hello.txt")
    const file = await client.contacts.uploadFile({ path: { id }, body })
    const response = await client.files.download({ path: { id: file.id } })
    assert.strictEqual(await response.text(), "hello")
  })
})
