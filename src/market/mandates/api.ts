/** The REST contract of mandates. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ActionPage, TimelineQuery } from "../../core/mutation/Timeline.ts"
import { Authorization } from "../../http/Authorization.ts"
import { Needs, OnlyReads, refusals, responseHeaders } from "../../http/Contract.ts"
import { RestoredOf } from "../../core/records/Restored.ts"
import { endpointsOf, idParams, noErrors } from "../../http/RecordEndpoints.ts"
import { DeltaPageOf, PageOf } from "../../core/usecase/Page.ts"
import { InvalidCursor, InvalidRequest, QueryTooExpensive } from "../../core/usecase/Problem.ts"
import {
  FoundMandate,
  Mandate,
  MandateCreate,
  MandateListQuery,
  MandatePatch,
  MandateSearch,
  MandateUpsert,
  WrittenMandate
} from "./Mandate.ts"

/** The path of mandates. */
export const path = "/api/v1/mandates"

const exampleId = "mandate_01kb3n7x2ferwt5z8q4j6m9d0c"

/** What investors look for. */
export const mandates = HttpApiGroup.make("mandates")
  .add(
    ...endpointsOf({
      path,
      singular: "mandate",
      article: "a",
      plural: "mandates",
      exampleId,
      redirects: [],
      requiresIds: true,
      resource: Mandate,
      written: WrittenMandate,
      restored: RestoredOf(Mandate, "RestoredMandate"),
      page: DeltaPageOf(Mandate, "MandatePage"),
      create: MandateCreate,
      patch: MandatePatch,
      upsert: MandateUpsert,
      listQuery: MandateListQuery,
      writeQuery: Schema.Struct({}),
      deleteQuery: Schema.Struct({}),
      writeErrors: noErrors,
      deleteErrors: noErrors,
      restoreErrors: noErrors,
      onCreate:
        "Needs a `name`. The place has at most one mode: `geography`, `near` with `radius`, or `location`, a name that the service resolves; the answer says in `resolvedLocation` what it was resolved to. `country` alone means the whole country, and a mandate with neither wants any place.",
      onDelete: "",
      onRestore: "and external references. One whose contact or company is deleted comes back closed.",
      found: "A mandate is found by `id`, or else by one of its external references."
    }),
    HttpApiEndpoint.post("search", `${path}/search`, {
      payload: MandateSearch,
      success: PageOf(FoundMandate, "MandateSearchPage"),
      error: [InvalidRequest, InvalidCursor, ...refusals.body, QueryTooExpensive]
    })
      .annotate(OnlyReads, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Search mandates by place",
          description: `Finds the mandates whose place meets the searched one; touching counts. Mandates without a place are found, too, with \`match: "anywhere"\`.

- **Modes**: \`geography\`, \`near\` with \`radius\`, or \`location\`. Two are \`geography_conflict\`; none is 400.
- **Exact**: everything that meets is found, and nothing else. For circles, the tolerance is 0.1% of the radius. Areas are compared on the sphere, across the antimeridian and at the poles, too.
- **Status**: by default active mandates whose \`validUntilUtc\` has not passed.
- **categories** and **tags**: a mandate that leaves them open is found. One with a searched tag among its \`negativeTags\` is not.
- **contact_id**, **company_id** and **external_ref**: as the list has them.
- **Order**: by id, which is that of creation. A page that would take too long ends early, with fewer rows than \`page_size\`, even none: read on while \`hasMore\` is true. There are no totals.

`
        })
      ),
    HttpApiEndpoint.get("listActions", `${path}/:id/actions`, {
      params: idParams("mandate", exampleId),
      query: TimelineQuery,
      success: ActionPage.pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List a mandate's timeline",
        description: "The changes of the mandate, newest first."
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "broker-or-investor")
  .annotateMerge(
    OpenApi.annotations({
      title: "Mandates",
      description:
        "What investors look for: uses, sizes, returns, tags and a place. Investors keep their own mandates, brokers those of their contacts and companies. All operations need the `investor` capability, approved or only requested, or the `broker` capability."
    })
  )
