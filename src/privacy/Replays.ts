/** Erases again what a restored older database brought back: docs/behaviour/erasure.md#replay. */
import * as Id from "../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../core/audit/AuditLog.ts"
import { systemOf } from "../core/auth/CurrentActor.ts"
import type { FileStoreFailure } from "../platform/fileStore/FileStore.ts"
import { onWallClock } from "../platform/Time.ts"
import type { ErasureEntry } from "./Erasure.ts"
import { ErasureList } from "./ErasureList.ts"
import { Erasures } from "./Erasures.ts"
import { ErasuresRepo } from "./ErasuresRepo.ts"
import type { PersonName } from "./Person.ts"
import { PersonsRepo } from "./PersonsRepo.ts"

/** What a replay did. */
export interface Replayed {
  /** The erasures that the database did not have. */
  readonly erasures: number
  /** The contacts and accounts that were erased again. */
  readonly contacts: number
  readonly accounts: number
  /** The erasures that the file store did not have. */
  readonly added: number
}

const make = Effect.gen(function* () {
  const erasures = yield* Erasures
  const repo = yield* ErasuresRepo
  const persons = yield* PersonsRepo
  const list = yield* ErasureList
  const audit = yield* AuditLog

  /** The contacts of the time before an erasure that have one of its addresses, whatever their ids. */
  const sameAddresses = Effect.fnUntraced(function* (teamId: string, { erasedUtc, hashes }: ErasureEntry) {
    const known = new Set(hashes)
    const found: Array<string> = []
    for (let after: string | null = null; ;) {
      const page: Effect.Success<ReturnType<typeof repo.addressesBefore>> = yield* repo.addressesBefore(
        teamId,
        new Date(erasedUtc),
        after
      )
      for (const { email, id } of page) {
        if (list.hashesOf("email", email).some((hash) => known.has(hash.toString("hex")))) found.push(id)
      }
      const last = page.at(-1)
      if (last === undefined) return found
      after = last.id
    }
  })

  const eraseAgain = Effect.fnUntraced(function* (teamId: string, name: PersonName, id: string) {
    const person = yield* persons.find(teamId, name)
    if (person === undefined) return 0
    const { contacts } = yield* erasures.eraseInTeam(systemOf(teamId), person, id)
    return contacts.length
  })

  /** Replays one entry, unless its team is gone. Returns how many contacts it erased. */
  const replayInTeam = Effect.fnUntraced(function* (teamId: string, entry: ErasureEntry) {
    if (!(yield* repo.isTeam(teamId))) return 0
    let count = 0
    for (const uuid of entry.contacts) count += yield* eraseAgain(teamId, { by: "contact", uuid }, entry.id)
    for (const uuid of yield* sameAddresses(teamId, entry)) {
      count += yield* eraseAgain(teamId, { by: "contact", uuid }, entry.id)
    }
    yield* repo.mark(teamId, entry)
    return count
  })

  const replayAccounts = Effect.fnUntraced(function* ({ users }: ErasureEntry) {
    let count = 0
    for (const uuid of users) {
      const account = yield* persons.findAccount({ by: "user", uuid })
      if (account === undefined || account.isDeleted) continue
      // The last administrator of a team, as it is in the restored database, is for the operator to replace.
      const removed = yield* Effect.exit(erasures.eraseAccount(account, true))
      if (removed._tag === "Success") count++
      else yield* Effect.logError("An account could not be erased again.", Id.fromUuid("user", uuid))
    }
    return count
  })

  /** Erases what these entries name and the database still has. */
  const replay = Effect.fn("Replays.replay")(function* (entries: ReadonlyArray<ErasureEntry>) {
    let [contacts, accounts] = [0, 0]
    for (const entry of entries) {
      const ofTeam = entry.team === null ? 0 : yield* replayInTeam(entry.team, entry)
      const ofAccounts = yield* replayAccounts(entry)
      contacts += ofTeam
      accounts += ofAccounts
      if (ofTeam + ofAccounts === 0) continue
      yield* audit.record({
        action: "privacy.replayed",
        teamId: entry.team,
        target: null,
        details: { count: ofTeam + ofAccounts }
      })
    }
    if (contacts + accounts > 0) {
      yield* Effect.logWarning(
        `The database was older than the list of erasures: ${contacts} contacts and ${accounts} accounts were erased again.`
      )
    }
    return { contacts, accounts }
  })

  /** Replays a list: a line for each erasure, as the objects of the file store have it. For `backup restore --erasures`. */
  const replayList = Effect.fn("Replays.replayList")(function* (text: string) {
    const entries = list.parse(text)
    const replayed = yield* replay(entries)
    return { erasures: entries.length, ...replayed }
  })

  /** All erasures that the database and the file store have, as a list. */
  const listed = Effect.gen(function* () {
    const stored = yield* list.ids
    const entries = yield* Effect.forEach(stored, list.read)
    const known = new Set(stored)
    const others = (yield* repo.entries).filter(({ entry }) => !known.has(entry.id))
    return [...entries.flatMap((entry) => entry ?? []), ...others.map(({ entry }) => entry)]
      .map((entry) => `${list.lineOf(entry)}\n`)
      .join("")
  }).pipe(Effect.withSpan("Replays.listed"))

  /**
   * Compares the list in the file store with the database: erases again what the database does not know of, goes on with what was
   * interrupted, adds to the list what it lacks, and signs it under the present key.
   */
  const catchUp: Effect.Effect<Replayed, FileStoreFailure> = Effect.gen(function* () {
    const stored = yield* list.ids
    const inDatabase = yield* repo.entries
    const known = new Set(inDatabase.map(({ entry }) => entry.id))
    const unknown = stored.filter((id) => !known.has(id))
    const read = yield* Effect.forEach(unknown, list.read)
    const missing = read.flatMap((entry) => entry ?? [])
    const interrupted = inDatabase.flatMap(({ entry, isComplete }) => (isComplete ? [] : [entry]))
    const { accounts, contacts } = yield* replay([...missing, ...interrupted])
    const inStore = new Set(stored)
    const lacking = inDatabase.filter(({ entry }) => !inStore.has(entry.id))
    yield* Effect.forEach(lacking, ({ entry }) => list.add(entry), { discard: true })
    yield* list.renew
    return { erasures: missing.length, contacts, accounts, added: lacking.length }
  }).pipe(Effect.withSpan("Replays.catchUp"))

  return { replay, replayList, listed, catchUp }
})

/** Replays erasures, for starts, `migrate` and restores of backups. */
export class Replays extends Context.Service<Replays, Effect.Success<typeof make>>()("privacy/Replays") {
  static readonly layer = Layer.effect(Replays, make).pipe(
    Layer.provide([Erasures.layer, ErasuresRepo.layer, PersonsRepo.layer])
  )

  /** Catches up when a process starts, and again until the file store and the database answer. */
  static readonly atStart = Layer.effectDiscard(
    Effect.gen(function* () {
      const { catchUp } = yield* Replays
      const tried = Effect.exit(catchUp)
      const first = yield* tried
      if (first._tag === "Success") return
      yield* Effect.logError(
        "The list of erasures cannot be compared with the database; the service tries again.",
        first.cause
      )
      yield* tried.pipe(
        Effect.tap((exit) => (exit._tag === "Success" ? Effect.void : Effect.sleep("10 seconds"))),
        Effect.repeat({ until: (exit) => exit._tag === "Success" }),
        onWallClock,
        Effect.forkScoped
      )
    })
  )
}
