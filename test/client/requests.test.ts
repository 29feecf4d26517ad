/** How the client sends requests: repetition, idempotency keys, errors. Its `fetch` is a script of answers. */
import { assert, describe, it } from "@effect/vitest"
import { ApiError, createClient, isProblem } from "property-network/client"

const problem =
  (status: number, code: string, headers: Record<string, string> = {}) =>
  () =>
    Response.json(
      {
        type: `https://api.test/help/${code}`,
        title: code,
        status,
        code,
        detail: `It is ${code}.`,
        requestId: "req_1"
      },
      { status, headers: { "content-type": "application/problem+json", ...headers } }
    )

const contact = () => Response.json({ id: "contact_1", etag: '"v1"' }, { status: 201 })

const networkError = (): Response => {
  throw new TypeError("fetch failed")
}

/** A client whose requests get these answers, one after the other, and the requests that it sent. */
const scripted = (...answers: ReadonlyArray<() => Response>) => {
  const sent: Array<{ readonly url: string; readonly headers: Headers; readonly body: string }> = []
  const rest = [...answers]
  const client = createClient({
    baseUrl: "https://api.test",
    token: () => Promise.resolve("pnp_1"),
    retry: { attempts: 3, maxWaitSeconds: 0 },
    fetch: async (input) => {
      const request = new Request(input)
      sent.push({ url: request.url, headers: request.headers, body: await request.text() })
      const answer = rest.shift()
      if (answer === undefined) throw new Error("There is no answer for this request.")
      return answer()
    }
  })
  return { client, sent }
}

const create = { body: { firstName: "Anna" } }

describe("The client", () => {
  it("sends the token, the body and an idempotency key, and resolves with the resource", async () => {
    const { client, sent } = scripted(contact)
    assert.deepInclude(await client.contacts.create(create), { id: "contact_1" })
    assert.lengthOf(sent, 1)
    assert.strictEqual(sent[0]?.url, "https://api.test/api/v1/network/contacts")
    assert.strictEqual(sent[0]?.headers.get("authorization"), "Bearer pnp_1")
    assert.strictEqual(sent[0]?.body, JSON.stringify(create.body))
    assert.match(sent[0]?.headers.get("idempotency-key") ?? "", /^[0-9a-f-]{36}$/)
  })

  it("sends the consistency tokens of its writes, of all that ran at the same time", async () => {
    const written = (token: string) => () =>
      Response.json({ id: "contact_1" }, { status: 201, headers: { "x-consistency-token": token } })
    const page = () => Response.json({ data: [], page: { nextCursor: null } })
    const { client, sent } = scripted(written("a"), written("b"), page, written("c"), page, page)
    await Promise.all([client.contacts.create(create), client.contacts.create(create)])
    await client.contacts.list()
    await client.contacts.create(create)
    await client.contacts.list()
    await client.contacts.list({ headers: { "x-consistency-token": "of another process" } })
    assert.deepStrictEqual(
      sent.map(({ headers }) => headers.get("x-consistency-token")),
      [null, null, "a, b", "a, b", "c", "of another process"]
    )
  })

  it.each([
    ["429", problem(429, "rate_limited", { "retry-after": "0" })],
    ["503", problem(503, "unavailable", { "retry-after": "0" })],
    ["a network error", networkError],
    ["502 of a proxy", () => new Response("<html>", { status: 502 })],
    ["409 idempotency_in_progress", problem(409, "idempotency_in_progress")]
  ])("repeats a create after %s, with the same key and body", async (_, refusal) => {
    const { client, sent } = scripted(refusal, refusal, contact)
    assert.deepInclude(await client.contacts.create(create), { id: "contact_1" })
    assert.lengthOf(sent, 3)
    assert.lengthOf(new Set(sent.map(({ headers }) => headers.get("idempotency-key"))), 1)
    assert.lengthOf(new Set(sent.map(({ body }) => body)), 1)
  })

  it("repeats a POST that takes no key only when it was certainly not carried out", async () => {
    const test = { path: { id: "webhook_1" } }
    const limited = scripted(problem(429, "rate_limited", { "retry-after": "0" }), () => Response.json({}))
    await limited.client.webhooks.test(test)
    assert.lengthOf(limited.sent, 2)
    for (const refusal of [networkError, problem(503, "unavailable")]) {
      const { client, sent } = scripted(refusal)
      await client.webhooks.test(test).then(
        () => assert.fail("resolved"),
        () => {}
      )
      assert.lengthOf(sent, 1)
    }
  })

  it.each([400, 401, 403, 404, 412, 500])("does not repeat after %s", async (status) => {
    const { client, sent } = scripted(problem(status, "some_code"))
    await client.contacts.create(create).then(
      () => assert.fail("resolved"),
      (error: unknown) => {
        assert.instanceOf(error, ApiError)
        assert.deepStrictEqual([error.status, error.code], [status, "some_code"])
      }
    )
    assert.lengthOf(sent, 1)
  })

  it("takes a repeated DELETE that finds nothing for its own success", async () => {
    const { client, sent } = scripted(networkError, problem(404, "not_found"))
    await client.contacts.delete({ path: { id: "contact_1" } })
    assert.lengthOf(sent, 2)
    const once = scripted(problem(404, "not_found"))
    const error: unknown = await once.client.contacts.delete({ path: { id: "x" } }).catch((error: unknown) => error)
    assert.isTrue(isProblem(error, "not_found"))
  })

  it("repeats a PATCH whose answer was lost only with ifMatch", async () => {
    const patch = { path: { id: "contact_1" }, body: { firstName: "Anna" } }
    const safe = scripted(networkError, contact)
    await safe.client.contacts.update({ ...patch, ifMatch: '"v1"' })
    assert.lengthOf(safe.sent, 2)
    const unsafe = scripted(networkError)
    await unsafe.client.contacts.update(patch).then(
      () => assert.fail("resolved"),
      () => {}
    )
    assert.lengthOf(unsafe.sent, 1)
  })

  it("gets another token when the API refuses one, and gives up when that is refused too", async () => {
    const refusal = problem(401, "unauthorized")
    const clientWith = (answers: Array<() => Response>) => {
      let issued = 0
      const asked: Array<string | undefined> = []
      const client = createClient({
        baseUrl: "https://api.test",
        token: ({ refused } = {}) => {
          asked.push(refused)
          return `token_${++issued}`
        },
        fetch: () => Promise.resolve((answers.shift() ?? refusal)())
      })
      return { client, asked }
    }
    const renewed = clientWith([refusal, contact])
    assert.deepInclude(await renewed.client.contacts.create(create), { id: "contact_1" })
    assert.deepStrictEqual(renewed.asked, [undefined, "token_1"])
    const revoked = clientWith([refusal, refusal])
    const error: unknown = await revoked.client.contacts.create(create).catch((error: unknown) => error)
    assert.isTrue(isProblem(error, "unauthorized"))
    assert.lengthOf(revoked.asked, 2)
  })

  it("gives up after the last attempt, with the last problem", async () => {
    const limited = problem(429, "rate_limited", { "retry-after": "0" })
    const { client, sent } = scripted(limited, limited, limited)
    const error: unknown = await client.contacts.create(create).catch((error: unknown) => error)
    assert.isTrue(isProblem(error, "rate_limited"))
    assert.include(String(error), "req_1")
    assert.lengthOf(sent, 3)
  })

  it("makes an error of an answer that is no problem", async () => {
    const { client } = scripted(() => new Response("<html>Bad gateway</html>", { status: 404 }))
    const error: unknown = await client.contacts.get({ path: { id: "x/y" } }).catch((error: unknown) => error)
    assert.instanceOf(error, ApiError)
    assert.deepInclude(error.problem, { status: 404, code: "unknown", detail: "<html>Bad gateway</html>" })
  })

  it("sends preconditions, preferences and headers, and encodes parameters", async () => {
    const { client, sent } = scripted(() => Response.json({ wouldAnswer: 204, result: null, events: [], affected: [] }))
    await client.dryRun.contacts.delete({ path: { id: "a/b" }, ifMatch: '"v1"', headers: { "x-request-id": "mine" } })
    assert.strictEqual(sent[0]?.url, "https://api.test/api/v1/network/contacts/a%2Fb")
    const headers = sent[0]?.headers
    assert.deepStrictEqual(
      ["if-match", "prefer", "x-request-id"].map((name) => headers?.get(name)),
      ['"v1"', "dry-run", "mine"]
    )
  })

  it("sends no request whose path lacks a parameter", async () => {
    const { client, sent } = scripted()
    for (const path of [{}, { id: "" }]) {
      const error: unknown = await client.contacts.get({ path } as never).catch((error: unknown) => error)
      assert.include(String(error), "`path.id` is required")
    }
    assert.lengthOf(sent, 0)
  })

  it("has dry runs of what can be tried out only", () => {
    const { dryRun } = scripted().client
    assert.containsAllKeys(dryRun.contacts, ["create", "update", "delete", "batchUpsert", "merge"])
    assert.doesNotHaveAnyKeys(dryRun.contacts, ["list", "get", "search", "batchGet"])
    assert.doesNotHaveAnyKeys(dryRun.webhooks, ["test"])
  })

  it("stops waiting when the caller aborts", async () => {
    const abort = new AbortController()
    const { client } = scripted(() => {
      abort.abort(new Error("enough"))
      return networkError()
    })
    const error: unknown = await client.contacts
      .get({ path: { id: "x" }, signal: abort.signal })
      .catch((error: unknown) => error)
    assert.include(String(error), "enough")
  })
})
