/** The REST contract of contacts. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { ActionPage } from "../../changes/Action.ts"
import { TimelineQuery } from "../../changes/Timeline.ts"
import { mergedRedirect, Needs, refusals, responseHeaders } from "../../http/Contract.ts"
import { PageOf } from "../../usecase/Page.ts"
import { InvalidCursor } from "../../usecase/Problem.ts"
import { endpointsOf, idParams } from "../../records/Endpoints.ts"
import { searchOf } from "../../records/SearchEndpoint.ts"
import {
  Contact,
  ContactCreate,
  ContactListQuery,
  contactMembers,
  ContactPatch,
  ContactUpsert,
  ContactWriteQuery
} from "./Contact.ts"

/** Where contacts are. */
export const path = "/api/v1/network/contacts"

const page = PageOf(Contact, "ContactPage")

const exampleId = "contact_01kb3n7x2ferwt5z8q4j6m9d0c"

/** Contacts: people in the broker's network. */
export const contacts = HttpApiGroup.make("contacts")
  .add(
    ...endpointsOf({
      path,
      singular: "contact",
      article: "a",
      plural: "contacts",
      exampleId,
      redirects: [mergedRedirect(`${path}/${exampleId}`)],
      resource: Contact,
      page,
      create: ContactCreate,
      patch: ContactPatch,
      upsert: ContactUpsert,
      listQuery: ContactListQuery,
      writeQuery: ContactWriteQuery,
      onCreate:
        "Needs one of `email`, `firstName` and `lastName`. A contact whose e-mail address the network has already is refused with its candidates, unless `force=true`.",
      onDelete:
        "Its links are deleted with it, and its files 30 days later. It is removed from the lists of all projects that are not closed (`prospect.updated` with the action `removed` for each), while closed ones keep it on theirs. ",
      found: "A contact is found by `id`, or else by one of its external references."
    }),
    searchOf({
      path,
      plural: "contacts",
      page,
      identifier: "ContactSearch",
      members: contactMembers,
      looksIn:
        "first and last name, e-mail address and phone number. A phone number is found by its digits, in one word or in several and however it is written; zeros in front of what is looked for do not count",
      example: {
        query: "muller",
        filter: { tags: { in: ["logistics", "core-plus"] }, email: { exists: true } },
        sort: [{ field: "lastName", direction: "asc" }],
        page_size: 50
      }
    }),
    HttpApiEndpoint.get("actions", `${path}/:id/actions`, {
      params: idParams("contact", exampleId),
      query: TimelineQuery,
      success: ActionPage.pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor, mergedRedirect(`${path}/${exampleId}/actions`)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List a contact's timeline",
        description: "Who did what to the contact, newest first."
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "broker")
  .annotateMerge(
    OpenApi.annotations({
      title: "Contacts",
      description: "People in the broker's network. All operations need the `broker` capability."
    })
  )
