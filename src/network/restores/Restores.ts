/** Restores what one client or user has deleted, of all kinds of records, for the operator (docs/command-line.md#restore-what-was-deleted). */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { actAs, onlyOperator, operatorOf } from "../../core/auth/CurrentActor.ts"
import { type DeletedBy, type DeletedPosition, DeletedRecords } from "../../core/records/DeletedRecords.ts"
import type { NotRestored } from "../../core/records/Restored.ts"
import { Users } from "../../identity/users/Users.ts"
import { Mandates } from "../../market/mandates/Mandates.ts"
import { Properties } from "../../market/properties/Properties.ts"
import { Companies } from "../companies/Companies.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { Links } from "../links/Links.ts"
import { restorable, type RestorableType } from "./Restore.ts"

/** How many records one transaction restores. */
const batchSize = 200

/** What became of the records of a kind. */
export interface RestoredOfType {
  readonly type: RestorableType
  /** How many of them somebody deleted; of those that are restored already, none. */
  readonly deleted: number
  readonly restored: number
}

/** What a restore brought back, and what not. */
export interface RestoreSummary {
  readonly teamId: string
  readonly records: ReadonlyArray<RestoredOfType>
  readonly notRestored: ReadonlyArray<NotRestored>
}

/** What to restore. `teamId` is a UUID. */
export interface WhatWasDeleted extends DeletedBy {
  readonly teamId: string
  readonly types: ReadonlyArray<RestorableType>
  /** Whether to restore contacts and companies although others have their address by now. */
  readonly force: boolean
}

const make = Effect.gen(function* () {
  const deletedRecords = yield* DeletedRecords
  const auditLog = yield* AuditLog
  const users = yield* Users
  const of = {
    contact: yield* Contacts,
    company: yield* Companies,
    property: yield* Properties,
    mandate: yield* Mandates,
    link: yield* Links
  } as const

  /** Who deleted, by the id of a client or app, or by the id or e-mail address of a user (UUIDs). */
  const deleterNamed = Effect.fn("Restores.deleterNamed")(function* (given: string) {
    const client = Id.toUuid("client", given)
    if (client !== undefined) return { client }
    const { id } = yield* users.show(given)
    return { user: Id.toUuid("user", id) ?? "" }
  })

  /** How many records somebody deleted that can be restored, by type. */
  const count = Effect.fn("Restores.count")(function* ({ teamId, types, ...deletedBy }: WhatWasDeleted) {
    yield* onlyOperator
    return yield* actAs(operatorOf(teamId))(
      Effect.forEach(
        restorable.filter((type) => types.includes(type)),
        (type) => Effect.map(deletedRecords.countDeletedBy(teamId, type, deletedBy), (deleted) => ({ type, deleted }))
      )
    )
  })

  /** Restores those of one type, batch after batch. One that is interrupted has kept the batches before. */
  const restoreType = Effect.fnUntraced(function* (
    type: RestorableType,
    { force, teamId, types: _, ...deletedBy }: WhatWasDeleted,
    onBatch: (restored: number) => Effect.Effect<void>
  ) {
    const notRestored: Array<NotRestored> = []
    let restored = 0
    let after: DeletedPosition | undefined
    for (;;) {
      const found = yield* deletedRecords.listDeletedBy(teamId, type, deletedBy, after, batchSize)
      if (found.length === 0) return { restored, notRestored }
      const receipts = yield* of[type].restoreMany(
        found.map(({ uuid }) => Id.fromUuid(type, uuid)),
        {
          force,
          alongside: (all) =>
            auditLog.record({
              action: "records.restored",
              teamId,
              details: { kind: type, count: all.filter(({ status }) => status === "restored").length }
            })
        }
      )
      for (const receipt of receipts) {
        if (receipt.status === "restored") {
          restored += 1
          notRestored.push(...receipt.notRestored)
        } else {
          notRestored.push({
            type,
            namespace: null,
            externalId: null,
            id: receipt.id,
            code: receipt.problem?.code ?? "not_found",
            holderId: receipt.problem?.candidates?.[0]?.id ?? null
          })
        }
      }
      yield* onBatch(restored)
      after = found.at(-1)
    }
  })

  /**
   * Restores what somebody has deleted and is not restored yet, with what went with it. `onBatch` runs after each transaction. What a later
   * record brings back is not missing, though an earlier one came back without it.
   */
  const restoreDeletedBy = Effect.fn("Restores.restoreDeletedBy")(function* (
    what: WhatWasDeleted,
    onBatch: (progress: RestoredOfType) => Effect.Effect<void>
  ) {
    const counts = yield* count(what)
    const records: Array<RestoredOfType> = []
    const missing: Array<NotRestored> = []
    yield* actAs(operatorOf(what.teamId))(
      Effect.forEach(
        counts.filter(({ deleted }) => deleted > 0),
        ({ deleted, type }) =>
          Effect.map(
            restoreType(type, what, (restored) => onBatch({ type, deleted, restored })),
            ({ notRestored, restored }) => {
              records.push({ type, deleted, restored })
              missing.push(...notRestored)
            }
          ),
        { discard: true }
      )
    )
    const summary: RestoreSummary = {
      teamId: Id.fromUuid("team", what.teamId),
      records,
      notRestored: yield* stillMissing(what.teamId, missing)
    }
    return summary
  })

  /** Without what another record brought back after it was missed: the company of a contact, or a link with its other end. */
  const stillMissing = Effect.fnUntraced(function* (teamId: string, missing: ReadonlyArray<NotRestored>) {
    const back = new Set<string>()
    for (const type of restorable) {
      const uuids = missing.flatMap(({ code, id, type: one }) =>
        one === type && (code === "investor_deleted" || code === "not_found") ? (Id.toUuid(type, id ?? "") ?? []) : []
      )
      const living = yield* actAs(operatorOf(teamId))(deletedRecords.living(teamId, type, [...new Set(uuids)]))
      for (const uuid of living) back.add(Id.fromUuid(type, uuid))
    }
    return missing.filter(
      ({ code, id }) => !((code === "investor_deleted" || code === "not_found") && id !== null && back.has(id))
    )
  })

  return { deleterNamed, count, restoreDeletedBy }
})

/** Restores what was deleted by a mistake. For the operator only. */
export class Restores extends Context.Service<Restores, Effect.Success<typeof make>>()("network/restores/Restores") {
  static readonly layer = Layer.effect(Restores, make).pipe(
    Layer.provide([Companies.layer, Contacts.layer, Links.layer, Mandates.layer, Properties.layer, Users.layer])
  )
}
