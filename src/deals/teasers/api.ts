/** The REST contract of teasers: the same operations on those of projects, properties and rooms. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { mergePatch, Needs, orNotModified, refusals, requestHeaders, responseHeaders } from "../../http/Contract.ts"
import { ProjectClosed } from "../projects/Project.ts"
import { Teaser, TeaserPatch } from "./Teaser.ts"

const idOf = (name: string) =>
  Schema.String.annotate({ description: `The ${name}'s id.`, examples: [`${name}_01kb3n7x2ferwt5z8q4j6m9d0c`] })

/** The operations on the teasers of one type of subjects. */
const teasersOf = <
  const Group extends string,
  const Path extends `/${string}`,
  Params extends { readonly [name: string]: Schema.String }
>({
  group,
  noun,
  params,
  path,
  refused = [],
  resource,
  unwritten
}: {
  readonly group: Group
  /** The resource that operation ids begin with. */
  readonly resource: string
  readonly noun: string
  readonly path: Path
  readonly params: Params
  /** What is answered before the first patch. */
  readonly unwritten: string
  /** Why a patch is refused besides. */
  readonly refused?: ReadonlyArray<typeof ProjectClosed>
}) =>
  HttpApiGroup.make(group)
    .add(
      HttpApiEndpoint.get("get", `${path}/teaser`, {
        params,
        headers: requestHeaders("if-none-match"),
        success: orNotModified(Teaser.pipe(responseHeaders("etag"))),
        error: refusals.one
      }).annotateMerge(
        OpenApi.annotations({
          identifier: `${resource}.getTeaser`,
          summary: `Get the teaser of a ${noun}`,
          description: `How far the teaser is, what it shows, and \`projection\`, which is all that investors see. ${unwritten}`
        })
      ),
      HttpApiEndpoint.patch("update", `${path}/teaser`, {
        params,
        headers: requestHeaders("if-match", "prefer"),
        payload: mergePatch(TeaserPatch),
        success: Teaser.pipe(responseHeaders("etag")),
        error: [...refusals.one, ...refusals.body, ...refusals.conditional, ...refused]
      }).annotateMerge(
        OpenApi.annotations({
          identifier: `${resource}.updateTeaser`,
          summary: `Update the teaser of a ${noun}`,
          description:
            "A merge patch; the first one creates the teaser, as `drafting`. What was communicated to investors stays what it was. While a project is closed, its teaser and those of its rooms do not change. Adds a row `teaser.updated` to the timeline, which is an event of the same name."
        })
      )
    )
    .middleware(Authorization)
    .annotateEndpoints(Needs, "broker")
    .annotateMerge(
      OpenApi.annotations({
        title: `Teasers of ${resource}`,
        description:
          "Anonymous descriptions for investors. A teaser never shows more than its options let through. All operations need the `broker` capability."
      })
    )

/** The teasers of projects. */
export const projectTeasers = teasersOf({
  group: "projectTeasers",
  resource: "projects",
  noun: "project",
  refused: [ProjectClosed],
  path: "/api/v1/projects/:id",
  params: { id: idOf("project") },
  unwritten:
    "Of several properties, it shows sums of areas and prices, ranges of years and yields, and places as far as all agree. Before the first PATCH, the stage is `property_added`."
})

/** The teasers of properties. */
export const propertyTeasers = teasersOf({
  group: "propertyTeasers",
  resource: "properties",
  noun: "property",
  path: "/api/v1/properties/:id",
  params: { id: idOf("property") },
  unwritten: "Before the first PATCH, the stage is `property_added`, with the nudge `no_pre_market_yet`."
})

/** The teasers of rooms. */
export const roomTeasers = teasersOf({
  group: "roomTeasers",
  resource: "rooms",
  noun: "data room",
  refused: [ProjectClosed],
  path: "/api/v1/projects/:projectId/rooms/:roomId",
  params: { projectId: idOf("project"), roomId: idOf("room") },
  unwritten: "Before the first PATCH, it is the teaser of the project, with the nudge `room_teaser_not_designed`."
})
