/**
 * Nothing of the broker's side reaches the investor's team, in any bytes that it can read: every value is planted as a unique string or
 * number, and looked for. Whatever investors get to read belongs into `reachable`, whatever brokers keep for themselves into `secrets`.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { Database } from "../../src/db/Database.ts"
import * as Id from "../../src/Id.ts"
import { offerFilters } from "../../src/offers/Offer.ts"
import { TestService } from "../support/TestService.ts"
import { Messages } from "../../src/messages/Messages.ts"
import { Milestones } from "../../src/prospects/Milestones.ts"
import { Access } from "../../src/rooms/Access.ts"
import { Questions } from "../../src/rooms/questions/Questions.ts"
import type { Json } from "../../src/usecase/Input.ts"
import * as UseCaseRequest from "../../src/usecase/UseCaseRequest.ts"
import * as rooms from "../rooms/fixture.ts"
import { as, broker, investor } from "./OffersClient.ts"
import { type Plan, planted, plans, type Sample, samples } from "./planted.ts"

/** How many projects are looked at, `LEAK_RUNS` for more, and the seed of their teasers: one, so that each run of the suite does the same. */
const runs = Number(process.env["LEAK_RUNS"] ?? 24)
const seed = Number(process.env["LEAK_SEED"] ?? 20_261_123)

const requestOf = (body: Json) => UseCaseRequest.make({ operation: "test", query: {}, body })

/** A broker on a plan with the two contacts that are on all its projects; each text of it is unique. */
const sellerOn = Effect.fnUntraced(function* (
  plan: Plan,
  buyer: { readonly email: string },
  rival: { readonly email: string }
) {
  const sql = yield* Database
  const seller = yield* broker()
  const mark = seller.teamId.slice(-12)
  const userUuid = Id.toUuid("user", seller.user) ?? ""
  yield* Effect.orDie(sql`
    update users set name = ${`broker-${mark}`}, phone = ${`phone-${mark}`} where id = ${userUuid}`)
  yield* Effect.orDie(sql`
    update teams set name = ${`team-${mark}`}, contact_person_id = ${userUuid} where id = ${seller.teamId}`)
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
    /** Names this broker until an offer is accepted. */
    card: [seller.user, `broker-${mark}`, `phone-${mark}`, seller.email],
    secrets: [
      ...["team", "buyer", "rival", "buyer-ref", "rival-ref"].map((name) => `${name}-${mark}`),
      seller.team,
      ...contacts
    ]
  }
})

type Seller = Effect.Success<ReturnType<typeof sellerOn>>

/** A published teaser of random properties, with both contacts as prospects. */
const projectOf = Effect.fnUntraced(function* (seller: Seller, sample: Sample, first: number) {
  const sql = yield* Database
  const mark = `${seller.mark}-${first}`
  const { hidden, properties, shown } = planted(sample, seller.plan, { mark, first })
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
      externalRefs: [{ namespace: "crm", externalId: `project-ref-${mark}` }]
    })).body["id"]
  )
  // What is designed on the best plan counts on this one as far as it has it.
  yield* seller.setPlan("plus")
  const template: Record<string, unknown> = (yield* seller.get(projectId)).body.template
  const available = Object.entries(sample.options).filter(([part, mode]) =>
    (template[part] as ReadonlyArray<string>).includes(mode)
  )
  const patched = yield* seller.patch(projectId, { options: { ...Object.fromEntries(available), categories: "shown" } })
  assert.strictEqual(patched.status, 200, patched.text)
  yield* seller.setPlan(seller.plan)
  yield* Effect.orDie(
    sql`update teasers set published_at = now() where subject_id = ${Id.toUuid("project", projectId) ?? ""}`
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
  const offerId = sent.communicated.find(({ prospectId }) => prospectId === own)?.offerIds[0] ?? ""
  return {
    seller,
    sample,
    mark,
    list,
    projectId,
    propertyIds,
    own,
    rival,
    offerId,
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

/** What a broker keeps on a project and its property for itself: the texts and ids, and the paths that answer an error about them. */
const keepBeside = Effect.fnUntraced(function* ({ list, mark, own, projectId, propertyIds, seller }: Project) {
  const { request } = yield* TestService
  const propertyId = propertyIds[0] ?? ""
  yield* seller.ask("POST", `${list}/${own}/notes`, { message: `note-${mark}` })
  yield* seller.ask("PATCH", `${list}/${own}`, { stage: "im", stageReason: `reason-${mark}` })
  yield* seller.ask("POST", `${list}/${own}/tasks`, { type: "call", dueDate: "7d", note: `task-${mark}` })
  const form = new FormData()
  form.append("file", new Blob([`content-${mark}`]), `file-${mark}.txt`)
  const path = `/api/v1/properties/${propertyId}/files`
  const file = yield* request<{ readonly id: string }>("POST", path, { token: seller.token, form })
  return {
    secrets: [...["note", "reason", "task", "file", "content"].map((name) => `${name}-${mark}`), file.body.id],
    paths: [
      `/api/v1/offers/${own}`,
      `/api/v1/properties/${propertyId}`,
      `/api/v1/projects/${projectId}/teaser`,
      `/api/v1/files/${file.body.id}`,
      `/api/v1/files/${file.body.id}/content`
    ]
  }
})

/**
 * Data rooms, questions, messages, calls and bids of two investors. Returns what the first one may not see of it, and what leads to what
 * they may see.
 */
const dealWith = Effect.fnUntraced(function* ({ mark, own, projectId, rival, seller }: Project) {
  const [access, questions, messages, milestones] = [
    yield* Access,
    yield* Questions,
    yield* Messages,
    yield* Milestones
  ]
  const person = { teamId: seller.teamId, userId: Id.toUuid("user", seller.user) ?? "" }
  const room = yield* rooms.open(person, projectId, { name: `room-${mark}` })
  const other = yield* rooms.open(person, projectId, { name: `other-room-${mark}` })
  const shared = yield* rooms.upload(person, room.id, `shared-${mark}`, `folder/shared-${mark}.txt`)
  const secret = yield* rooms.upload(person, other.id, `secret-text-${mark}`, `secret-${mark}.txt`)
  yield* as(seller.email, access.grant(room.id, requestOf({ prospectIds: [own, rival] })))
  yield* as(seller.email, access.grant(other.id, requestOf({ prospectIds: [rival] })))
  const ask = (prospectId: string, text: string) =>
    Effect.map(as(seller.email, questions.askFor(room.id, requestOf({ text, prospectId }))), ({ value }) => value.id)
  const mine = yield* ask(own, `question-${mark}`)
  const theirs = yield* ask(rival, `their-question-${mark}`)
  const ofAll = yield* ask(rival, `public-question-${mark}`)
  const path = `/api/v1/projects/${projectId}/rooms/${room.id}`
  const draft = yield* seller.ask("PUT", `${path}/questions/${mine}/draft-answer`, { text: `draft-${mark}` })
  assert.strictEqual(draft.status, 200, draft.text)
  yield* as(seller.email, questions.answer(theirs, requestOf({ text: `their-answer-${mark}`, audience: "asker" })))
  yield* as(seller.email, questions.answer(ofAll, requestOf({ text: `public-answer-${mark}`, audience: "all" })))
  yield* as(seller.email, messages.send(own, requestOf({ text: `message-${mark}` })))
  yield* as(seller.email, messages.logCall(own, requestOf({ note: `call-${mark}` })))
  const bids = [own, rival].map((prospect, index) => ({ prospect, amount: 6_180_339_887 + index }))
  for (const { amount, prospect } of bids) {
    yield* as(seller.email, milestones.receiveBid(prospect, requestOf({ amount, currency: "EUR" })))
  }
  return {
    secrets: [
      ...["other-room", "secret-text", "secret", "their-question", "their-answer", "draft", "message", "call"].map(
        (name) => `${name}-${mark}`
      ),
      ...bids.map(({ amount }) => String(amount)),
      other.id,
      secret.id,
      mine,
      theirs,
      ofAll
    ],
    shown: [`public-question-${mark}`, `public-answer-${mark}`, `shared-${mark}.txt`, room.id],
    paths: [
      `/api/v1/files/${shared.id}`,
      `/api/v1/files/${shared.id}/content`,
      `/api/v1/files/${secret.id}`,
      `/api/v1/files/${secret.id}/content`,
      path,
      `${path}/questions`,
      `${path}/questions/${theirs}`
    ]
  }
})

/** Texts and ids, and the ids also as rows have them. */
const inAllForms = (texts: ReadonlyArray<string>) =>
  texts.flatMap((text) => [text, Id.toUuid(text.slice(0, text.indexOf("_")) as Id.Prefix, text) ?? text])

layer(TestService.layer, { excludeTestServices: true })("No secret of the broker's side", (it) => {
  it.effect(
    "is in any bytes that the investor's team can read, whatever the teaser shows",
    () =>
      Effect.gen(function* () {
        const { request } = yield* TestService
        const buyer = yield* investor({ broker: "active" })
        const rival = yield* investor()
        yield* request("POST", "/api/v1/mandates", {
          token: buyer.token,
          json: { name: "Offices", categories: ["office"], country: "DE" }
        })
        const sellers = yield* Effect.forEach(plans, (plan) => sellerOn(plan, buyer, rival))
        const projects = (yield* Effect.forEach(
          sellers,
          (seller, position) =>
            Effect.forEach(
              fc.sample(samples, { seed: seed + position, numRuns: Math.ceil(runs / sellers.length) }),
              // A project has at most two properties.
              (sample, index) => projectOf(seller, sample, 2 * (index * sellers.length + position))
            ),
          { concurrency: 2 }
        )).flat()
        assert.isAtLeast(projects.length, runs)
        const kept = yield* Effect.forEach(sellers, (seller) =>
          Effect.forEach(projects.filter((project) => project.seller === seller).slice(0, 2), keepBeside)
        )
        const beside = kept.flat()
        const get = (path: string) => Effect.map(request("GET", path, { token: buyer.token }), ({ text }) => text)
        const post = (path: string, json: unknown) =>
          Effect.map(request("POST", path, { token: buyer.token, json }), ({ text }) => text)

        /** Everything that the investor's team can read, and of that, what is about the offers of some projects. */
        const reachableWith = Effect.fnUntraced(function* (of: ReadonlyArray<Project>, paths: ReadonlyArray<string>) {
          const ofOffers = yield* Effect.forEach(of, ({ offerId }) =>
            Effect.map(
              Effect.all([get(`/api/v1/offers/${offerId}`), get(`/api/v1/offers/${offerId}/actions`)]),
              (texts) => texts.join("\n")
            )
          )
          const texts = yield* Effect.forEach(
            [
              ...offerFilters.map((filter) => `/api/v1/offers?page_size=500&filter=${filter}`),
              `/api/v1/offers/${projects[0]?.offerId}/actions?type=chat`,
              "/api/v1/changes?after=0&types=*&page_size=500",
              "/api/v1/mandates",
              "/api/v1/properties",
              "/api/v1/projects",
              "/api/v1/prospects",
              "/api/v1/auth/me",
              ...paths
            ],
            get
          )
          return {
            ofOffers,
            text: [
              ...ofOffers,
              ...texts,
              yield* post("/api/v1/properties:search", {}),
              yield* post("/api/v1/network/contacts:search", {}),
              yield* post("/api/v1/mandates/search", { location: "Germany" }),
              // What webhooks of the team would be sent.
              JSON.stringify(yield* buyer.events)
            ].join("\n")
          }
        })

        const secrets = [...[...sellers, ...beside].flatMap((one) => one.secrets), rival.user, rival.team, rival.email]
        const look = Effect.fnUntraced(function* (
          of: ReadonlyArray<Project>,
          more: ReadonlyArray<string>,
          paths: ReadonlyArray<string> = []
        ) {
          const { ofOffers, text } = yield* reachableWith(of, [...beside.flatMap((one) => one.paths), ...paths])
          for (const secret of inAllForms([...secrets, ...more])) assert.notInclude(text, secret)
          for (const { sample, secrets: ofProject } of projects) {
            for (const secret of inAllForms(ofProject))
              assert.notInclude(text, secret, `${secret} of ${JSON.stringify(sample)}`)
          }
          for (const [index, { offerId, sample, shown }] of of.entries()) {
            for (const value of [offerId, ...shown]) assert.include(ofOffers[index], value, JSON.stringify(sample))
          }
          return { ofOffers, text }
        })
        const cards = sellers.flatMap(({ card }) => card)
        yield* look(projects, cards)

        // Of each broker, one offer is accepted, one rejected, and one stays without an answer.
        const ofSellers = sellers.map((seller) => projects.filter((project) => project.seller === seller).slice(0, 3))
        const used = ofSellers.flat()

        // Communicating again narrows nothing.
        const teasersOf = Effect.map(buyer.list("?page_size=500"), ({ body }) => body.data.map(({ teaser }) => teaser))
        const before = yield* teasersOf
        for (const { projectId, seller } of used) yield* seller.communicate({ all: true }, projectId)
        assert.deepStrictEqual(yield* teasersOf, before)

        const deals = yield* Effect.forEach(ofSellers, ([accepted, rejected]) =>
          Effect.gen(function* () {
            if (accepted === undefined || rejected === undefined)
              return yield* Effect.die(new Error("too few projects"))
            assert.notInclude(JSON.stringify(yield* buyer.accept(accepted.offerId)), accepted.own)
            yield* buyer.reject(rejected.offerId)
            return { accepted, deal: yield* dealWith(accepted) }
          })
        )
        const { ofOffers, text } = yield* look(
          used,
          deals.flatMap(({ deal }) => deal.secrets),
          deals.flatMap(({ deal }) => deal.paths)
        )
        for (const { deal } of deals) for (const part of deal.shown) assert.include(text, part)
        for (const [index, project] of used.entries()) {
          const isAccepted = deals.some(({ accepted }) => accepted === project)
          if (isAccepted) assert.include(ofOffers[index], `broker-${project.seller.mark}`)
          else for (const name of cards) assert.notInclude(ofOffers[index], name)
        }

        // What brokers do to a project afterwards.
        for (const { list, own, projectId, seller } of used) {
          yield* seller.ask("POST", `${list}/${own}/remove`)
          yield* seller.ask("POST", `${list}/${own}/restore`)
          yield* seller.ask("POST", `/api/v1/projects/${projectId}/close`)
        }
        const last = yield* look(
          used,
          deals.flatMap(({ deal }) => deal.secrets)
        )
        for (const [index, project] of used.entries()) {
          if (deals.some(({ accepted }) => accepted === project)) continue
          for (const name of cards) assert.notInclude(last.ofOffers[index], name)
        }
      }),
    20_000 + 500 * runs
  )
})
