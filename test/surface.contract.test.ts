/**
 * Checks that each operation accepts a caller with exactly the needed permissions, unknown parameters of none, and no cache that keeps
 * secrets, and answers as the OpenAPI document says.
 */
import * as TeamStatements from "./support/TeamStatements.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { nearest } from "../src/core/fields/spelling.ts"
import { faultsOf } from "./support/faults.ts"
import { assertDescribed } from "./openapi/Validator.ts"
import { bodyOf, callersOfOperations, type Operation, operations, resourcesOf, send } from "./support/Surface.ts"
import { store, testUrl } from "./support/TestDatabase.ts"
import { TestService } from "./support/TestService.ts"

const callers = callersOfOperations()

/** A valid request of a caller with exactly the needed permissions. `query` may make it invalid. */
const granted = Effect.fnUntraced(function* (operation: Operation) {
  const { owner, shared } = yield* callers(operation)
  const resources = yield* resourcesOf(operation, owner, shared)
  const options = yield* bodyOf(operation, owner, shared)
  const ask = operation.needs === "public" ? options : { ...options, token: owner.token }
  return Effect.fnUntraced(function* (query = "") {
    const reply = yield* send(operation, resources, ask, query)
    yield* assertDescribed(operation, reply)
    return reply
  })
})

/** The operations whose responses show a secret. */
const showing = ["webhooks.create", "webhooks.rotateSecret", "oauth.issueToken"]

const shown = /"(?:whsec|pn[aps])_[\w+/=]{20,}"/

/** Who may store the response of an operation. */
const cachingOf = ({ id, method }: Operation, hasTag: boolean) => {
  if (showing.includes(id)) return "no-store"
  if (id.startsWith("oauth.")) return method === "GET" ? "no-cache" : "no-store"
  return method === "GET" && hasTag ? "private, no-cache" : "no-store, private"
}

/** `name` with a typo. */
const misspelled = (name: string) => `${name.slice(0, 1)}${name.slice(2)}`

layer(TestService.layerRecorded, { excludeTestServices: true })("Every operation", (it) => {
  for (const operation of operations) {
    const line = `${operation.method} ${operation.path}`
    const { needs } = operation
    const who = needs === "public" ? "an anonymous caller" : `a caller with only ${needs}`
    it.effect(
      `${line} refuses unknown query parameters without effect, accepts ${who}, and is cached as it may be`,
      () =>
        Effect.gen(function* () {
          const request = yield* granted(operation)
          const isOAuth = operation.id.startsWith("oauth.") && operation.method === "POST"
          const unknown = ["nonsense", ...operation.query.map(misspelled)]
          const reply = yield* request(`?${unknown.map((name) => `${name}=1`).join("&")}`)
          assert.strictEqual(reply.status, 400, reply.text)
          if (isOAuth) assert.strictEqual(reply.body["error"], "invalid_request")
          else {
            assert.deepStrictEqual(
              faultsOf(reply),
              unknown.map((name) => `query /${name} unknown_parameter`)
            )
            for (const { detail, pointer } of reply.body["errors"] as ReadonlyArray<Readonly<Record<string, string>>>) {
              const meant = nearest((pointer ?? "").slice(1), operation.query)
              if (meant !== undefined) assert.include(detail, `Did you mean "${meant}"?`)
              else assert.notInclude(detail, "Did you mean")
            }
          }
          const afterwards = yield* request()
          assert.include([200, 201, 204, 207], afterwards.status, afterwards.text)
          assert.strictEqual(shown.test(afterwards.text), showing.includes(operation.id), "shows a secret")
          assert.strictEqual(
            afterwards.headers.get("cache-control"),
            cachingOf(operation, afterwards.headers.has("etag"))
          )
        })
    )
  }

  // What all of the above have sent; docs/adr/0029-changes-begin-by-team.md says more.
  const withoutTeam = [
    // A broker's prospects and projects have offers in the teams of all investors.
    "and broker_team_id = $"
  ]
  // The plans of one server: those of Citus have the rest in plans of other servers.
  it.effect.runIf(store === "postgres")("sends statements that name the team whose rows they look for", () =>
    Effect.gen(function* () {
      const { found, planned } = yield* TeamStatements.unrouted(yield* testUrl, TestService.sent)
      assert.isAbove(planned, 200)
      assert.deepStrictEqual(
        found.filter(({ text }) => !withoutTeam.some((part) => text.includes(part))),
        []
      )
      for (const part of withoutTeam)
        assert.isTrue(
          found.some(({ text }) => text.includes(part)),
          part
        )
    })
  )
})
