/** The example of a CRM's sync. In memory: on a shared Postgres, open transactions of other tests hold deltas back. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connect } from "../../examples/api.ts"
import { addTag, type Crm, type Person, pull, push, sync } from "../../examples/sync.ts"
import { start } from "../support/Process.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestService } from "../support/TestService.ts"

type Fetch = typeof globalThis.fetch

const path = "/network/contacts"

const person = (number: number): Person => ({
  firstName: "Person",
  lastName: String(number),
  email: `person${number}@example.com`,
  isChanged: true
})

const crmOf = (size: number): Crm => ({
  people: Object.fromEntries(Array.from({ length: size }, (_, index) => [`p${index}`, person(index)])),
  contacts: {},
  nextSince: null
})

/** A client for a new team. */
const client = Effect.gen(function* () {
  const { baseUrl } = yield* TestService
  const { token } = yield* Tenant.make()
  return { baseUrl, token, api: connect(baseUrl, token), withFetch: (fetch: Fetch) => connect(baseUrl, token, fetch) }
})

/** `fetch`, with another first answer for the requests that `matches` selects. */
const replacingFirst = (matches: (method: string, url: string) => boolean, replacement: Fetch): Fetch => {
  let isFirst = true
  return (input, init) => {
    if (!isFirst || !matches(init?.method ?? "GET", String(input))) return fetch(input, init)
    isFirst = false
    return replacement(input, init)
  }
}

layer(TestService.layer, { excludeTestServices: true })("examples/sync.ts", (it) => {
  it.effect("pushes several batches and pulls several pages", () =>
    Effect.gen(function* () {
      const { api, withFetch } = yield* client
      const crm = crmOf(501)
      yield* Effect.promise(async () => {
        assert.deepStrictEqual(await sync(api, crm), [])
        assert.lengthOf(Object.keys(crm.contacts), 501)
        assert.isFalse(Object.values(crm.people).some(({ isChanged }) => isChanged))
        let contactsFetched = 0
        const counting = withFetch(async (input, init) => {
          const response = await fetch(input, init)
          if (init?.method === "GET")
            contactsFetched += ((await response.clone().json()) as { data: ReadonlyArray<unknown> }).data.length
          return response
        })
        await sync(counting, crm)
        assert.strictEqual(contactsFetched, 0)
      })
    })
  )

  it.effect("reports refused items and sends them again in the next run", () =>
    Effect.gen(function* () {
      const { api } = yield* client
      const crm = crmOf(2)
      crm.people["p1"] = { ...person(1), email: "not an address" }
      yield* Effect.promise(async () => {
        const errors = await push(api, crm)
        assert.match(errors.join("\n"), /^p1: invalid_request/)
        assert.deepStrictEqual([crm.people["p0"]?.isChanged, crm.people["p1"]?.isChanged], [false, true])
      })
    })
  )

  it.effect("pulls changes, deletions and merges", () =>
    Effect.gen(function* () {
      const { api } = yield* client
      const crm = crmOf(4)
      yield* Effect.promise(async () => {
        await sync(api, crm)
        const [id0, id1, id2, id3] = Object.values(crm.contacts).map(({ id }) => id)
        await api("PATCH", `${path}/${id0}`, { body: { firstName: "Changed" } })
        await api("DELETE", `${path}/${id1}`)
        await api("POST", `${path}/${id2}/merge`, { body: { from: [id3] } })
        await pull(api, crm)
        assert.strictEqual(crm.people["p0"]?.firstName, "Changed")
        assert.sameMembers(Object.keys(crm.contacts), [id0, id2])
        assert.sameMembers(Object.keys(crm.people), ["p0", "p2", "p3"])
      })
    })
  )

  it.effect("reads everything again when the last run was too long ago", () =>
    Effect.gen(function* () {
      const { api, withFetch } = yield* client
      const crm = crmOf(2)
      const problem = { status: 410, code: "resync_required", detail: "", requestId: "" }
      const expired = withFetch(
        replacingFirst(
          (_, url) => url.includes("include_deleted"),
          async () => Response.json(problem, { status: 410 })
        )
      )
      yield* Effect.promise(async () => {
        await sync(api, crm)
        const [deleted, kept] = Object.keys(crm.contacts)
        await api("DELETE", `${path}/${deleted}`)
        await pull(expired, crm)
        assert.deepStrictEqual(Object.keys(crm.contacts), [kept])
        assert.lengthOf(Object.keys(crm.people), 1)
      })
    })
  )

  it.effect("adds a tag without losing one that was added meanwhile", () =>
    Effect.gen(function* () {
      const { api, withFetch } = yield* client
      yield* Effect.promise(async () => {
        const { body } = await api<{ readonly id: string }>("POST", path, { body: { firstName: "Anna" } })
        const racing = replacingFirst(
          (method) => method === "PATCH",
          async (input, init) => {
            await api("PATCH", `${path}/${body.id}`, { body: { tags: ["theirs"] } })
            return fetch(input, init)
          }
        )
        await addTag(withFetch(racing), body.id, "ours")
        const { body: contact } = await api<{ readonly tags: ReadonlyArray<string> }>("GET", `${path}/${body.id}`)
        assert.sameMembers([...contact.tags], ["theirs", "ours"])
      })
    })
  )

  it.effect("repeats a batch whose answer was lost, and waits as long as `Retry-After` says", () =>
    Effect.gen(function* () {
      const { api, withFetch } = yield* client
      const crm = crmOf(1)
      const keys: Array<string | null> = []
      const losing = replacingFirst(
        () => true,
        async (input, init) => {
          await fetch(input, init)
          throw new TypeError("fetch failed")
        }
      )
      const problem = { status: 429, code: "rate_limited", detail: "", requestId: "" }
      let isLimited = true
      const unreliable: Fetch = async (input, init) => {
        keys.push(new Headers(init?.headers).get("idempotency-key"))
        if (keys.length === 1) return losing(input, init)
        if (!isLimited) return fetch(input, init)
        isLimited = false
        return Response.json(problem, { status: 429, headers: { "retry-after": "0" } })
      }
      yield* Effect.promise(async () => {
        assert.deepStrictEqual(await push(withFetch(unreliable), crm), [])
        assert.lengthOf(keys, 3)
        assert.lengthOf([...new Set(keys)], 1)
        await pull(api, crm)
        assert.lengthOf(Object.keys(crm.contacts), 1)
      })
    })
  )

  it.effect("runs as a program that continues where it stopped", () =>
    Effect.gen(function* () {
      const { api, baseUrl, token } = yield* client
      yield* Effect.promise(async () => {
        const folder = await mkdtemp(join(tmpdir(), "property-network-sync-"))
        try {
          const file = join(folder, "crm.json")
          const env = { CRM_FILE: file, PROPERTY_NETWORK_TOKEN: token, PROPERTY_NETWORK_URL: baseUrl }
          for (const expected of [/^2 people, 2 contacts$/m, /^2 people, 3 contacts$/m]) {
            const { ended, output } = start(["examples/sync.ts"], env)
            assert.strictEqual((await ended).code, 0, output.stderr)
            assert.match(output.stdout, expected)
            await api("POST", path, { body: { firstName: "Anna" } })
          }
          const crm = JSON.parse(await readFile(file, "utf8")) as Crm
          const vips = Object.values(crm.contacts).filter(({ tags }) => tags.includes("vip"))
          assert.deepStrictEqual(
            vips.map(({ email }) => email),
            ["maria@rossi.example"]
          )
        } finally {
          await rm(folder, { recursive: true })
        }
      })
    })
  )
})
