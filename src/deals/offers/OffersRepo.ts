/**
 * The SQL of offers: reads of an investor's team, scoped by it, and writes of the offers of a broker's prospects or projects, which
 * belong to several teams and are scoped by the broker's.
 */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { DueRows } from "../../core/mutation/Delta.ts"
import { byCell, inCells, inEach } from "../../platform/db/Cells.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { Offer, OfferAnswer, OfferCategory, OfferFilter, OfferState, StoredOffer } from "./Offer.ts"
import type { SqlError } from "effect/sql/SqlError"
import type { Projection } from "../teasers/projection/Projection.ts"
import { statusOf } from "./rules.ts"

interface Row {
  readonly id: string
  readonly team_id: string
  readonly version: string
  readonly created_at: Date
  readonly updated_at: Date
  readonly change_type: string
  readonly change_origin: string
  readonly user_id: string
  readonly broker_team_id: string
  readonly project_id: string
  readonly prospect_id: string | null
  readonly category: OfferCategory
  readonly projection: Projection | null
  readonly read_at: Date | null
  readonly answer: OfferAnswer | null
  readonly answered_at: Date | null
  readonly rejection_reason: string | null
  readonly expires_at: Date | null
  readonly expired_at: Date | null
  readonly removed_at: Date | null
  readonly withdrawn_at: Date | null
  readonly closed_at: Date | null
}

const toStored = (row: Row): StoredOffer => ({
  uuid: row.id,
  teamId: row.team_id,
  version: Number(row.version),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  changeType: row.change_type,
  changeOrigin: row.change_origin,
  state: {
    userId: row.user_id,
    brokerTeamId: row.broker_team_id,
    projectId: row.project_id,
    prospectId: row.prospect_id,
    category: row.category,
    projection: row.projection,
    readAt: row.read_at,
    answer: row.answer,
    answeredAt: row.answered_at,
    rejectionReason: row.rejection_reason,
    expiresAt: row.expires_at,
    expiredAt: row.expired_at,
    removedAt: row.removed_at,
    withdrawnAt: row.withdrawn_at,
    closedAt: row.closed_at
  }
})

/** Which of a team's offers to list, the newest first. */
export interface OfferRange {
  readonly filter: OfferFilter
  readonly now: Date
  readonly before: { readonly at: string; readonly id: string } | undefined
  readonly limit: number
}

/** A new offer of a team. */
export interface NewOffer {
  readonly uuid: string
  readonly teamId: string
  readonly state: OfferState
}

/** An offer with the state to write. */
export interface OfferUpdate {
  readonly stored: StoredOffer
  readonly state: OfferState
  /** Whether its team sees a difference: else even the time of the update stays. */
  readonly isVisible: boolean
}

/** The offers of a broker's prospects (UUIDs), those of a project, or those of its seller, which have no prospect. */
export type OffersOf =
  | { readonly prospects: ReadonlyArray<string> }
  | { readonly project: string }
  | { readonly sellerOf: string }

const make = Effect.gen(function* () {
  const sql = yield* Database

  const columns = sql.literal(
    `id, team_id, version::text, created_at, updated_at, change_type, change_origin, user_id, broker_team_id, project_id,
     prospect_id, category, projection, read_at, answer, answered_at, rejection_reason, expires_at, expired_at, removed_at,
     withdrawn_at, closed_at`
  )

  /** One offer of a team. */
  const find = Effect.fn("OffersRepo.find")(function* (teamId: string, uuid: string) {
    const [row] = yield* orDie(sql<Row>`select ${columns} from offers where team_id = ${teamId} and id = ${uuid}`)
    return row === undefined ? undefined : toStored(row)
  })

  /** How a team answered these offers (UUIDs), whatever became of them since. */
  const answersOf = Effect.fn("OffersRepo.answersOf")(function* (teamId: string, uuids: ReadonlyArray<string>) {
    return yield* orDie(sql<{ readonly id: string; readonly answer: OfferAnswer }>`
      select id, answer from offers
      where team_id = ${teamId} and id = any(${uuids}::uuid[]) and answer is not null`)
  })

  /** Locks an offer of a team until the transaction ends, and returns its latest state. */
  const lock = Effect.fn("OffersRepo.lock")(function* (teamId: string, uuid: string) {
    const [row] = yield* orDie(sql<Row>`
      select ${columns} from offers where team_id = ${teamId} and id = ${uuid} for update`)
    return row === undefined ? undefined : toStored(row)
  })

  const isNotRemoved = sql`removed_at is null and withdrawn_at is null`

  /** The condition of a filter. An offer that has ended is expired before the job records that. */
  const meets = (filter: OfferFilter, now: Date) => {
    const isOpen = sql`(expires_at is null or expires_at > ${now}::timestamptz)`
    switch (filter) {
      case "all":
        return isNotRemoved
      case "active":
        return sql`(status = 'accepted' or status in ('unanswered', 'pending') and ${isOpen})`
      case "ongoing":
        return sql`status = 'accepted'`
      case "inactive":
        return sql`(status in ('rejected', 'expired', 'closed') or status in ('unanswered', 'pending') and not ${isOpen})`
      case "removed":
        return sql`status = 'removed'`
      case "unread":
        return sql`read_at is null and ${isNotRemoved}`
      case "unanswered":
        return sql`status = 'unanswered' and ${isOpen}`
      case "invitations":
        return sql`status = 'pending' and category = 'invitation' and ${isOpen}`
      case "selling":
        return sql`status = 'accepted' and category = 'selling'`
    }
  }

  /** A range of a team's offers, the newest first; with `unanswered`, the one that has waited longest. */
  const list = Effect.fn("OffersRepo.list")(function* (teamId: string, { before, filter, limit, now }: OfferRange) {
    const conditions = [sql`team_id = ${teamId}`, meets(filter, now)]
    if (before !== undefined) {
      conditions.push(sql`(created_at, id) < (${before.at}::timestamptz, ${before.id}::uuid)`)
    }
    const order =
      filter === "unanswered"
        ? sql`order by created_at, id limit 1`
        : sql`order by created_at desc, id desc limit ${limit}`
    // The plan is for the values: few or many offers may meet a filter.
    const rows = yield* orDie(sql<Row>`select ${columns} from offers where ${sql.and(conditions)} ${order}`.unprepared)
    return (rows as ReadonlyArray<Row>).map(toStored)
  })

  /** Marks an offer of the change's team as read; returns whether it was not before. */
  const markRead = Effect.fn("OffersRepo.markRead")(function* (change: Change, uuid: string) {
    const marked = yield* orDie(sql`
      update offers set version = version + 1, updated_at = ${change.at}, change_type = 'updated',
        change_origin = ${change.actor.origin}, read_at = ${change.at}
      where id = ${uuid} and team_id = ${change.actor.teamId} and read_at is null
      returning id`)
    return marked.length > 0
  })

  const isOf = (brokerTeamId: string, of: OffersOf) => {
    if ("prospects" in of) return sql`prospect_id = any(${of.prospects}::uuid[]) and broker_team_id = ${brokerTeamId}`
    if ("project" in of) return sql`project_id = ${of.project} and broker_team_id = ${brokerTeamId}`
    return sql`project_id = ${of.sellerOf} and category = 'selling' and broker_team_id = ${brokerTeamId}`
  }

  /** Runs a statement about the offers of a broker, which are rows of other teams, in each cell that has some. */
  const inCellsOf = <A>(brokerTeamId: string, statement: Effect.Effect<ReadonlyArray<A>, SqlError>) =>
    sql.cells === undefined
      ? orDie(statement)
      : Effect.flatMap(
          orDie(sql<{ readonly cell: string }>`select cell from offer_cells where broker_team_id = ${brokerTeamId}`),
          (cells) =>
            inCells(
              cells.map(({ cell }) => cell),
              orDie(statement)
            )
        )

  /** Locks the offers of a broker's prospects or project, whosever they are, and returns them. */
  const lockOf = Effect.fn("OffersRepo.lockOf")(function* (brokerTeamId: string, of: OffersOf) {
    const rows = yield* inCellsOf(
      brokerTeamId,
      sql<Row>`select ${columns} from offers where ${isOf(brokerTeamId, of)} order by id for update`
    )
    return rows.map(toStored)
  })

  /** Locks these offers (UUIDs) of a broker's prospects, and returns them. */
  const lockAll = Effect.fn("OffersRepo.lockAll")(function* (brokerTeamId: string, uuids: ReadonlyArray<string>) {
    const rows = yield* inCellsOf(
      brokerTeamId,
      sql<Row>`
        select ${columns} from offers
        where id = any(${uuids}::uuid[]) and broker_team_id = ${brokerTeamId} order by id for update`
    )
    return rows.map(toStored)
  })

  /** Offers of any broker that ended without an answer, and whose end is not recorded; the first to end. */
  const ended = Effect.fn("OffersRepo.ended")(function* (now: Date, { failed, limit }: DueRows) {
    const rows = yield* inEach(
      sql,
      orDie(sql<Row>`
        select ${columns} from offers
        where status in ('pending', 'unanswered') and expires_at <= ${now}::timestamptz
          and broker_team_id <> all(${failed}::uuid[])
        order by expires_at limit ${limit}`)
    )
    return rows.slice(0, limit).map(toStored)
  })

  /** As {@link lockOf}, without locking. */
  const findOf = Effect.fn("OffersRepo.findOf")(function* (brokerTeamId: string, of: OffersOf) {
    const rows = yield* inCellsOf(
      brokerTeamId,
      sql<Row>`select ${columns} from offers where ${isOf(brokerTeamId, of)} order by id`
    )
    return rows.map(toStored)
  })

  /** The offers of a broker's prospects, by their UUIDs, the oldest first. */
  const idsOf = Effect.fn("OffersRepo.idsOf")(function* (brokerTeamId: string, prospects: ReadonlyArray<string>) {
    const rows = yield* inCellsOf(
      brokerTeamId,
      sql<{ readonly id: string; readonly prospect_id: string; readonly created_at: Date }>`
        select id, prospect_id, created_at from offers where ${isOf(brokerTeamId, { prospects })} order by created_at, id`
    )
    const inOrder = rows.toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1))
    const byProspect = Map.groupBy(inOrder, ({ prospect_id }) => prospect_id)
    return new Map([...byProspect].map(([uuid, of]) => [uuid, of.map(({ id }) => id)]))
  })

  /** Those of these prospects (UUIDs) that have an invitation which can still be answered. */
  const invited = Effect.fn("OffersRepo.invited")(function* (
    brokerTeamId: string,
    prospects: ReadonlyArray<string>,
    now: Date
  ) {
    const rows = yield* inCellsOf(
      brokerTeamId,
      sql<{ readonly prospect_id: string }>`
        select distinct prospect_id from offers
        where ${isOf(brokerTeamId, { prospects })} and category = 'invitation' and status = 'pending'
          and (expires_at is null or expires_at > ${now}::timestamptz)`
    )
    return new Set(rows.map(({ prospect_id }) => prospect_id))
  })

  const toColumns = (state: OfferState, now: Date) => ({
    user_id: state.userId,
    broker_team_id: state.brokerTeamId,
    project_id: state.projectId,
    prospect_id: state.prospectId,
    category: state.category,
    projection: state.projection,
    status: statusOf(state, now),
    read_at: state.readAt,
    answer: state.answer,
    answered_at: state.answeredAt,
    rejection_reason: state.rejectionReason,
    expires_at: state.expiresAt,
    expired_at: state.expiredAt,
    removed_at: state.removedAt,
    withdrawn_at: state.withdrawnAt,
    closed_at: state.closedAt
  })

  const names = [
    ["user_id", "uuid"],
    ["broker_team_id", "uuid"],
    ["project_id", "uuid"],
    ["prospect_id", "uuid"],
    ["category", "text"],
    ["projection", "jsonb"],
    ["status", "text"],
    ["read_at", "timestamptz"],
    ["answer", "text"],
    ["answered_at", "timestamptz"],
    ["rejection_reason", "text"],
    ["expires_at", "timestamptz"],
    ["expired_at", "timestamptz"],
    ["removed_at", "timestamptz"],
    ["withdrawn_at", "timestamptz"],
    ["closed_at", "timestamptz"]
  ] as const
  const definitions = sql.literal(names.map(([name, type]) => `${name} ${type}`).join(", "))
  const listed = sql.literal(names.map(([name]) => name).join(", "))
  const assignments = sql.literal(names.map(([name]) => `${name} = row.${name}`).join(", "))

  const ofTeam = ({ team_id }: { readonly team_id: string }) => team_id

  /** Remembers which cells have offers of which brokers. It stays when they are gone. */
  const rememberCells = Effect.fnUntraced(function* (offers: ReadonlyArray<NewOffer>) {
    if (sql.cells === undefined) return
    const pairs = offers.map(({ state, teamId }) => ({ broker: state.brokerTeamId, investor: teamId }))
    yield* orDie(sql`
      insert into offer_cells (broker_team_id, cell)
      select distinct broker, cell
      from jsonb_to_recordset(${sql.json(pairs)}) as pair (broker uuid, investor uuid)
      join team_cells on team_cells.team_id = investor
      order by broker, cell
      on conflict do nothing`)
  })

  /** Inserts offers of several teams; returns those that were, since a team has one offer of a prospect. */
  const insert = Effect.fn("OffersRepo.insert")(function* (change: Change, offers: ReadonlyArray<NewOffer>) {
    if (offers.length === 0) return []
    const rows = offers.map(({ state, teamId, uuid }) => ({
      ...toColumns(state, change.at),
      id: uuid,
      team_id: teamId
    }))
    const inserted = yield* byCell(sql, rows, ofTeam, (ofCell) =>
      orDie(sql<{ readonly id: string }>`
        insert into offers (id, team_id, version, created_at, updated_at, change_type, change_origin, ${listed})
        select id, team_id, 1, ${change.at}::timestamptz, ${change.at}::timestamptz, 'created',
          ${change.actor.origin}::text, ${listed}
        from jsonb_to_recordset(${sql.json(ofCell)}) as row (id uuid, team_id uuid, ${definitions})
        order by team_id, prospect_id, project_id
        on conflict do nothing
        returning id`)
    )
    yield* rememberCells(offers)
    const ids = new Set(inserted.map(({ id }) => id))
    return offers.filter(({ uuid }) => ids.has(uuid))
  })

  /** Writes the next versions of locked offers, of several teams. */
  const update = Effect.fn("OffersRepo.update")(function* (change: Change, updates: ReadonlyArray<OfferUpdate>) {
    if (updates.length === 0) return
    const rows = updates.map(({ isVisible, state, stored }) => ({
      ...toColumns(state, change.at),
      id: stored.uuid,
      team_id: stored.teamId,
      is_visible: isVisible
    }))
    yield* byCell(sql, rows, ofTeam, (ofCell) =>
      orDie(sql`
        update offers set version = offers.version + 1,
          updated_at = case when is_visible then ${change.at}::timestamptz else offers.updated_at end,
          change_type = case when is_visible then 'updated' else offers.change_type end,
          change_origin = case when is_visible then ${change.actor.origin}::text else offers.change_origin end, ${assignments}
        from jsonb_to_recordset(${sql.json(ofCell)}) as row (id uuid, team_id uuid, is_visible boolean, ${definitions})
        where offers.id = row.id and offers.team_id = row.team_id`)
    )
  })

  /**
   * Takes locked offers off their prospects, which others of their teams are given before these are written: a team has one offer of a
   * prospect.
   */
  const makeRoom = Effect.fn("OffersRepo.makeRoom")(function* (change: Change, offers: ReadonlyArray<StoredOffer>) {
    if (offers.length === 0) return
    yield* byCell(
      sql,
      offers,
      ({ teamId }) => teamId,
      (ofCell) => {
        const [teams, uuids] = [ofCell.map(({ teamId }) => teamId), ofCell.map(({ uuid }) => uuid)]
        // Its own id is that of no prospect.
        return orDie(sql`
          update offers set prospect_id = offers.id
          from unnest(${teams}::uuid[], ${uuids}::uuid[]) as held (team, id)
          where offers.team_id = held.team and offers.id = held.id
            and offers.broker_team_id = ${change.actor.teamId}`)
      }
    )
  })

  return {
    find,
    answersOf,
    list,
    markRead,
    lock,
    lockOf,
    lockAll,
    ended,
    findOf,
    idsOf,
    invited,
    insert,
    makeRoom,
    update
  }
})

/** The offers of teams. */
export class OffersRepo extends Context.Service<OffersRepo, Effect.Success<typeof make>>()("deals/offers/OffersRepo") {
  static readonly layer = Layer.effect(OffersRepo, make)
}

// The SQL of the people that answers for offers name.

interface CardRow {
  readonly project_id: string
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly profile_picture_url: string | null
}

/** A project and the broker's team that it belongs to (UUIDs). */
interface ProjectOfBroker {
  readonly project_id: string
  readonly team_id: string
}

const makePeople = Effect.gen(function* () {
  const sql = yield* Database

  /** Who answers for projects: their owners, while they belong to the broker's team, else whom the team names. */
  const brokersOf = Effect.fnUntraced(function* (projects: ReadonlyArray<ProjectOfBroker>) {
    if (projects.length === 0) return []
    const owners = yield* byCell(
      sql,
      projects,
      ({ team_id }) => team_id,
      (ofCell) =>
        orDie(sql<ProjectOfBroker & { readonly owner_id: string | null }>`
          select project_id, wanted.team_id, projects.owner_id
          from jsonb_to_recordset(${sql.json(ofCell)}) as wanted (project_id uuid, team_id uuid)
          left join projects on projects.id = project_id and projects.team_id = wanted.team_id`)
    )
    return yield* orDie(sql<CardRow>`
      select project_id, person.id, person.name, person.email, person.phone, person.profile_picture_url
      from jsonb_to_recordset(${sql.json(owners)}) as wanted (project_id uuid, team_id uuid, owner_id uuid)
      join teams on teams.id = wanted.team_id
      left join memberships owner on owner.user_id = wanted.owner_id and owner.team_id = teams.id
        and owner.status = 'active'
      join users person on person.id = coalesce(owner.user_id, teams.contact_person_id)`)
  })

  /** The people that answers for offers name, and the language of the reader (UUID): recipients by UUID, brokers by offer. */
  const find = Effect.fn("OfferPeopleRepo.find")(function* (
    offers: ReadonlyArray<StoredOffer>,
    readerId: string | null
  ) {
    const users = [...new Set([...offers.map(({ state }) => state.userId), ...(readerId === null ? [] : [readerId])])]
    const named = yield* orDie(sql<{ readonly id: string; readonly name: string; readonly ui_culture: string }>`
      select id, name, ui_culture from users where id = any(${users}::uuid[])`)
    const accepted = offers.filter(({ state }) => state.answer === "accepted")
    const projects = new Map(
      accepted.map(({ state: { brokerTeamId, projectId } }) => [
        projectId,
        { project_id: projectId, team_id: brokerTeamId }
      ])
    )
    const brokers = yield* brokersOf([...projects.values()])
    const cardsByProject = new Map(
      brokers.map(({ email, id, name, phone, profile_picture_url, project_id }) => {
        const card: NonNullable<Offer["brokerContact"]> = {
          id: Id.fromUuid("user", id),
          name,
          email,
          phone,
          profilePictureUrl: profile_picture_url
        }
        return [project_id, card]
      })
    )
    return {
      names: new Map(named.map(({ id, name }) => [id, name])),
      language: named.find(({ id }) => id === readerId)?.ui_culture ?? "en",
      cards: new Map(
        accepted.flatMap(({ state, uuid }) => {
          const card = cardsByProject.get(state.projectId)
          return card === undefined ? [] : [[uuid, card] as const]
        })
      )
    }
  })
  return { find }
})

/** The people that answers for offers name. */
export class OfferPeopleRepo extends Context.Service<OfferPeopleRepo, Effect.Success<typeof makePeople>>()(
  "deals/offers/OfferPeopleRepo"
) {
  static readonly layer = Layer.effect(OfferPeopleRepo, makePeople)
}
