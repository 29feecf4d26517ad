/** A broker with a project and its teaser, and investors who receive it. */
import * as Id from "../../../src/core/Id.ts"
import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import * as Tenant from "../../support/Tenant.ts"
import * as TeasersClient from "../teasers/TeasersClient.ts"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { actAs, asOperator, CurrentActor } from "../../../src/core/auth/CurrentActor.ts"
import { Changes } from "../../../src/core/mutation/Changes.ts"
import { inTeam } from "../../../src/platform/db/Cells.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import type { Communicate, Communicated, Offer } from "../../../src/deals/offers/Offer.ts"
import { OfferArrivals, OfferLifecycle } from "../../../src/deals/lifecycle/OfferLifecycle.ts"
import type { Prospect } from "../../../src/deals/prospects/Prospect.ts"
import type { Page } from "../../../src/core/usecase/Page.ts"
import { TestService } from "../../support/TestService.ts"
import type { Row } from "../../support/RecordsClient.ts"

/** Runs a use-case in the name of a person, in a team (its id) or in their primary one. */
export const as = <A, E, R>(email: string, useCase: Effect.Effect<A, E, R>, team?: string) =>
  Effect.gen(function* () {
    const { actorOf } = yield* Users
    return yield* actAs(yield* asOperator(actorOf(email, team)))(useCase)
  })

const requestOf = (body: object = {}) =>
  UseCaseRequest.make({ operation: "test", query: {}, body: body as { readonly [member: string]: string } })

/** A team with an investor whose address is confirmed, and clients of their offers. */
export const investor = Effect.fn("OffersClient.investor")(function* (options: Tenant.TenantOptions = {}) {
  const sql = yield* Database
  const { request } = yield* TestService
  const tenant = yield* Tenant.make({ broker: null, investor: "active", ...options })
  yield* Effect.orDie(sql`update users set email_confirmed = true where id = ${tenant.userId}`)
  const { token } = tenant
  const answers = yield* OfferLifecycle
  const list = (query = "") => request<Page<Offer>>("GET", `/api/v1/offers${query}`, { token })
  return {
    ...tenant,
    list,
    offers: (filter = "all") => Effect.map(list(`?filter=${filter}`), ({ body }) => body.data),
    get: (id: string, headers: Record<string, string> = {}) =>
      request<Offer>("GET", `/api/v1/offers/${id}`, { token, headers }),
    actions: (id: string, query = "") => request<Page<Row>>("GET", `/api/v1/offers/${id}/actions${query}`, { token }),
    accept: (id: string) => as(tenant.email, answers.accept(id, requestOf())),
    reject: (id: string, reason?: string) =>
      as(tenant.email, answers.reject(id, requestOf(reason === undefined ? {} : { reason }))),
    remove: (id: string) => as(tenant.email, answers.remove(id, requestOf())),
    /** The events of the team so far, as `event action`, with their payloads. */
    events: Effect.map(
      inTeam(tenant.teamId)(
        Effect.orDie(sql<{ body: string }>`select body from events where team_id = ${tenant.teamId} order by seq`)
      ),
      (rows) => rows.map(({ body }) => JSON.parse(body) as Row)
    )
  }
})

/** A broker with a project whose teaser is published, and clients of its list. */
export const broker = Effect.fn("OffersClient.broker")(function* (options: Tenant.TenantOptions = {}) {
  const sql = yield* Database
  const random = yield* SecureRandom.SecureRandom
  const { request } = yield* TestService
  const client = yield* TeasersClient.make(options)
  const communications = yield* OfferLifecycle
  const writes = yield* OfferArrivals
  const changes = yield* Changes
  const { token } = client
  const email = `${Id.toUuid("user", client.user)}@example.com`
  const projectId = yield* client.project(yield* client.property())
  yield* client.patch(projectId, { options: { location: "country", categories: "shown", price: "range" } })
  yield* inTeam(client.teamId)(
    Effect.orDie(
      sql`update teasers set published_at = now() where subject_id = ${Id.toUuid("project", projectId) ?? null}`
    )
  )
  const ask = <Body = Row>(method: string, path: string, json?: unknown) =>
    request<Body>(method, path, { token, ...(json === undefined ? {} : { json }) })
  const path = `/api/v1/projects/${projectId}/prospects`
  /** A new contact with an address on the project. */
  const prospectFor = (address: string, json: object = {}) =>
    Effect.gen(function* () {
      const contact = yield* ask<{ readonly id: string }>("POST", "/api/v1/network/contacts?force=true", {
        firstName: "Nora",
        email: address,
        ...json
      })
      const prospect = yield* ask<Prospect>("POST", path, { contactId: contact.body.id })
      return { ...prospect.body, contactId: contact.body.id }
    })
  return {
    ...client,
    email,
    team: Id.fromUuid("team", client.teamId),
    ask,
    projectId,
    path,
    prospectFor,
    /** A company on the project whose contacts have these addresses. */
    companyFor: Effect.fnUntraced(function* (addresses: ReadonlyArray<string>) {
      const name = `Company ${yield* random.uuidV7()}`
      const company = yield* ask<{ readonly id: string }>("POST", "/api/v1/network/companies?force=true", { name })
      for (const address of addresses) {
        const contact = yield* ask<{ readonly id: string }>("POST", "/api/v1/network/contacts?force=true", {
          lastName: "Lind",
          email: address
        })
        yield* ask("POST", "/api/v1/network/links", { contactId: contact.body.id, companyId: company.body.id })
      }
      return (yield* ask<Prospect>("POST", path, { companyId: company.body.id })).body
    }),
    prospect: (id: string) => Effect.map(ask<Prospect>("GET", `${path}/${id}`), ({ body }) => body),
    rows: (id: string) =>
      Effect.map(ask<Page<Row>>("GET", `${path}/${id}/actions?include_rollups=false`), ({ body }) => body.data),
    communicate: (body: Communicate = { all: true }, project = projectId, team?: string) =>
      as(
        email,
        Effect.map(communications.communicate(project, requestOf(body)), ({ value }): Communicated => value),
        team
      ),
    /** Invites prospects, as access to a room does. */
    invite: (...ids: ReadonlyArray<string>) =>
      as(
        email,
        Effect.flatMap(CurrentActor, (actor) =>
          changes.commit(actor, (change) =>
            writes.invite(change, {
              projectUuid: Id.toUuid("project", projectId) ?? "",
              prospectUuids: ids.flatMap((id) => Id.toUuid("prospect", id) ?? [])
            })
          )
        )
      ),
    brokerEvents: Effect.map(
      inTeam(client.teamId)(
        Effect.orDie(sql<{ body: string }>`select body from events where team_id = ${client.teamId} order by seq`)
      ),
      (rows) => rows.map(({ body }) => JSON.parse(body) as Row)
    )
  }
})

/** A broker, as {@link broker} makes one. */
export type Broker = Effect.Success<ReturnType<typeof broker>>

/** A broker and an investor with an offer of the project. */
export const deal = Effect.fn("OffersClient.deal")(function* () {
  const seller = yield* broker()
  const buyer = yield* investor()
  const prospect = yield* seller.prospectFor(buyer.email)
  const sent = yield* seller.communicate()
  const offerId = sent.communicated[0]?.offerIds[0] ?? ""
  return { seller, buyer, prospect, offerId }
})
