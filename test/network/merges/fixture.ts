/** A tenant of a test's own whose records are merged. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Company } from "../../../src/network/companies/Company.ts"
import type { Contact } from "../../../src/network/contacts/Contact.ts"
import type { Reply } from "../../support/TestService.ts"
import * as RecordsClient from "../../support/RecordsClient.ts"

/** A row of a timeline that a test looks at. */
export interface TimelineRow {
  readonly id: string
  readonly type: string
  readonly event: string | null
  readonly details: { readonly message?: string; readonly changedFields?: ReadonlyArray<string> }
}

/** The client. It creates records with force=true, and asserts the expected status. */
export const make = Effect.fn("merges/fixture.make")(function* () {
  const client = yield* RecordsClient.make()
  const { companies, contacts, links, request, token } = client
  const made = <Body>(reply: Reply<Body>, status = 201): Body => {
    assert.strictEqual(reply.status, status, reply.text)
    return reply.body
  }
  const mergeInto =
    <Body>(collection: "companies" | "contacts") =>
    (id: string, from: unknown, headers: Record<string, string> = {}, query = "") =>
      request<Body>("POST", `${RecordsClient.pathOf(collection)}/${id}/merge${query}`, {
        token,
        json: { from },
        headers
      })
  const timeline = (collection: "companies" | "contacts", id: string, query = "?page_size=500") =>
    Effect.map(client[collection].actions(id, query), (reply) => {
      assert.strictEqual(reply.status, 200, reply.text)
      return reply.body.data as ReadonlyArray<unknown> as ReadonlyArray<TimelineRow>
    })
  return {
    ...client,
    contact: (json: object = {}) =>
      Effect.map(contacts.create({ firstName: "Anna", ...json }, {}, "?force=true"), (reply) => made(reply)),
    company: (json: object = {}) =>
      Effect.map(companies.create({ name: "Berg AB", ...json }, {}, "?force=true"), (reply) => made(reply)),
    link: (contactId: string, companyId: string, json: object = {}) =>
      Effect.map(links.create({ contactId, companyId, ...json }), (reply) => made(reply)),
    mergeContacts: mergeInto<Contact>("contacts"),
    mergeCompanies: mergeInto<Company>("companies"),
    /** The contact as it is now. */
    contactNow: (id: string) => Effect.map(contacts.get(id), (reply) => made(reply, 200)),
    companyNow: (id: string) => Effect.map(companies.get(id), (reply) => made(reply, 200)),
    linkNow: (id: string) => Effect.map(links.get(id), (reply) => made(reply, 200)),
    linksOf: (query: string) => Effect.map(links.list(query), (reply) => made(reply, 200).data),
    timeline,
    note: (collection: "companies" | "contacts", id: string, message: string) =>
      Effect.map(
        request<{ readonly id: string; readonly etag: string }>(
          "POST",
          `${RecordsClient.pathOf(collection)}/${id}/notes`,
          { token, json: { message } }
        ),
        (reply) => made(reply)
      ),
    /** The events since there were `count` of them. */
    eventsSince: (count: number) => Effect.map(client.events, (events) => events.slice(count)),
    countEvents: Effect.map(client.events, (events) => events.length)
  }
})
