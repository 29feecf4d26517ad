/** The SQL of what was sent to which addresses: of a broker's team, and by address, whoever sent it. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { Fragment } from "effect/sql/Statement"
import { byCell, inEach } from "../../platform/db/Cells.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { Address, OfferCategory, SentTo } from "./Offer.ts"
import type { Projection } from "../teasers/projection/Projection.ts"

interface Row {
  readonly project_id: string
  readonly prospect_id: string | null
  readonly email: string
  readonly category: OfferCategory
  readonly projection: Projection | null
  readonly expires_at: Date | null
}

const toSent = (row: Row): SentTo => ({
  email: row.email,
  projectId: row.project_id,
  prospectId: row.prospect_id,
  category: row.category,
  projection: row.projection,
  expiresAt: row.expires_at
})

/** Something that somebody can receive now, and who it is: the user, and their primary team (UUIDs). */
export interface Receivable extends SentTo {
  readonly brokerTeamId: string
  readonly teamId: string
  readonly userId: string
}

/** What a prospect (UUID) was sent of the teaser of its project. */
interface TeaserSent {
  readonly prospectUuid: string
  readonly at: Date
  readonly isPresent: boolean
}

/** What to look for: what was sent to these prospects, about a project, or to a user (UUIDs). */
export type SentOf =
  | { readonly prospects: ReadonlyArray<string> }
  | { readonly project: string }
  | { readonly user: string }

/** Any number: the key of the lock that orders communications and new investors. */
const lockKey = 7_302_518_446

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** Until the transaction ends, nobody becomes an investor: those who do later find what this transaction sends. */
  const holdInvestors = Effect.fn("CommunicationsRepo.holdInvestors")(function* () {
    yield* orDie(sql`select pg_advisory_xact_lock_shared(${lockKey})`)
  })

  /** Waits for the transactions that are sending something, and holds others until this one ends. */
  const holdCommunications = Effect.fn("CommunicationsRepo.holdCommunications")(function* () {
    yield* orDie(sql`select pg_advisory_xact_lock(${lockKey})`)
  })

  /** The addresses of prospects: that of the contact, or those of the contacts that are linked to the company. */
  const addressesOf = Effect.fn("CommunicationsRepo.addressesOf")(function* (
    teamId: string,
    prospects: ReadonlyArray<string>
  ) {
    return yield* orDie(sql<Address>`
      select p.id as "prospectId", lower(c.email) as email
      from prospects p join contacts c on c.id = p.contact_id and c.team_id = p.team_id
      where p.team_id = ${teamId} and p.id = any(${prospects}::uuid[]) and c.deleted_at is null and c.email is not null
      union
      select p.id, lower(c.email)
      from prospects p
      join links l on l.team_id = p.team_id and l.company_id = p.company_id and l.deleted_at is null
      join contacts c on c.id = l.contact_id and c.team_id = l.team_id
      where p.team_id = ${teamId} and p.id = any(${prospects}::uuid[]) and c.deleted_at is null and c.email is not null`)
  })

  /** The address of a contact, or of the one that it was merged into. */
  const addressOfContact = Effect.fn("CommunicationsRepo.addressOfContact")(function* (teamId: string, uuid: string) {
    const [row] = yield* orDie(sql<{ readonly email: string | null }>`
      select lower(survivor.email) as email
      from contacts named
      join contacts survivor on survivor.id = coalesce(named.merged_into, named.id) and survivor.team_id = named.team_id
      where named.team_id = ${teamId} and named.id = ${uuid} and survivor.deleted_at is null`)
    return row?.email ?? undefined
  })

  /** Keeps what is sent to the seller of a project; what was sent to the same address before is replaced. */
  const sendToSeller = Effect.fn("CommunicationsRepo.sendToSeller")(function* (
    change: Change,
    { email, projectId, projection }: Pick<SentTo, "email" | "projectId" | "projection">
  ) {
    yield* orDie(sql`
      insert into communications (id, team_id, project_id, email, category, projection, communicated_at)
      values (${yield* change.newId}, ${change.actor.teamId}, ${projectId}, ${email}, 'selling', ${sql.json(projection)},
        ${change.at})
      on conflict (project_id, email) where prospect_id is null do update set
        projection = excluded.projection, communicated_at = excluded.communicated_at`)
  })

  /** What was sent to prospects. */
  const sentTo = Effect.fn("CommunicationsRepo.sentTo")(function* (teamId: string, prospects: ReadonlyArray<string>) {
    const rows = yield* orDie(sql<Row>`
      select project_id, prospect_id, email, category, projection, expires_at from communications
      where team_id = ${teamId} and prospect_id = any(${prospects}::uuid[])`)
    return rows.map(toSent)
  })

  /**
   * Which prospects on the list of a project (UUID) were sent its teaser, when last, and whether all their addresses have this version of
   * it.
   */
  const teasersOf = Effect.fn("CommunicationsRepo.teasersOf")(function* (
    teamId: string,
    projectUuid: string,
    present: Projection
  ) {
    return yield* orDie(sql<TeaserSent>`
      select c.prospect_id as "prospectUuid", max(c.communicated_at) as at,
        bool_and(c.projection = ${sql.json(present)}::jsonb) as "isPresent"
      from communications c
      join prospects p on p.id = c.prospect_id and p.team_id = c.team_id and p.deleted_at is null and p.removed_at is null
      where c.team_id = ${teamId} and c.project_id = ${projectUuid} and c.category = 'buying'
      group by c.prospect_id`)
  })

  /** Keeps what is sent to prospects; what was sent to the same address for the same prospect before is replaced. */
  const send = Effect.fn("CommunicationsRepo.send")(function* (change: Change, sent: ReadonlyArray<SentTo>) {
    if (sent.length === 0) return
    const rows: Array<object> = []
    for (const one of sent) {
      rows.push({
        id: yield* change.newId,
        project_id: one.projectId,
        prospect_id: one.prospectId,
        email: one.email,
        category: one.category,
        projection: one.projection,
        expires_at: one.expiresAt
      })
    }
    yield* orDie(sql`
      insert into communications (
        id, team_id, project_id, prospect_id, email, category, projection, expires_at, communicated_at
      )
      select id, ${change.actor.teamId}::uuid, project_id, prospect_id, email, category, projection, expires_at,
        ${change.at}::timestamptz
      from jsonb_to_recordset(${sql.json(rows)}) as row (
        id uuid, project_id uuid, prospect_id uuid, email text, category text, projection jsonb, expires_at timestamptz
      )
      order by prospect_id, email
      on conflict (prospect_id, email) where prospect_id is not null do update set
        category = excluded.category, projection = excluded.projection, expires_at = excluded.expires_at,
        communicated_at = excluded.communicated_at`)
  })

  /**
   * Gives what was sent to these prospects (UUIDs) to others, unless the same address has got something for the other one. A teaser takes
   * the place of an invitation.
   */
  const move = Effect.fn("CommunicationsRepo.move")(function* (
    teamId: string,
    moves: ReadonlyArray<{ readonly from: string; readonly to: string }>
  ) {
    if (moves.length === 0) return
    const moving = sql`
      unnest(${moves.map(({ from }) => from)}::uuid[], ${moves.map(({ to }) => to)}::uuid[]) as m (from_id, to_id)`
    yield* orDie(sql`
      delete from communications present
      using ${moving} join communications teaser on teaser.prospect_id = m.from_id and teaser.team_id = ${teamId}
      where present.team_id = ${teamId} and present.prospect_id = m.to_id and present.category = 'invitation'
        and teaser.email = present.email and teaser.category = 'buying'`)
    yield* orDie(sql`
      update communications set prospect_id = moved.to_id
      from (
        select distinct on (m.to_id, c.email) c.id, m.to_id
        from ${moving}
        join communications c on c.prospect_id = m.from_id and c.team_id = ${teamId}
        where not exists (
          select from communications o where o.team_id = c.team_id and o.prospect_id = m.to_id and o.email = c.email
        )
        order by m.to_id, c.email, c.category, c.communicated_at desc
      ) as moved
      where communications.id = moved.id and communications.team_id = ${teamId}`)
  })

  interface Sent extends Row {
    readonly broker_team_id: string
    readonly communicated_at: Date
  }

  interface Investor {
    readonly email: string
    readonly user_id: string
    readonly team_id: string
  }

  const isInvestor = sql`not u.is_bot and u.email_confirmed and u.investor = 'active'`

  /** What can be received of what was sent, by a condition about `c`. */
  const openSent = (condition: Fragment, now: Date) =>
    orDie(sql<Sent>`
      select c.project_id, c.prospect_id, c.email, c.category, c.projection, c.expires_at, c.team_id as broker_team_id,
        c.communicated_at
      from communications c
      join projects on projects.id = c.project_id and projects.team_id = c.team_id and projects.closed_at is null
        and projects.deleted_at is null
      left join prospects p on p.id = c.prospect_id and p.team_id = c.team_id
      where ${condition} and (c.prospect_id is null or (p.deleted_at is null and p.removed_at is null))
        and (c.expires_at is null or c.expires_at > ${now}::timestamptz)
      order by c.category, c.communicated_at`)

  /** The investors among users, by a condition about `u`, with their primary teams. */
  const investors = (condition: Fragment) =>
    orDie(sql<Investor>`
      select lower(u.email) as email, u.id as user_id, m.team_id
      from users u join memberships m on m.user_id = u.id and m.is_primary and m.status = 'active'
      join teams t on t.id = m.team_id and t.deleted_at is null
      where ${condition} and ${isInvestor}
      order by u.id`)

  /** What was sent to investors, and who these are. */
  const sentAndInvestors = Effect.fnUntraced(function* (teamId: string, of: SentOf, now: Date) {
    const toThem = (found: ReadonlyArray<Investor>) => sql`c.email = any(${found.map(({ email }) => email)}::text[])`
    if ("user" in of) {
      const found = yield* investors(sql`u.id = ${of.user}`)
      return { found, sent: found.length === 0 ? [] : yield* inEach(sql, openSent(toThem(found), now)) }
    }
    const isSent =
      "prospects" in of
        ? sql`c.team_id = ${teamId} and c.prospect_id = any(${of.prospects}::uuid[])`
        : sql`c.team_id = ${teamId} and c.project_id = ${of.project}`
    const addresses = yield* orDie(sql<{ readonly email: string }>`
      select distinct email from communications c where ${isSent}`)
    const found = yield* investors(sql`lower(u.email) = any(${addresses.map(({ email }) => email)}::text[])`)
    return { found, sent: found.length === 0 ? [] : yield* openSent(sql`${isSent} and ${toThem(found)}`, now) }
  })

  /** Which offers these teams have of these projects and prospects, as keys. */
  const offered = Effect.fnUntraced(function* (wanted: ReadonlyArray<Receivable>) {
    const rows = yield* byCell(
      sql,
      wanted,
      ({ teamId }) => teamId,
      (ofCell) =>
        orDie(sql<{ readonly team_id: string; readonly project_id: string; readonly prospect_id: string | null }>`
          select distinct o.team_id, o.project_id, o.prospect_id
          from jsonb_to_recordset(${sql.json(ofCell.map(({ projectId, teamId }) => ({ project: projectId, team: teamId })))})
            as wanted (team uuid, project uuid)
          join offers o on o.team_id = wanted.team and o.project_id = wanted.project`)
    )
    return new Set(rows.map((row) => `${row.team_id} ${row.project_id} ${row.prospect_id}`))
  })

  /**
   * What somebody can receive now who has no offer of it yet: who has the confirmed address and the investor capability. One per
   * prospect, or seller, and team. What was sent to prospects or about a project is that of the team `teamId`; to a user, anybody's.
   */
  const receivable = Effect.fn("CommunicationsRepo.receivable")(function* (teamId: string, of: SentOf, now: Date) {
    const { found, sent } = yield* sentAndInvestors(teamId, of, now)
    const byEmail = Map.groupBy(found, ({ email }) => email)
    const wanted = new Map<string, Receivable>()
    // The first is kept: of the first category, sent first, to the first user.
    for (const row of sent) {
      for (const { team_id, user_id } of byEmail.get(row.email) ?? []) {
        const key = `${team_id} ${row.project_id} ${row.prospect_id}`
        if (wanted.has(key)) continue
        wanted.set(key, { ...toSent(row), brokerTeamId: row.broker_team_id, teamId: team_id, userId: user_id })
      }
    }
    if (wanted.size === 0) return []
    const known = yield* offered([...wanted.values()])
    return [...wanted].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([key, one]) => (known.has(key) ? [] : [one]))
  })

  return {
    holdInvestors,
    holdCommunications,
    addressesOf,
    addressOfContact,
    sendToSeller,
    sentTo,
    teasersOf,
    send,
    move,
    receivable
  }
})

/** What was sent to addresses. */
export class CommunicationsRepo extends Context.Service<CommunicationsRepo, Effect.Success<typeof make>>()(
  "deals/offers/CommunicationsRepo"
) {
  static readonly layer = Layer.effect(CommunicationsRepo, make)
}
