/** Purges sessions, codes and refresh tokens that were over long ago, links that have expired, unused apps, and windows of attempts. */
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { Effect, Schema } from "effect"
import { Apps } from "../../src/identity/apps/Apps.ts"
import { Attempts } from "../../src/identity/signIn/Attempts.ts"
import { Grants } from "../../src/identity/oauth/Grants.ts"
import { Passwords } from "../../src/identity/signIn/Passwords.ts"
import { Sessions } from "../../src/identity/signIn/Sessions.ts"
import { each, inBatches } from "./inBatches.ts"

const job = Job.make("housekeeping/signIn", { payload: Schema.Struct({}) })

/** Implements `housekeeping/signIn`. */
export const purgeSignIn = Task.make(job, () =>
  Effect.gen(function* () {
    const [sessions, passwords] = [yield* Sessions, yield* Passwords]
    const [grants, apps, attempts] = [yield* Grants, yield* Apps, yield* Attempts]
    const all = [sessions, passwords, grants, apps, attempts]
    yield* each(...all.map(({ purge }) => inBatches(purge)))
  })
)
