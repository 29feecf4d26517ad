/** The official conformance suite of MCP against the authorization of apps: without exceptions. */
import * as ConformanceSuite from "../support/ConformanceSuite.ts"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Apps } from "../../src/identity/apps/Apps.ts"
import { TestService } from "../support/TestService.ts"
import { signedIn, signInAndAllow } from "./people.ts"

/** A port that nobody listens on, for the suite's own server. */
const freePort = Effect.promise(
  () =>
    new Promise<number>((resolve) => {
      const server = createServer().listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        server.close(() => resolve(port))
      })
    })
)

layer(TestService.layer, { excludeTestServices: true })("The authorization server conforms", (it) => {
  for (const version of ["2026-07-28", "2025-11-25"]) {
    it.effect(`to the protocol of ${version}, when a person signs in and allows what the suite asks for`, () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const apps = yield* Apps
        const person = yield* signedIn
        const port = yield* freePort
        const app = yield* asOperator(
          apps.create({ name: "Suite", redirectUris: ["http://127.0.0.1/callback"], confidential: false })
        )
        const asked = yield* Deferred.make<URL>()
        const options = {
          "--url": baseUrl,
          "--client-id": app.client_id,
          "--resource": `${baseUrl}/mcp`,
          "--port": String(port),
          "--spec-version": version
        }
        const suite = yield* Effect.forkScoped(
          ConformanceSuite.run(["authorization", ...Object.entries(options).flat()], (printed) => {
            const [, url] = /^(http:\S+\/openid\/authorize\?\S+)\n/m.exec(printed) ?? []
            if (url !== undefined) Deferred.doneUnsafe(asked, Effect.succeed(new URL(url)))
          })
        )
        const url = yield* Effect.raceFirst(
          Deferred.await(asked),
          Effect.flatMap(Fiber.join(suite), (checks) => Effect.die(`Nothing was asked: ${JSON.stringify(checks)}`))
        )
        const answer = yield* signInAndAllow(url, person)
        yield* Effect.promise(() => fetch(answer))
        assert.deepStrictEqual(
          (yield* Fiber.join(suite)).map(({ errorMessage = "", id, status }) => `${id}: ${status} ${errorMessage}`),
          [
            "authorization-server-metadata: SUCCESS ",
            "authorization-server-metadata-cimd: SUCCESS ",
            "authorization-code-grant: SUCCESS "
          ]
        )
      })
    )
  }
})
