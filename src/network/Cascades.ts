/**
 * Continues deletions, restores and merges of contacts and companies that were too large for one transaction
 * (docs/behaviour/network.md#large-deletions-and-merges).
 */
import * as Mutation from "../core/mutation/Mutation.ts"
import * as Id from "../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { onBehalfOf } from "../core/auth/CurrentActor.ts"
import { type Change, Changes } from "../core/mutation/Changes.ts"
import { leftBy } from "../core/records/RecordKind.ts"
import { Companies } from "./companies/Companies.ts"
import { Contacts } from "./contacts/Contacts.ts"
import { Merges } from "./merges/Merges.ts"
import type { continueCascade } from "./remainders/jobs.ts"
import { Remainders } from "./remainders/Remainders.ts"
import { endingsOf } from "./remainders/rules.ts"

type Payload = (typeof continueCascade)["payload"]["Type"]

const make = Effect.gen(function* () {
  const changes = yield* Changes
  const companies = yield* Companies
  const contacts = yield* Contacts
  const merges = yield* Merges
  const remainders = yield* Remainders

  /** What became of these records, and of those that they were merged into. */
  const findEndings = Effect.fnUntraced(function* (change: Change, { type, uuids }: Payload) {
    const { findAll } = type === "contact" ? contacts : companies
    const { teamId } = change.actor
    const ended = yield* findAll(teamId, uuids)
    const into = ended.flatMap(({ mergedInto }) => Id.toUuid(type, mergedInto ?? "") ?? [])
    return endingsOf(type, ended, yield* findAll(teamId, [...new Set(into)]))
  })

  /** One step. Whatever is left is found in the tables, so that a step may be repeated. */
  const step = Effect.fn("Cascades.step")((payload: Payload) => {
    const { type } = payload
    return Mutation.retryOnConflict(
      changes.commit(onBehalfOf(payload), (change) =>
        Effect.gen(function* () {
          const { deleted, living, merged } = yield* findEndings(change, payload)
          const records = type === "contact" ? contacts : companies
          const left = leftBy(
            deleted.length === 0 ? "nothing" : yield* records.deletionStep(change, deleted),
            living.length === 0 ? "nothing" : (yield* records.returnStep(change, living)).left,
            ...(yield* Effect.forEach(merged, ({ from, to }) => merges.step(change, { type, from, to })))
          )
          if (left === "nothing") return
          yield* remainders.enqueueStep(change, payload)
        })
      )
    )
  })

  return { step }
})

/** Continues deletions, restores and merges. For a job. */
export class Cascades extends Context.Service<Cascades, Effect.Success<typeof make>>()("network/Cascades") {
  static readonly layer = Layer.effect(Cascades, make).pipe(
    Layer.provide([Companies.layer, Contacts.layer, Merges.layer, Remainders.layer])
  )
}
