/** The REST contract of the journal. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { Needs } from "../../http/Contract.ts"
import { InvalidRequest, ResyncRequired } from "../../core/usecase/Problem.ts"
import { JournalPage, JournalQuery } from "./Entry.ts"

/** The journal: events for clients that poll. */
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
          `Returns the team's events in order, with the members of the webhook payload. Events are numbered 1, 2, 3 and so on, without gaps. No event ever appears before one that was already returned, so a client that passes on \`nextAfter\` misses nothing and sees each event once. While a change is being written, changes that began after it are held back until it ends. Changes are ordered by when they began: of two overlapping changes of one resource, the later one in the journal may have been written first. An event says what happened; read the resource for its current state.`,
          `Keep \`page.nextAfter\` and pass it as \`after\`: immediately while \`hasMore\` is true, later when it is not. With \`types\`, a request looks at a bounded number of events, so a page may be short or empty while \`hasMore\` is true.`,
          `Events are kept for 90 days. An older \`after\`, or one greater than any number so far (the database was restored to an earlier state), is 410 \`resync_required\`; \`detail\` says where to continue.`,
          `To begin with what happens from now on, pass \`after=latest\`, keep \`nextAfter\`, and then read the lists.`
        ].join("\n\n")
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "member")
  .annotateMerge(
    OpenApi.annotations({
      title: "Changes",
      description: "The journal of events, for clients that poll instead of receiving webhooks."
    })
  )
