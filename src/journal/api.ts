/** The REST contract of the journal. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../http/Authorization.ts"
import { Needs } from "../http/Contract.ts"
import { InvalidRequest, ResyncRequired } from "../usecase/Problem.ts"
import { JournalPage, JournalQuery, keptDays } from "./Entry.ts"

/** The journal: events for those who would rather poll. */
export const changes = HttpApiGroup.make("changes")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/changes", {
      query: JournalQuery,
      success: JournalPage,
      error: [InvalidRequest, ResyncRequired]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read the journal",
        description: [
          `The team's events in order, with the members of the payload that webhooks get. Each has a number: 1, 2, 3 and so on, without gaps; an event that is shown never gets another before it, so whoever passes on \`nextAfter\` misses nothing and sees each event once. While a change is being written, those that began after it are held back until it ends. Changes stand in the order in which they began: of two of one resource that overlapped, the later one may have been written first. An event says what happened; read the resource for what it is.`,
          `Keep \`page.nextAfter\` and pass it as \`after\`, at once while \`hasMore\` is true, later when it is not. With \`types\`, a request looks at a bounded number of events: a page may then be short, or empty, while \`hasMore\` is true.`,
          `Events are kept for ${keptDays} days. An \`after\` from before that, or one that is greater than any number so far (the service was restored to an earlier state), is 410 \`resync_required\`; \`detail\` tells where to go on.`
        ].join("\n\n")
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "member")
  .annotateMerge(
    OpenApi.annotations({
      title: "Changes",
      description: "The journal of events, for clients that would rather poll than receive webhooks."
    })
  )
