/** Starts a cluster until it is interrupted, and prints the CITUS_URL of its coordinator. */
import { Effect } from "effect"
import { NodeRuntime } from "@effect/platform-node"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as CitusCluster from "./CitusCluster.ts"
import { addWorkers } from "./addWorkers.ts"

const folder = Effect.acquireRelease(
  Effect.promise(async () => {
    const made = await mkdtemp(join(tmpdir(), "property-network-citus-"))
    await chmod(made, 0o711)
    return made
  }),
  (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
)

Effect.gen(function* () {
  const { url, workers } = yield* CitusCluster.start(yield* folder)
  yield* Effect.promise(() => addWorkers(url, workers))
  yield* Effect.sync(() => process.stdout.write(`CITUS_URL=${url}\n`))
  return yield* Effect.never
}).pipe(Effect.scoped, NodeRuntime.runMain)
