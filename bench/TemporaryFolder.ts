import { Effect } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A folder that is removed at the end of the scope. */
export const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "property-network-bench-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)
