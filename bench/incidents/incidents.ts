/** The incidents of docs/incidents.md. */
import * as Site from "./Site.ts"
import { Console, Effect, type Scope } from "effect"
import { clientSecret, lostKey, personalToken, secretKey, webhookSecret } from "./leaks.ts"
import { leaver, request } from "./people.ts"
import { deletion } from "./records.ts"
import { backup, fullDisk, pointInTime } from "./recovery.ts"

/** An incident of an installation that was started for it. */
const on = (incident: (site: Site.Site) => Effect.Effect<void, never, Scope.Scope>) =>
  Effect.gen(function* () {
    const site = yield* Site.start()
    yield* site.run()
    const shown = Effect.suspend(() =>
      Effect.forEach(
        site.logged().filter((line) => /"level":"(?:WARN|ERROR)"/.test(line)),
        (line) => Console.error(line)
      )
    )
    yield* incident(site).pipe(Effect.onError(() => shown))
    return site.shell
  })

/** Each incident of the page: runs its commands on an installation of its own, and returns the shell that ran them. */
export const incidents = {
  deletion: on(deletion),
  personalToken: on(personalToken),
  clientSecret: on(clientSecret),
  webhookSecret: on(webhookSecret),
  secretKey: on(secretKey),
  lostKey: on(lostKey),
  leaver: on(leaver),
  request: on(request),
  backup,
  fullDisk,
  pointInTime
}

/** What needs root and Debian's Postgres (or `PG_BIN`). */
export const needsServer: ReadonlyArray<string> = ["fullDisk", "pointInTime"]
