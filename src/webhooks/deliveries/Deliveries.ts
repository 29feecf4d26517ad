/**
 * The use-cases of the delivery log: list, get, retry, replay, and what the operator sees of all teams. See docs/behaviour/webhooks.md#delivery-log.
 *
 * Retry and replay are not mutations by the pipeline (`changes/Mutation.ts`): deliveries have no ETag, the statement
 * decides under the webhook's lock, and a delivery whose state changes each time is a conflict for the client (409).
 */
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import * as Id from "../../core/Id.ts"
import * as Signature from "../Signature.ts"
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { actAs, type Actor, authorize, onlyOperator, operatorOf } from "../../core/auth/CurrentActor.ts"
import { DryRun } from "../../core/mutation/ChangeRecord.ts"
import { type Change, Changes } from "../../core/mutation/Changes.ts"
import { Retention } from "../../platform/Retention.ts"
import { Teams } from "../../identity/teams/Teams.ts"
import { inTeam } from "../../platform/db/Cells.ts"
import { atStandby } from "../../platform/db/Standbys.ts"
import { daysAgo } from "../../platform/Time.ts"
import { parseTimestamp } from "../../core/fields/Timestamp.ts"
import { byId, make as makeRequest, type UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { all } from "../../core/usecase/Input.ts"
import { type Binding, Cursors, read as readPage, timeAndId } from "../../core/usecase/Page.ts"
import { ConcurrencyConflict, type Fault, InvalidRequest, NotFound } from "../../core/usecase/Problem.ts"
import type { WebhookState } from "../rules.ts"
import { WebhookNotActive } from "../Webhook.ts"
import { WebhooksRepo } from "../WebhooksRepo.ts"
import { DeliveriesRepo, type LogFilters, type SentRequest } from "./DeliveriesRepo.ts"
import {
  defaultLimit,
  type DeliveryListQuery,
  type DeliveryReportQuery,
  type FailureCause,
  maxCounted,
  maxReplayed,
  maxSearched,
  type ReportedDelivery,
  type ReportedDeliveryDetails,
  type RetriedAll,
  retryStep,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
  WebhookReplay,
  type WebhookReplayed
} from "./Delivery.ts"
import { transition } from "./rules.ts"
import { Scheduler } from "./Scheduler.ts"

const purgeBatch = 5000

const firstUuid = "00000000-0000-0000-0000-000000000000"

const decodeReplay = UnvalidatedJson.decoder(WebhookReplay)

/** The delivery as clients see it: `nextAttemptUtc` is null while the webhook is not active. */
const toShown = (delivery: WebhookDelivery, webhookStatus: WebhookState): WebhookDelivery =>
  webhookStatus === "active" ? delivery : { ...delivery, nextAttemptUtc: null }

/** A delivery with its request and its attempts. */
const detailsOf = (delivery: WebhookDelivery, { attempts, body }: SentRequest): WebhookDeliveryDetails => ({
  ...delivery,
  request: {
    headers:
      attempts.at(-1)?.requestHeaders ??
      Signature.fixedHeaders({ id: delivery.eventId, eventType: delivery.eventType }),
    body
  },
  attempts: attempts.map(({ requestHeaders: _, ...attempt }) => attempt)
})

const differentLimit: Fault = {
  in: "query",
  pointer: "/limit",
  code: "excluded",
  detail: "Is the former name of page_size, which was sent with another value. Leave it out."
}

const queuedText = (count: number) => (count === 1 ? "1 delivery was queued." : `${count} deliveries were queued.`)

const messageOf = (count: number, remaining: number, next: string | null): string =>
  next === null
    ? queuedText(count)
    : `${queuedText(count)} ${remaining}${remaining < maxCounted ? "" : " or more"} remain: continue with since=${next}.`

const make = Effect.gen(function* () {
  const kept = yield* Retention
  const repo = yield* DeliveriesRepo
  const webhooks = yield* WebhooksRepo
  const scheduler = yield* Scheduler
  const changes = yield* Changes
  const cursors = yield* Cursors
  const teams = yield* Teams
  const audit = yield* AuditLog

  const webhookOf = (actor: Actor, id: string) => byId("webhook", id, (uuid) => webhooks.find(actor.teamId, uuid))

  const load = Effect.fnUntraced(function* (actor: Actor, webhookId: string, id: string) {
    const webhook = yield* webhookOf(actor, webhookId)
    const { delivery, ...stored } = yield* byId("dlv", id, (uuid) => repo.find(actor.teamId, webhook.uuid, uuid))
    return { ...stored, delivery: toShown(delivery, webhook.status.state), webhookUuid: webhook.uuid }
  })

  const recordChange = (change: Change, id: string) =>
    change.record({ change: "updated", resource: { type: "dlv", id }, subjects: [] })

  /** Locks the state of a webhook until the transaction ends. Fails unless the webhook is active. */
  const lockActive = Effect.fnUntraced(function* (teamId: string, uuid: string) {
    const locked = yield* webhooks.lockState(teamId, uuid)
    if (locked === undefined || locked.isDeleted) {
      return yield* new NotFound({ detail: "There is no webhook with this id." })
    }
    if (!locked.isSending) return yield* WebhookNotActive.of(locked.state)
  })

  /** What filters of the log ask for. */
  const filtersOf = Effect.fnUntraced(function* (query: DeliveryListQuery) {
    const createdAfter = query.created_after === undefined ? undefined : parseTimestamp(query.created_after)
    const createdBefore = query.created_before === undefined ? undefined : parseTimestamp(query.created_before)
    if (createdAfter !== undefined && createdBefore !== undefined && createdAfter > createdBefore) {
      return yield* InvalidRequest.of([
        {
          in: "query",
          pointer: "/created_after",
          code: "invalid_range",
          detail: "Must not be later than created_before."
        }
      ])
    }
    const filters: LogFilters = {
      status: query.status,
      eventType: query.event_type,
      createdAfter,
      createdBefore,
      lastError: query.last_error
    }
    return filters
  })

  /** A page of the deliveries with a text in their body. It ends early after so many without it; the next page goes on from there. */
  const search = Effect.fnUntraced(function* (
    { status, uuid }: Effect.Success<ReturnType<typeof webhookOf>>,
    query: LogFilters & { readonly text: string },
    { binding, cursor, size }: { readonly binding: Binding; readonly cursor: string | undefined; readonly size: number }
  ) {
    const before = timeAndId(cursor === undefined ? undefined : yield* cursors.open(binding, cursor))
    const { end, rows } = yield* atStandby(
      repo.search(binding.teamId, uuid, { ...query, searched: maxSearched, before, limit: size + 1 })
    )
    const shown = rows.slice(0, size)
    const last = rows.length > size ? shown.at(-1) : undefined
    const position = last === undefined ? end : { at: last.delivery.createdUtc, id: last.uuid }
    return {
      data: shown.map(({ delivery }) => toShown(delivery, status.state)),
      page: {
        nextCursor: position === undefined ? null : cursors.seal(binding, [position.at, position.id]),
        pageSize: size,
        hasMore: position !== undefined
      }
    }
  })

  /** A page of a webhook's delivery log, newest first. */
  const list = Effect.fn("Deliveries.list")(function* (
    webhookId: string,
    request: Pick<UseCaseRequest<DeliveryListQuery>, "query">
  ) {
    const actor = yield* authorize("member")
    const webhook = yield* webhookOf(actor, webhookId)
    const query = yield* request.query
    const filters = yield* filtersOf(query)
    const { limit, page_size: pageSize = limit, body_contains: text } = query
    if (limit !== undefined && limit !== pageSize) return yield* InvalidRequest.of([differentLimit])
    const binding = {
      list: "deliveries",
      teamId: actor.teamId,
      filters: {
        webhook: webhook.uuid,
        status: query.status,
        event_type: query.event_type,
        created_after: filters.createdAfter?.toISOString(),
        created_before: filters.createdBefore?.toISOString(),
        last_error: query.last_error,
        text
      }
    }
    if (text !== undefined) {
      const size = pageSize ?? defaultLimit
      return yield* search(webhook, { ...filters, text }, { binding, cursor: query.cursor, size })
    }
    return yield* readPage({
      cursors,
      binding,
      cursor: query.cursor,
      pageSize: pageSize ?? defaultLimit,
      fetch: (position, limit) =>
        repo.list(actor.teamId, webhook.uuid, {
          ...filters,
          before: timeAndId(position),
          limit
        }),
      positionOf: (stored) => [stored.delivery.createdUtc, stored.uuid],
      toItem: (stored) => toShown(stored.delivery, webhook.status.state)
    })
  })

  /** One delivery with its request and its attempts. */
  const get = Effect.fn("Deliveries.get")(function* (webhookId: string, id: string) {
    const actor = yield* authorize("member")
    const stored = yield* load(actor, webhookId, id)
    return detailsOf(stored.delivery, yield* repo.sent(actor.teamId, stored.uuid))
  })

  const teamOf = (webhookId: string) => byId("webhook", webhookId, repo.teamOfWebhook)

  /**
   * A page of the deliveries of all teams that a query finds, the newest first, after the last one of the page before. For the operator
   * only.
   */
  const report = Effect.fn("Deliveries.report")(function* (
    query: DeliveryReportQuery,
    page: {
      readonly after: Pick<ReportedDelivery, "createdUtc" | "id"> | undefined
      readonly limit: number
    }
  ) {
    yield* onlyOperator
    const team = query.teamId === undefined ? undefined : yield* teams.resolve(query.teamId)
    const teamId = query.webhookId === undefined ? team : (team ?? (yield* teamOf(query.webhookId)))
    const webhookId = query.webhookId === undefined ? undefined : Id.toUuid("webhook", query.webhookId)
    const rows = yield* repo.listAll(
      { teamId, webhookId },
      {
        status: query.status,
        eventType: query.eventType,
        createdAfter: query.since,
        createdBefore: undefined,
        lastError: undefined,
        before:
          page.after === undefined
            ? undefined
            : { at: page.after.createdUtc, id: Id.toUuid("dlv", page.after.id) ?? firstUuid },
        limit: page.limit
      }
    )
    return rows.map(({ delivery, webhookName, webhookStatus, ...row }): ReportedDelivery => ({
      ...toShown(delivery, webhookStatus),
      teamId: Id.fromUuid("team", row.teamId),
      webhookId: Id.fromUuid("webhook", row.webhookId),
      webhookName
    }))
  })

  const locate = Effect.fnUntraced(function* (id: string) {
    yield* onlyOperator
    return yield* byId("dlv", id, repo.findInAll)
  })

  /** A delivery of any team with its request and its attempts. For the operator only. */
  const show = Effect.fn("Deliveries.show")(function* (id: string) {
    const { delivery, teamId, url, uuid, webhookId, webhookName, webhookStatus } = yield* locate(id)
    const sent = yield* inTeam(teamId)(repo.sent(teamId, uuid))
    const details: ReportedDeliveryDetails = {
      teamId: Id.fromUuid("team", teamId),
      webhookId: Id.fromUuid("webhook", webhookId),
      webhookName,
      webhookStatus,
      url,
      ...detailsOf(toShown(delivery, webhookStatus), sent)
    }
    return details
  })

  /** Queues a delivery again, whatever its state. A pending one stays as it is. */
  const retry = Effect.fn("Deliveries.retry")(function* (
    webhookId: string,
    id: string,
    request: Pick<UseCaseRequest, "query">
  ) {
    const actor = yield* authorize("admin-or-broker")
    const requeue = Effect.gen(function* () {
      const stored = yield* load(actor, webhookId, id)
      yield* request.query
      const next = transition(stored.status, "retried")
      return yield* changes.commit(actor, (change) =>
        Effect.gen(function* () {
          yield* lockActive(actor.teamId, stored.webhookUuid)
          if (next === null) return stored.delivery
          if (!(yield* repo.requeue(actor.teamId, stored.uuid, { state: stored.status, next, now: change.at }))) {
            return yield* ConcurrencyConflict.of("delivery")
          }
          recordChange(change, stored.uuid)
          yield* audit.record({ action: "delivery.retried", target: { type: "delivery", id }, details: { count: 1 } })
          const { delivery } = yield* load(actor, webhookId, id)
          yield* scheduler.request(actor.teamId, change.at)
          return delivery
        })
      )
    })
    // An attempt that ends concurrently changes the state.
    return yield* Effect.retry(requeue, { times: 4, while: (error) => error._tag === "ConcurrencyConflict" })
  })

  /** Queues deliveries (UUIDs) of a webhook again, in transactions of `retryStep`. Returns how many did not wait already. */
  const queueAgain = Effect.fnUntraced(function* (
    actor: Actor,
    { uuid, webhook }: Effect.Success<ReturnType<typeof webhookOf>>,
    ids: ReadonlyArray<string>
  ) {
    let retried = 0
    for (let first = 0; first < ids.length; first += retryStep) {
      retried += yield* changes.commit(actor, (change) =>
        Effect.gen(function* () {
          yield* lockActive(actor.teamId, uuid)
          const queued = yield* repo.requeueAll(actor.teamId, uuid, {
            ids: ids.slice(first, first + retryStep),
            now: change.at
          })
          if (queued.length === 0) return 0
          for (const id of queued) recordChange(change, id)
          yield* audit.record({
            action: "delivery.retried",
            target: { type: "webhook", id: webhook.id },
            details: { count: queued.length }
          })
          yield* scheduler.request(actor.teamId, change.at)
          return queued.length
        })
      )
    }
    return retried
  })

  /** Queues these deliveries of a webhook again. Those that wait stay as they are. Returns how many were queued. */
  const retrySome = Effect.fn("Deliveries.retrySome")(function* (webhookId: string, ids: ReadonlyArray<string>) {
    const actor = yield* authorize("admin-or-broker")
    const webhook = yield* webhookOf(actor, webhookId)
    return yield* queueAgain(
      actor,
      webhook,
      ids.flatMap((id) => Id.toUuid("dlv", id) ?? [])
    )
  })

  /**
   * Counts the deliveries that a query of the log finds and that do not wait, and queues them again, the oldest first, if exactly so many
   * were `confirmed`.
   */
  const retryAll = Effect.fn("Deliveries.retryAll")(function* (
    webhookId: string,
    request: Pick<UseCaseRequest<DeliveryListQuery>, "query">,
    confirmed: number | undefined
  ) {
    const actor = yield* authorize("admin-or-broker")
    const webhook = yield* webhookOf(actor, webhookId)
    const query = yield* request.query
    const filters = yield* filtersOf(query)
    const found = yield* repo.matching(actor.teamId, webhook.uuid, {
      ...filters,
      text: query.body_contains,
      limit: maxCounted
    })
    const ids = found.map(({ id }) => id).reverse()
    const retried: RetriedAll = {
      matching: found.length,
      delivered: found.filter(({ status }) => status === "delivered").length,
      retried: confirmed === found.length ? yield* queueAgain(actor, webhook, ids) : null
    }
    return retried
  })

  /** Why deliveries of a webhook have not arrived, the most frequent cause first. */
  const causes = Effect.fn("Deliveries.causes")(function* (webhookId: string) {
    const actor = yield* authorize("member")
    const webhook = yield* webhookOf(actor, webhookId)
    const rows = yield* atStandby(repo.causes(actor.teamId, webhook.uuid, maxCounted))
    return rows.map(({ exampleId, first, last, ...cause }): FailureCause => ({
      ...cause,
      firstUtc: first?.toISOString() ?? null,
      lastUtc: last?.toISOString() ?? null,
      exampleId: Id.fromUuid("dlv", exampleId)
    }))
  })

  /** Queues failed and exhausted deliveries since a time again, the oldest first, at most `maxReplayed`. */
  const replay = Effect.fn("Deliveries.replay")(function* (
    webhookId: string,
    request: Pick<UseCaseRequest, "body" | "query">
  ) {
    const actor = yield* authorize("admin-or-broker")
    const webhook = yield* webhookOf(actor, webhookId)
    const body = yield* request.body
    const [, { since }] = yield* all(request.query, decodeReplay(body))
    return yield* changes.commit(actor, (change) =>
      Effect.gen(function* () {
        yield* lockActive(actor.teamId, webhook.uuid)
        const from = parseTimestamp(since) ?? change.at
        const { ids, next, remaining } = yield* repo.replay(actor.teamId, webhook.uuid, {
          since: from,
          now: change.at,
          limit: maxReplayed
        })
        for (const id of ids) recordChange(change, id)
        if (ids.length > 0) {
          yield* audit.record({
            action: "delivery.retried",
            target: { type: "webhook", id: webhookId },
            details: { count: ids.length }
          })
        }
        yield* scheduler.request(actor.teamId, change.at)
        const nextSince = next?.toISOString() ?? null
        const replayed: WebhookReplayed = {
          replayed_count: ids.length,
          remaining_count: remaining,
          next_since: nextSince,
          message: messageOf(ids.length, remaining, nextSince)
        }
        return replayed
      })
    )
  })

  /** Queues a delivery of any team again, as `retry` does. For the operator only. */
  const retryOfAny = Effect.fn("Deliveries.retryOfAny")(function* (id: string, request: Pick<UseCaseRequest, "query">) {
    const { teamId, webhookId } = yield* locate(id)
    return yield* actAs(operatorOf(teamId))(retry(Id.fromUuid("webhook", webhookId), id, request))
  })

  /** Queues the failed deliveries of a webhook of any team again, as `replay` does. For the operator only. */
  const replayOfAny = Effect.fn("Deliveries.replayOfAny")(function* (
    webhookId: string,
    request: Pick<UseCaseRequest, "body" | "query">
  ) {
    yield* onlyOperator
    return yield* actAs(operatorOf(yield* teamOf(webhookId)))(replay(webhookId, request))
  })

  /**
   * Queues all deliveries of a webhook of any team again that failed or are exhausted and were created since a moment, a portion after the
   * other; returns how many. A dry run counts them. For the operator only.
   */
  const replayAllOfAny = Effect.fn("Deliveries.replayAllOfAny")(function* (webhookId: string, since: Date) {
    const isDryRun = (yield* DryRun) !== undefined
    let queued = 0
    let next: string | null = since.toISOString()
    while (next !== null) {
      const replayed: WebhookReplayed = yield* replayOfAny(
        webhookId,
        makeRequest({ operation: "deliveries retry", query: {}, body: { since: next } })
      )
      queued += replayed.replayed_count + (isDryRun ? replayed.remaining_count : 0)
      next = isDryRun ? null : replayed.next_since
    }
    return queued
  })

  /** Deletes deliveries past their retention, in batches: those that still wait go with their events. */
  const purge = Effect.fn("Deliveries.purge")(function* () {
    const until = { ended: yield* daysAgo(kept.deliveries), waiting: yield* daysAgo(kept.journal) }
    let after: string | undefined = firstUuid
    while (after !== undefined) after = yield* repo.purge(until, after, purgeBatch)
  })

  return {
    list,
    get,
    causes,
    report,
    show,
    retry,
    retrySome,
    retryAll,
    retryOfAny,
    replay,
    replayOfAny,
    replayAllOfAny,
    purge
  }
})

/**
 * The delivery log. Reading requires an active membership of the team, and sending again in addition the role of an
 * administrator or the broker capability. A job runs `purge`.
 */
export class Deliveries extends Context.Service<Deliveries, Effect.Success<typeof make>>()(
  "webhooks/deliveries/Deliveries"
) {
  static readonly layer = Layer.effect(Deliveries, make).pipe(
    Layer.provide([DeliveriesRepo.layer, Scheduler.layer, Teams.layer, WebhooksRepo.layer])
  )
}
