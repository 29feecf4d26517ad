import * as RestAdapter from "../../src/http/RestAdapter.ts"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import { Authorization } from "../../src/http/Authorization.ts"
import { layerBaseUrl } from "../../src/platform/Config.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { noContent } from "../../src/http/RestResponse.ts"

class Another extends HttpApiMiddleware.Service<Another>()("test/http/Another") {}

// Without standbys.
const database = Layer.succeed(Database, {} as Database["Service"])

const authorization = Layer.succeed(Authorization, { bearer: () => Effect.die("nobody calls") })

/** Builds the routes of a group, and returns the exit. */
const opened = <Group extends HttpApiGroup.Constraint>(group: Group) => {
  const handlers = { get: () => Effect.succeed(noContent) } as unknown as RestAdapter.Handlers<Group>
  return Effect.exit(
    Effect.scoped(
      Layer.build(
        RestAdapter.group(group, Effect.succeed(handlers)).pipe(
          Layer.provide([HttpRouter.layer, layerBaseUrl("http://localhost"), authorization, database])
        )
      )
    )
  )
}

const things = HttpApiGroup.make("things")
const endpoint = HttpApiEndpoint.get("get", "/things")

describe("The REST adapter", () => {
  it.effect("serves public endpoints and endpoints with Authorization", () =>
    Effect.gen(function* () {
      assert.isTrue(Exit.isSuccess(yield* opened(things.add(endpoint))))
      assert.isTrue(Exit.isSuccess(yield* opened(things.add(endpoint.middleware(Authorization)))))
    })
  )

  it.effect("rejects an endpoint with any other middleware at start", () =>
    Effect.gen(function* () {
      for (const exit of [
        yield* opened(things.add(endpoint.middleware(Another))),
        yield* opened(things.add(endpoint.middleware(Authorization).middleware(Another)))
      ]) {
        assert.isTrue(Exit.isFailure(exit))
        if (Exit.isFailure(exit))
          assert.include(Cause.pretty(exit.cause), "get has a middleware that the REST adapter does not apply")
      }
    })
  )
})
