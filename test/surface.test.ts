/**
 * The golden list of operations, `surface.txt`, and a walk over all of them: each refuses whom it must refuse. Whom they
 * are granted to is in surface.contract.test.ts.
 * `UPDATE_SURFACE=1` writes the list anew; look at the difference before you commit it.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import { expect, test } from "vitest"
import * as Secret from "../src/auth/Secret.ts"
import {
  askedBy,
  bodyOf,
  type Caller,
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

test("The list of operations is the contract's", async () => {
  const surface = `${operations.map(lineOf).join("\n")}\n`
  if (process.env["UPDATE_SURFACE"] === "1") await writeFile(file, surface)
  expect(await readFile(file, "utf8"), "UPDATE_SURFACE=1 writes test/surface.txt anew").toBe(surface)
})

test("Operations say what they need exactly when they ask who calls", () => {
  for (const { hasCaller, id, needs } of operations) assert.strictEqual(needs !== "public", hasCaller, id)
})

const codeOf = (reply: Reply): readonly [number, unknown] => [reply.status, reply.body["code"]]

/** The same for all who ask for it: it is made for the first. */
const once = <A, E, R>(made: Effect.Effect<A, E, R>) => Effect.runSync(Effect.cached(made))

/** A team with resources, and what asks for something with them. */
const sceneOf = Effect.fnUntraced(function* (operation: Operation, owner: Caller) {
  return { owner, resources: yield* resourcesOf(operation, owner), ask: yield* bodyOf(operation, owner) }
})

/** Two such teams, for all who are refused: refusals change nothing. */
const scenesOf = (operation: Operation) => {
  const scene = Effect.flatMap(Tenant.make(everything), (owner) => sceneOf(operation, owner))
  return { theirs: once(scene), strangers: once(scene) }
}

const callers = new Map<Tenant.TenantOptions, ReturnType<typeof Tenant.make>>()

/** A caller, for all operations that refuse such a one. */
const refused = (options: Tenant.TenantOptions) => {
  const caller = callers.get(options) ?? once(Tenant.make(options))
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
    const { strangers, theirs } = scenesOf(operation)

    /** The answer to a request that would be granted, were it not for the token. */
    const withToken = (token: string | undefined) =>
      Effect.flatMap(theirs, ({ ask, resources }) => send(operation, resources, { ...ask, token }))

    /** The answer to somebody who asks for a resource that there is, in a way that others would be granted. */
    const to = Effect.fnUntraced(function* (options: Tenant.TenantOptions) {
      const { ask, resources } = yield* theirs
      const caller = yield* refused(options)
      return yield* send(operation, yield* askedBy(operation, resources, caller), { ...ask, token: caller.token })
    })

    it.effect(`${line} refuses a missing token and an unknown one`, () =>
      Effect.gen(function* () {
        const missing = yield* withToken(undefined)
        assert.deepStrictEqual(codeOf(missing), [401, "unauthorized"])
        assert.strictEqual(missing.headers.get("www-authenticate"), "Bearer")
        for (const token of ["nobody", Secret.make("personal", randomBytes(32))]) {
          const unknown = yield* withToken(token)
          assert.deepStrictEqual(codeOf(unknown), [401, "unauthorized"])
          assert.strictEqual(unknown.headers.get("www-authenticate"), 'Bearer error="invalid_token"')
        }
      })
    )

    it.effect(`${line} refuses a token without the scope`, () =>
      Effect.gen(function* () {
        const reply = yield* to(withoutScope)
        assert.deepStrictEqual(codeOf(reply), [403, "insufficient_scope"])
      })
    )

    if (needs !== "none") {
      it.effect(`${line} refuses those who have not joined the team`, () =>
        Effect.gen(function* () {
          const reply = yield* to(notJoined)
          assert.deepStrictEqual(codeOf(reply), [403, "membership_pending"])
        })
      )
    }

    for (const options of lacking[needs]) {
      const capability = needs === "investor-requested" ? "investor" : needs
      const state = capability === "broker" ? options.broker : options.investor
      it.effect(`${line} refuses those whose ${capability} capability is ${state ?? "missing"}`, () =>
        Effect.gen(function* () {
          const reply = yield* to(options)
          assert.deepStrictEqual(codeOf(reply), [403, "capability_required"])
          assert.strictEqual(reply.body["capability"], capability)
        })
      )
    }

    for (const [index, param] of operation.params.entries()) {
      it.effect(`${line} has nothing for another team, nor where no id is, at ${param}`, () =>
        Effect.gen(function* () {
          const { resources } = yield* theirs
          const { ask, owner: stranger, resources: own } = yield* strangers
          for (const id of [resources[index] ?? "", "nothing", `${own[index]}0`, (own[index] ?? "").toUpperCase()]) {
            const reply = yield* send(operation, own.with(index, id), { ...ask, token: stranger.token })
            assert.deepStrictEqual(codeOf(reply), [404, "not_found"], id)
          }
        })
      )
    }
  }
})
