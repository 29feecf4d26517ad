/**
 * Changes of up to a hundred prospects of a project at once: additions, upserts and classifications
 * (docs/behaviour/projects-and-prospects.md#adding-prospects). The number of statements of the first two does not grow with theirs.
 */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as Id from "../../core/Id.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import { Context, Effect, Layer, Result } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import { ExternalRefsRepo } from "../../core/externalRefs/ExternalRefsRepo.ts"
import { Projects } from "../projects/Projects.ts"
import { Quotas } from "../../core/quotas/Quotas.ts"
import {
  type AddedReceipt,
  envelopeOf,
  type FailedReceipt,
  type RestoringReceipt,
  UpsertEnvelope
} from "../../core/records/Batch.ts"
import { itemProblem } from "../../core/records/MergeRecords.ts"
import { itemsOf, omitMembers, pickMembers, refsOf, splitEtag, textOf } from "../../core/records/UpsertMatching.ts"
import { all } from "../../core/usecase/Input.ts"
import { ConcurrencyConflict, type InvalidRequest } from "../../core/usecase/Problem.ts"
import { type UseCaseRequest, versionEtag } from "../../core/usecase/UseCaseRequest.ts"
import {
  type Addition,
  type AdditionItem,
  investorOf,
  planAdditions,
  planUpserts,
  type UpsertItem
} from "./batchPlan.ts"
import { type Classified, ProspectAdd, ProspectClassify, ProspectNames, type ProspectRef } from "./Prospect.ts"
import { Prospects } from "./Prospects.ts"
import { ProspectsRepo, type StoredProspect } from "./ProspectsRepo.ts"
import { ProspectWrites, stateOf } from "./ProspectWrites.ts"
import { shortened } from "../../core/fields/spelling.ts"
import { Members } from "../../identity/teams/Teams.ts"
import { dayOf, prospectEtag, userIdsOf } from "./projection.ts"
import type { EventType } from "../../core/mutation/Event.ts"
import { Timelines } from "../../core/mutation/Timelines.ts"
import { namesOfSubjects } from "../../core/mutation/ChangeRecord.ts"
import { classify, subjectsOf } from "./rules.ts"

const decodeAdd = UnvalidatedJson.decoder(ProspectAdd)
const decodeEnvelope = UnvalidatedJson.decoder(UpsertEnvelope)
const decodeNames = UnvalidatedJson.decoder(ProspectNames)
const nameMembers = Object.keys(ProspectNames.fields)

const distinct = (values: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(values)]

const decodeClassify = UnvalidatedJson.decoder(ProspectClassify)

type Failure = Classified["failed"][number]

const internalError = {
  code: "internal_error",
  detail: "The prospect could not be classified because of an internal error."
}

const noteFailed = { code: "note_failed", detail: "The prospect is classified, but its note could not be written." }

const failureOf = (id: string, { code, detail }: Omit<Failure, "id">): Failure => ({ id, code, detail })

const make = Effect.gen(function* () {
  const repo = yield* ProspectsRepo
  const refs = yield* ExternalRefsRepo
  const writes = yield* ProspectWrites
  const prospects = yield* Prospects
  const projects = yield* Projects
  const members = yield* Members
  const quotas = yield* Quotas
  const timelines = yield* Timelines
  const mutation = yield* Mutation.make

  /** Locks what the items are decided on, in the order in which all writers lock: investors, project, prospects. */
  const lockForAdditions = Effect.fnUntraced(function* (
    change: Change,
    projectUuid: string,
    inputs: ReadonlyArray<ProspectAdd>
  ) {
    const { teamId, userId } = change.actor
    const named = inputs.flatMap((input) =>
      Result.getOrElse(
        Result.map(investorOf(input), (ref) => [ref]),
        () => []
      )
    )
    const uuidsOf = (type: "contact" | "company") => [
      ...new Set(named.flatMap((ref) => (ref.type === type ? (ref.uuid ?? []) : [])))
    ]
    const [contacts, companies] = [uuidsOf("contact"), uuidsOf("company")]
    const investors = [...(yield* repo.contacts(teamId, contacts)), ...(yield* repo.companies(teamId, companies))]
    const { resource: project } = yield* projects.lockForShare(change, projectUuid)
    const locked = yield* repo.lockOf(teamId, projectUuid, { contacts, companies })
    const refHolders = yield* refs.holders(
      { teamId, type: "prospect" },
      inputs.flatMap(({ externalRefs }) => externalRefs ?? [])
    )
    return {
      locked,
      project,
      investors,
      existing: new Map(locked.map((stored) => [stored.uuid, stateOf(stored)])),
      refHolders,
      allowance: yield* quotas.allowance(teamId, "prospects"),
      attribution: { userId: Id.fromUuidOrNull("user", userId), at: change.at.toISOString() }
    }
  })

  /** Writes accepted items. */
  const writeAdditions = Effect.fnUntraced(function* (
    change: Change,
    projectUuid: string,
    locked: ReadonlyArray<StoredProspect>,
    additions: ReadonlyArray<Addition>
  ) {
    const storedByUuid = new Map(locked.map((stored) => [stored.uuid, stored]))
    for (const { emitted, state, uuid } of additions) writes.record(change, { ...state, uuid, projectUuid }, emitted)
    return yield* writes.saveAll(change, {
      inserts: additions.filter(({ uuid }) => !storedByUuid.has(uuid)),
      updates: additions.flatMap(({ state, uuid }) => {
        const stored = storedByUuid.get(uuid)
        return stored === undefined ? [] : [{ stored, state, changeType: "restored" as const }]
      })
    })
  })

  /** Adds investors to a project inside the transaction of `change`; a rejected item does not affect the others. */
  const addAll = Effect.fnUntraced(function* (
    change: Change,
    projectUuid: string,
    inputs: ReadonlyArray<Result.Result<ProspectAdd, InvalidRequest>>
  ) {
    const { locked, ...context } = yield* lockForAdditions(
      change,
      projectUuid,
      inputs.flatMap((input) => (Result.isSuccess(input) ? [input.success] : []))
    )
    const items = yield* Effect.forEach(inputs, (input) =>
      Effect.map(change.newId, (uuid): AdditionItem => ({ uuid, input }))
    )
    const outcomes = planAdditions(items, context)
    const additions = outcomes.flatMap((outcome) => (Result.isSuccess(outcome) ? [outcome.success] : []))
    const rows = yield* writeAdditions(change, projectUuid, locked, additions)
    const answers = new Map((yield* prospects.toAnswers(rows)).map((answer) => [answer.id as string, answer]))
    return yield* Effect.forEach(outcomes, (outcome) =>
      Effect.fromResult(outcome).pipe(
        Effect.flatMap(({ status, uuid }) => {
          const prospect = answers.get(Id.fromUuid("prospect", uuid))
          return prospect === undefined
            ? Effect.die(new Error("an added prospect has no answer"))
            : Effect.succeed({ status, prospect })
        }),
        Effect.result
      )
    )
  })

  /** Adds an investor to a project, or restores a prospect that was removed from its list. */
  const add = Effect.fn("ProspectBatches.add")((projectId: string, request: UseCaseRequest) =>
    mutation.create({
      request,
      authorize: "broker",
      load: (actor) => projects.load(actor, projectId),
      decide: ({ body }) =>
        Effect.map(all(request.query, decodeAdd(body), request.idempotencyKey), ([, input, key]) => ({ input, key })),
      commit: (creation) =>
        mutation.once(creation, (change) =>
          Effect.gen(function* () {
            const [outcome] = yield* addAll(change, creation.loaded.uuid, [Result.succeed(creation.decision.input)])
            if (outcome === undefined) return yield* Effect.die(new Error("an addition has no outcome"))
            return (yield* Effect.fromResult(outcome)).prospect
          })
        )
    })
  )

  /** Adds up to a hundred investors, with a receipt for each item. */
  const addBatch = Effect.fn("ProspectBatches.addBatch")((projectId: string, request: UseCaseRequest) =>
    mutation.create({
      request,
      authorize: "broker",
      load: (actor) => projects.load(actor, projectId),
      decide: ({ body }) =>
        Effect.gen(function* () {
          const [, { items }, key] = yield* all(request.query, decodeEnvelope(envelopeOf(body)), request.idempotencyKey)
          const inputs = yield* Effect.forEach(itemsOf(body, items), (item) => Effect.result(decodeAdd(item)))
          return { inputs, key }
        }),
      commit: (creation) =>
        mutation.once(creation, (change) =>
          Effect.map(addAll(change, creation.loaded.uuid, creation.decision.inputs), (outcomes) => ({
            results: outcomes.map((outcome, index): AddedReceipt | FailedReceipt =>
              Result.isSuccess(outcome)
                ? {
                    index,
                    status: outcome.success.status,
                    id: outcome.success.prospect.id,
                    etag: outcome.success.prospect.etag
                  }
                : { index, status: "failed", id: null, etag: null, problem: itemProblem(index, outcome.failure) }
            )
          }))
        )
    })
  )

  // Upserts.

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
  const lockForUpserts = Effect.fnUntraced(function* (
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
    const context = yield* lockForUpserts(change, projectUuid, items)
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
  const upsertBatch = Effect.fn("ProspectBatches.upsertBatch")((projectId: string, request: UseCaseRequest) =>
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

  // Classifications (docs/behaviour/projects-and-prospects.md#bulk-classification).

  /** Turns what the database rejects into `undefined`, and logs it. */
  const logRejected = <A, E, R>(effect: Effect.Effect<A, E, R>, what: string) =>
    Effect.catchCauseIf(effect, Transaction.isRejected, (cause) =>
      Effect.as(Effect.logError(`${what} could not be written.`, cause), undefined)
    )

  /** Writes the note of a classification, whose event is `causedBy`. */
  const writeNote = (change: Change, ref: ProspectRef, message: string, causedBy: EventType) =>
    change.attempt(
      Effect.fnUntraced(function* (savepoint) {
        const { teamId } = savepoint.actor
        yield* quotas.requireOfResource(teamId, "notes_of_resource", (atMost) =>
          timelines.countNotes({ teamId, type: "prospect", id: ref.uuid }, atMost)
        )
        const id = yield* savepoint.newId
        const subjects = subjectsOf(ref)
        savepoint.record({
          change: "created",
          resource: { type: "act", id },
          subjects,
          timeline: { type: "note", id, message, contentFormat: null, supersedes: null },
          names: namesOfSubjects(subjects),
          cause: { event: causedBy, resource: { type: "prospect", id: ref.uuid } }
        })
        return Id.fromUuid("act", id)
      })
    )

  /** Classifies a locked prospect in a savepoint, with its note in a savepoint inside. */
  const classifyOne = (change: Change, projectUuid: string, stored: StoredProspect, input: ProspectClassify) =>
    change.attempt(
      Effect.fnUntraced(function* (savepoint) {
        const { classification, note } = input
        const isChanged = classification !== stateOf(stored).classification
        const noteId =
          note === undefined
            ? undefined
            : yield* writeNote(
                savepoint,
                { uuid: stored.uuid, projectUuid },
                note,
                isChanged ? "prospect.updated" : "prospect.classified"
              ).pipe(
                Effect.catchTag("QuotaExceeded", () => Effect.undefined),
                (writing) => logRejected(writing, "The note of a classification")
              )
        const { emitted, state } = classify(stateOf(stored), classification, { noteId })
        const counted = noteId === undefined ? state : { ...state, noteCount: state.noteCount + 1 }
        yield* writes.writeLocked(savepoint, projectUuid, stored, { state: counted, emitted })
        return { noteId: noteId ?? null, isNoteMissing: note !== undefined && noteId === undefined }
      })
    )

  /** Classifies prospects of a project; one that fails does not affect the others. */
  const classifyAll = Effect.fnUntraced(function* (change: Change, projectUuid: string, input: ProspectClassify) {
    const { failed: unnamed, onList } = yield* writes.lockNamed(change, projectUuid, input.prospectIds)
    const classified: Array<Classified["classified"][number]> = []
    const failed = unnamed.map(({ prospectId, ...reason }) => failureOf(prospectId, reason))
    for (const stored of onList) {
      const { id } = stored.resource
      const outcome = yield* logRejected(classifyOne(change, projectUuid, stored, input), "A classification")
      if (outcome === undefined) failed.push(failureOf(id, internalError))
      else if (outcome.isNoteMissing) failed.push(failureOf(id, noteFailed))
      else classified.push({ id, classification: input.classification, noteId: outcome.noteId })
    }
    const position = (failure: Failure) => input.prospectIds.indexOf(failure.id)
    failed.sort((a, b) => position(a) - position(b))
    return { classified, failed } satisfies Classified
  })

  /** Classifies up to a hundred prospects of a project. */
  const classifyBatch = Effect.fn("ProspectBatches.classify")((projectId: string, request: UseCaseRequest) =>
    mutation.create({
      request,
      authorize: "broker",
      load: (actor) => projects.load(actor, projectId),
      decide: ({ body }) =>
        Effect.map(all(request.query, decodeClassify(body), request.idempotencyKey), ([, input, key]) => ({
          input,
          key
        })),
      commit: (creation) =>
        mutation.once(creation, (change) => classifyAll(change, creation.loaded.uuid, creation.decision.input))
    })
  )

  return { add, addBatch, upsertBatch, classify: classifyBatch }
})

/** Adds, upserts and classifies prospects. Every use-case needs the `broker` capability. */
export class ProspectBatches extends Context.Service<ProspectBatches, Effect.Success<typeof make>>()(
  "deals/prospects/ProspectBatches"
) {
  static readonly layer = Layer.effect(ProspectBatches, make).pipe(
    Layer.provide([Members.layer, Projects.layer, Prospects.layer, ProspectsRepo.layer, ProspectWrites.layer])
  )
}
