/** All SQL of contacts, scoped by team. */
import * as Id from "../../core/Id.ts"
import * as RecordTable from "../../core/records/RecordTable.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { Range } from "../../core/mutation/DeltaList.ts"
import { arrayParameter, averageTeam, averageTeamId, chunkOf } from "../../platform/db/SetStatements.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { columnsOf, type Table } from "../../core/records/Table.ts"
import { maxCandidates, type WriteContextOptions } from "../../core/records/WriteContext.ts"
import { Contact, type ContactFields, contactKinds, type ContactListQuery } from "./Contact.ts"
import { nameOf, writeContextOf } from "./rules.ts"

/** The table of contacts. */
export const contactsTable: Table<ContactFields, Contact> = {
  type: "contact",
  name: "contacts",
  columns: columnsOf(contactKinds),
  answers: Contact.fields,
  mergeable: true,
  toResource: (id, fields, audit, mergedInto) => ({ id, name: nameOf(fields), ...fields, ...audit, mergedInto })
}

/** How contacts are searched. sql/0002_text.sql has the functions. */
const searchable = {
  text: "searched_text",
  within: ["name", "firstName", "lastName", "email", "phone"],
  alone: ["strategy"],
  members: { name: "contact_name(first_name, last_name, email)" }
}

const make = Effect.gen(function* () {
  const sql = yield* Database
  const table = yield* RecordTable.make(contactsTable)

  const list = Effect.fn("ContactsRepo.list")(function* (teamId: string, range: Range, query: ContactListQuery) {
    const { email, external_ref: externalRef, tags } = query
    return yield* table.list(teamId, range, {
      externalRef,
      ofMembers: [
        // Few contacts share an address: as an array, they are found by its index, whatever the planner assumes.
        ...(email === undefined
          ? []
          : [
              sql`id = any(array(
                select id from contacts
                where team_id = ${teamId} and lower(email) = lower(${email}) and deleted_at is null
              ))`
            ]),
        ...(tags === undefined ? [] : [sql`tags <> '{}' and tags @> ${tags}::text[]`])
      ]
    })
  })

  /** Locks these e-mail addresses until the transaction ends, so that no other one writes contacts that have them. */
  const claim = (teamId: string, emails: ReadonlyArray<string>) =>
    orDie(sql`
      select pg_advisory_xact_lock(key) from (
        select distinct hashtextextended(${`contact email ${teamId} `} || lower(email), 0) as key
        from unnest(${emails}::text[]) as wanted (email) order by key
      ) as keys`)

  /** The contacts with these e-mail addresses, in any case: the oldest ones, at most `limit` of each. */
  // Few contacts share an address: they are found by its index and then sorted, instead of being searched along the list.
  const withEmails = (teamId: string, emails: ReadonlyArray<string>, limit: number) =>
    table.select(
      teamId,
      // An array is evaluated once, whatever the planner assumes about a table for which it has no statistics yet.
      sql`id = any(array(
        select same.id
        from ${averageTeam(sql, teamId)} as team, unnest(${arrayParameter(sql, "text", emails)}) as wanted (email), lateral (
          select id from (
            select id, created_at from contacts
            where contacts.team_id = team.team_id and lower(contacts.email) = lower(wanted.email) and deleted_at is null offset 0
          ) as matching
          order by created_at, id limit ${limit}
        ) as same))`,
      limit * emails.length
    )

  /** Locks the existing ones of these companies for share, and returns them. */
  const companies = (teamId: string, uuids: ReadonlyArray<string>) =>
    orDie(sql<{ readonly id: string }>`
      select id from companies
      where team_id = ${teamId} and id = any(${arrayParameter(sql, "uuid", uuids)}) and deleted_at is null
      order by id for share`)

  const context = Effect.fn("ContactsRepo.context")(function* (
    change: Change,
    wanted: ReadonlyArray<ContactFields>,
    options: WriteContextOptions
  ) {
    const { teamId } = change.actor
    const emails = [...new Set(wanted.flatMap(({ email }) => email ?? []))]
    const uuids = [...new Set(wanted.flatMap(({ primaryCompanyId: id }) => Id.toUuid("company", id ?? "") ?? []))]
    // Looked up after the lock: whoever had it may have written a contact.
    const [, candidates, known] = yield* Transaction.together(
      emails.length === 0 ? Effect.void : claim(teamId, emails),
      emails.length === 0 ? Effect.succeed([]) : withEmails(teamId, emails, maxCandidates(options)),
      uuids.length === 0 ? Effect.succeed([]) : companies(teamId, uuids)
    )
    return writeContextOf({
      candidates,
      companies: new Set(known.map(({ id }) => Id.fromUuid("company", id)))
    })
  })

  /** Locks contacts that mainly work for these companies until the transaction ends, at most `limit`, and returns them. */
  const lockWorkingFor = Effect.fn("ContactsRepo.lockWorkingFor")(function* (
    teamId: string,
    companies: ReadonlyArray<string>,
    limit: number
  ) {
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from contacts
      where team_id = ${averageTeamId(sql, teamId)} and primary_company_id = any(${companies}::uuid[]) and deleted_at is null
      order by id limit ${limit + 1}`)
    const { left, taken } = chunkOf(rows, limit)
    const locked = yield* table.lock(
      teamId,
      taken.map(({ id }) => id)
    )
    // While the lock waited, some may have been deleted or have got another company.
    const ids = new Set<string | null>(companies.map((uuid) => Id.fromUuid("company", uuid)))
    return { taken: locked.filter(({ deleted, resource }) => !deleted && ids.has(resource.primaryCompanyId)), left }
  })

  return {
    ...table,
    list,
    context,
    lockWorkingFor,
    withEmails,
    search: table.searchBy(searchable)
  }
})

/** The contacts of teams. */
export class ContactsRepo extends Context.Service<ContactsRepo, Effect.Success<typeof make>>()(
  "network/contacts/ContactsRepo"
) {
  static readonly layer = Layer.effect(ContactsRepo, make)
}
