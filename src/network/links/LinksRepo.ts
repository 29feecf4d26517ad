/** All SQL of links, scoped by team. */
import * as Id from "../../core/Id.ts"
import * as RecordTable from "../../core/records/RecordTable.ts"
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { Range } from "../../core/mutation/DeltaList.ts"
import { arrayParameter, averageTeam, chunkOf } from "../../platform/db/SetStatements.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { maxRefs } from "../../core/externalRefs/ExternalRef.ts"
import { idOf, type Table, text } from "../../core/records/Table.ts"
import type { Link, LinkListQuery } from "./Link.ts"
import { type LinkFields, type Reassignment, writeContextOf } from "./rules.ts"

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

const make = Effect.gen(function* () {
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
  const ends = Effect.fnUntraced(function* (teamId: string, type: "company" | "contact", uuids: ReadonlyArray<string>) {
    if (uuids.length === 0) return []
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from ${sql.literal(type === "contact" ? "contacts" : "companies")}
      where team_id = ${teamId} and id = any(${arrayParameter(sql, "uuid", uuids)}) and deleted_at is null
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
      from ${averageTeam(sql, teamId)} as team,
      jsonb_to_recordset(${sql.json(pairs)}) as wanted (contact uuid, company uuid), lateral (
        (select id from links
        where links.team_id = team.team_id and contact_id = wanted.contact and company_id = wanted.company
          and deleted_at is null)
        union all
        (select id from links
        where links.team_id = team.team_id and contact_id = wanted.contact and company_id = wanted.company
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

  const isOf = (of: LinkedTo) =>
    "contacts" in of ? sql`contact_id = any(${of.contacts}::uuid[])` : sql`company_id = any(${of.companies}::uuid[])`

  /** Locks these links, and returns those that live: while the lock waited, some may have been deleted. */
  const lockLiving = (teamId: string, uuids: ReadonlyArray<string>) =>
    Effect.map(table.lock(teamId, uuids), (locked) => locked.filter(({ deleted }) => !deleted))

  /** Locks links of these contacts or companies until the transaction ends, at most `limit`, and returns them. */
  const lockOf = Effect.fn("LinksRepo.lockOf")(function* (teamId: string, of: LinkedTo, limit: number) {
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from links where team_id = ${teamId} and ${isOf(of)} and deleted_at is null
      order by id limit ${limit + 1}`)
    const { left, taken } = chunkOf(rows, limit)
    const locked = yield* lockLiving(
      teamId,
      taken.map(({ id }) => id)
    )
    return { taken: locked, left }
  })

  /** The columns of what is merged, and of what its links join it with. */
  const columnsOf = ({ type }: Reassignment) =>
    type === "contact"
      ? { merged: sql.literal("contact_id"), joined: sql.literal("company_id") }
      : { merged: sql.literal("company_id"), joined: sql.literal("contact_id") }

  /**
   * Locks links of merged contacts or companies until the transaction ends, at most `limit`, and with them those of the one that they
   * are merged into which join the same pairs.
   */
  const lockMerging = Effect.fn("LinksRepo.lockMerging")(function* (
    teamId: string,
    reassignment: Reassignment,
    limit: number
  ) {
    const { from, to } = reassignment
    const { joined, merged } = columnsOf(reassignment)
    const rows = yield* orDie(sql<{ readonly id: string; readonly joined: string }>`
      select id, ${joined} as joined from links
      where team_id = ${teamId} and ${merged} = any(${from}::uuid[]) and deleted_at is null
      order by id limit ${limit + 1}`)
    const { left, taken } = chunkOf(rows, limit)
    const same = yield* orDie(sql<{ readonly id: string }>`
      select id from links
      where team_id = ${teamId} and ${merged} = any(${[...from, to]}::uuid[])
        and ${joined} = any(${[...new Set(taken.map((row) => row.joined))]}::uuid[]) and deleted_at is null`)
    const locked = yield* lockLiving(teamId, [...new Set([...taken, ...same].map(({ id }) => id))])
    return { taken: locked, left }
  })

  /** A contact or company (UUID) whose link would have more references after this merge than a link may have. */
  const findOverfull = Effect.fn("LinksRepo.findOverfull")(function* (teamId: string, reassignment: Reassignment) {
    const { from, to } = reassignment
    const { joined, merged } = columnsOf(reassignment)
    const [row] = yield* orDie(sql<{ readonly joined: string }>`
      select ${joined} as joined from links
      join external_references held
        on held.resource_id = links.id and held.team_id = links.team_id and held.resource_type = 'link'
      where links.team_id = ${teamId} and ${merged} = any(${[...from, to]}::uuid[]) and deleted_at is null
      group by ${joined} having count(*) > ${maxRefs} limit 1`)
    return row?.joined
  })

  const countOfEnds = Effect.fnUntraced(function* (
    teamId: string,
    type: "company" | "contact",
    ids: ReadonlyArray<string>,
    atMost: number
  ) {
    const uuids = [...new Set(ids)].flatMap((id) => Id.toUuid(type, id) ?? [])
    const rows = yield* orDie(sql<{ readonly id: string; readonly count: number }>`
      select wanted.id, (
        select count(*)::int from (
          select from links
          where team_id = ${teamId} and ${sql.literal(`${type}_id`)} = wanted.id and deleted_at is null
          limit ${atMost}
        ) counted
      ) as count
      from unnest(${uuids}::uuid[]) as wanted (id)`)
    return rows.map(({ count, id }) => [Id.fromUuid(type, id), count] as const)
  })

  /** The numbers of links, up to `atMost`, of the contacts and companies that these name, by their ids. */
  const countOf = Effect.fn("LinksRepo.countOf")(function* (
    teamId: string,
    named: ReadonlyArray<LinkFields>,
    atMost: number
  ) {
    return new Map<string, number>([
      ...(yield* countOfEnds(
        teamId,
        "contact",
        named.map(({ contactId }) => contactId),
        atMost
      )),
      ...(yield* countOfEnds(
        teamId,
        "company",
        named.map(({ companyId }) => companyId),
        atMost
      ))
    ])
  })

  return { ...table, list, context, lockOf, lockMerging, findOverfull, countOf }
})

/** The links of teams. */
export class LinksRepo extends Context.Service<LinksRepo, Effect.Success<typeof make>>()("network/links/LinksRepo") {
  static readonly layer = Layer.effect(LinksRepo, make)
}
