/** Upserts up to a hundred prospects of a project, in a number of statements that does not grow with theirs. */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as Id from "../../core/Id.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer, Result } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import { ExternalRefsRepo } from "../../core/externalRefs/ExternalRefsRepo.ts"
import { shortened } from "../../core/fields/spelling.ts"
import { Members } from "../../identity/teams/Members.ts"
import { Projects } from "../projects/Projects.ts"
import { Quotas } from "../../core/quotas/Quotas.ts"
import { envelopeOf, type FailedReceipt, type RestoringReceipt, UpsertEnvelope } from "../../core/records/Batch.ts"
import { itemProblem } from "../../core/records/MergeRecords.ts"
import { itemsOf, omitMembers, pickMembers, refsOf, splitEtag, textOf } from "../../core/records/UpsertMatching.ts"
import { all } from "../../core/usecase/Input.ts"
import { versionEtag } from "../../core/usecase/Precondition.ts"
import { ConcurrencyConflict } from "../../core/usecase/Problem.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { dayOf } from "./dates.ts"
import { prospectEtag, userIdsOf } from "./projection.ts"
import { ProspectNames } from "./ProspectInput.ts"
import { ProspectsRepo, type StoredProspect } from "./ProspectsRepo.ts"
import { ProspectWrites } from "./ProspectWrites.ts"
import { planUpserts, type UpsertItem } from "./upserting.ts"

const decodeEnvelope = UnvalidatedJson.decoder(UpsertEnvelope)
const decodeNames = UnvalidatedJson.decoder(ProspectNames)
const nameMembers = Object.keys(ProspectNames.fields)

const distinct = (values: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(values)]

const make = Effect.gen(function* () {
  const repo = yield* ProspectsRepo
  const refs = yield* ExternalRefsRepo
  const writes = yield* ProspectWrites
  const projects = yield* Projects
  const members = yield* Members
  const quotas = yield* Quotas
  const mutation = yield* Mutation.make

  /** The UUIDs that items or prospects name as contacts or companies. */
  const investorUuids = (
    type: "contact" | "company",
    items: ReadonlyArray<UpsertItem>,
    prospects: ReadonlyArray<StoredProspect>
  ) => {
    const member = type === "contact" ? "contactId" : "companyId"
    return distinct(
      [
        ...items.flatMap(({ names }) => (Result.isSuccess(names) ? (names.success[member] ?? []) : [])),
        ...prospects.flatMap(({ resource }) => resource[member] ?? [])
      ].flatMap((id) => Id.toUuid(type, id) ?? [])
    )
  }

  /**
   * Locks what the items are decided on, in the order in which all writers lock: investors, project, prospects. Fails when another
   * change moved a reference or replaced an investor before they were locked.
   */
  const lockContext = Effect.fnUntraced(function* (
    change: Change,
    projectUuid: string,
    items: ReadonlyArray<UpsertItem>
  ) {
    const { teamId } = change.actor
    const findHolders = refs.holders(
      { teamId, type: "prospect" },
      items.flatMap((item) => item.refs)
    )
    const holders = yield* findHolders
    const named = items.flatMap(({ names }) =>
      Result.isSuccess(names) ? (Id.toUuid("prospect", names.success.id ?? "") ?? []) : []
    )
    const projectId = Id.fromUuid("project", projectUuid)
    const candidates = distinct([...named, ...holders.map(({ holder }) => holder)])
    const found = (yield* repo.findAll(teamId, candidates)).filter(
      ({ deleted, resource }) => !deleted && resource.projectId === projectId
    )
    const [contacts, companies] = [investorUuids("contact", items, found), investorUuids("company", items, found)]
    const investors = [...(yield* repo.contacts(teamId, contacts)), ...(yield* repo.companies(teamId, companies))]
    const { resource: project } = yield* projects.lockForShare(change, projectUuid)
    const ofInvestors = yield* repo.idsOf(teamId, projectUuid, { contacts, companies })
    const locked = (yield* repo.lock(teamId, distinct([...found.map(({ uuid }) => uuid), ...ofInvestors]))).filter(
      ({ deleted }) => !deleted
    )
    const refHolders = yield* findHolders
    const isMoved = refHolders.some(({ holder }) => !candidates.includes(holder))
    const isReplaced =
      investorUuids("contact", items, locked).some((uuid) => !contacts.includes(uuid)) ||
      investorUuids("company", items, locked).some((uuid) => !companies.includes(uuid))
    if (isMoved || isReplaced) return yield* ConcurrencyConflict.of("prospect")
    return { investors, locked, project, refHolders }
  })

  /** Upserts items inside the transaction of `change`; a rejected item does not affect the others. */
  const upsertAll = Effect.fnUntraced(function* (
    change: Change,
    projectUuid: string,
    items: ReadonlyArray<UpsertItem>
  ) {
    const { teamId, userId } = change.actor
    const context = yield* lockContext(change, projectUuid, items)
    const callerId = Id.fromUuidOrNull("user", userId)
    const owners = items.flatMap(({ members }) => textOf(members, "owner") ?? [])
    const { outcomes, written } = yield* planUpserts(items, {
      ...context,
      allowance: yield* quotas.allowance(teamId, "prospects"),
      attribution: { userId: callerId, at: change.at.toISOString() },
      now: change.at,
      today: dayOf(change.at),
      versionEtag,
      names: yield* members.names(context.locked.flatMap(({ resource }) => userIdsOf(resource))),
      activeMembers: yield* members.active(
        teamId,
        owners.flatMap((owner) => (owner === "me" ? (callerId ?? []) : owner))
      )
    })
    for (const outcome of outcomes) {
      if (Result.isFailure(outcome)) continue
      const { emitted, state, uuid } = outcome.success
      writes.record(change, { ...state, uuid, projectUuid }, emitted)
    }
    const rows = yield* writes.saveAll(change, {
      inserts: written.filter(({ stored }) => stored === undefined),
      updates: written.flatMap(({ state, stored }) =>
        stored === undefined
          ? []
          : [
              {
                stored,
                state,
                changeType: stored.resource.removedUtc === null ? ("updated" as const) : ("restored" as const)
              }
            ]
      )
    })
    const unchanged = context.locked.map(({ resource }) => resource)
    const etags = new Map([...unchanged, ...rows].map((row) => [row.id, prospectEtag(row, dayOf(change.at))]))
    return outcomes.map((outcome, index): RestoringReceipt | FailedReceipt => {
      if (Result.isFailure(outcome)) {
        const { id, problem } = outcome.failure
        const sent = items[index]?.names
        const named = sent !== undefined && Result.isSuccess(sent) ? sent.success.id : undefined
        return {
          index,
          status: "failed",
          id: named === undefined ? id : shortened(named),
          etag: null,
          problem: itemProblem(index, problem)
        }
      }
      const id = Id.fromUuid("prospect", outcome.success.uuid)
      return { index, status: outcome.success.status, id, etag: etags.get(id) ?? "" }
    })
  })

  /** Upserts up to a hundred prospects, with a receipt for each item. */
  const upsertBatch = Effect.fn("Upserts.upsertBatch")((projectId: string, request: UseCaseRequest) =>
    mutation.create({
      request,
      authorize: "broker",
      load: (actor) => projects.load(actor, projectId),
      decide: ({ body }) =>
        Effect.map(
          all(request.query, decodeEnvelope(envelopeOf(body)), request.idempotencyKey),
          ([, { items }, key]) => ({ key, documents: itemsOf(body, items) })
        ),
      commit: (creation) =>
        mutation.once(creation, (change) =>
          Effect.gen(function* () {
            const items = yield* Effect.forEach(creation.decision.documents, (sent) =>
              Effect.gen(function* () {
                const { item: document, tags } = splitEtag(sent)
                const item: UpsertItem = {
                  uuid: yield* change.newId,
                  names: yield* Effect.result(decodeNames(pickMembers(document, nameMembers))),
                  tags,
                  refs: refsOf(document),
                  members: omitMembers(document, nameMembers)
                }
                return item
              })
            )
            return { results: yield* upsertAll(change, creation.loaded.uuid, items) }
          })
        )
    })
  )

  return { upsertBatch }
})

/** Upserts prospects. It needs the `broker` capability. */
export class Upserts extends Context.Service<Upserts, Effect.Success<typeof make>>()("deals/prospects/Upserts") {
  static readonly layer = Layer.effect(Upserts, make)
}
