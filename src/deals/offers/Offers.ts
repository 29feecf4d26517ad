/** Reads of offers by their investors: the list, one of them, timelines (docs/behaviour/offers.md). */
import * as Id from "../../core/Id.ts"
import { alone, makeSlowReads } from "../../core/usecase/TeamBudget.ts"
import { makePacer } from "../../core/usecase/EventLoop.ts"
import { Context, Effect, Layer } from "effect"
import { type Actor, authorize, CurrentActor } from "../../core/auth/CurrentActor.ts"
import { Changes } from "../../core/mutation/Changes.ts"
import type { ProjectTimelineQuery } from "../../core/mutation/Timeline.ts"
import { Timelines } from "../../core/mutation/Timelines.ts"
import { daysAgo, now } from "../../platform/Time.ts"
import type { SharedFile } from "../../content/Subjects.ts"
import { FittingMandates } from "../../market/matches/Matches.ts"
import { byId, contentEtag, type UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { Cursors, defaultPageSize, read as readPage, timeAndId } from "../../core/usecase/Page.ts"
import { readRecord, visibleRow } from "./entries.ts"
import type { Offer, OfferListQuery, StoredOffer } from "./Offer.ts"
import { AccessRepo } from "../access/AccessRepo.ts"
import { OfferPeopleRepo, OffersRepo } from "./OffersRepo.ts"
import { namesBroker, sharesFiles, visibleOffer } from "./rules.ts"

/** For how many days an answer is new, at how many offers answers are looked for, and how many rows of their timelines are. */
const newFor = { days: 7, offers: 100, rows: 500 } as const

/** An answer that was published in the data room of an offer. */
export interface PublishedAnswer {
  readonly offerId: string
  /** The id of its row on the timeline of the offer. */
  readonly rowId: string
  readonly question: string
  readonly publishedUtc: string
}

const make = Effect.gen(function* () {
  const repo = yield* OffersRepo
  const access = yield* AccessRepo
  const mandates = yield* FittingMandates
  const timelines = yield* Timelines
  const cursors = yield* Cursors
  const people = yield* OfferPeopleRepo
  const slowReads = yield* makeSlowReads
  const changes = yield* Changes

  /** The answers for offers of the caller's team, in the same order, in a constant number of queries. */
  const toAnswers = Effect.fnUntraced(function* (stored: ReadonlyArray<StoredOffer>) {
    if (stored.length === 0) return []
    const actor = yield* CurrentActor
    const at = yield* now
    const { cards, language, names } = yield* people.find(stored, actor.userId)
    const readable = yield* access.readableBy(
      stored.flatMap(({ state: { brokerTeamId, prospectId } }) =>
        prospectId === null ? [] : [{ brokerTeamId, prospectUuid: prospectId }]
      ),
      at
    )
    // Of several rooms of a prospect, the one with the latest grant: it comes first, and the last one set here wins.
    const rooms = new Map(readable.toReversed().map(({ prospectUuid, roomUuid }) => [prospectUuid, roomUuid]))
    const fitting = yield* mandates.of(
      actor.teamId,
      stored.map(({ state }) => state.projection)
    )
    const answers: Array<Offer> = []
    const pace = makePacer()
    for (const [index, offer] of stored.entries()) {
      if (pace.isDue()) yield* pace.turn
      const visible = visibleOffer(offer, {
        now: at,
        language,
        recipientName: names.get(offer.state.userId) ?? "",
        brokerContact: cards.get(offer.uuid) ?? null,
        roomId: Id.fromUuidOrNull("room", rooms.get(offer.state.prospectId ?? "") ?? null),
        matchedMandateIds: fitting[index] ?? []
      })
      // Rooms, mandates and the language of the reader are in it, so no version of a row could be its tag.
      answers.push({ ...visible, etag: contentEtag(JSON.stringify(visible)) })
    }
    return answers
  })

  /** The answer for one offer. */
  const toAnswer = (stored: StoredOffer): Effect.Effect<Offer, never, CurrentActor> =>
    Effect.flatMap(toAnswers([stored]), ([answer]) =>
      answer === undefined ? Effect.die(new Error("an offer has no answer")) : Effect.succeed(answer)
    )

  /** A page of the team's offers, the newest first. */
  const list = Effect.fn("Offers.list")(function* (request: Pick<UseCaseRequest<OfferListQuery>, "query">) {
    const { teamId } = yield* authorize("investor")
    const { cursor, filter = "all", page_size: pageSize = defaultPageSize } = yield* request.query
    const at = yield* now
    const page = yield* readPage({
      cursors,
      binding: { list: "offers", teamId, filters: { filter } },
      cursor,
      pageSize,
      fetch: (before, limit) => {
        const found = repo.list(teamId, { filter, now: at, before: timeAndId(before), limit })
        return filter === "all" ? found : slowReads(teamId, "List without the filter.", found)
      },
      positionOf: ({ createdAt, uuid }) => [createdAt.toISOString(), uuid],
      toItem: (stored) => stored
    })
    const answers = toAnswers(page.data)
    return { ...page, data: yield* pageSize > defaultPageSize ? alone(teamId, answers) : answers }
  })

  const load = Effect.fnUntraced(function* (id: string) {
    const actor = yield* authorize("investor")
    const stored = yield* byId("offer", id, (uuid) => repo.find(actor.teamId, uuid))
    return { actor, stored }
  })

  /** One offer. The first look at it marks it as read. */
  const get = Effect.fn("Offers.get")(function* (id: string) {
    const { actor, stored } = yield* load(id)
    if (stored.state.readAt !== null) return yield* toAnswer(stored)
    return yield* changes.commit(
      actor,
      Effect.fnUntraced(function* (change) {
        // Of two who look at the same instant, one is the first.
        if (yield* repo.markRead(change, stored.uuid)) change.record(readRecord(stored.uuid))
        return yield* toAnswer((yield* repo.find(actor.teamId, stored.uuid)) ?? stored)
      })
    )
  })

  /** The answers that the status of these offers does not show, because they were closed or removed since. */
  const earlierAnswers = Effect.fn("Offers.earlierAnswers")(function* (offers: ReadonlyArray<Offer>) {
    const { teamId } = yield* authorize("investor")
    const hidden = offers.flatMap(({ answeredUtc, id, status }) =>
      answeredUtc !== null && (status === "closed" || status === "removed") ? (Id.toUuid("offer", id) ?? []) : []
    )
    const found = hidden.length === 0 ? [] : yield* repo.answersOf(teamId, hidden)
    return new Map(found.map(({ answer, id }) => [Id.fromUuid("offer", id) as string, answer]))
  })

  /** The offers that another system names: none, since an offer has no external references. */
  const named = Effect.fn("Offers.named")(function* () {
    yield* authorize("investor")
    const none: ReadonlyArray<Offer> = []
    return none
  })

  /** The timeline of an offer, newest first: rows that the investor may see, by an allow-list. */
  const actions = Effect.fn("Offers.actions")(function* (
    id: string,
    request: Pick<UseCaseRequest<ProjectTimelineQuery>, "query">
  ) {
    const { actor, stored } = yield* load(id)
    const page = yield* timelines.read({ teamId: actor.teamId, type: "offer", id: stored.uuid }, yield* request.query)
    const { cards } = yield* people.find([stored], null)
    const broker = namesBroker(stored) ? (cards.get(stored.uuid)?.name ?? null) : null
    const rows = page.data.map((row) => visibleRow(row, broker))
    return { ...page, data: rows.filter((row) => row !== undefined) }
  })

  /** The answers of the last days at the offers that the team has accepted, the newest first. */
  const newAnswers = Effect.fn("Offers.newAnswers")(function* () {
    const { teamId } = yield* authorize("investor")
    const accepted = yield* repo.list(teamId, {
      filter: "ongoing",
      now: yield* now,
      before: undefined,
      limit: newFor.offers
    })
    const found = yield* timelines.latest(
      accepted.map(({ uuid }) => ({ teamId, type: "offer", id: uuid })),
      { since: yield* daysAgo(newFor.days), limit: newFor.rows, rollUps: [] }
    )
    return found.flatMap(({ action: { details, event, id, occurredUtc }, subject }): ReadonlyArray<PublishedAnswer> =>
      event === "room.question_answered" && details.kind === "audit" && details.question !== undefined
        ? [
            {
              offerId: Id.fromUuid("offer", subject.id),
              rowId: id,
              question: details.question.text,
              publishedUtc: occurredUtc
            }
          ]
        : []
    )
  })

  /**
   * Whether the team of an investor reads a file of a broker's team: what was shared with it once it has accepted, until the prospect
   * leaves the broker's list (docs/behaviour/messages.md), and the documents of a room, with access to it.
   */
  const sharesFile = Effect.fn("Offers.sharesFile")(function* (
    { teamId }: Actor,
    { subject, teamId: brokerTeamId }: SharedFile,
    at: Date
  ) {
    switch (subject.type) {
      case "room":
        return (yield* access.readerOf(teamId, subject.id, at)) !== undefined
      case "offer": {
        const offer = yield* repo.find(teamId, subject.id)
        return offer !== undefined && sharesFiles(offer.state)
      }
      case "prospect": {
        const shared = yield* repo.findOf(brokerTeamId, { prospects: [subject.id] })
        return shared.some((offer) => offer.teamId === teamId && sharesFiles(offer.state))
      }
    }
  })

  return { list, get, earlierAnswers, named, actions, newAnswers, sharesFile, toAnswer, toAnswers }
})

/** Reads offers. The use-cases need the `investor` capability; `sharesFile`, `toAnswer` and `toAnswers` are for those that have authorized
 * their caller. */
export class Offers extends Context.Service<Offers, Effect.Success<typeof make>>()("deals/offers/Offers") {
  static readonly layer = Layer.effect(Offers, make).pipe(
    Layer.provide([AccessRepo.layer, FittingMandates.layer, OfferPeopleRepo.layer, OffersRepo.layer])
  )
}
