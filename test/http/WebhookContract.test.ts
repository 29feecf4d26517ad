/** The schemas of webhook payloads in the OpenAPI document. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { type EventType, eventTypes } from "../../src/core/mutation/Event.ts"
import { ownMembers, payloadComponents } from "../../src/http/WebhookContract.ts"
import { isObject } from "../../src/http/OpenApiSpec.ts"

const propertyOf = (schema: unknown, name: string): { readonly [key: string]: unknown } => {
  const properties = isObject(schema) ? schema["properties"] : undefined
  const property = isObject(properties) ? properties[name] : undefined
  return isObject(property) ? property : {}
}

/** The values of `action.type` that the documentation of an event names. */
const actionTypes = (type: EventType) => {
  const { description = "" } = propertyOf(ownMembers(type), "action")
  return [
    ...String(description)
      .replace(/^.*Known types:/, "")
      .matchAll(/`(\w+)`/g)
  ].map(([, name]) => name)
}

describe("The payload of a webhook", () => {
  it("documents the actions that events have", () => {
    const documented = Object.fromEntries(
      eventTypes.map((type) => [type, actionTypes(type)]).filter(([, names = []]) => names.length > 0)
    )
    assert.deepStrictEqual(documented, {
      "contact.updated": ["merged"],
      "contact.deleted": ["merged"],
      "company.updated": ["merged"],
      "company.deleted": ["merged"],
      "project.updated": ["closed", "reopened"],
      "project.closed": ["closed"],
      "project.reopened": ["reopened"],
      "prospect.created": ["added"],
      "prospect.updated": [
        "classified",
        "interest_changed",
        "stage_overridden",
        "stage_raised",
        "removed",
        "restored",
        "accepted"
      ],
      "prospect.deleted": ["merged"],
      "offer.updated": [
        "read",
        "accepted",
        "rejected",
        "expired",
        "removed",
        "restored",
        "closed",
        "communicated",
        "merged",
        "access_granted",
        "access_revoked",
        "access_expired",
        "file_uploaded",
        "answer_published",
        "message_sent",
        "file_shared"
      ],
      "offer.read": ["read"],
      "offer.accepted": ["accepted"],
      "offer.rejected": ["rejected"],
      "offer.expired": ["expired"],
      "offer.removed": ["removed"],
      "offer.restored": ["restored"],
      "offer.closed": ["closed"],
      "prospect.removed": ["removed"],
      "prospect.restored": ["restored"],
      "prospect.teaser_communicated": ["stage_raised"],
      "prospect.im_shared": ["stage_raised"],
      "prospect.room_access_granted": ["stage_raised"],
      "prospect.bid_recorded": ["stage_raised"],
      "prospect.classified": ["classified"],
      "prospect.interest_changed": ["interest_changed"],
      "prospect.stage_overridden": ["stage_overridden"],
      "prospect.stage_override_withdrawn": ["stage_overridden"],
      "note.superseded": ["superseded"],
      "webhook.failing": ["failing"],
      "webhook.disabled": ["disabled"]
    })
  })

  it("has the actions of the table in the documentation", () => {
    const webhooks = readFileSync(new URL("../../docs/behaviour/webhooks.md", import.meta.url), "utf8")
    const [, table = ""] = /^### Actions\n\n((?:\|.*\n)+)/m.exec(webhooks) ?? []
    const namesIn = (cell = "") => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = ""]) => name)
    const inTable = table
      .split("\n")
      .slice(2)
      .map((row) => row.split("|").map(namesIn))
      .flatMap(([, types = [], on = []]) => on.flatMap((event) => types.map((type) => `${event} ${type}`)))
    const inDocument = eventTypes.flatMap((type) => actionTypes(type).map((name) => `${type} ${name}`))
    assert.deepStrictEqual(inTable.toSorted(), inDocument.toSorted())
    assert.includeMembers(inTable, ["prospect.updated accepted", "offer.updated file_shared"])
  })

  it("documents the surviving id on merged records only, not on the survivor", () => {
    const types = eventTypes.filter((type) => actionTypes(type).includes("merged"))
    const shapeOf = (type: EventType) =>
      String(propertyOf(ownMembers(type), "action")["$ref"])
        .split("/")
        .at(-1) ?? ""
    const withTo = types.filter((type) => "description" in propertyOf(payloadComponents[shapeOf(type)], "to"))
    assert.deepStrictEqual(withTo, ["contact.deleted", "company.deleted", "prospect.deleted"])
  })

  it("documents that no OAuth client made the changes of the operator and of the service", () => {
    const { description } = propertyOf(payloadComponents["EventPayload"], "change_initiator")
    assert.match(String(description), /personal access token.*operator.*service/)
  })
})
