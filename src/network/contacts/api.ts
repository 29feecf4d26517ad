/** The REST contract of contacts. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "../../auth/Authorization.ts"
import { Action } from "../../changes/Action.ts"
import { TimelineQuery } from "../../changes/Timeline.ts"
import { jsonBody, mergePatch, Needs, refusals, requestHeaders, responseHeaders } from "../../http/Contract.ts"
import { PageOf } from "../../http/Page.ts"
import { ExternalReferenceTaken, InvalidCursor, InvalidRequest, ResyncRequired } from "../../http/Problem.ts"
import { Contact, ContactCreate, ContactDuplicate, ContactListQuery, ContactPatch, ContactWriteQuery } from "./Contact.ts"

const path = "/api/v1/network/contacts"
const params = {
  id: Schema.String.annotate({
    description: "The contact's id.",
    examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"]
  })
}

/** Contacts: people in the broker's network. */
export const contacts = HttpApiGroup.make("contacts").add(
  HttpApiEndpoint.get("list", path, {
    query: ContactListQuery,
    success: PageOf(Contact, "ContactPage").pipe(responseHeaders("link")),
    error: [InvalidRequest, InvalidCursor, ResyncRequired]
  }).annotateMerge(OpenApi.annotations({
    summary: "List contacts",
    description:
      "Contacts in the order of their creation or, with `updated_since`, what changed since then. No totals; a page costs the same at any depth."
  })),
  HttpApiEndpoint.post("create", path, {
    query: ContactWriteQuery,
    headers: requestHeaders("idempotency-key", "prefer"),
    payload: jsonBody(ContactCreate),
    success: Contact.pipe(HttpApiSchema.status(201), responseHeaders("etag", "location", "idempotency-replayed")),
    error: [
      InvalidRequest,
      ...refusals.body,
      ...refusals.repeatable,
      ContactDuplicate,
      ExternalReferenceTaken
    ]
  }).annotateMerge(OpenApi.annotations({
    summary: "Create a contact",
    description:
      "Needs one of `email`, `firstName` and `lastName`. A contact whose e-mail address the network has already is refused with its candidates, unless `force=true`. Emits `contact.created`."
  })),
  HttpApiEndpoint.get("get", `${path}/:id`, {
    params,
    headers: requestHeaders("if-none-match"),
    success: Contact.pipe(responseHeaders("etag")),
    error: refusals.one
  }).annotateMerge(OpenApi.annotations({
    summary: "Get a contact",
    description: "With `If-None-Match`, 304 while the contact is unchanged."
  })),
  HttpApiEndpoint.patch("patch", `${path}/:id`, {
    params,
    query: ContactWriteQuery,
    headers: requestHeaders("if-match", "prefer"),
    payload: mergePatch(ContactPatch),
    success: Contact.pipe(responseHeaders("etag")),
    error: [
      ...refusals.one,
      ...refusals.body,
      ...refusals.conditional,
      ContactDuplicate,
      ExternalReferenceTaken
    ]
  }).annotateMerge(OpenApi.annotations({
    summary: "Update a contact",
    description:
      "A merge patch. One that changes nothing answers 200 with the same ETag and emits nothing. Emits `contact.updated`."
  })),
  HttpApiEndpoint.delete("remove", `${path}/:id`, {
    params,
    headers: requestHeaders("if-match", "prefer"),
    error: [...refusals.one, ...refusals.conditional]
  }).annotateMerge(OpenApi.annotations({
    summary: "Delete a contact",
    description:
      "Its tombstone stays in deltas for 90 days, and its external references are free for others. Emits `contact.deleted`."
  })),
  HttpApiEndpoint.get("actions", `${path}/:id/actions`, {
    params,
    query: TimelineQuery,
    success: PageOf(Action, "ActionPage").pipe(responseHeaders("link")),
    error: [...refusals.one, InvalidCursor]
  }).annotateMerge(OpenApi.annotations({
    summary: "List a contact's timeline",
    description: "Who did what to the contact, newest first."
  }))
).middleware(Authorization).annotateEndpoints(Needs, "broker").annotateMerge(OpenApi.annotations({
  title: "Contacts",
  description: "People in the broker's network. All operations need the `broker` capability."
}))
