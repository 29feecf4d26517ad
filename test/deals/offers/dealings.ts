/** What a broker keeps on a project, and what happens between it and two investors; each text is unique. */
import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import * as rooms from "../rooms/fixture.ts"
import { assert } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { Messages } from "../../../src/deals/messages/Messages.ts"
import { OfferLifecycle } from "../../../src/deals/lifecycle/OfferLifecycle.ts"
import { ProspectChanges } from "../../../src/deals/prospects/ProspectChanges.ts"
import { AccessLifecycle } from "../../../src/deals/lifecycle/AccessLifecycle.ts"
import { Questions } from "../../../src/deals/rooms/questions/Questions.ts"
import type { Json } from "../../../src/core/usecase/Input.ts"
import { TestService } from "../../support/TestService.ts"
import { as, type Broker } from "./OffersClient.ts"
import type { ForeignIds } from "./reachable.ts"

/** A project that is offered to two investors, `own` and `rival` being their prospects. */
export interface OfferedProject {
  readonly seller: Broker & {
    readonly mark: string
    readonly contacts: ReadonlyArray<string>
    /** Another broker of the team, whom nothing names. */
    readonly colleague: { readonly userId: string; readonly email: string }
  }
  readonly mark: string
  readonly list: string
  readonly projectId: string
  readonly propertyIds: ReadonlyArray<string>
  readonly own: string
  readonly rival: string
  readonly offerId: string
  readonly rivalOfferId: string
}

/** The two investors. */
export interface Investors {
  readonly buyer: { readonly email: string }
  readonly rival: { readonly email: string }
}

const requestOf = (body: Json) => UseCaseRequest.make({ operation: "test", query: {}, body })

const marked = (mark: string, names: ReadonlyArray<string>) => names.map((name) => `${name}-${mark}`)

/** What a broker keeps on a project and its property for itself: the texts and ids, and what leads to them. */
export const keepBeside = Effect.fnUntraced(function* (project: OfferedProject) {
  const { list, mark, own, projectId, propertyIds, seller } = project
  const { request } = yield* TestService
  const [propertyId, contactId] = [propertyIds[0] ?? "", seller.contacts[0] ?? ""]
  const create = (path: string, json: unknown) =>
    Effect.map(seller.ask<{ readonly id: string }>("POST", path, json), ({ body, status }) => {
      assert.strictEqual(status, 201, path)
      return body.id
    })
  const notes = yield* create(`${list}/${own}/notes`, { message: `note-${mark}` })
  yield* create(`/api/v1/projects/${projectId}/notes`, { message: `project-note-${mark}` })
  yield* create(`/api/v1/properties/${propertyId}/notes`, { message: `property-note-${mark}` })
  yield* create(`/api/v1/network/contacts/${contactId}/notes`, { message: `contact-note-${mark}` })
  yield* seller.ask("PATCH", `${list}/${own}`, { stage: "im", stageReason: `reason-${mark}` })
  const tasks = yield* create(`${list}/${own}/tasks`, { type: "call", dueDate: "7d", note: `task-${mark}` })
  const companies = yield* create("/api/v1/network/companies?force=true", { name: `company-${mark}` })
  const links = yield* create("/api/v1/network/links", { contactId, companyId: companies, jobTitle: `title-${mark}` })
  const mandates = yield* create("/api/v1/mandates", { name: `mandate-${mark}`, country: "DE" })
  const form = new FormData()
  form.append("file", new Blob([`content-${mark}`]), `file-${mark}.txt`)
  const path = `/api/v1/properties/${propertyId}/files`
  const file = yield* request<{ readonly id: string }>("POST", path, { token: seller.token, form })
  const ids: ForeignIds = {
    notes,
    tasks,
    companies,
    links,
    mandates,
    contacts: contactId,
    files: file.body.id,
    properties: propertyId,
    projects: projectId,
    prospects: own,
    offers: project.rivalOfferId,
    teams: seller.team
  }
  return {
    ids,
    secrets: [
      ...marked(mark, ["note", "project-note", "property-note", "contact-note", "reason", "task", "company", "title"]),
      ...marked(mark, ["mandate", "file", "content"]),
      ...Object.values(ids)
    ],
    paths: [`/api/v1/offers/${own}`, `/api/v1/files/${file.body.id}`, `/api/v1/files/${file.body.id}/content`]
  }
})

/**
 * Data rooms, questions, messages, files, calls and bids of two investors, of whom both accept. Returns what the first one may not see of
 * it, what neither may, and what leads to what the first one may see.
 */
export const dealWith = Effect.fnUntraced(function* (
  { mark, offerId, own, projectId, rival, rivalOfferId, seller }: OfferedProject,
  { buyer, rival: other }: Investors
) {
  const [access, questions, messages, milestones] = [
    yield* AccessLifecycle,
    yield* Questions,
    yield* Messages,
    yield* ProspectChanges
  ]
  const { email, userId } = seller.colleague
  const person = { teamId: seller.teamId, userId }
  const room = yield* rooms.open(person, projectId, { name: `room-${mark}` })
  const closed = yield* rooms.open(person, projectId, { name: `other-room-${mark}` })
  const shared = yield* rooms.upload(person, room.id, `shared-${mark}`, `folder/shared-${mark}.txt`)
  const secret = yield* rooms.upload(person, closed.id, `secret-text-${mark}`, `secret-${mark}.txt`)
  yield* as(email, access.grant(room.id, requestOf({ prospectIds: [own, rival] })))
  yield* as(email, access.grant(closed.id, requestOf({ prospectIds: [rival] })))
  const ask = (prospectId: string, text: string) =>
    Effect.map(as(email, questions.askFor(room.id, requestOf({ text, prospectId }))), ({ value }) => value.id)
  const mine = yield* ask(own, `first-question-${mark}`)
  const theirs = yield* ask(rival, `their-question-${mark}`)
  const ofAll = yield* ask(rival, `public-question-${mark}`)
  const path = `/api/v1/projects/${projectId}/rooms/${room.id}`
  const draft = yield* seller.ask("PUT", `${path}/questions/${mine}/draft-answer`, { text: `draft-${mark}` })
  assert.strictEqual(draft.status, 200, draft.text)
  yield* as(email, questions.answer(theirs, requestOf({ text: `their-answer-${mark}`, audience: "asker" })))
  yield* as(email, questions.answer(ofAll, requestOf({ text: `public-answer-${mark}`, audience: "all" })))
  yield* as(
    other.email,
    Effect.flatMap(OfferLifecycle, (answers) => answers.accept(rivalOfferId, requestOf({})))
  )
  const share = (by: string, target: string, name: string) =>
    as(
      by,
      messages.share(target, {
        ...UseCaseRequest.make({ operation: "test", query: {} }),
        file: Effect.succeed({
          filename: `${name}.txt`,
          contentType: "text/plain",
          content: Stream.make(new TextEncoder().encode(`${name}-text`))
        })
      })
    )
  const idOf = ({ value }: Effect.Success<ReturnType<typeof share>>) =>
    (value.details as { readonly file?: { readonly id: string } }).file?.id ?? ""
  const ofBroker = idOf(yield* share(email, own, `first-terms-${mark}`))
  const forRival = idOf(yield* share(email, rival, `their-terms-${mark}`))
  const ofRival = idOf(yield* share(other.email, rivalOfferId, `their-loi-${mark}`))
  yield* as(email, messages.send(own, requestOf({ text: `message-${mark}` })))
  yield* as(email, messages.send(rival, requestOf({ text: `their-message-${mark}` })))
  yield* as(buyer.email, messages.send(offerId, requestOf({ text: `reply-${mark}` })))
  yield* as(other.email, messages.send(rivalOfferId, requestOf({ text: `their-reply-${mark}` })))
  yield* as(email, messages.logCall(own, requestOf({ note: `call-${mark}` })))
  const bids = [own, rival].map((prospect, index) => ({ prospect, amount: 6_180_339_887 + index }))
  for (const { amount, prospect } of bids) {
    yield* as(email, milestones.receiveBid(prospect, requestOf({ amount, currency: "EUR" })))
  }
  const ofNeither = [
    ...marked(mark, ["draft", "message", "their-message", "reply", "their-reply", "call"]),
    ...bids.map(({ amount }) => String(amount)),
    mine,
    theirs,
    ofAll
  ]
  return {
    room: room.id,
    ids: { rooms: closed.id, questions: theirs } satisfies ForeignIds,
    secrets: [
      ...ofNeither,
      ...marked(mark, ["other-room", "secret-text", "secret", "their-question", "their-answer", "their-terms"]),
      `their-loi-${mark}`,
      closed.id,
      secret.id,
      forRival,
      ofRival
    ],
    secretsOfRival: [...ofNeither, ...marked(mark, ["first-question", "first-terms"]), ofBroker],
    shown: [
      `public-question-${mark}`,
      `public-answer-${mark}`,
      `shared-${mark}.txt`,
      room.id,
      `first-terms-${mark}.txt`
    ],
    paths: [shared.id, secret.id, ofBroker, forRival, ofRival]
      .flatMap((id) => [`/api/v1/files/${id}`, `/api/v1/files/${id}/content`])
      .concat([path, `${path}/questions`, `${path}/questions/${theirs}`])
  }
})
