/** The REST contract of properties. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ActionPage, TimelineQuery } from "../../core/mutation/Timeline.ts"
import { Authorization } from "../../http/Authorization.ts"
import { Needs, refusals, responseHeaders } from "../../http/Contract.ts"
import { RestoredOf } from "../../core/records/Restored.ts"
import { endpointsOf, idParams, noErrors, searchOf } from "../../http/RecordEndpoints.ts"
import { DeltaPageOf, PageOf } from "../../core/usecase/Page.ts"
import { InvalidCursor } from "../../core/usecase/Problem.ts"
import {
  Property,
  PropertyCreate,
  PropertyDeleteQuery,
  PropertyListQuery,
  PropertyOnProject,
  PropertyPatch,
  PropertyUpsert,
  searchMembers
} from "./Property.ts"

/** The path of properties. */
export const path = "/api/v1/properties"

const exampleId = "property_01kb3n7x2ferwt5z8q4j6m9d0c"

/** Properties: the assets that projects are about. */
export const properties = HttpApiGroup.make("properties")
  .add(
    ...endpointsOf({
      path,
      singular: "property",
      article: "a",
      plural: "properties",
      exampleId,
      redirects: [],
      resource: Property,
      written: Property,
      restored: RestoredOf(Property, "RestoredProperty"),
      page: DeltaPageOf(Property, "PropertyPage"),
      create: PropertyCreate,
      patch: PropertyPatch,
      upsert: PropertyUpsert,
      listQuery: PropertyListQuery,
      writeQuery: Schema.Struct({}),
      deleteQuery: PropertyDeleteQuery,
      writeErrors: noErrors,
      deleteErrors: [PropertyOnProject],
      restoreErrors: noErrors,
      onCreate:
        "Needs a `name`. Amounts are exact decimals with their unit, and are never computed from each other; rents are those of a year.",
      onDelete:
        "A property on a project that is not closed is rejected with 409, which names the projects, unless `force=true`. It is taken off the `propertyIds` of all its projects, closed ones included (`project.updated` for each), and its files are deleted 30 days later. ",
      onRestore: "notes, files, teaser, and its place on its projects.",
      found: "A property is found by `id`, or else by one of its external references."
    }),
    searchOf({
      path,
      plural: "properties",
      page: PageOf(Property, "PropertySearchPage"),
      identifier: "PropertySearch",
      members: searchMembers,
      looksIn: "the name and the address",
      example: {
        query: "landsberger",
        filter: { tags: { in: ["value_add"] }, lettableArea: { gte: 5_000 }, "pricing.askingPrice": { exists: true } },
        sort: [{ field: "income.vacancyRate", direction: "desc" }],
        page_size: 50
      }
    }),
    HttpApiEndpoint.get("listActions", `${path}/:id/actions`, {
      params: idParams("property", exampleId),
      query: TimelineQuery,
      success: ActionPage.pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List a property's timeline",
        description: "The changes, notes and files of the property, newest first."
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "broker")
  .annotateMerge(
    OpenApi.annotations({
      title: "Properties",
      description: "The assets that projects are about. All operations need the `broker` capability."
    })
  )
