/** The REST contract of contacts. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { ActionPage, TimelineQuery } from "../../core/mutation/Timeline.ts"
import { mergedRedirect, Needs, refusals, responseHeaders } from "../../http/Contract.ts"
import { DeltaPageOf, PageOf } from "../../core/usecase/Page.ts"
import { Duplicate, InvalidCursor } from "../../core/usecase/Problem.ts"
import { RestoredOf } from "../../core/records/Restored.ts"
import { endpointsOf, idParams, noErrors, searchOf } from "../../http/RecordEndpoints.ts"
import {
  Contact,
  ContactCreate,
  ContactListQuery,
  contactMembers,
  ContactPatch,
  ContactUpsert,
  ContactWriteQuery
} from "./Contact.ts"

/** The path of contacts. */
export const path = "/api/v1/network/contacts"

const page = DeltaPageOf(Contact, "ContactPage")

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
      written: Contact,
      restored: RestoredOf(Contact, "RestoredContact"),
      page,
      create: ContactCreate,
      patch: ContactPatch,
      upsert: ContactUpsert,
      listQuery: ContactListQuery,
      writeQuery: ContactWriteQuery,
      deleteQuery: Schema.Struct({}),
      writeErrors: [Duplicate],
      deleteErrors: noErrors,
      restoreErrors: noErrors,
      onCreate:
        "Needs one of `email`, `firstName` and `lastName`. Unless `force=true`, an e-mail address that another contact has is rejected with 409, which lists the candidates.",
      onDelete:
        "Its links are deleted, too, and its files 30 days later. It is removed from the lists of all projects that are not closed (`prospect.updated` with the action `removed` for each); closed projects keep it. ",
      onRestore:
        "links, notes, files, its place on the lists of projects that are not closed, and as the seller of projects; its mandates are what they were.",
      found: "A contact is found by `id`, or else by one of its external references."
    }),
    searchOf({
      path,
      plural: "contacts",
      page: PageOf(Contact, "ContactSearchPage"),
      identifier: "ContactSearch",
      members: contactMembers,
      looksIn:
        "first and last name, e-mail address and phone number. A phone number is found in any notation, in one word or several, as it is dialled within its country: the country code, a zero before the number and `(0)` are ignored, in filters by `phone`, too",
      example: {
        query: "muller",
        filter: { tags: { in: ["logistics", "core-plus"] }, email: { exists: true } },
        sort: [{ field: "lastName", direction: "asc" }],
        page_size: 50
      }
    }),
    HttpApiEndpoint.get("listActions", `${path}/:id/actions`, {
      params: idParams("contact", exampleId),
      query: TimelineQuery,
      success: ActionPage.pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor, mergedRedirect(`${path}/${exampleId}/actions`)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List a contact's timeline",
        description: "The changes and notes of the contact, newest first."
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
