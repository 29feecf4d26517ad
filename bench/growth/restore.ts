/** `restore`: how long it takes to restore 10,000 contacts that somebody deleted, with links and prospects. See bench/README.md. */
import * as Bulk from "../data/Bulk.ts"
import * as contacts from "../data/contacts.ts"
import * as Id from "../../src/core/Id.ts"
import * as Service from "../Service.ts"
import * as Tenant from "../../test/support/Tenant.ts"
import * as UseCaseRequest from "../../src/core/usecase/UseCaseRequest.ts"
import { Effect } from "effect"
import { actAs, asOperator } from "../../src/core/auth/CurrentActor.ts"
import type { Json } from "../../src/core/usecase/Input.ts"
import { Projects } from "../../src/deals/projects/Projects.ts"
import { ProspectBatches } from "../../src/deals/prospects/ProspectBatches.ts"
import { Companies } from "../../src/network/companies/Companies.ts"
import { Contacts } from "../../src/network/contacts/Contacts.ts"
import { Links } from "../../src/network/links/Links.ts"
import { restorable } from "../../src/network/restores/Restore.ts"
import { Restores } from "../../src/network/restores/Restores.ts"
import type { Line, Measurement } from "../Measurement.ts"
import { count, say } from "../Report.ts"

const sizesOf = (quick: boolean) => (quick ? { contacts: 400, prospects: 100 } : { contacts: 10_000, prospects: 2000 })

/** The most that it may take, in milliseconds. */
const most = 30_000

const request = (body: Json) => UseCaseRequest.make({ operation: "bench", query: {}, body })

const hundreds = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / 100) }, (_, index) => all.slice(index * 100, index * 100 + 100))

const run = Effect.fnUntraced(function* ({ quick }: { readonly quick: boolean }) {
  const sizes = sizesOf(quick)
  const { url, services } = yield* Service.inProcess
  return yield* Effect.gen(function* () {
    const session = yield* Bulk.session(url)
    const tenant = yield* Tenant.make()
    const { teamId, userId } = tenant
    yield* Bulk.fill(session, "contacts", contacts.add(session, teamId, sizes.contacts))
    const rows = yield* session.query<{ readonly id: string }>(
      `select id from contacts where team_id = $1 order by id`,
      [teamId]
    )
    const ids = rows.map(({ id }) => Id.fromUuid("contact", id))
    yield* say(`restore links ${count(ids.length)} contacts, and puts ${count(sizes.prospects)} of them on lists`)
    const prepared = Effect.gen(function* () {
      const company = (yield* (yield* Companies).create(request({ name: "Berg AB" }))).value.id
      const links = yield* Links
      for (const some of hundreds(ids)) {
        yield* links.batchUpsert(
          request({ items: some.map((contactId) => ({ contactId, companyId: company, jobTitle: "Partner" })) })
        )
      }
      const project = (yield* (yield* Projects).create(request({ name: "Quartier" }))).value.id
      const { addBatch } = yield* ProspectBatches
      for (const some of hundreds(ids.slice(0, sizes.prospects))) {
        yield* addBatch(project, request({ items: some.map((contactId) => ({ contactId })) }))
      }
      yield* session.query("vacuum analyze")
      const deleting = yield* Contacts
      const begun = performance.now()
      for (const some of hundreds(ids)) yield* deleting.batchDelete(request({ ids: some }))
      return performance.now() - begun
    })
    const deleted = yield* actAs(Tenant.actorOf(tenant))(prepared)
    const counted = (table: string, condition = "") =>
      Effect.map(
        session.query<{ readonly count: number }>(
          `select count(*)::int as count from ${table} where team_id = $1 and deleted_at is null ${condition}`,
          [teamId]
        ),
        ([row]) => row?.count ?? 0
      )
    const { restoreDeletedBy } = yield* Restores
    const begun = performance.now()
    const summary = yield* asOperator(
      restoreDeletedBy(
        {
          teamId,
          by: { user: userId },
          since: new Date(Date.now() - 3_600_000),
          until: new Date(Date.now() + 3_600_000),
          types: restorable,
          force: false
        },
        () => Effect.void
      )
    )
    const took = performance.now() - begun
    const back = [
      yield* counted("contacts"),
      yield* counted("links"),
      yield* counted("prospects", "and removed_at is null")
    ]
    const wanted = [ids.length, ids.length, sizes.prospects]
    if (String(back) !== String(wanted) || summary.notRestored.length > 0) {
      return yield* Effect.die(
        new Error(`of ${String(wanted)} contacts, links and prospects, ${String(back)} are back`)
      )
    }
    const line: Line = {
      name: "restore",
      work: `restoring ${count(ids.length)} deleted contacts, each with a link, ${count(sizes.prospects)} of them on a list`,
      ours: `${(took / 1000).toFixed(1)} s`,
      value: { amount: took, unit: "ms" },
      target: { most },
      details: { took, deleted, contacts: ids.length, links: ids.length, prospects: sizes.prospects }
    }
    return { lines: [line] }
  }).pipe(Effect.provide(services))
})

/** The measurement. */
export const restore: Measurement = {
  name: "restore",
  summary: "How long it takes to restore 10,000 deleted contacts",
  run
}
