/**
 * The golden list of operations, `surface.txt`, and a walk over all of them: each refuses whom it must refuse.
 * `UPDATE_SURFACE=1` writes the list anew; look at the difference before you commit it.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import { expect, test } from "vitest"
import * as Secret from "../src/auth/tokens/Secret.ts"
import { nearest } from "../src/http/Input.ts"
import { faultsOf } from "./support/faults.ts"
import {
  bodyOf,
  type Caller,
  everything,
  having,
  lacking,
  lineOf,
  type Operation,
  operations,
  resourcesOf,
  send
} from "./support/Surface.ts"
import * as Tenant from "./support/Tenant.ts"
import { type Reply, TestService } from "./support/TestService.ts"

const file = new URL("surface.txt", import.meta.url)

test("The list of operations is the contract's", async () => {
  const surface = `${operations.map(lineOf).join("\n")}\n`
  if (process.env["UPDATE_SURFACE"] === "1") await writeFile(file, surface)
  expect(await readFile(file, "utf8"), "UPDATE_SURFACE=1 writes test/surface.txt anew").toBe(surface)
})

test("Operations say what they need exactly when they ask who calls", () => {
  for (const { hasCaller, id, needs } of operations) assert.strictEqual(needs !== "public", hasCaller, id)
})

const codeOf = (reply: Reply): readonly [number, unknown] => [reply.status, reply.body["code"]]

/** The answer to a request that would be granted, were it not for the token. */
const withToken = Effect.fnUntraced(function*(operation: Operation, token: string | undefined) {
  const owner = yield* Tenant.make(everything)
  return yield* send(operation, yield* resourcesOf(operation, owner), { ...(yield* bodyOf(operation, owner)), token })
})

/** The answer to somebody who asks for a resource that there is, in a way that others would be granted. */
const to = Effect.fnUntraced(function*(operation: Operation, options: Tenant.TenantOptions) {
  const owner = yield* Tenant.make(everything)
  const caller = yield* Tenant.make(options)
  const resources = yield* resourcesOf(operation, owner, caller)
  return yield* send(operation, resources, { ...(yield* bodyOf(operation, owner)), token: caller.token })
})

const callerOf = (operation: Operation): Effect.Effect<Caller | undefined, never, Effect.Services<ReturnType<typeof Tenant.make>>> =>
  operation.needs === "public" ? Effect.succeed(undefined) : Tenant.make(having[operation.needs])

/** A request that is granted to whoever has what the contract says, and no more; `query` may spoil it. */
const granted = Effect.fnUntraced(function*(operation: Operation) {
  const caller = yield* callerOf(operation)
  const resources = caller === undefined ? [] : yield* resourcesOf(operation, caller)
  const ask = { ...(yield* bodyOf(operation, caller)), token: caller?.token }
  return (query = "") => send(operation, resources, ask, query)
})

/** `name` with a slip of the pen. */
const misspelt = (name: string) => `${name.slice(0, 1)}${name.slice(2)}`

layer(TestService.layer, { excludeTestServices: true })("Every operation", (it) => {
  for (const operation of operations) {
    const line = `${operation.method} ${operation.path}`
    const { needs } = operation

    it.effect(`${line} is granted to ${needs === "public" ? "anybody" : `whoever has what it needs: ${needs}`}`, () =>
      Effect.gen(function*() {
        const reply = yield* (yield* granted(operation))()
        assert.include([200, 201, 204, 207], reply.status, reply.text)
      }))

    it.effect(`${line} refuses a query parameter that it does not know, and does nothing`, () =>
      Effect.gen(function*() {
        const request = yield* granted(operation)
        const isOAuth = operation.id.startsWith("oauth.") && operation.method === "POST"
        for (const known of ["nonsense", ...operation.query.map(misspelt)]) {
          const reply = yield* request(`?${known}=1`)
          assert.strictEqual(reply.status, 400, reply.text)
          if (isOAuth) assert.strictEqual(reply.body["error"], "invalid_request")
          else assert.deepStrictEqual(faultsOf(reply), [`query /${known} unknown_parameter`])
          const meant = nearest(known, operation.query)
          if (meant !== undefined) assert.include(reply.text, `Did you mean \\"${meant}\\"?`)
          else assert.notInclude(reply.text, "Did you mean")
        }
        const afterwards = yield* request()
        assert.include([200, 201, 204, 207], afterwards.status, afterwards.text)
      }))

    if (needs === "public") continue

    it.effect(`${line} refuses a missing token and an unknown one`, () =>
      Effect.gen(function*() {
        const missing = yield* withToken(operation, undefined)
        assert.deepStrictEqual(codeOf(missing), [401, "unauthorized"])
        assert.strictEqual(missing.headers.get("www-authenticate"), "Bearer")
        for (const token of ["nobody", Secret.make("personal", randomBytes(32))]) {
          const unknown = yield* withToken(operation, token)
          assert.deepStrictEqual(codeOf(unknown), [401, "unauthorized"])
          assert.strictEqual(unknown.headers.get("www-authenticate"), "Bearer error=\"invalid_token\"")
        }
      }))

    it.effect(`${line} refuses a token without the scope`, () =>
      Effect.gen(function*() {
        const reply = yield* to(operation, { ...everything, scopes: [] })
        assert.deepStrictEqual(codeOf(reply), [403, "insufficient_scope"])
      }))

    if (needs !== "none") {
      it.effect(`${line} refuses those who have not joined the team`, () =>
        Effect.gen(function*() {
          const reply = yield* to(operation, { ...everything, membership: "pending" })
          assert.deepStrictEqual(codeOf(reply), [403, "membership_pending"])
        }))
    }

    for (const options of lacking[needs]) {
      const capability = needs === "investor-requested" ? "investor" : needs
      const state = capability === "broker" ? options.broker : options.investor
      it.effect(`${line} refuses those whose ${capability} capability is ${state ?? "missing"}`, () =>
        Effect.gen(function*() {
          const reply = yield* to(operation, options)
          assert.deepStrictEqual(codeOf(reply), [403, "capability_required"])
          assert.strictEqual(reply.body["capability"], capability)
        }))
    }

    for (const [index, param] of operation.params.entries()) {
      it.effect(`${line} has nothing for another team, nor where no id is, at ${param}`, () =>
        Effect.gen(function*() {
          const [owner, stranger] = [yield* Tenant.make(everything), yield* Tenant.make(everything)]
          const theirs = yield* resourcesOf(operation, owner)
          const own = yield* resourcesOf(operation, stranger)
          const ask = { ...(yield* bodyOf(operation, stranger)), token: stranger.token }
          for (const id of [theirs[index] ?? "", "nothing", `${own[index]}0`, (own[index] ?? "").toUpperCase()]) {
            const reply = yield* send(operation, own.with(index, id), ask)
            assert.deepStrictEqual(codeOf(reply), [404, "not_found"], id)
          }
        }))
    }
  }
})
