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
import { as, type Broker, broker, investor } from "./OffersClient.ts"

/** The modes of the parts of a teaser; `tags` are codes, of which there are no unique ones. */
const modes = {
  // A teaser without a country is not published.
  location: ["country", "region", "locality", "address"],
  price: ["hidden", "range", "exact"],
  yield: ["hidden", "range", "exact"],
  area: ["hidden", "range", "exact"],
  zoning: ["hidden", "range", "exact"],
  wault: ["hidden", "shown"],
  tenants: ["hidden", "sector", "named"]
} as const

const reversed = (value: number) => [...String(value)].toReversed().join("")

const plans = ["free", "professional", "plus"] as const

const samples = fc.record({
  options: fc.record({
    location: fc.constantFrom(...modes.location),
    price: fc.constantFrom(...modes.price),
    yield: fc.constantFrom(...modes.yield),
    area: fc.constantFrom(...modes.area),
    zoning: fc.constantFrom(...modes.zoning),
    wault: fc.constantFrom(...modes.wault),
    tenants: fc.constantFrom(...modes.tenants)
  }),
  plan: fc.constantFrom(...plans),
  accepts: fc.boolean(),
  // Digits that no range, id or time has by accident.
  digits: fc
    .integer({ min: 1_111_111, max: 8_999_999 })
    .filter((value) => value % 10 !== 0 && reversed(value) !== String(value))
})

type Sample = typeof samples extends fc.Arbitrary<infer Value> ? Value : never

/** A property whose values are unique, and those of them that this sample hides. */
const planted = ({ digits, options, plan }: Sample, mark: string) => {
  const isFree = plan === "free"
  const property = {
    name: `name-${mark}`,
    description: `description-${mark}`,
    country: "DE",
    locality: `locality-${mark}`,
    address: {
      street: `street-${mark}`,
      houseNumber: `house-${mark}`,
      postalCode: `postal-${mark}`,
      region: `region-${mark}`
    },
    coordinates: { latitude: 48.1370001 + digits / 1e9, longitude: 11.5750001 + digits / 1e9 },
    categories: ["office"],
    lettableArea: { value: digits, unit: "sqm" },
    grossFloorArea: { value: digits + 1, unit: "sqm" },
    parcelArea: { value: digits + 2, unit: "sqm" },
    zoning: { gfa: { value: digits + 3, unit: "sqm" }, planReference: `plan-${mark}` },
    income: {
      waultToBreak: { value: Number(`7.${String(digits).slice(-4)}`), unit: "years" },
      passingRent: { value: digits + 5, currency: "EUR" }
    },
    tenants: [{ name: `tenant-${mark}`, use: "office", annualRent: { value: digits + 6, currency: "EUR" } }],
    pricing: {
      askingPrice: { value: Number(`9${reversed(digits)}`), currency: "EUR" },
      netInitialYield: { value: Number(`4.${String(digits).slice(-4)}`), unit: "percent" }
    },
    externalRefs: [{ namespace: "crm", externalId: `property-ref-${mark}` }]
  }
  const shown = (mode: string, part: string) => !isFree && mode === part
  const places = modes.location.indexOf(isFree ? "country" : options.location)
  return {
    property,
    hidden: [
      property.name,
      property.description,
      String(property.coordinates.latitude),
      String(property.grossFloorArea.value),
      String(property.parcelArea.value),
      property.zoning.planReference,
      String(property.income.passingRent.value),
      String(digits + 6),
      `property-ref-${mark}`,
      ...(places < 1 ? [property.address.region] : []),
      ...(places < 2 ? [property.locality] : []),
      ...(places < 3 ? [property.address.street, property.address.houseNumber, property.address.postalCode] : []),
      ...(shown(options.area, "exact") ? [] : [String(property.lettableArea.value)]),
      ...(shown(options.zoning, "exact") ? [] : [String(property.zoning.gfa.value)]),
      ...(shown(options.price, "exact") ? [] : [String(property.pricing.askingPrice.value)]),
      ...(shown(options.yield, "exact") ? [] : [String(property.pricing.netInitialYield.value)]),
      ...(shown(options.wault, "shown") ? [] : [String(property.income.waultToBreak.value)]),
      ...(shown(options.tenants, "named") ? [] : [`tenant-${mark}`])
    ]
  }
}

const requestOf = (body: Json) => UseCaseRequest.make({ operation: "test", query: {}, body })

/**
 * Data rooms, questions, messages, calls and bids of two investors. Returns what the first one may not see of it, and what leads to what
 * they may see.
 */
const dealWith = Effect.fnUntraced(function* (
  seller: Broker,
  {
    mark,
    own,
    projectId,
    rival
  }: { readonly mark: string; readonly projectId: string; readonly own: string; readonly rival: string }
) {
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

layer(TestService.layer, { excludeTestServices: true })("No secret of the broker's side", (it) => {
  it.effect("is in any bytes that the investor's team can read, whatever the teaser shows", () =>
    Effect.forEach(
      // Both answers at least once.
      fc.sample(samples, 5).map((sample, index) => (index < 2 ? { ...sample, accepts: index === 0 } : sample)),
      (sample) =>
        Effect.gen(function* () {
          const sql = yield* Database
          const { request } = yield* TestService
          const seller = yield* broker()
          const buyer = yield* investor({ broker: "active" })
          const rival = yield* investor()
          const mark = seller.teamId.slice(-12)
          const { hidden, property } = planted(sample, mark)
          yield* Effect.orDie(sql`
            update users set name = ${`broker-${mark}`}, phone = ${`phone-${mark}`} where id = ${Id.toUuid("user", seller.user) ?? ""}`)
          yield* Effect.orDie(sql`
            update teams set name = ${`team-${mark}`}, contact_person_id = ${Id.toUuid("user", seller.user) ?? ""}
            where id = ${seller.teamId}`)
          yield* seller.setPlan(sample.plan)

          // The broker's side, each text of it unique.
          const made = yield* seller.ask("POST", "/api/v1/properties", property)
          assert.strictEqual(made.status, 201, JSON.stringify(made.body))
          const propertyId = made.body["id"]
          const projectId = String(
            (yield* seller.ask("POST", "/api/v1/projects", {
              name: `project-${mark}`,
              description: `about-${mark}`,
              propertyIds: [propertyId],
              externalRefs: [{ namespace: "crm", externalId: `project-ref-${mark}` }]
            })).body["id"]
          )
          // A mode that the data or the plan does not have is refused; the others are taken one by one.
          for (const [part, mode] of Object.entries(sample.options)) {
            yield* seller.patch(projectId, { options: { [part]: mode } })
          }
          yield* seller.patch(projectId, { options: { categories: "shown" } })
          yield* Effect.orDie(
            sql`update teasers set published_at = now() where subject_id = ${Id.toUuid("project", projectId) ?? ""}`
          )
          const list = `/api/v1/projects/${projectId}/prospects`
          const add = (email: string, name: string) =>
            Effect.gen(function* () {
              const contact = yield* seller.ask<{ readonly id: string }>("POST", "/api/v1/network/contacts", {
                lastName: `${name}-${mark}`,
                email,
                externalRefs: [{ namespace: "crm", externalId: `${name}-ref-${mark}` }]
              })
              const prospect = yield* seller.ask<{ readonly id: string }>("POST", list, {
                contactId: contact.body.id,
                classification: `class_${mark}`,
                projectTags: [`tag-${mark}`],
                externalRefs: [{ namespace: "crm", externalId: `${name}-prospect-ref-${mark}` }]
              })
              return { contact: contact.body.id, prospect: prospect.body.id }
            })
          const own = yield* add(buyer.email, "buyer")
          const other = yield* add(rival.email, "rival")
          yield* seller.ask("POST", `${list}/${own.prospect}/notes`, { message: `note-${mark}` })
          yield* seller.ask("PATCH", `${list}/${own.prospect}`, { stage: "im", stageReason: `reason-${mark}` })
          yield* seller.ask("POST", `${list}/${own.prospect}/tasks`, {
            type: "call",
            dueDate: "7d",
            note: `task-${mark}`
          })
          const form = new FormData()
          form.append("file", new Blob([`content-${mark}`]), `file-${mark}.txt`)
          const file = yield* request<{ readonly id: string }>(
            "POST",
            `/api/v1/properties/${String(propertyId)}/files`,
            {
              token: seller.token,
              form
            }
          )
          yield* request("POST", "/api/v1/mandates", {
            token: buyer.token,
            json: { name: "Offices", categories: ["office"], country: "DE" }
          })
          yield* seller.communicate({ all: true }, projectId)
          const first = (yield* buyer.offers())[0]
          yield* seller.communicate({ all: true }, projectId)
          assert.deepStrictEqual((yield* buyer.offers())[0]?.teaser, first?.teaser)
          const offerId = first?.id ?? ""

          const secrets = [
            ...hidden,
            ...[
              "project",
              "about",
              "project-ref",
              "buyer",
              "buyer-ref",
              "buyer-prospect-ref",
              "rival",
              "note",
              "reason"
            ].map((name) => `${name}-${mark}`),
            ...["task", "tag", "file", "content", "team", "rival-ref"].map((name) => `${name}-${mark}`),
            `class_${mark}`,
            ...[propertyId, projectId, own.contact, own.prospect, other.contact, other.prospect, file.body.id].map(
              String
            ),
            seller.team,
            rival.user,
            rival.team,
            rival.email
          ]
          const ofBroker = [seller.user, `broker-${mark}`, `phone-${mark}`, seller.email]

          /** Everything that the investor's team can read. */
          const reachableWith = Effect.fnUntraced(function* (paths: ReadonlyArray<string>) {
            const get = (path: string) => Effect.map(request("GET", path, { token: buyer.token }), ({ text }) => text)
            const post = (path: string, json: unknown) =>
              Effect.map(request("POST", path, { token: buyer.token, json }), ({ text }) => text)
            const texts: Array<string> = []
            for (const filter of offerFilters) texts.push(yield* get(`/api/v1/offers?filter=${filter}`))
            for (const path of [
              `/api/v1/offers/${offerId}`,
              `/api/v1/offers/${offerId}/actions`,
              `/api/v1/offers/${offerId}/actions?type=chat`,
              "/api/v1/changes?after=0&types=*",
              "/api/v1/mandates",
              "/api/v1/properties",
              "/api/v1/projects",
              "/api/v1/prospects",
              "/api/v1/auth/me",
              // Errors about what belongs to the broker.
              `/api/v1/offers/${own.prospect}`,
              `/api/v1/properties/${String(propertyId)}`,
              `/api/v1/projects/${projectId}/teaser`,
              `/api/v1/files/${file.body.id}`,
              `/api/v1/files/${file.body.id}/content`,
              ...paths
            ]) {
              texts.push(yield* get(path))
            }
            texts.push(yield* post("/api/v1/properties:search", {}))
            texts.push(yield* post("/api/v1/network/contacts:search", {}))
            texts.push(yield* post("/api/v1/mandates/search", { location: "Germany" }))
            // What webhooks of the team would be sent.
            texts.push(JSON.stringify(yield* buyer.events))
            return texts.join("\n")
          })

          const look = Effect.fnUntraced(function* (more: ReadonlyArray<string>, paths: ReadonlyArray<string> = []) {
            const text = yield* reachableWith(paths)
            assert.include(text, offerId)
            for (const secret of [...secrets, ...more]) {
              assert.notInclude(text, secret, `${JSON.stringify(sample)} shows ${secret}`)
            }
            return text
          })
          yield* look(ofBroker)
          if (sample.accepts) {
            assert.notInclude(JSON.stringify(yield* buyer.accept(offerId)), own.prospect)
            assert.include(yield* look([]), `broker-${mark}`)
            const deal = yield* dealWith(seller, {
              mark,
              projectId,
              own: own.prospect,
              rival: other.prospect
            })
            const text = yield* look(deal.secrets, deal.paths)
            for (const part of deal.shown) assert.include(text, part)
          } else {
            yield* buyer.reject(offerId)
            yield* look(ofBroker)
          }
          // What the broker does to the project afterwards.
          yield* seller.ask("POST", `${list}/${own.prospect}/remove`)
          yield* seller.ask("POST", `${list}/${own.prospect}/restore`)
          yield* seller.ask("POST", `/api/v1/projects/${projectId}/close`)
          yield* look(sample.accepts ? [] : ofBroker)
        }),
      { concurrency: 2, discard: true }
    )
  )
})
