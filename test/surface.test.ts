/**
 * Compares the operations with the snapshot `surface.txt`, and checks that each one refuses callers without permission. That
 * they accept callers with permission is tested in surface.contract.test.ts.
 *
 * `UPDATE_SURFACE=1` writes the snapshot; review the difference before you commit it.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import { expect, test } from "vitest"
import * as Secret from "../src/core/auth/Secret.ts"
import { assertDescribed } from "./openapi/Validator.ts"
import {
  addressedBy,
  bodyOf,
  everything,
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

test("surface.txt lists the operations of the contract", async () => {
  const surface = `${operations.map(lineOf).join("\n")}\n`
  if (process.env["UPDATE_SURFACE"] === "1") await writeFile(file, surface)
  expect(await readFile(file, "utf8"), "Run this test with UPDATE_SURFACE=1 to write test/surface.txt").toBe(surface)
})

test("An operation declares a need if and only if it requires authentication", () => {
  for (const { hasCaller, id, needs } of operations) assert.strictEqual(needs !== "public", hasCaller, id)
})

/** The status and the code of an answer that the OpenAPI document describes. */
const codeOf = Effect.fnUntraced(function* (operation: Operation, reply: Reply) {
  yield* assertDescribed(operation, reply)
  return [reply.status, reply.body["code"]] as const
})

/** Runs an effect once, and returns the same result afterwards. */
const cached = <A, E, R>(made: Effect.Effect<A, E, R>) => Effect.runSync(Effect.cached(made))

/** A team whose resources the requests to all operations share, because refused requests change nothing. */
const teamOfAll = () =>
  cached(Effect.map(Tenant.make(everything), (owner) => ({ owner, shared: new Map<string, string>() })))

const aTeam = teamOfAll()
const anotherTeam = teamOfAll()

/** A caller with the resources and the body of a valid request. */
const validRequestOf = (team: typeof aTeam, operation: Operation) =>
  cached(
    Effect.gen(function* () {
      const { owner, shared } = yield* team
      const resources = yield* resourcesOf(operation, owner, shared)
      return { owner, resources, options: yield* bodyOf(operation, owner, shared) }
    })
  )

const callers = new Map<Tenant.TenantOptions, ReturnType<typeof Tenant.make>>()

/** A caller with these options, shared by all operations. */
const refused = (options: Tenant.TenantOptions) => {
  const caller = callers.get(options) ?? cached(Tenant.make(options))
  callers.set(options, caller)
  return caller
}

const withoutScope = { ...everything, scopes: [] }
const notJoined = { ...everything, membership: "pending" } as const

layer(TestService.layer, { excludeTestServices: true })("Every operation", (it) => {
  for (const operation of operations) {
    if (operation.needs === "public") continue
    const line = `${operation.method} ${operation.path}`
    const { needs } = operation
    const theirs = validRequestOf(aTeam, operation)
    const strangers = validRequestOf(anotherTeam, operation)

    /** The response to a request that is valid except for its token. */
    const withToken = (token: string | undefined) =>
      Effect.flatMap(theirs, ({ options, resources }) => send(operation, resources, { ...options, token }))

    /** The response to a valid request of a caller with these options. */
    const replyTo = Effect.fnUntraced(function* (callerOptions: Tenant.TenantOptions) {
      const { options, resources } = yield* theirs
      const caller = yield* refused(callerOptions)
      return yield* send(operation, yield* addressedBy(operation, resources, caller), {
        ...options,
        token: caller.token
      })
    })

    it.effect(`${line} refuses a missing token and an unknown one`, () =>
      Effect.gen(function* () {
        const missing = yield* withToken(undefined)
        assert.deepStrictEqual(yield* codeOf(operation, missing), [401, "unauthorized"])
        assert.strictEqual(missing.headers.get("www-authenticate"), "Bearer")
        for (const token of ["nobody", Secret.make("personal", randomBytes(32))]) {
          const unknown = yield* withToken(token)
          assert.deepStrictEqual(yield* codeOf(operation, unknown), [401, "unauthorized"])
          assert.strictEqual(unknown.headers.get("www-authenticate"), 'Bearer error="invalid_token"')
        }
      })
    )

    it.effect(`${line} refuses a token without the scope`, () =>
      Effect.gen(function* () {
        const reply = yield* replyTo(withoutScope)
        assert.deepStrictEqual(yield* codeOf(operation, reply), [403, "insufficient_scope"])
      })
    )

    if (needs !== "none") {
      it.effect(`${line} refuses a caller with a pending membership`, () =>
        Effect.gen(function* () {
          const reply = yield* replyTo(notJoined)
          assert.deepStrictEqual(yield* codeOf(operation, reply), [403, "membership_pending"])
        })
      )
    }

    for (const options of lacking[needs]) {
      const capability =
        needs === "broker-or-investor"
          ? "investor"
          : needs === "either-active" || needs === "admin-or-broker"
            ? "broker"
            : needs
      const state = capability === "broker" ? options.broker : options.investor
      it.effect(`${line} refuses a caller whose ${capability} capability is ${state ?? "missing"}`, () =>
        Effect.gen(function* () {
          const reply = yield* replyTo(options)
          assert.deepStrictEqual(yield* codeOf(operation, reply), [403, "capability_required"])
          assert.strictEqual(reply.body["capability"], capability)
        })
      )
    }

    for (const [index, param] of operation.params.entries()) {
      it.effect(`${line} returns 404 for another team and for an invalid id as ${param}`, () =>
        Effect.gen(function* () {
          const { resources } = yield* theirs
          const { options, owner: stranger, resources: own } = yield* strangers
          for (const id of [resources[index] ?? "", "nothing", `${own[index]}0`, (own[index] ?? "").toUpperCase()]) {
            const reply = yield* send(operation, own.with(index, id), { ...options, token: stranger.token })
            assert.deepStrictEqual(yield* codeOf(operation, reply), [404, "not_found"], id)
          }
        })
      )
    }
  }
})
