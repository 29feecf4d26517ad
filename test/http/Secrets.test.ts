/** No cache stores a response that shows a secret. */
import * as Tenant from "../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, SchemaAST } from "effect"
import { type HttpApiEndpoint, type HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { test } from "vitest"
import { Api } from "../../src/Api.ts"
import { isSecret } from "../../src/core/fields/Text.ts"
import { type Reply, TestService } from "../support/TestService.ts"

const groups: unknown = Object.values(Api.groups)

/** The paths of all members of a schema. */
const membersOf = (ast: SchemaAST.AST, path = ""): ReadonlyArray<readonly [path: string, ast: SchemaAST.AST]> => {
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap((type) => membersOf(type, path))
  if (SchemaAST.isArrays(ast)) return [...ast.elements, ...ast.rest].flatMap((item) => membersOf(item, `${path}[]`))
  if (!SchemaAST.isObjects(ast)) return []
  return ast.propertySignatures.flatMap(({ name, type }) => [
    [`${path}.${String(name)}`, type] as const,
    ...membersOf(type, `${path}.${String(name)}`)
  ])
}

const successes = (groups as ReadonlyArray<HttpApiGroup.Top>).flatMap(({ endpoints, identifier }) =>
  Object.values(endpoints).flatMap((endpoint: HttpApiEndpoint.Top) =>
    [...endpoint.success].flatMap((schema) =>
      membersOf((HttpApiSchema.isWithHeaders(schema) ? schema.schema : schema).ast).map(([path, ast]) => ({
        member: `${identifier}.${endpoint.identifier}${path}`,
        ast,
        // The items of a page are resources after their creation, which show no secret.
        isNested: path.lastIndexOf(".") > 0 && !path.startsWith(".data[]")
      }))
    )
  )
)

test("Members of responses that are named as secrets are declared as secrets, at the top level", () => {
  const named = successes.filter(({ member }) => /(?:secret|password|[a-z]_token|[a-z]Token)$/.test(member))
  assert.isAtLeast(named.length, 2)
  for (const { ast, member } of named) assert.isTrue(isSecret(ast), member)
  for (const { ast, isNested, member } of successes) assert.isFalse(isSecret(ast) && isNested, member)
})

const shown = /"(?:whsec|pn[aps])_[\w+/=]{20,}"/

const assertCaching = (reply: Reply<unknown>, hasSecret: boolean, what: string, caching = "no-store, private") => {
  assert.strictEqual(shown.test(reply.text), hasSecret, what)
  assert.strictEqual(reply.headers.get("cache-control"), hasSecret ? "no-store" : caching, what)
}

layer(TestService.layer, { excludeTestServices: true })("A response that shows a secret", (it) => {
  it.effect("is stored by nobody, also as a replay, nor is any other but what a client may ask for again", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { token } = yield* Tenant.make()
      const path = "/api/v1/webhooks"
      const json = { url: "http://127.0.0.1:9/hook", events: ["contact.created"], name: "CRM sync" }
      const create = (headers: Record<string, string>) =>
        request<{ readonly id: string }>("POST", path, { token, json, headers })
      assertCaching(yield* create({ prefer: "dry-run" }), false, "rehearsed create")
      const created = yield* create({ "idempotency-key": "k" })
      assertCaching(created, true, "create")
      const replayed = yield* create({ "idempotency-key": "k" })
      assert.strictEqual(replayed.headers.get("idempotency-replayed"), "true")
      assertCaching(replayed, true, "replayed create")
      const webhook = `${path}/${created.body.id}`
      assertCaching(yield* request("POST", `${webhook}/secret`, { token }), true, "rotate")
      assertCaching(
        yield* request("POST", `${webhook}/secret`, { token, headers: { prefer: "dry-run" } }),
        false,
        "rehearsed rotate"
      )
      assertCaching(yield* request("GET", webhook, { token }), false, "get", "private, no-cache")
      assertCaching(yield* request("GET", path, { token }), false, "list")
      assertCaching(yield* request("PATCH", webhook, { token, json: { name: "Sync" } }), false, "patch")
    })
  )
})
