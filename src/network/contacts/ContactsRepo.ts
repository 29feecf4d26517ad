/** All SQL of contacts, scoped by team. */
import { Context, Effect, Layer } from "effect"
import { auditAfter, auditOf, type AuditRow } from "../../changes/Audit.ts"
import type { Listed, Range } from "../../changes/DeltaList.ts"
import { horizonNow, settled } from "../../changes/Delta.ts"
import type { Change } from "../../changes/Changes.ts"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"
import type { ExternalRef } from "../../externalRefs/ExternalRef.ts"
import { ConcurrencyConflict } from "../../http/Problem.ts"
import * as Id from "../../Id.ts"
import type { Contact } from "./Contact.ts"
import { type ContactFields, nameOf } from "./rules.ts"

/** A contact with what its answer does not show. */
export interface StoredContact {
  readonly uuid: string
  readonly version: number
  readonly contact: Contact
}

interface Row extends AuditRow {
  readonly id: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly primary_language: string | null
  readonly primary_company_id: string | null
  readonly tags: ReadonlyArray<string>
  readonly strategy: string | null
  readonly linked_in_url: string | null
  readonly profile_picture_url: string | null
  readonly external_refs: ReadonlyArray<ExternalRef>
}

const toStored = (row: Row): StoredContact => ({
  uuid: row.id,
  version: Number(row.version),
  contact: {
    id: Id.fromUuid("contact", row.id),
    name: nameOf({ firstName: row.first_name, lastName: row.last_name, email: row.email }),
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    phone: row.phone,
    primaryLanguage: row.primary_language,
    primaryCompanyId: Id.fromUuidOrNull("company", row.primary_company_id),
    tags: row.tags,
    strategy: row.strategy,
    linkedInUrl: row.linked_in_url,
    profilePictureUrl: row.profile_picture_url,
    externalRefs: row.external_refs,
    ...auditOf(row)
  }
})

const lostRace = new ConcurrencyConflict({
  detail: "Another change of this contact was committed first. Read it again and decide anew."
})

/** The contacts of teams. */
export class ContactsRepo extends Context.Service<ContactsRepo, {
  readonly find: (teamId: string, id: string) => Effect.Effect<StoredContact | undefined>
  /** The contacts of a range, all of them or the one with an external reference. */
  readonly list: (
    teamId: string,
    range: Range,
    externalRef: ExternalRef | undefined
  ) => Effect.Effect<ReadonlyArray<StoredContact & Listed>>
  /** Live contacts with this e-mail address, whatever its case; locks the address until the transaction ends. */
  readonly claimEmail: (
    teamId: string,
    email: string,
    except: string | undefined
  ) => Effect.Effect<ReadonlyArray<Contact>>
  readonly insert: (change: Change, id: string, fields: ContactFields) => Effect.Effect<Contact>
  readonly update: (
    change: Change,
    stored: StoredContact,
    fields: ContactFields
  ) => Effect.Effect<Contact, ConcurrencyConflict>
  /** Leaves the tombstone. */
  readonly remove: (change: Change, stored: StoredContact) => Effect.Effect<void, ConcurrencyConflict>
  /** Removes tombstones of before `until` for good, at most `limit`; answers how many. */
  readonly purge: (until: Date, limit: number) => Effect.Effect<number>
}>()("network/contacts/ContactsRepo") {
  static readonly layer = Layer.effect(
    ContactsRepo,
    Effect.gen(function*() {
      const sql = yield* Database

      const columns = sql`
        id, version::text, created_at, updated_at, change_type, change_origin, deleted_at, first_name, last_name, email,
        phone, primary_language, primary_company_id, tags, strategy, linked_in_url, profile_picture_url,
        coalesce(deleted_refs, (
          select json_agg(json_build_object('namespace', namespace, 'externalId', external_id) order by position)::jsonb
          from external_references where resource_id = contacts.id
        ), '[]') as external_refs`

      const find = Effect.fn("ContactsRepo.find")(function*(teamId: string, id: string) {
        const [row] = yield* orDie(sql<Row>`
          select ${columns} from contacts where id = ${id} and team_id = ${teamId} and deleted_at is null`)
        return row === undefined ? undefined : toStored(row)
      })

      const list = Effect.fn("ContactsRepo.list")(function*(
        teamId: string,
        { after, horizon, includeDeleted, limit, updatedSince }: Range,
        externalRef: ExternalRef | undefined
      ) {
        const order = updatedSince === undefined ? sql`created_at` : sql`updated_at`
        const conditions = [sql`team_id = ${teamId}`]
        if (!includeDeleted) conditions.push(sql`deleted_at is null`)
        if (updatedSince !== undefined) {
          conditions.push(sql`updated_at >= ${updatedSince}`, settled(sql, horizon))
        }
        if (externalRef !== undefined) {
          conditions.push(sql`id = (
            select resource_id from external_references
            where team_id = ${teamId} and resource_type = 'contact'
              and namespace = ${externalRef.namespace} and external_id = ${externalRef.externalId})`)
        }
        if (after !== undefined) {
          conditions.push(sql`(${order}, id) > (${after.at}::timestamptz, ${after.id}::uuid)`)
        }
        const rows = yield* orDie(sql<Row & { readonly horizon: string }>`
          select ${columns}, ${horizonNow(sql)}::text as horizon
          from contacts where ${sql.and(conditions)} order by ${order}, id limit ${limit}`)
        return rows.map((row) => ({ ...toStored(row), horizon: row.horizon }))
      })

      const claimEmail = Effect.fn("ContactsRepo.claimEmail")(function*(
        teamId: string,
        email: string,
        except: string | undefined
      ) {
        yield* orDie(sql`
          select pg_advisory_xact_lock(hashtextextended(${`contact email ${teamId} `} || lower(${email}), 0))`)
        const rows = yield* orDie(sql<Row>`
          select ${columns} from contacts
          where team_id = ${teamId} and lower(email) = lower(${email}) and deleted_at is null
            and id is distinct from ${except ?? null}::uuid
          order by created_at, id limit 10`)
        return rows.map((row) => toStored(row).contact)
      })

      const assembled = (id: string, fields: ContactFields, audit: ReturnType<typeof auditAfter>): Contact => ({
        id: Id.fromUuid("contact", id),
        name: nameOf(fields),
        ...fields,
        ...audit
      })

      const companyUuid = (fields: ContactFields) =>
        fields.primaryCompanyId === null ? null : Id.toUuid("company", fields.primaryCompanyId) ?? null

      const insert = Effect.fn("ContactsRepo.insert")(function*(change: Change, id: string, fields: ContactFields) {
        yield* orDie(sql`
          insert into contacts (
            id, team_id, version, created_at, updated_at, change_type, change_origin, first_name, last_name, email, phone,
            primary_language, primary_company_id, tags, strategy, linked_in_url, profile_picture_url
          ) values (
            ${id}, ${change.actor.teamId}, 1, ${change.at}, ${change.at}, 'created', ${change.actor.origin},
            ${fields.firstName}, ${fields.lastName}, ${fields.email}, ${fields.phone}, ${fields.primaryLanguage},
            ${companyUuid(fields)}::uuid, ${fields.tags}::text[], ${fields.strategy}, ${fields.linkedInUrl},
            ${fields.profilePictureUrl}
          )`)
        return assembled(id, fields, auditAfter(change, { version: 1, changeType: "created" }))
      })

      const update = Effect.fn("ContactsRepo.update")(function*(
        change: Change,
        stored: StoredContact,
        fields: ContactFields
      ) {
        const updated = yield* orDie(sql`
          update contacts set
            version = version + 1, transaction_id = pg_current_xact_id(), updated_at = ${change.at},
            change_type = 'updated', change_origin = ${change.actor.origin},
            first_name = ${fields.firstName}, last_name = ${fields.lastName}, email = ${fields.email},
            phone = ${fields.phone}, primary_language = ${fields.primaryLanguage},
            primary_company_id = ${companyUuid(fields)}::uuid, tags = ${fields.tags}::text[],
            strategy = ${fields.strategy}, linked_in_url = ${fields.linkedInUrl},
            profile_picture_url = ${fields.profilePictureUrl}
          where id = ${stored.uuid} and team_id = ${change.actor.teamId} and version = ${stored.version}
            and deleted_at is null
          returning id`)
        if (updated.length === 0) return yield* lostRace
        return assembled(
          stored.uuid,
          fields,
          auditAfter(change, {
            version: stored.version + 1,
            createdUtc: stored.contact.createdUtc,
            changeType: "updated"
          })
        )
      })

      const remove = Effect.fn("ContactsRepo.remove")(function*(change: Change, stored: StoredContact) {
        const removed = yield* orDie(sql`
          update contacts set
            version = version + 1, transaction_id = pg_current_xact_id(), updated_at = ${change.at},
            deleted_at = ${change.at}, change_type = 'deleted', change_origin = ${change.actor.origin},
            deleted_refs = ${sql.json(stored.contact.externalRefs)},
            first_name = null, last_name = null, email = null, phone = null, primary_language = null,
            primary_company_id = null, tags = '{}', strategy = null, linked_in_url = null, profile_picture_url = null
          where id = ${stored.uuid} and team_id = ${change.actor.teamId} and version = ${stored.version}
            and deleted_at is null
          returning id`)
        if (removed.length === 0) return yield* lostRace
      })

      const purge = Effect.fn("ContactsRepo.purge")(function*(until: Date, limit: number) {
        const purged = yield* orDie(sql`
          delete from contacts where id in (
            select id from contacts where deleted_at < ${until} order by deleted_at limit ${limit}
          ) returning id`)
        return purged.length
      })

      return ContactsRepo.of({ find, list, claimEmail, insert, update, remove, purge })
    })
  )
}
