/** Purges sessions, codes and refresh tokens that were over long ago, links that have expired, unused apps, and windows of attempts. */
import { Effect, Schema } from "effect"
import { Registrations } from "../../src/identity/apps/Registrations.ts"
import { Attempts } from "../../src/identity/attempts/Attempts.ts"
import { Grants } from "../../src/identity/oauth/Grants.ts"
import { Passwords } from "../../src/identity/passwords/Passwords.ts"
import { Sessions } from "../../src/identity/sessions/Sessions.ts"
import * as Job from "../../src/jobs/Job.ts"
import * as Task from "../../src/jobs/Task.ts"
import { inBatches } from "./inBatches.ts"

const job = Job.make("housekeeping/signIn", { payload: Schema.Struct({}) })

/** Implements `housekeeping/signIn`. */
export const purgeSignIn = Task.make(job, () =>
  Effect.gen(function* () {
    yield* inBatches((yield* Sessions).purge)
    yield* inBatches((yield* Passwords).purge)
    yield* inBatches((yield* Grants).purge)
    yield* inBatches((yield* Registrations).purge)
    yield* inBatches((yield* Attempts).purge)
  })
)
