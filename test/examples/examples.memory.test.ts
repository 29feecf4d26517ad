/** The small examples, run as they stand against one service, and what each of them prints. */
import * as MemoryWorker from "../../src/platform/jobs/MemoryWorker.ts"
import * as Tenant from "../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { readdirSync } from "node:fs"
import { registerHooks } from "node:module"
import { afterAll, it } from "vitest"
import { Worker } from "../../src/platform/jobs/Worker.ts"
import { handlers } from "../../workers/handlers.ts"
import { TestService } from "../support/TestService.ts"
import { printedBy } from "./running.ts"

/** What each example prints, line by line. */
const printed: { readonly [name: string]: ReadonlyArray<RegExp> } = {
  "first-contact": [/^Berg & Co has a contact: contact_/, /^Phone: \+39 02 5550123$/, /^Refused: precondition_failed$/],
  upsert: [
    /^4711: created$/,
    /^4712: created$/,
    /^4713: .*Must be an e-mail address/,
    /^4711: unchanged$/,
    /^4712: unchanged$/,
    /^4713: .*Must be an e-mail address/
  ],
  delta: [/^2 contacts$/, /^Eva changed$/, /^contact_\w+ was deleted$/],
  journal: [/^contact\.created contact_/, /^contact\.updated contact_/],
  "verify-webhook": [/^Without a signature: 401$/, /^contact\.created contact_/],
  replay: [/^Refused contact\.created$/, /^1 to be sent again$/, /^Took contact\.created$/],
  matches: [
    /^Hall Freimann: 90 of 100$/,
    /^geography: met$/,
    /^categories: met$/,
    /^lettableArea: met$/,
    /^positiveTags: partly$/
  ],
  agent: [
    /^\d+ tools for the network$/,
    /^Would cause contact\.created$/,
    /^Added contact_/,
    /^Refused: .*email=ADDRESS/,
    /^Felix is contact_/
  ]
}

/** Works in the background, as the worker of a running service does. */
const working = Effect.gen(function* () {
  const worker = yield* Worker
  yield* Effect.forkScoped(Effect.repeat(worker.drain, Schedule.spaced("20 millis")))
})

const service = Layer.effectDiscard(working).pipe(
  Layer.provideMerge(MemoryWorker.layer(handlers)),
  Layer.provideMerge(TestService.layerOwn)
)

layer(service, { excludeTestServices: true })("The example", (it) => {
  for (const [name, lines] of Object.entries(printed)) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { token } = yield* Tenant.make({ investor: "active" })
        const output = yield* printedBy(name, { PROPERTY_NETWORK_TOKEN: token, PROPERTY_NETWORK_URL: baseUrl })
        assert.strictEqual(output.length, lines.length, output.join("\n"))
        for (const [index, line] of lines.entries()) assert.match(output[index] ?? "", line)
      })
    )
  }
})

it("every example is run", () => {
  const files = readdirSync(new URL("../../examples", import.meta.url)).filter((file) => file.endsWith(".ts"))
  const run = [...Object.keys(printed), "deal", "in-memory.test"].map((name) => `${name}.ts`)
  assert.sameMembers(files, run)
})

// Its tests are tests of this file.
const vitestAsNodeTest = registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "node:test"
      ? {
          format: "module",
          shortCircuit: true,
          url: "data:text/javascript,export const { after, test } = vitestAsNodeTest"
        }
      : next(specifier, context)
})
Object.assign(globalThis, { vitestAsNodeTest: { after: afterAll, test: it } })
await import("../../examples/in-memory.test.ts")
vitestAsNodeTest.deregister()
