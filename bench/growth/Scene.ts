/**
 * What each operation of the API is asked with: a team of which every table has rows, and for each operation a request on records of the
 * team, whose copies (`bench/data/copies.ts`) make the same request again and again on fresh records.
 */
import * as Id from "../../src/core/Id.ts"
import * as Tenant from "../../test/support/Tenant.ts"
import { Effect } from "effect"
import { actAs, asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { Clients } from "../../src/identity/clients/Clients.ts"
import { AccessLifecycle } from "../../src/deals/lifecycle/AccessLifecycle.ts"
import { OfferLifecycle } from "../../src/deals/lifecycle/OfferLifecycle.ts"
import { ProspectChanges } from "../../src/deals/prospects/ProspectChanges.ts"
import { Messages } from "../../src/deals/messages/Messages.ts"
import { Teasers } from "../../src/deals/teasers/Teasers.ts"
import type { Json } from "../../src/core/usecase/Input.ts"
import * as UseCaseRequest from "../../src/core/usecase/UseCaseRequest.ts"
import * as rooms from "../../test/deals/rooms/fixture.ts"
import {
  bodyOf,
  type Caller,
  everything,
  isMade,
  type Operation,
  operations,
  resourceAt,
  resourcePathsOf
} from "../../test/support/Surface.ts"
import { type RequestOptions, TestService } from "../../test/support/TestService.ts"
import { textOfCopy } from "../data/copies.ts"

/** The prospects on the list of the project whose prospects are listed, before they are copied. */
const prospectsOnList = 20

/** An operation with a request, whose ids are those of the records that are copied. */
export interface Asked {
  readonly operation: Operation
  readonly path: string
  readonly options: RequestOptions
}

/** A team, the requests, and UUIDs of what is not copied. */
export interface Scene {
  readonly owner: Caller
  readonly asked: ReadonlyArray<Asked>
  readonly kept: ReadonlyArray<string>
}

// What is below a resource, or belongs to it and is made for it: these are asked of one resource, which has all of the copies.
const below =
  /\/(?:notes|files|actions|projects|properties|matches|deliveries|tasks|prospects|rooms|questions|members|batch|batch\/upsert|classify)$/

// After these, a record is not what it was: each such operation has records of its own.
const isFinal = ({ id, method, path }: Operation) =>
  method === "DELETE" ||
  id === "webhooks.update" ||
  (method === "PATCH" && path.endsWith("/:noteId")) ||
  /\/(?:restore|merge|remove|close|reopen|complete|cancel|retry)$/.test(path)

const normal = (path: string) => path.replaceAll(/:\w+/g, ":id")

const uuidOf = (id: string) => {
  const prefix = Id.prefixOf(id)
  return prefix === undefined ? undefined : Id.toUuid(prefix, id)
}

/** A client of the team, with a token. */
const addClient = Effect.fnUntraced(function* (owner: Caller) {
  const { request } = yield* TestService
  const clients = yield* Clients
  const made = yield* Effect.orDie(
    asOperator(clients.create({ teamId: owner.team, name: "CRM sync", botName: "Sync" }))
  )
  yield* request("POST", "/openid/token", {
    text: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: made.client_id,
      client_secret: made.client_secret
    }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" }
  })
})

/** Makes the team and the requests. */
export const make = Effect.gen(function* () {
  const { request } = yield* TestService
  const owner = yield* Tenant.make(everything)
  yield* addClient(owner)
  const post = (path: string, json: unknown, headers: Record<string, string> = {}) =>
    Effect.flatMap(
      request<{ readonly id: string }>("POST", path, { token: owner.token, json, headers }),
      ({ body, status, text }) =>
        status === 201 ? Effect.succeed(body.id) : Effect.die(new Error(`POST ${path}: ${status} ${text}`))
    )

  // The one resource of a path that has all of the copies below it.
  const anchors = new Map<string, string>()
  const anchorOf = Effect.fnUntraced(function* (path: string, above: ReadonlyArray<string>) {
    const known = anchors.get(normal(path))
    if (known !== undefined) return known
    const made = yield* resourceAt(path, owner, above)
    anchors.set(normal(path), made)
    return made
  })

  const shared = new Map<string, string>()
  const asked: Array<Asked> = []
  for (const operation of operations) {
    const ids: Array<string> = []
    for (const { isLast, path } of resourcePathsOf(operation)) {
      if (!isLast || below.test(operation.path) || operation.id === "files.download") {
        ids.push(yield* anchorOf(path, ids))
        continue
      }
      const state = isMade(operation.path) ? operation.path : path
      const known = isFinal(operation) ? undefined : shared.get(normal(state))
      const made = known ?? (yield* resourceAt(state, owner, ids))
      if (known === undefined && !isFinal(operation)) shared.set(normal(state), made)
      ids.push(made)
    }
    const path = ids.reduce((rest, id) => rest.replace(/:[^/]+/, id), operation.path)
    asked.push({ operation, path, options: { token: owner.token, ...(yield* bodyOf(operation, owner)) } })
  }

  // What belongs to the resources that have all of the copies.
  const anchor = (path: string) => anchors.get(path) ?? ""
  const [project, room] = [anchor("/api/v1/projects/:id"), anchor("/api/v1/projects/:id/rooms/:id")]
  const [contact, company] = [anchor("/api/v1/network/contacts/:id"), anchor("/api/v1/network/companies/:id")]
  const form = () => {
    const made = new FormData()
    made.append("file", new Blob(["The terms that we spoke of."], { type: "text/plain" }), "terms.txt")
    return made
  }
  for (const path of [
    `network/contacts/${contact}`,
    `network/companies/${company}`,
    `properties/${anchor("/api/v1/properties/:id")}`
  ]) {
    yield* request("POST", `/api/v1/${path}/files`, { token: owner.token, form: form() })
  }
  const other = yield* post("/api/v1/projects", { name: "Hafen" })
  yield* post(`/api/v1/projects/${other}/prospects`, { contactId: contact })
  yield* post(`/api/v1/projects/${other}/prospects`, { companyId: company })
  const external = (id: string) => [{ namespace: "crm", externalId: id }]
  const prospects: Array<string> = []
  for (let n = 0; n < prospectsOnList; n++) {
    const contactId = yield* post(
      "/api/v1/network/contacts",
      {
        firstName: "Maria",
        lastName: "Rossi",
        email: `rossi-${n}@example.com`,
        tags: ["core"],
        externalRefs: external(`c${n}`)
      },
      { "idempotency-key": `contact-${n}` }
    )
    const classification = n % 2 === 0 ? "contacted" : "not_contacted"
    prospects.push(
      yield* post(`/api/v1/projects/${project}/prospects`, {
        contactId,
        classification,
        externalRefs: external(`p${n}`)
      })
    )
  }
  const companyId = yield* post("/api/v1/network/companies", {
    name: "Nord Kapital",
    country: "DE",
    homepageUrl: "https://nord.example",
    externalRefs: external("n")
  })
  for (let n = 0; n < 3; n++) {
    const contactId = yield* post("/api/v1/network/contacts", {
      firstName: "Jan",
      lastName: "Vos",
      primaryCompanyId: companyId
    })
    yield* post("/api/v1/network/links", { contactId, companyId, jobTitle: "Partner" })
    yield* post("/api/v1/properties", {
      name: "Kontor",
      country: "DE",
      locality: "München",
      coordinates: { latitude: 48.1 + n, longitude: 11.5 + n },
      categories: ["office"],
      externalRefs: external(`k${n}`)
    })
    yield* post("/api/v1/mandates", {
      name: "Offices",
      near: { latitude: 48.1 + 3 * n, longitude: 11.5 },
      radius: 20_000,
      categories: ["office"],
      externalRefs: external(`m${n}`)
    })
  }
  const [first = "", second = ""] = prospects
  yield* post(`/api/v1/projects/${project}/prospects/${first}/tasks`, { type: "call", dueDate: "7d", assignee: "me" })
  yield* post(`/api/v1/projects/${project}/prospects/${first}/notes`, { message: "Reached by phone." })

  // A teaser says at least where a property is, and what.
  const property = yield* post("/api/v1/properties", { name: "Speicher", country: "DE", categories: ["office"] })
  yield* request("PATCH", `/api/v1/projects/${project}`, { token: owner.token, json: { propertyIds: [property] } })

  // What only people do, in the console.
  const using = (operation: string, body: Json) => UseCaseRequest.make({ operation, query: {}, body })
  const investor = yield* Tenant.make({ broker: null, investor: "active" })
  const sql = yield* Database
  yield* Effect.orDie(sql`update users set email_confirmed = true where id = ${investor.userId}`)
  const asInvestor = actAs({ ...Tenant.actorOf(investor), investor: "active" as const })
  const investorId = yield* post("/api/v1/network/contacts", { lastName: "Keller", email: investor.email })
  const invited = yield* post(`/api/v1/projects/${project}/prospects`, { contactId: investorId })
  yield* rooms.upload(owner, room, "Rent roll", "Rents/2026.txt")
  yield* Effect.gen(function* () {
    yield* (yield* Teasers).move(project, "publish")
    const offers = yield* OfferLifecycle
    yield* offers.communicate(project, using("communicate", { prospectIds: [first, invited], expires: "90d" }))
    const offered = yield* request<{ readonly data: ReadonlyArray<{ readonly id: string }> }>("GET", "/api/v1/offers", {
      token: investor.token
    })
    yield* asInvestor(offers.accept(offered.body.data[0]?.id ?? "", using("accept", {})))
    yield* (yield* AccessLifecycle).grant(room, using("grant", { prospectIds: [second] }))
    yield* (yield* ProspectChanges).receiveBid(second, using("bid", { amount: 1_000_000, currency: "EUR" }))
    yield* (yield* Messages).send(invited, using("send", { text: "The rent roll is in the room." }))
  }).pipe(rooms.as(owner), Effect.orDie)

  // A team has few webhooks.
  const webhooks = asked.flatMap(({ path }) => path.match(/webhook_\w+/g) ?? [])
  const kept = [...anchors.values(), ...webhooks, property, owner.user].flatMap((id) => uuidOf(id) ?? [])
  const scene: Scene = { owner, asked, kept }
  return scene
})

// Texts that are unique in a team, or of which equal ones are found as duplicates.
const uniques: ReadonlyArray<readonly [RegExp, (copy: number) => string]> = [
  [/"externalId":"7"/g, (copy) => `"externalId":"r-${copy}"`],
  [/ben@example\.com/g, (copy) => `ben.${copy}@example.com`],
  [/Tal AG/g, (copy) => `T${copy.toString(36)}l AG`],
  [/tal\.example/g, (copy) => `tal-${copy}.example`]
]

/** The request on the records of copy number `copy`. */
export const ofCopy = (
  { asked, kept }: { readonly asked: Asked; readonly kept: ReadonlySet<string> },
  copy: number
): Asked => {
  const moved = (text: string) =>
    uniques.reduce((rest, [found, unique]) => rest.replaceAll(found, unique(copy)), textOfCopy(text, kept, copy))
  const { options, path } = asked
  return {
    ...asked,
    path: moved(path),
    options: {
      ...options,
      ...(options.json === undefined ? {} : { json: JSON.parse(moved(JSON.stringify(options.json))) as Json })
    }
  }
}
