/** The SQL that erases the records of a person in a team: values go, ids stay (docs/behaviour/erasure.md). */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../core/mutation/Changes.ts"
import * as Id from "../core/Id.ts"
import { byCell, inEach, inTeam } from "../platform/db/Cells.ts"
import { Database } from "../platform/db/Database.ts"
import { orDie } from "../platform/db/DatabaseUnavailable.ts"
import { arrayParameter } from "../platform/db/SetStatements.ts"
import { nextVersionColumns } from "../core/records/RecordTable.ts"
import { isPersonal, tables } from "./classification.ts"
import type { ErasureEntry } from "./Erasure.ts"
import type { OfferOfPerson, PersonInTeam } from "./Person.ts"
import { knownClassifications } from "./rules.ts"

/** A link that an erasure deleted. Ids are UUIDs. */
export interface EndedLink {
  readonly id: string
  readonly contact_id: string
  readonly company_id: string
}

/** The assignments that clear what a table holds of a contact. */
const clearing = (table: string): string =>
  Object.entries(tables[table]?.columns ?? {})
    .flatMap(([column, holds]) => {
      if (!isPersonal(holds) || holds.of === "account") return []
      switch (holds.erasure) {
        case "null":
          return [`${column} = null`]
        case "empty list":
          return [`${column} = '{}'`]
        case "empty text":
          return [`${column} = case when ${table}.${column} is null then null else '' end`]
        default:
          return []
      }
    })
    .join(", ")

const make = Effect.gen(function* () {
  const sql = yield* Database

  const uuids = (values: ReadonlyArray<string>) => arrayParameter(sql, "uuid", values)
  const cleared = (table: string) => sql.literal(clearing(table))

  const lockRows = (table: string, teamId: string, ids: ReadonlyArray<string>) =>
    orDie(sql`
      select id from ${sql.literal(table)} where team_id = ${teamId} and id = any(${uuids(ids)}) order by id for update`)

  // All that an erasure writes is locked in the order of all writers. With its contacts locked, nobody adds anything to a person.

  /** Locks contacts with their links. */
  const lockContacts = Effect.fn("ErasuresRepo.lockContacts")(function* ({ contacts, links, teamId }: PersonInTeam) {
    yield* lockRows("links", teamId, links)
    yield* lockRows("contacts", teamId, contacts)
  })

  /** Locks what hangs on locked contacts, and their timelines, on which notes and files wait to be added. */
  const lockRest = Effect.fn("ErasuresRepo.lockRest")(function* ({ contacts, prospects, tasks, teamId }: PersonInTeam) {
    yield* orDie(sql`
      select id from projects where team_id = ${teamId} and id = any(array(
        select project_id from prospects where team_id = ${teamId} and id = any(${uuids(prospects)})
      )) order by id for share`)
    yield* lockRows("prospects", teamId, prospects)
    yield* lockRows("tasks", teamId, tasks)
    yield* orDie(sql`
      select pg_advisory_xact_lock(hashtextextended('timeline ' || id, 0))
      from (select distinct id from unnest(${contacts}::uuid[]) as wanted (id) order by id) as subject`)
  })

  /** Makes contacts tombstones that were erased now; returns those that were not erased before. */
  const eraseContacts = Effect.fn("ErasuresRepo.eraseContacts")(function* (change: Change, { contacts }: PersonInTeam) {
    const rows = yield* orDie(sql<{ readonly id: string }>`
      update contacts set version = version + 1, transaction_id = ${change.transactionId}::xid8, updated_at = ${change.at},
        change_type = 'erased', change_origin = ${change.actor.origin}, deleted_at = ${change.at}, primary_company_id = null,
        ${cleared("contacts")}
      where team_id = ${change.actor.teamId} and id = any(${uuids(contacts)}) and change_type <> 'erased'
      returning id`)
    return rows.map(({ id }) => id)
  })

  /** Deletes links, and clears those that were deleted before. */
  const eraseLinks = Effect.fn("ErasuresRepo.eraseLinks")(function* (change: Change, { links }: PersonInTeam) {
    const isTheirs = sql`team_id = ${change.actor.teamId} and id = any(${uuids(links)})`
    const former = yield* orDie(sql`
      update links set ${cleared("links")}
      where ${isTheirs} and deleted_at is not null and (job_title is not null or deleted_refs is not null) returning id`)
    const ended = yield* orDie(sql<EndedLink>`
      update links set ${cleared("links")}, ${nextVersionColumns(sql, "links", change, "deleted")}, deleted_at = ${change.at}
      where ${isTheirs} and deleted_at is null returning id, contact_id, company_id`)
    return { ended, count: former.length + ended.length }
  })

  /** Deletes mandates, and clears those that were deleted before. Returns the UUIDs of the former. */
  const eraseMandates = Effect.fn("ErasuresRepo.eraseMandates")(function* (change: Change, { mandates }: PersonInTeam) {
    const { teamId } = change.actor
    yield* orDie(sql`delete from mandate_boxes where team_id = ${teamId} and mandate_id = any(${uuids(mandates)})`)
    const rows = yield* orDie(sql<{ readonly id: string }>`
      update mandates set ${cleared("mandates")}, status = null, valid_until = null, investor = null, investor_id = null,
        radius = null, ${nextVersionColumns(sql, "mandates", change, "deleted")}, deleted_at = ${change.at}
      where team_id = ${teamId} and id = any(${uuids(mandates)}) and deleted_at is null returning id`)
    const former = yield* orDie(sql`
      update mandates set ${cleared("mandates")}
      where team_id = ${teamId} and id = any(${uuids(mandates)}) and deleted_refs is not null returning id`)
    return { ended: rows.map(({ id }) => id), count: rows.length + former.length }
  })

  /** Clears prospects, which stay where they are. Returns those that deltas list again. */
  const eraseProspects = Effect.fn("ErasuresRepo.eraseProspects")(function* (
    change: Change,
    { prospects }: PersonInTeam
  ) {
    const isTheirs = sql`team_id = ${change.actor.teamId} and id = any(${uuids(prospects)}) and erased_at is null`
    const columns = sql`
      ${cleared("prospects")}, erased_at = ${change.at}, classification = case
        when classification is null or classification = any(${knownClassifications}::text[]) then classification
        else 'erased'
      end`
    const rows = yield* orDie(sql<{ readonly id: string }>`
      update prospects set ${columns}, ${nextVersionColumns(sql, "prospects", change, "updated")}
      where ${isTheirs} and deleted_at is null returning id`)
    const gone = yield* orDie(
      sql`update prospects set ${columns} where ${isTheirs} and deleted_at is not null returning id`
    )
    return { listed: rows.map(({ id }) => id), count: rows.length + gone.length }
  })

  /** Clears the notes of tasks. Returns their UUIDs. */
  const eraseTasks = Effect.fn("ErasuresRepo.eraseTasks")(function* (change: Change, { tasks }: PersonInTeam) {
    const rows = yield* orDie(sql<{ readonly id: string }>`
      update tasks set ${cleared("tasks")}, version = version + 1, transaction_id = ${change.transactionId}::xid8,
        updated_at = ${change.at}, change_type = case when deleted_at is null then 'updated' else change_type end
      where team_id = ${change.actor.teamId} and id = any(${uuids(tasks)}) and note is not null returning id`)
    return rows.map(({ id }) => id)
  })

  /** Clears questions, with drafts and answers. Returns their UUIDs. */
  const eraseQuestions = Effect.fn("ErasuresRepo.eraseQuestions")(function* (
    change: Change,
    { questions }: PersonInTeam
  ) {
    const rows = yield* orDie(sql<{ readonly id: string }>`
      update questions set ${cleared("questions")}, version = version + 1, transaction_id = ${change.transactionId}::xid8,
        updated_at = ${change.at}, change_type = case when deleted_at is null then 'updated' else change_type end
      where team_id = ${change.actor.teamId} and id = any(${uuids(questions)}) and (text <> '' or asker_name is not null)
      returning id`)
    return rows.map(({ id }) => id)
  })

  /** Clears messages and notes of calls. */
  const eraseMessages = Effect.fn("ErasuresRepo.eraseMessages")(function* ({ prospects, teamId }: PersonInTeam) {
    const rows = yield* orDie(sql`
      update messages set ${cleared("messages")} where team_id = ${teamId} and text <> '' and action_id = any(array(
        select action_id from action_subjects where team_id = ${teamId} and subject_id = any(${uuids(prospects)})
      )) returning action_id`)
    return rows.length
  })

  /** Removes what was sent to the person: through their prospects, as a seller, or to one of their addresses. */
  const removeCommunications = Effect.fn("ErasuresRepo.removeCommunications")(function* ({
    emails,
    prospects,
    sold,
    teamId
  }: PersonInTeam) {
    const rows = yield* orDie(sql`
      delete from communications where team_id = ${teamId} and (
        prospect_id = any(${uuids(prospects)}) or (project_id = any(${uuids(sold)}) and prospect_id is null)
        or email = any(${emails}::text[])
      ) returning id`)
    return rows.length
  })

  /** Removes the ids of the person's records in other systems. */
  const removeRefs = Effect.fn("ErasuresRepo.removeRefs")(function* (person: PersonInTeam) {
    const { contacts, links, mandates, prospects, teamId } = person
    const rows = yield* orDie(sql`
      delete from external_references
      where team_id = ${teamId} and resource_id = any(${uuids([...contacts, ...links, ...mandates, ...prospects])})
      returning resource_id`)
    return rows.length
  })

  /** Removes files on the person and those that were shared with them or by them. Returns the ids of their objects. */
  const removeFiles = Effect.fn("ErasuresRepo.removeFiles")(function* (person: PersonInTeam) {
    const { contacts, offers, prospects, teamId } = person
    const rows = yield* orDie(sql<{ readonly content: string }>`
      delete from files where team_id = ${teamId}
        and subject_id = any(${uuids([...contacts, ...prospects, ...offers.map(({ id }) => id)])})
      returning content`)
    return rows.map(({ content }) => content)
  })

  /** Removes what is kept of deleted records, and of what their deletions changed. */
  const removeDeleted = Effect.fn("ErasuresRepo.removeDeleted")(function* (person: PersonInTeam) {
    const { contacts, links, mandates, teamId } = person
    const ids = contacts.map((uuid) => Id.fromUuid("contact", uuid))
    const records = yield* orDie(sql`
      delete from deleted_records where team_id = ${teamId} and (
        (type = 'contact' and id = any(${uuids(contacts)})) or (type = 'link' and id = any(${uuids(links)}))
        or (type = 'mandate' and (id = any(${uuids(mandates)}) or fields -> 'investor' ->> 'contactId' = any(${ids}::text[])))
        or cause_id = any(${uuids(contacts)})
      ) returning id`)
    const effects = yield* orDie(sql`
      delete from deletion_effects where team_id = ${teamId}
        and (cause_id = any(${uuids(contacts)}) or (type = 'contact' and id = any(${uuids(contacts)})))
      returning id`)
    return { records: records.length, effects: effects.length }
  })

  /** Clears what investors gave as their reasons, in their teams. */
  const eraseOffers = Effect.fn("ErasuresRepo.eraseOffers")(function* (
    change: Change,
    offers: ReadonlyArray<OfferOfPerson>
  ) {
    const rows = yield* byCell(
      sql,
      offers,
      ({ teamId }) => teamId,
      (some) =>
        orDie(sql<{ readonly id: string }>`
          update offers set ${cleared("offers")}, version = version + 1, updated_at = ${change.at}, change_type = 'updated',
            change_origin = ${change.actor.origin}
          where id = any(${uuids(some.map(({ id }) => id))})
            and team_id = any(${uuids([...new Set(some.map(({ teamId }) => teamId))])}) and rejection_reason is not null
          returning id`)
    )
    return rows.length
  })

  // What is kept of erasures.

  /** Keeps that contacts were erased. Erasing them again changes nothing of it. */
  const keep = Effect.fn("ErasuresRepo.keep")(function* (
    change: Change,
    receiptId: string,
    contacts: ReadonlyArray<string>,
    hashes: ReadonlyArray<Uint8Array>
  ) {
    yield* orDie(sql`
      insert into erasures (team_id, contact_id, receipt_id, hashes, erased_at)
      select ${change.actor.teamId}::uuid, id, ${receiptId}::uuid, ${hashes}::bytea[], ${change.at}::timestamptz
      from unnest(${contacts}::uuid[]) as erased (id) order by id
      on conflict do nothing`)
  })

  /** Marks the erasure of contacts as complete. */
  const complete = Effect.fn("ErasuresRepo.complete")(({ contacts, teamId }: PersonInTeam, at: Date) =>
    inTeam(teamId)(
      orDie(sql`
        update erasures set completed_at = ${at}
        where team_id = ${teamId} and contact_id = any(${uuids(contacts)}) and completed_at is null`)
    )
  )

  /** All that is kept of erasures in teams. */
  const entries = inEach(
    sql,
    orDie(sql<{
      readonly id: string
      readonly team: string
      readonly contacts: ReadonlyArray<string>
      readonly hashes: string
      readonly erasedUtc: Date
      readonly isComplete: boolean
    }>`
      select receipt_id as id, team_id as team, array_agg(contact_id::text order by contact_id) as contacts,
        min(array_to_string(array(select encode(hash, 'hex') from unnest(hashes) as each (hash)), ' ')) as hashes,
        min(erased_at) as "erasedUtc", bool_and(completed_at is not null) as "isComplete"
      from erasures group by receipt_id, team_id order by 1`)
  ).pipe(
    Effect.map((rows) =>
      rows.map(({ contacts, erasedUtc, hashes, id, isComplete, team }) => {
        const entry: ErasureEntry = {
          version: 1,
          id,
          team,
          contacts,
          users: [],
          hashes: hashes === "" ? [] : hashes.split(" "),
          erasedUtc: erasedUtc.toISOString()
        }
        return { entry, isComplete }
      })
    ),
    Effect.withSpan("ErasuresRepo.entries")
  )

  /** Whether there is such a team. */
  const isTeam = Effect.fn("ErasuresRepo.isTeam")(function* (teamId: string) {
    return (yield* orDie(sql`select id from teams where id = ${teamId}`)).length > 0
  })

  /** Keeps an entry of the list, whatever of it the database still had. */
  const mark = Effect.fn("ErasuresRepo.mark")((teamId: string, { contacts, erasedUtc, hashes, id }: ErasureEntry) =>
    inTeam(teamId)(
      orDie(sql`
        insert into erasures (team_id, contact_id, receipt_id, hashes, erased_at, completed_at)
        select ${teamId}::uuid, contact, ${id}::uuid,
          array(select decode(hash, 'hex') from unnest(${hashes}::text[]) as each (hash)), ${erasedUtc}::timestamptz, now()
        from unnest(${contacts}::uuid[]) as erased (contact) order by contact
        on conflict (team_id, contact_id) do update set receipt_id = excluded.receipt_id, completed_at = excluded.completed_at`)
    )
  )

  /** The e-mail addresses of contacts of a team that were there before a time, some at a time, in the order of their ids. */
  const addressesBefore = Effect.fn("ErasuresRepo.addressesBefore")(
    (teamId: string, before: Date, after: string | null) =>
      inTeam(teamId)(
        orDie(sql<{ readonly id: string; readonly email: string }>`
          select id, email from contacts
          where team_id = ${teamId} and created_at < ${before} and email is not null
            ${after === null ? sql`` : sql`and id > ${after}`}
          order by id limit 10000`)
      )
  )

  return {
    isTeam,
    mark,
    addressesBefore,
    lockContacts,
    lockRest,
    eraseContacts,
    eraseLinks,
    eraseMandates,
    eraseProspects,
    eraseTasks,
    eraseQuestions,
    eraseMessages,
    removeCommunications,
    removeRefs,
    removeFiles,
    removeDeleted,
    eraseOffers,
    keep,
    complete,
    entries
  }
})

/** Erases records, and keeps what was erased. */
export class ErasuresRepo extends Context.Service<ErasuresRepo, Effect.Success<typeof make>>()("privacy/ErasuresRepo") {
  static readonly layer = Layer.effect(ErasuresRepo, make)
}
