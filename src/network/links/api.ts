/** The REST contract of links. */
import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { Needs } from "../../http/Contract.ts"
import { DeltaPageOf } from "../../core/usecase/Page.ts"
import { Duplicate, InvestorDeleted } from "../../core/usecase/Problem.ts"
import { RestoredOf } from "../../core/records/Restored.ts"
import { endpointsOf, noErrors } from "../../http/RecordEndpoints.ts"
import { Link, LinkCreate, LinkListQuery, LinkPatch, LinkUpsert } from "./Link.ts"

/** The path of links. */
export const path = "/api/v1/network/links"

const exampleId = "link_01kb3n7x2ferwt5z8q4j6m9d0c"

/** Links between contacts and companies. */
export const links = HttpApiGroup.make("links")
  .add(
    ...endpointsOf({
      path,
      singular: "link",
      article: "a",
      plural: "links",
      exampleId,
      redirects: [],
      resource: Link,
      written: Link,
      restored: RestoredOf(Link, "RestoredLink"),
      page: DeltaPageOf(Link, "LinkPage"),
      create: LinkCreate,
      patch: LinkPatch,
      upsert: LinkUpsert,
      listQuery: LinkListQuery,
      writeQuery: Schema.Struct({}),
      deleteQuery: Schema.Struct({}),
      writeErrors: [Duplicate],
      deleteErrors: noErrors,
      restoreErrors: [InvestorDeleted],
      onCreate:
        'A contact and a company have one link: a second one is rejected with 409 and the first as its candidate. Creating a link that was deleted restores it with its id and `changeType: "restored"`.',
      onDelete: "",
      onRestore: "and external references, if its contact and company live.",
      found: "A link is found by `id`, or else by one of its external references, or else by its contact and company."
    })
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "broker")
  .annotateMerge(
    OpenApi.annotations({
      title: "Links",
      description:
        "Links between contacts and the companies where they work. All operations need the `broker` capability."
    })
  )
