/** The REST contract of links. */
import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { Needs } from "../../http/Contract.ts"
import { PageOf } from "../../usecase/Page.ts"
import { endpointsOf } from "../../records/Endpoints.ts"
import { Link, LinkCreate, LinkListQuery, LinkPatch, LinkUpsert } from "./Link.ts"

/** Where links are. */
export const path = "/api/v1/network/links"

const exampleId = "link_01kb3n7x2ferwt5z8q4j6m9d0c"

/** Links: who works where. */
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
      page: PageOf(Link, "LinkPage"),
      create: LinkCreate,
      patch: LinkPatch,
      upsert: LinkUpsert,
      listQuery: LinkListQuery,
      writeQuery: Schema.Struct({}),
      onCreate:
        'A pair has one link: a second is refused with the first as its candidate. Linking a pair again whose link was deleted brings that one back under its id, with `changeType: "restored"`.',
      onDelete: "",
      found: "A link is found by `id`, or else by one of its external references, or else by the pair that it joins."
    })
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "broker")
  .annotateMerge(
    OpenApi.annotations({
      title: "Links",
      description: "Who works where: links of contacts and companies. All operations need the `broker` capability."
    })
  )
