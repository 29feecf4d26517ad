/** All SQL of links, scoped by team. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../changes/Changes.ts"
import type { Range } from "../../changes/DeltaList.ts"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"
import * as Id from "../../Id.ts"
import * as RecordTable from "../../records/RecordTable.ts"
import type { RecordsRepo } from "../../records/RecordKind.ts"
import { idOf, type Stored, type Table, text } from "../../records/Table.ts"
import type { Duplicate } from "../../usecase/Problem.ts"
import type { Link, LinkListQuery } from "./Link.ts"
import { type LinkFields, writeContextOf } from "./rules.ts"

/** The table of links. */
export const linksTable: Table<LinkFields, Link> = {
  type: "link",
  name: "links",
  columns: {
    contactId: idOf("contact", "contact_id", { kept: true }),
    companyId: idOf("company", "company_id", { kept: true }),
    jobTitle: text("job_title")
  },
  unique: ["contact_id", "company_id"],
  mergeable: false,
  toResource: (id, fields, audit) => ({ id, ...fields, ...audit })
}

/** The contacts or companies (UUIDs) of links. */
export type LinkedTo = { readonly contacts: ReadonlyArray<string> } | { readonly companies: ReadonlyArray<string> }

/** The links of teams. */
export class LinksRepo extends Context.Service<
  LinksRepo,
  RecordsRepo<LinkFields, Link, LinkListQuery, Duplicate> & {
    /** Locks the links of these contacts or companies until the transaction ends, and returns them. */
    readonly lockOf: (teamId: string, of: LinkedTo) => Effect.Effect<ReadonlyArray<Stored<Link>>>
  }
>()("network/links/LinksRepo") {
  static readonly layer = Layer.effect(
    LinksRepo,
    Effect.gen(function* () {
      const sql = yield* Database
      const table = yield* RecordTable.make(linksTable)

      const list = Effect.fn("LinksRepo.list")(function* (teamId: string, range: Range, query: LinkListQuery) {
        // An id of another type has no links.
        const isEnd = (prefix: "company" | "contact", id: string) =>
          sql`${sql.literal(`${prefix}_id`)} = ${Id.toUuid(prefix, id) ?? null}::uuid`
        return yield* table.list(teamId, range, {
          externalRef: query.external_ref,
          filters: [
            ...(query.contact_id === undefined ? [] : [isEnd("contact", query.contact_id)]),
            ...(query.company_id === undefined ? [] : [isEnd("company", query.company_id)])
          ]
        })
      })

      /** Locks the existing ones of these contacts or companies for share, and returns their ids. */
      const ends = Effect.fnUntraced(function* (
        teamId: string,
        type: "company" | "contact",
        uuids: ReadonlyArray<string>
      ) {
        if (uuids.length === 0) return []
        const rows = yield* orDie(sql<{ readonly id: string }>`
          select id from ${sql.literal(type === "contact" ? "contacts" : "companies")}
          where team_id = ${teamId} and id = any(${uuids}::uuid[]) and deleted_at is null
          order by id for share`)
        return rows.map(({ id }) => Id.fromUuid(type, id))
      })

      /** Locks the links of these pairs and their latest tombstones until the transaction ends, and returns them. */
      const lockPairs = Effect.fnUntraced(function* (
        teamId: string,
        pairs: ReadonlyArray<{ contact: string; company: string }>
      ) {
        if (pairs.length === 0) return []
        const rows = yield* orDie(sql<{ readonly id: string }>`
          select same.id
          from jsonb_to_recordset(${sql.json(pairs)}) as wanted (contact uuid, company uuid), lateral (
            (select id from links
            where team_id = ${teamId} and contact_id = wanted.contact and company_id = wanted.company
              and deleted_at is null)
            union all
            (select id from links
            where team_id = ${teamId} and contact_id = wanted.contact and company_id = wanted.company
              and deleted_at is not null
            order by deleted_at desc limit 1)
          ) as same`)
        return yield* table.lock(teamId, [...new Set(rows.map(({ id }) => id))])
      })

      const context = Effect.fn("LinksRepo.context")(function* (change: Change, wanted: ReadonlyArray<LinkFields>) {
        const { teamId } = change.actor
        const named = wanted.map(({ companyId, contactId }) => ({
          contact: Id.toUuid("contact", contactId),
          company: Id.toUuid("company", companyId)
        }))
        // Links are locked before contacts, and contacts before companies, as by all writers.
        const links = yield* lockPairs(
          teamId,
          named.flatMap(({ company, contact }) =>
            contact === undefined || company === undefined ? [] : [{ contact, company }]
          )
        )
        const contacts = yield* ends(teamId, "contact", [...new Set(named.flatMap(({ contact }) => contact ?? []))])
        const companies = yield* ends(teamId, "company", [...new Set(named.flatMap(({ company }) => company ?? []))])
        return writeContextOf({ contacts: new Set<string>(contacts), companies: new Set<string>(companies), links })
      })

      const lockOf = Effect.fn("LinksRepo.lockOf")(function* (teamId: string, of: LinkedTo) {
        const condition =
          "contacts" in of
            ? sql`contact_id = any(${of.contacts}::uuid[])`
            : sql`company_id = any(${of.companies}::uuid[])`
        const rows = yield* orDie(sql<{ readonly id: string }>`
          select id from links where team_id = ${teamId} and ${condition} and deleted_at is null`)
        const locked = yield* table.lock(
          teamId,
          rows.map(({ id }) => id)
        )
        // While the lock waited, some may have been deleted.
        return locked.filter(({ deleted }) => !deleted)
      })

      return LinksRepo.of({ ...table, list, context, lockOf })
    })
  )
}
