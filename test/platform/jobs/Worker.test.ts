import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Lease, WorkerSession } from "../../../src/platform/jobs/Worker.ts"

const lease = (id: string): Lease => ({ id, isVisible: true })

describe("The session of a worker", () => {
  it.effect("keeps the lease of the next runner when a failed one regains its lock and ends", () =>
    Effect.gen(function* () {
      const session = yield* WorkerSession.make(() => {})
      const [failed, next] = [lease("failed"), lease("next")]
      session.startLease(next)
      session.startLease(failed)
      session.endLease("failed")
      assert.strictEqual(session.currentLease(), next)
      session.endLease("next")
      assert.isUndefined(session.currentLease())
    })
  )

  it.effect("reports each time when the current lease is no longer the current one, and no other end", () =>
    Effect.gen(function* () {
      const session = yield* WorkerSession.make(() => {})
      let reports = 0
      session.onLeaseEnd(() => reports++)
      session.startLease(lease("first"))
      assert.strictEqual(reports, 0)
      session.startLease(lease("second"))
      assert.strictEqual(reports, 1)
      session.endLease("first")
      assert.strictEqual(reports, 1)
      session.endLease("second")
      assert.strictEqual(reports, 2)
      session.endLease("second")
      assert.strictEqual(reports, 2)
    })
  )
})
