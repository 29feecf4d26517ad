/**
 * Nothing of the broker's side reaches the investor's team, in any bytes that it can read: every value is planted as a unique string or
 * number, and looked for. Whatever investors get to read belongs into reachable.ts, whatever brokers keep for themselves into `secrets`.
 */
import fc from "fast-check"
import * as Id from "../../../src/core/Id.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { inTeam } from "../../../src/platform/db/Cells.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { times } from "../../support/campaign.ts"
import { store } from "../../support/TestDatabase.ts"
import { TestService } from "../../support/TestService.ts"
import { dealWith, type Investors, keepBeside, type OfferedProject } from "./dealings.ts"
import { broker, investor } from "./OffersClient.ts"
import { type Plan, plans, planted, type Sample, samples } from "./planted.ts"
import { reachableBy } from "./reachable.ts"
import { assertCodes, movedWithin } from "./teasersOfPlanted.ts"

/** How many projects are looked at, `LEAK_RUNS` for more, and the seed of their teasers: one, so that each run of the suite does the same. */
const runs = times("LEAK_RUNS", 9, 24)
const seed = Number(process.env["LEAK_SEED"] ?? 20_261_123)

/** A broker on a plan with the two contacts that are on all its projects; each text of it is unique. */
const sellerOn = Effect.fnUntraced(function* (plan: Plan, { buyer, rival }: Investors) {
  const sql = yield* Database
  const random = yield* SecureRandom.SecureRandom
  const seller = yield* broker()
  const mark = seller.teamId.slice(-12)
  const userUuid = Id.toUuid("user", seller.user) ?? ""
  yield* Effect.orDie(sql`
    update users set name = ${`broker-${mark}`}, phone = ${`phone-${mark}`} where id = ${userUuid}`)
  yield* Effect.orDie(sql`
    update teams set name = ${`team-${mark}`}, contact_person_id = ${userUuid} where id = ${seller.teamId}`)
  const colleague = { userId: yield* random.uuidV7(), email: `colleague-${mark}@example.com` }
  yield* Effect.orDie(sql`
    with person as (
      insert into users (id, email, name, broker, created_at)
      values (${colleague.userId}, ${colleague.email}, ${`colleague-name-${mark}`}, 'active', now())
    )
    insert into memberships (team_id, user_id, role, status, is_primary, joined_at, sort_name)
    values (${seller.teamId}, ${colleague.userId}, 'member', 'active', true, now(), 'colleague')`)
  const [own, other] = yield* Effect.forEach(
    [
      { name: "buyer", email: buyer.email },
      { name: "rival", email: rival.email }
    ] as const,
    ({ email, name }) =>
      seller.ask<{ readonly id: string }>("POST", "/api/v1/network/contacts", {
        lastName: `${name}-${mark}`,
        email,
        externalRefs: [{ namespace: "crm", externalId: `${name}-ref-${mark}` }]
      })
  )
  const contacts = [own?.body.id ?? "", other?.body.id ?? ""]
  return {
    ...seller,
    plan,
    mark,
    contacts,
    colleague,
    /** Names this broker until an offer is accepted. */
    card: [seller.user, `broker-${mark}`, `phone-${mark}`, seller.email],
    secrets: [
      ...["team", "buyer", "rival", "buyer-ref", "rival-ref"].map((name) => `${name}-${mark}`),
      seller.team,
      `colleague-name-${mark}`,
      colleague.email,
      Id.fromUuid("user", colleague.userId),
      ...contacts
    ]
  }
})

type Seller = Effect.Success<ReturnType<typeof sellerOn>>

/** A published teaser of random properties, with both contacts as prospects, and the first one, if `isSold`, as the seller. */
const projectOf = Effect.fnUntraced(function* (seller: Seller, sample: Sample, first: number, isSold: boolean) {
  const sql = yield* Database
  const mark = `${seller.mark}-${first}`
  const { codes, hidden, properties, shown } = planted(sample, seller.plan, { mark, first })
  const made = yield* seller.ask<{ readonly results: ReadonlyArray<{ readonly id: string }> }>(
    "POST",
    "/api/v1/properties/batch/upsert",
    { items: properties }
  )
  const propertyIds = made.body.results.map(({ id }) => id)
  const projectId = String(
    (yield* seller.ask("POST", "/api/v1/projects", {
      name: `project-${mark}`,
      description: `about-${mark}`,
      propertyIds,
      sellerContactId: isSold ? seller.contacts[0] : null,
      externalRefs: [{ namespace: "crm", externalId: `project-ref-${mark}` }]
    })).body["id"]
  )
  // What is designed on the best plan counts on this one as far as it has it.
  yield* seller.setPlan("plus")
  const template: Record<string, unknown> = (yield* seller.get(projectId)).body.template
  // `tags` has the pool there, and not modes.
  const available = Object.entries(sample.options).filter(([part, mode]) => {
    const offered = template[part] as ReadonlyArray<string>
    return part === "tags" ? mode === "hidden" || offered.length > 0 : offered.includes(mode)
  })
  const patched = yield* seller.patch(projectId, { options: Object.fromEntries(available) })
  assert.strictEqual(patched.status, 200, patched.text)
  yield* seller.setPlan(seller.plan)
  yield* inTeam(seller.teamId)(
    Effect.orDie(
      sql`update teasers set published_at = now() where subject_id = ${Id.toUuid("project", projectId) ?? ""}`
    )
  )
  const list = `/api/v1/projects/${projectId}/prospects`
  const added = yield* seller.ask<{ readonly results: ReadonlyArray<{ readonly id: string }> }>(
    "POST",
    `${list}/batch`,
    {
      items: seller.contacts.map((contactId, index) => ({
        contactId,
        classification: `class_${seller.mark}`,
        projectTags: [`tag-${mark}`],
        externalRefs: [{ namespace: "crm", externalId: `prospect-ref-${mark}-${index}` }]
      }))
    }
  )
  const [own = "", rival = ""] = added.body.results.map(({ id }) => id)
  const sent = yield* seller.communicate({ all: true }, projectId)
  const offerOf = (id: string) => sent.communicated.find(({ prospectId }) => prospectId === id)?.offerIds[0] ?? ""
  const rivalOfferId = offerOf(rival)
  const offered: OfferedProject = {
    seller,
    mark,
    list,
    projectId,
    propertyIds,
    own,
    rival,
    offerId: offerOf(own),
    rivalOfferId
  }
  return {
    ...offered,
    seller,
    sample,
    codes,
    shown,
    secrets: [
      ...hidden,
      ...["project", "about", "project-ref", "prospect-ref", "tag"].map((name) => `${name}-${mark}`),
      `class_${seller.mark}`,
      ...propertyIds,
      projectId,
      own,
      rival
    ]
  }
})

type Project = Effect.Success<ReturnType<typeof projectOf>>

/** Texts and ids, and the ids also as rows have them. */
const inAllForms = (texts: ReadonlyArray<string>) =>
  texts.flatMap((text) => [text, Id.toUuid(text.slice(0, text.indexOf("_")) as Id.Prefix, text) ?? text])

layer(TestService.layer, { excludeTestServices: true })("No secret of the broker's side", (it) => {
  it.effect(
    "is in any bytes that the investor's team can read, whatever the teaser shows",
    () =>
      Effect.gen(function* () {
        const { request } = yield* TestService
        const investors = { buyer: yield* investor({ broker: "active" }), rival: yield* investor({ broker: "active" }) }
        const { buyer, rival } = investors
        yield* request("POST", "/api/v1/mandates", {
          token: buyer.token,
          json: { name: "Offices", categories: ["office"], country: "DE" }
        })
        const sellers = yield* Effect.forEach(plans, (plan) => sellerOn(plan, investors))
        const projects = (yield* Effect.forEach(
          sellers,
          (seller, position) =>
            Effect.forEach(
              fc.sample(samples, { seed: seed + position, numRuns: Math.ceil(runs / sellers.length) }),
              // A project has at most two properties.
              (sample, index) => projectOf(seller, sample, 2 * (index * sellers.length + position), index === 2)
            ),
          { concurrency: 2 }
        )).flat()
        assert.isAtLeast(projects.length, runs)
        // Of each broker, one offer is accepted, one rejected, and one stays without an answer.
        const ofSellers = sellers.map((seller) => projects.filter((project) => project.seller === seller).slice(0, 3))
        const used = ofSellers.flat()
        const beside = new Map(
          yield* Effect.forEach(
            ofSellers.flatMap((some) => some.slice(0, 2)),
            (project) => Effect.map(keepBeside(project), (kept) => [project, kept] as const)
          )
        )
        const reachable = yield* reachableBy(buyer)

        const secrets = [
          ...[...sellers, ...beside.values()].flatMap((one) => one.secrets),
          rival.user,
          rival.team,
          rival.email,
          ...projects.map(({ rivalOfferId }) => rivalOfferId)
        ]
        const assertNone = (text: string, some: ReadonlyArray<string>, message?: string) => {
          for (const secret of inAllForms(some)) assert.notInclude(text, secret, `${secret} ${message ?? ""}`)
        }
        const assertNoSecret = (text: string) => {
          assertNone(text, secrets)
          for (const { sample, secrets: ofProject } of projects) assertNone(text, ofProject, JSON.stringify(sample))
        }
        const look = Effect.fnUntraced(function* (
          of: ReadonlyArray<Project>,
          more: ReadonlyArray<string>,
          paths: ReadonlyArray<string> = []
        ) {
          const ofOffers = yield* Effect.forEach(of, ({ offerId }) => reachable.offer(offerId))
          const texts = yield* reachable.own([...[...beside.values()].flatMap((one) => one.paths), ...paths])
          const text = [...ofOffers, ...texts].join("\n")
          assertNoSecret(text)
          assertNone(text, more)
          for (const [index, { offerId, sample, shown }] of of.entries()) {
            for (const value of [offerId, ...shown]) assert.include(ofOffers[index], value, JSON.stringify(sample))
          }
          return { ofOffers, text }
        })
        const cards = sellers.flatMap(({ card }) => card)
        yield* look(projects, cards)

        // Communicating again narrows nothing, wherever within their ranges the values are by then: not even an ETag changes.
        const known = secrets.length
        const list = Effect.map(buyer.list("?page_size=500"), ({ body }) => body.data)
        const before = yield* list
        const teaserIn = (offers: typeof before, { offerId }: Project) =>
          offers.find(({ id }) => id === offerId)?.teaser ?? undefined
        for (const project of projects) assertCodes(teaserIn(before, project), project)
        assert.isTrue(used.some(({ propertyIds }) => propertyIds.length === 2))
        for (const project of used) {
          const { projectId, seller } = project
          const teaser = teaserIn(before, project)
          for (const { id, patch, values } of teaser === undefined ? [] : movedWithin(teaser, project)) {
            const { status, text } = yield* seller.ask("PATCH", `/api/v1/properties/${id}`, patch)
            assert.strictEqual(status, 200, text)
            secrets.push(...values.map(String))
          }
          yield* seller.communicate({ all: true }, projectId)
        }
        assert.isAbove(secrets.length, known)
        assert.deepStrictEqual(yield* list, before)

        const deals = yield* Effect.forEach(ofSellers, ([accepted, rejected]) =>
          Effect.gen(function* () {
            if (accepted === undefined || rejected === undefined)
              return yield* Effect.die(new Error("too few projects"))
            assertNoSecret(JSON.stringify(yield* buyer.accept(accepted.offerId)))
            assertNoSecret(JSON.stringify(yield* buyer.reject(rejected.offerId)))
            yield* rival.reject(rejected.rivalOfferId, `declined-${rejected.mark}`)
            return { accepted, rejected, deal: yield* dealWith(accepted, investors) }
          })
        )
        // Who sells learns as little of those to whom it is offered.
        for (const { category, id } of before) {
          if (category === "selling") assertNoSecret(JSON.stringify(yield* buyer.accept(id)))
        }
        assert.lengthOf(yield* buyer.offers("selling"), sellers.length)
        const kept = deals.flatMap(({ deal, rejected }) => [...deal.secrets, `declined-${rejected.mark}`])
        const { ofOffers, text } = yield* look(
          projects,
          kept,
          deals.flatMap(({ deal }) => deal.paths)
        )
        for (const { deal } of deals) for (const part of deal.shown) assert.include(text, part)
        const after = yield* list
        for (const [index, project] of projects.entries()) {
          assertCodes(teaserIn(after, project), project)
          const isAccepted = deals.some(({ accepted }) => accepted === project)
          if (isAccepted) assert.include(ofOffers[index], `broker-${project.seller.mark}`)
          else assertNone(ofOffers[index] ?? "", cards)
        }

        // What operations, tools and commands answer, also about what is not for this team.
        const [first] = deals
        if (first === undefined) return yield* Effect.die(new Error("there is no deal"))
        const { accepted, deal } = first
        const waiting = ofSellers[0]?.[2]?.offerId ?? ""
        const ids = { ...beside.get(accepted)?.ids, ...deal.ids }
        const answered = {
          byOperations: yield* reachable.byIdsOfOthers(ids),
          byTools: yield* reachable.byTools(
            used.map(({ offerId }) => offerId),
            ids
          ),
          byCommands: yield* reachable.byCommands([
            ["offer", "list"],
            ...["accept", "reject", "remove"].map((move) => ["offer", move, waiting, "--dry-run"]),
            ["offer", "accept", accepted.rivalOfferId],
            ["room", "documents", deal.room],
            ["room", "documents", deal.ids.rooms],
            ["question", "ask", deal.room, "--text", "Which?", "--dry-run"],
            ["message", "send", accepted.offerId, "--text", "Hello", "--dry-run"],
            ["message", "send", accepted.rivalOfferId, "--text", "Hello"]
          ])
        }
        assert.include(answered.byTools.join(""), `broker-${accepted.seller.mark}`)
        assert.include(answered.byCommands.join(""), `shared-${accepted.mark}.txt`)
        const others = Object.values(answered).flat().join("\n")
        assertNoSecret(others)
        assertNone(others, kept)

        // The other investor learns as little.
        const reachableByRival = yield* reachableBy(rival)
        const ofRival = [
          ...(yield* Effect.forEach(used, ({ rivalOfferId }) => reachableByRival.offer(rivalOfferId))),
          ...(yield* reachableByRival.own(deals.flatMap(({ deal }) => deal.paths)))
        ].join("\n")
        assertNone(
          ofRival,
          [
            ...[...sellers, ...beside.values(), ...projects].flatMap((one) => one.secrets),
            ...deals.flatMap(({ deal }) => deal.secretsOfRival),
            buyer.user,
            buyer.team,
            buyer.email,
            ...projects.map(({ offerId }) => offerId)
          ].filter((secret) => !projects.some(({ rivalOfferId }) => rivalOfferId === secret))
        )

        // What brokers do to a project afterwards.
        for (const { list, own, projectId, seller } of used) {
          yield* seller.ask("POST", `${list}/${own}/remove`)
          yield* seller.ask("POST", `${list}/${own}/restore`)
          yield* seller.ask("POST", `/api/v1/projects/${projectId}/close`)
        }
        const last = yield* look(used, kept)
        for (const [index, project] of used.entries()) {
          if (!deals.some((one) => one.accepted === project)) assertNone(last.ofOffers[index] ?? "", cards)
        }
      }),
    (120_000 + 5_000 * runs) * (store === "citus" ? 5 : 1)
  )
})
