/** The REST contract of matches. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { Needs, refusals, responseHeaders } from "../../http/Contract.ts"
import { idParams } from "../../http/RecordEndpoints.ts"
import { InvalidCursor, QueryTooExpensive } from "../../core/usecase/Problem.ts"
import { explanation, MandateMatchPage, MatchListQuery, PropertyMatchPage } from "./Match.ts"

const order = `**Order**: by score, the best first; those of one score by creation. Each page compares again and goes on after the last match of the page before: of a match whose score changes meanwhile, you may miss one or see it twice, of others you do not. A page can have fewer rows than \`page_size\`, even none: read on while \`hasMore\` is true.`

/** Which mandates want a property, and which properties fit a mandate. */
export const matches = HttpApiGroup.make("matches")
  .add(
    HttpApiEndpoint.get("ofProperty", "/api/v1/properties/:id/matches", {
      params: idParams("property", "property_01kb3n7x2ferwt5z8q4j6m9d0c"),
      query: MatchListQuery,
      success: MandateMatchPage.pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor, QueryTooExpensive]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "properties.listMatches",
        summary: "List the mandates that want a property",
        description: `The team's active mandates that want the property and whose \`validUntilUtc\` has not passed, with the reasons.\n\n${explanation}\n\n${order}`
      })
    ),
    HttpApiEndpoint.get("ofMandate", "/api/v1/mandates/:id/matches", {
      params: idParams("mandate", "mandate_01kb3n7x2ferwt5z8q4j6m9d0c"),
      query: MatchListQuery,
      success: PropertyMatchPage.pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor, QueryTooExpensive]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "mandates.listMatches",
        summary: "List the properties that fit a mandate",
        description: `The team's properties that fit the mandate, with the reasons: the same matches as from the property's side. A mandate that is not active, or whose \`validUntilUtc\` has passed, has none.\n\n${explanation}\n\n${order}`
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "broker")
  .annotateMerge(
    OpenApi.annotations({
      title: "Matches",
      description:
        "Which mandates want a property, and which properties fit a mandate: scored, and explained criterion by criterion. All operations need the `broker` capability."
    })
  )
