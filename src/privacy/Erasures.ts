/** Erases people: docs/behaviour/erasure.md. */
import * as Id from "../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../core/audit/AuditLog.ts"
import { discard } from "../content/files/jobs.ts"
import { type Actor, asOperator, CurrentActor, operatorOf } from "../core/auth/CurrentActor.ts"
import { DryRun } from "../core/mutation/ChangeRecord.ts"
import { type Change, Changes } from "../core/mutation/Changes.ts"
import { toStored } from "../core/usecase/Idempotency.ts"
import { silentUpdate } from "../deals/prospects/rules.ts"
import { Users } from "../identity/users/Users.ts"
import { Database } from "../platform/db/Database.ts"
import * as Transaction from "../platform/db/Transaction.ts"
import { FileStore } from "../platform/fileStore/FileStore.ts"
import { Jobs } from "../platform/jobs/Jobs.ts"
import { SecretBox } from "../platform/secrets/SecretBox.ts"
import { now } from "../platform/Time.ts"
import { tables } from "./classification.ts"
import type { ErasureEntry, Mention, Receipt } from "./Erasure.ts"
import { ErasureList } from "./ErasureList.ts"
import { type EndedLink, ErasuresRepo } from "./ErasuresRepo.ts"
import { MentionsRepo } from "./MentionsRepo.ts"
import { People, type Where } from "./People.ts"
import type { Account, PersonInTeam } from "./Person.ts"
import { PersonRowsRepo } from "./PersonRowsRepo.ts"
import { PersonsRepo } from "./PersonsRepo.ts"
import { RedactionsRepo } from "./RedactionsRepo.ts"
import { redacted, redactedBody } from "./rules.ts"
import { makeStoredAnswers, type OpenedAnswer } from "./StoredAnswers.ts"

/** How many rows of timelines one transaction redacts. */
export const StepRows = Context.Reference<number>("privacy/Erasures/StepRows", { defaultValue: () => 5000 })

/** How many rows of each table were erased. */
type Counts = Map<string, number>

const count = (counts: Counts, table: string, rows: number) => {
  if (rows > 0) counts.set(table, (counts.get(table) ?? 0) + rows)
}

const whatOf = (counts: Counts): Receipt["what"] =>
  [...counts].map(([table, rows]) => ({ table, kind: tables[table]?.holds ?? table, count: rows }))

/** What the erasure of a person in a team did. */
interface Erased {
  readonly counts: Counts
  readonly contacts: ReadonlyArray<string>
  readonly entry: ErasureEntry
}

const make = Effect.gen(function* () {
  const sql = yield* Database
  const people = yield* People
  const repo = yield* ErasuresRepo
  const persons = yield* PersonsRepo
  const redactions = yield* RedactionsRepo
  const mentions = yield* MentionsRepo
  const rows = yield* PersonRowsRepo
  const list = yield* ErasureList
  const answers = yield* makeStoredAnswers
  const box = (yield* SecretBox).for("idempotency answers")
  const changes = yield* Changes
  const users = yield* Users
  const jobs = yield* Jobs
  const store = yield* FileStore
  const random = yield* SecureRandom.SecureRandom
  const audit = yield* AuditLog

  const recordLink = (change: Change, { company_id, contact_id, id }: EndedLink) =>
    change.record({
      change: "deleted",
      resource: { type: "link", id },
      subjects: [
        { type: "contact", id: contact_id },
        { type: "company", id: company_id }
      ],
      timeline: { event: "link.deleted", details: { kind: "audit", erased: true } },
      event: { type: "link.deleted", extras: {} },
      names: { contact_id: Id.fromUuid("contact", contact_id), company_id: Id.fromUuid("company", company_id) },
      cause: { event: "contact.erased", resource: { type: "contact", id: contact_id } }
    })

  /** Redacts a stored answer; false if nothing in it is left to redact. */
  const redactAnswer = Effect.fnUntraced(function* ({ answer, marks, scope, teamId }: OpenedAnswer) {
    const json = JSON.stringify(redacted(answer, marks))
    if (json === JSON.stringify(answer)) return false
    const text = toStored(json)
    const sealed = yield* box.seal(text, Buffer.from(scope).toString("hex"))
    yield* redactions.replaceAnswer(teamId, scope, sealed)
    return true
  })

  /** Redacts events, what receivers answered, and stored answers. */
  const eraseTraces = Effect.fnUntraced(function* (person: PersonInTeam, counts: Counts) {
    const events = yield* redactions.eventsOf(person)
    const replaced = events.flatMap(({ body, id }) => {
      const without = redactedBody(body)
      return without === body ? [] : [{ id, body: without }]
    })
    yield* redactions.replaceBodies(person.teamId, replaced)
    count(counts, "events", replaced.length)
    count(
      counts,
      "delivery_attempts",
      yield* redactions.clearAttempts(
        person.teamId,
        events.map(({ id }) => id)
      )
    )
    for (const opened of yield* answers.open(person)) {
      if (yield* redactAnswer(opened)) count(counts, "idempotency_keys", 1)
    }
  })

  /** Erases the records of a person in a team, within a change. Returns what it did, and the ids of objects to remove from the store. */
  const eraseRecords = Effect.fnUntraced(function* (change: Change, person: PersonInTeam, limit: number) {
    const counts: Counts = new Map()
    const quoted = yield* redactions.questionsOf(person)
    // While the rows tell when they were written, and what they say.
    yield* eraseTraces(person, counts)
    const contacts = yield* repo.eraseContacts(change, person)
    count(counts, "contacts", contacts.length)
    const links = yield* repo.eraseLinks(change, person)
    count(counts, "links", links.count)
    const mandates = yield* repo.eraseMandates(change, person)
    count(counts, "mandates", mandates.count)
    const prospects = yield* repo.eraseProspects(change, person)
    count(counts, "prospects", prospects.count)
    const tasks = yield* repo.eraseTasks(change, person)
    count(counts, "tasks", tasks.length)
    const questions = yield* repo.eraseQuestions(change, person)
    count(counts, "questions", questions.length)
    count(counts, "messages", yield* repo.eraseMessages(person))
    count(counts, "communications", yield* repo.removeCommunications(person))
    count(counts, "external_references", yield* repo.removeRefs(person))
    const objects = yield* repo.removeFiles(person)
    count(counts, "files", objects.length)
    const deleted = yield* repo.removeDeleted(person)
    count(counts, "deleted_records", deleted.records)
    count(counts, "deletion_effects", deleted.effects)
    count(counts, "offers", yield* repo.eraseOffers(change, person.offers))
    const quotedRows = yield* redactions.quotes(
      yield* rows.offersOnProjects(
        person.teamId,
        quoted.map(({ project_id }) => project_id)
      ),
      quoted
    )
    count(counts, "actions", quotedRows + (yield* redactions.timelines(person, limit)))
    for (const id of contacts) {
      change.record({
        change: "erased",
        resource: { type: "contact", id },
        subjects: [{ type: "contact", id }],
        timeline: { event: "contact.erased", details: { kind: "audit", erased: true } },
        event: { type: "contact.erased", extras: {} }
      })
    }
    for (const link of links.ended) recordLink(change, link)
    for (const id of mandates.ended) {
      change.record({
        change: "deleted",
        resource: { type: "mandate", id },
        subjects: [{ type: "mandate", id }],
        timeline: { event: "mandate.deleted", details: { kind: "audit", erased: true } },
        event: { type: "mandate.deleted", extras: {} }
      })
    }
    for (const uuid of prospects.listed) change.record(silentUpdate(uuid))
    if (objects.length > 0) yield* jobs.enqueue(discard, { contents: objects, teamId: person.teamId })
    return { counts, contacts, objects }
  })

  /** Erases a person in a team. What a first run of it left, another one erases. `replayed` is the id of an erasure that is done again. */
  const eraseInTeam = Effect.fn("Erasures.eraseInTeam")(function* (
    actor: Actor,
    person: PersonInTeam,
    replayed?: string
  ) {
    const isDryRun = (yield* DryRun) !== undefined
    const step = isDryRun ? 2 ** 31 - 1 : yield* StepRows
    const id = replayed ?? (yield* random.uuidV7())
    const hashes = [
      ...person.emails.flatMap((email) => list.hashesOf("email", email)),
      ...person.names.flatMap((name) => list.hashesOf("name", name))
    ]
    const { at, contacts, counts, latest, objects } = yield* changes.commit(actor, (change) =>
      Effect.gen(function* () {
        yield* repo.lockContacts(person)
        const latest = yield* persons.again(person)
        yield* repo.lockRest(latest)
        yield* repo.keep(change, id, person.contacts, hashes)
        const erased = yield* eraseRecords(change, latest, step)
        for (const uuid of erased.contacts) {
          yield* audit.record({
            action: "privacy.erased",
            teamId: person.teamId,
            target: { type: "contact", id: Id.fromUuid("contact", uuid) }
          })
        }
        return { at: change.at, latest, ...erased }
      })
    )
    const entry: ErasureEntry = {
      version: 1,
      id,
      team: person.teamId,
      contacts: person.contacts,
      users: [],
      hashes: hashes.map((hash) => hash.toString("hex")),
      erasedUtc: at.toISOString()
    }
    const erased: Erased = { counts, contacts, entry }
    if (isDryRun) return erased
    // The rest of what is too much for one transaction.
    for (let taken = step; taken >= step;) {
      taken = yield* Transaction.run(redactions.timelines(latest, step)).pipe(Effect.provideService(Database, sql))
      count(counts, "actions", taken)
    }
    // The job removes what fails here.
    const namespace = yield* rows.namespace
    yield* Effect.forEach(objects, (object) => Effect.ignore(store.remove({ namespace, id: object })), {
      concurrency: 4,
      discard: true
    })
    if (replayed === undefined && contacts.length > 0) yield* keepInStore(entry)
    yield* repo.complete(person, yield* now)
    return erased
  })

  /** A start adds what fails here. */
  const keepInStore = (entry: ErasureEntry) =>
    Effect.catch(list.add(entry), (failure) =>
      Effect.logWarning("The list of erasures in the file store lacks one until the next start.", failure.cause)
    )

  /** Removes the account of a person, in every team. A replay keeps nothing more of it. */
  const eraseAccount = Effect.fnUntraced(function* (account: Account, isReplay = false) {
    const { email, name, uuid } = account
    const isDryRun = (yield* DryRun) !== undefined
    let redactedAnswers = 0
    const removing = Effect.gen(function* () {
      redactedAnswers = 0
      yield* answers.ofAccount(account, (opened) =>
        Effect.map(redactAnswer(opened), (isRedacted) => {
          if (isRedacted) redactedAnswers++
        })
      )
      yield* audit.record({
        action: "privacy.erased",
        teamId: null,
        target: { type: "user", id: Id.fromUuid("user", uuid) }
      })
      return yield* asOperator(users.remove(uuid))
    })
    const { removed } = yield* (isDryRun ? Transaction.runAndRollBack(removing) : Transaction.run(removing)).pipe(
      Effect.provideService(Database, sql)
    )
    const at = yield* now
    const hashes = [...(email === null ? [] : list.hashesOf("email", email)), ...list.hashesOf("name", name)]
    const entry: ErasureEntry = {
      version: 1,
      id: yield* random.uuidV7(),
      team: null,
      contacts: [],
      users: [uuid],
      hashes: hashes.map((hash) => hash.toString("hex")),
      erasedUtc: at.toISOString()
    }
    if (!isDryRun && !isReplay) yield* keepInStore(entry)
    const counts: Counts = new Map([["users", 1]])
    count(counts, "idempotency_keys", redactedAnswers)
    for (const [table, rows] of Object.entries(removed)) count(counts, table, rows)
    return counts
  })

  /** Erases a person, for a caller who may. With `DryRun`, nothing changes, and the receipt is the same. */
  const erase = Effect.fn("Erasures.erase")(function* (name: string, where: Where) {
    const found = yield* people.find(name, where)
    const caller = yield* CurrentActor
    const remaining: Array<Mention> = []
    for (const person of found.teams) {
      remaining.push(...(yield* mentions.find(person, [...person.emails, ...person.names])))
    }
    const counts: Counts = new Map()
    // First, because it can be refused.
    if (found.account !== undefined && !found.account.isDeleted) {
      for (const [table, rows] of yield* eraseAccount(found.account)) count(counts, table, rows)
    }
    const contacts: Array<string> = []
    const id = yield* random.uuidV7()
    for (const person of found.teams) {
      const actor = caller.userId === null ? operatorOf(person.teamId) : caller
      const erased = yield* eraseInTeam(actor, person)
      for (const [table, rows] of erased.counts) count(counts, table, rows)
      contacts.push(...erased.contacts)
    }
    const receipt: Receipt = {
      id,
      erasedUtc: (yield* now).toISOString(),
      contacts: contacts.map((uuid) => Id.fromUuid("contact", uuid)),
      account: Id.fromUuidOrNull("user", found.account?.uuid ?? null),
      what: whatOf(counts),
      remaining
    }
    return receipt
  })

  return { erase, eraseInTeam, eraseAccount }
})

/** Erases people, for operators and for administrators of a team; `eraseInTeam` and `eraseAccount` are for the replay. */
export class Erasures extends Context.Service<Erasures, Effect.Success<typeof make>>()("privacy/Erasures") {
  static readonly layer = Layer.effect(Erasures, make).pipe(
    Layer.provide([
      ErasuresRepo.layer,
      MentionsRepo.layer,
      People.layer,
      PersonRowsRepo.layer,
      PersonsRepo.layer,
      RedactionsRepo.layer,
      Users.layer
    ])
  )
}
