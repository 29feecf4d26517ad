/** Removes objects from the store that no file refers to any more. */
import { Effect } from "effect"
import { FileRetention } from "../../src/content/files/FileRetention.ts"
import { discard as job } from "../../src/content/files/jobs.ts"
import * as Task from "../../src/platform/jobs/Task.ts"

/** Implements `files/discard`. */
export const discardObjects = Task.make(job, (payload) =>
  Effect.flatMap(FileRetention, (retention) => retention.discardObjects(payload))
)
