/** A broker's team that has something of everything, and two investors that it deals with. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Database } from "../../src/platform/db/Database.ts"
import { dealWith, keepBeside, type OfferedProject } from "../deals/offers/dealings.ts"
import { broker, investor } from "../deals/offers/OffersClient.ts"

/** Makes them. */
export const dealingTeam = Effect.gen(function* () {
  const sql = yield* Database
  const random = yield* SecureRandom.SecureRandom
  const investors = { buyer: yield* investor({ broker: "active" }), rival: yield* investor({ broker: "active" }) }
  const seller = yield* broker()
  const mark = seller.teamId.slice(-12)
  const colleague = { userId: yield* random.uuidV7(), email: `colleague-${mark}@example.com` }
  yield* Effect.orDie(sql`
    with person as (
      insert into users (id, email, name, broker, created_at)
      values (${colleague.userId}, ${colleague.email}, ${`colleague-${mark}`}, 'active', now())
    )
    insert into memberships (team_id, user_id, role, status, is_primary, joined_at, sort_name)
    values (${seller.teamId}, ${colleague.userId}, 'member', 'active', true, now(), 'colleague')`)
  const own = yield* seller.prospectFor(investors.buyer.email)
  const rival = yield* seller.prospectFor(investors.rival.email)
  const sent = yield* seller.communicate({ all: true })
  const offerOf = (id: string) => sent.communicated.find(({ prospectId }) => prospectId === id)?.offerIds[0] ?? ""
  const { body: projectOf } = yield* seller.ask<{ readonly propertyIds: ReadonlyArray<string> }>(
    "GET",
    `/api/v1/projects/${seller.projectId}`
  )
  const project: OfferedProject = {
    seller: { ...seller, mark, contacts: [own.contactId, rival.contactId], colleague },
    mark,
    list: seller.path,
    projectId: seller.projectId,
    propertyIds: projectOf.propertyIds,
    own: own.id,
    rival: rival.id,
    offerId: offerOf(own.id),
    rivalOfferId: offerOf(rival.id)
  }
  yield* investors.buyer.accept(project.offerId)
  const beside = yield* keepBeside(project)
  const deal = yield* dealWith(project, investors)
  const { body: webhook } = yield* seller.ask<{ readonly id: string }>("POST", "/api/v1/webhooks", {
    url: "http://127.0.0.1:9/hook",
    events: ["*"]
  })
  return { ...investors, seller, project, beside, roomId: deal.room, webhookId: webhook.id }
})
