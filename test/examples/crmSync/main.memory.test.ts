/** The example of a CRM as a program. In memory: on a shared Postgres, open transactions of other tests hold deltas back. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient } from "property-network/client"
import type { Stored } from "../../../examples/crm-sync/Crm.ts"
import * as MemoryWorker from "../../../src/platform/jobs/MemoryWorker.ts"
import { handlers } from "../../../workers/handlers.ts"
import { eventually } from "../../support/polling.ts"
import { start, stop } from "../../support/Process.ts"
import * as Tenant from "../../support/Tenant.ts"
import { TestService } from "../../support/TestService.ts"

const service = MemoryWorker.layer(handlers).pipe(Layer.provideMerge(TestService.layerOwn))

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "property-network-crm-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

layer(service, { excludeTestServices: true })("examples/crm-sync/main.ts", (it) => {
  it.effect("keeps both sides in step, run by run, and then by webhooks", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* TestService
      const { token } = yield* Tenant.make()
      const client = createClient({ baseUrl, token })
      const file = join(yield* folder, "crm.json")
      const port = yield* Effect.promise(freePort)
      const env = {
        CRM_FILE: file,
        PORT: String(port),
        PROPERTY_NETWORK_TOKEN: token,
        PROPERTY_NETWORK_URL: baseUrl
      }
      const run = async (...args: ReadonlyArray<string>) => {
        const { ended, output } = start(["examples/crm-sync/main.ts", ...args], env)
        assert.strictEqual((await ended).code, 0, output.stderr)
        return output.stdout
      }
      const names = async () =>
        Object.values((JSON.parse(await readFile(file, "utf8")) as Stored).people)
          .map(({ members }) => members.firstName)
          .sort()
      const webhook = yield* Effect.promise(async () => {
        await run("add", "Maria", "Rossi", "maria@rossi.example")
        assert.strictEqual(await run("sync"), "1 person in step\n")
        const [maria] = (await client.contacts.list()).data
        assert.deepInclude(maria, { firstName: "Maria", email: "maria@rossi.example" })
        await client.contacts.create({ body: { firstName: "Anna" } })
        await client.contacts.update({ path: { id: maria?.id ?? "" }, body: { firstName: "Mary" } })
        assert.strictEqual(await run("sync"), "2 people in step\n")
        assert.deepStrictEqual(await names(), ["Anna", "Mary"])
        return client.webhooks.create({ body: { url: `http://127.0.0.1:${port}/`, events: ["contact.*"] } })
      })
      const receiver = start(["examples/crm-sync/main.ts", "receive", webhook.id], {
        ...env,
        WEBHOOK_SECRET: webhook.secret
      })
      yield* Effect.addFinalizer(() => Effect.promise(() => stop(receiver)))
      yield* eventually(() => assert.include(receiver.output.stdout, "Receiving", receiver.output.stderr))
      yield* Effect.promise(() => client.contacts.create({ body: { firstName: "Béla" } }))
      yield* eventually(async () => assert.deepStrictEqual(await names(), ["Anna", "Béla", "Mary"]))
      const { code } = yield* Effect.promise(() => stop(receiver))
      assert.strictEqual(code, 0, receiver.output.stderr)
    })
  )
})
