/** The REST contract of offers. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ActionPage, ProjectTimelineQuery } from "../../core/mutation/Timeline.ts"
import { Authorization } from "../../http/Authorization.ts"
import { Needs, orNotModified, refusals, requestHeaders, responseHeaders } from "../../http/Contract.ts"
import { idParams } from "../../http/RecordEndpoints.ts"
import { PageOf } from "../../core/usecase/Page.ts"
import { InvalidCursor, InvalidRequest, QueryTooExpensive } from "../../core/usecase/Problem.ts"
import { Offer, OfferListQuery } from "./Offer.ts"

const path = "/api/v1/offers"

const params = idParams("offer", "offer_01kb3n7x2ferwt5z8q4j6m9d0c")

/** What investors received. */
export const offers = HttpApiGroup.make("offers")
  .add(
    HttpApiEndpoint.get("list", path, {
      query: OfferListQuery,
      success: PageOf(Offer, "OfferPage").pipe(responseHeaders("link")),
      error: [InvalidRequest, InvalidCursor, QueryTooExpensive]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List offers",
        description:
          "The offers of the team, the newest first. There are no totals; a page costs the same at any depth. A list does not mark offers as read."
      })
    ),
    HttpApiEndpoint.get("get", `${path}/:id`, {
      params,
      headers: requestHeaders("if-none-match"),
      success: orNotModified(Offer.pipe(responseHeaders("etag"))),
      error: refusals.one
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get an offer",
        description:
          "One offer, removed or not. The first read sets `readUtc` and emits `offer.updated` with the action `read`. The ETag changes with everything that the answer shows, also with the access to a room and with the team's mandates. With `If-None-Match`, 304 while it is unchanged."
      })
    ),
    HttpApiEndpoint.get("listActions", `${path}/:id/actions`, {
      params,
      query: ProjectTimelineQuery,
      success: ActionPage.pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List an offer's timeline",
        description:
          "What happened, newest first: when the offer was received, read, answered and changed, access to rooms, documents and answers that were published to the team, shared files, and messages without their text. Rows have no `subject` and no `etag`. A row of the broker's side has no actor until the offer is accepted, and afterwards the name of the broker contact. There are no notes and no rolled-up rows, so `include_rollups`, `include_archived` and `include_superseded` change nothing. A page can have fewer rows than `page_size`: read on while `hasMore` is true."
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "investor")
  .annotateMerge(
    OpenApi.annotations({
      title: "Offers",
      description:
        "Teasers that investors received from brokers, and invitations to data rooms. Offers are answered in the product, not by the API. All operations need the `investor` capability."
    })
  )
