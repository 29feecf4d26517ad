/** The SQL of teams and their memberships. */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { AreaRange, PriceRange, UnitRange } from "../../core/fields/Measure.ts"
import { maxInlineMembers, sortNameOf } from "./rules.ts"
import type {
  MemberOfOperator,
  MemberOfTeam,
  Plan,
  Role,
  Team,
  TeamCreate,
  TeamMember,
  TeamOfOperator,
  TeamProfile,
  TeamSearch
} from "./Team.ts"

/** A team as a member or an invited user sees it. */
export interface StoredTeam {
  readonly uuid: string
  readonly membershipStatus: "active" | "pending"
  readonly team: Team
}

/** A member with the keys that the list is sorted by. */
export interface StoredMember {
  readonly uuid: string
  readonly sortName: string
  readonly member: TeamMember
}

/** Which of a team's members to read. */
export interface MemberRange {
  readonly role: Role | undefined
  readonly after: { readonly role: string; readonly sortName: string; readonly id: string } | undefined
  readonly limit: number
}

interface MembershipRow extends Omit<MemberOfTeam, "id" | "joinedUtc" | "lastSignInUtc"> {
  readonly userId: string
  readonly sortName: string
  readonly joinedAt: Date
  readonly signedInAt: Date | null
}

/** A membership that is locked. */
export type LockedMembership = Pick<MemberOfTeam, "isBot" | "isDeactivated" | "role" | "status"> & {
  /** UUID. */
  readonly userId: string
}

interface NamedUser {
  readonly id: string
  readonly name: string
}

interface TeamRow {
  readonly id: string
  readonly name: string
  readonly created_at: Date
  readonly plan: string
  readonly categories: ReadonlyArray<string>
  readonly country: string | null
  readonly description: string | null
  readonly homepage_url: string | null
  readonly legal_name: string | null
  readonly profile_picture_url: string | null
  readonly strategy: string | null
  readonly vat_number: string | null
  readonly investment_capacity: PriceRange | null
  readonly leasable_area: AreaRange | null
  readonly property_count: UnitRange | null
  readonly property_value: PriceRange | null
  readonly restricted_investment_size: PriceRange | null
  readonly role: string
  readonly status: StoredTeam["membershipStatus"]
  readonly contact_person_id: string | null
  readonly contact_person_name: string | null
  readonly contact_person_email: string | null
  readonly contact_person_phone: string | null
  readonly contact_person_picture: string | null
  readonly member_count: number | null
}

interface MemberRow {
  readonly team_id: string
  readonly user_id: string
  readonly role: string
  readonly sort_name: string
  readonly joined_at: Date
  readonly name: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly email: string | null
  readonly profile_picture_url: string | null
}

const toMember = (row: MemberRow): StoredMember => ({
  uuid: row.user_id,
  sortName: row.sort_name,
  member: {
    id: Id.fromUuid("user", row.user_id),
    name: row.name,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    role: row.role,
    profilePictureUrl: row.profile_picture_url,
    joinedUtc: row.joined_at.toISOString()
  }
})

const toStored = (row: TeamRow, members: ReadonlyArray<TeamMember>): StoredTeam => ({
  uuid: row.id,
  membershipStatus: row.status,
  team: {
    id: Id.fromUuid("team", row.id),
    name: row.name,
    createdUtc: row.created_at.toISOString(),
    plan: row.plan,
    categories: row.categories,
    membership: { status: row.status, role: row.role },
    contactPerson:
      row.contact_person_id === null
        ? null
        : {
            id: Id.fromUuid("user", row.contact_person_id),
            name: row.contact_person_name ?? "",
            email: row.contact_person_email,
            phone: row.contact_person_phone,
            profilePictureUrl: row.contact_person_picture
          },
    country: row.country,
    description: row.description,
    homepageUrl: row.homepage_url,
    investmentCapacity: row.investment_capacity,
    leasableArea: row.leasable_area,
    legalName: row.legal_name,
    profilePictureUrl: row.profile_picture_url,
    propertyCount: row.property_count,
    propertyValue: row.property_value,
    restrictedInvestmentSize: row.restricted_investment_size,
    strategy: row.strategy,
    vatNumber: row.vat_number,
    ...(row.member_count === null
      ? {}
      : { memberCount: row.member_count, hasMoreMembers: row.member_count > members.length, members })
  }
})

const make = Effect.gen(function* () {
  const sql = yield* Database

  const memberColumns = sql`m.team_id, m.user_id, m.role, m.sort_name, m.joined_at, u.name, u.first_name, u.last_name,
    u.email, u.profile_picture_url`

  const firstMembersOf = Effect.fnUntraced(function* (teamIds: ReadonlyArray<string>) {
    const byTeam = new Map<string, Array<TeamMember>>()
    if (teamIds.length === 0) return byTeam
    const rows = yield* orDie(sql<MemberRow>`
      select ${memberColumns}
      from unnest(${teamIds}::uuid[]) as wanted (team_id)
      cross join lateral (
        select * from memberships
        where team_id = wanted.team_id and status = 'active'
        order by role, sort_name, user_id limit ${maxInlineMembers}
      ) as m
      join users u on u.id = m.user_id
      order by m.team_id, m.role, m.sort_name, m.user_id`)
    for (const row of rows) {
      const members = byTeam.get(row.team_id) ?? []
      members.push(toMember(row).member)
      byTeam.set(row.team_id, members)
    }
    return byTeam
  })

  /**
   * The teams that a user belongs to or is invited to, or only the one with this id. The order is: active before pending,
   * then the primary one, then by the time of joining. Runs two queries, whatever the number of teams and members.
   */
  const ofUser = Effect.fn("TeamsRepo.ofUser")(function* (userId: string, teamId: string | undefined) {
    const conditions = [sql`m.user_id = ${userId}`, sql`t.deleted_at is null`]
    if (teamId !== undefined) conditions.push(sql`m.team_id = ${teamId}`)
    const rows = yield* orDie(sql<TeamRow>`
      select t.id, t.name, t.created_at, t.plan, t.categories, t.country, t.description, t.homepage_url,
        t.legal_name, t.profile_picture_url, t.strategy, t.vat_number, t.investment_capacity, t.leasable_area,
        t.property_count, t.property_value, t.restricted_investment_size, m.role, m.status,
        contact_person.id as contact_person_id, contact_person.name as contact_person_name,
        contact_person.email as contact_person_email, contact_person.phone as contact_person_phone,
        contact_person.profile_picture_url as contact_person_picture,
        case when m.status = 'active' then (
          select count(*)::int from memberships a where a.team_id = m.team_id and a.status = 'active'
        ) end as member_count
      from memberships m
      join teams t on t.id = m.team_id
      left join users contact_person on contact_person.id = t.contact_person_id
      where ${sql.and(conditions)}
      -- alphabetically: active before pending
      order by m.status, m.is_primary desc, m.joined_at, m.team_id`)
    const members = yield* firstMembersOf(rows.filter((row) => row.status === "active").map((row) => row.id))
    return rows.map((row) => toStored(row, members.get(row.id) ?? []))
  })

  /** Active members in order: admins first, then by display name. */
  const members = Effect.fn("TeamsRepo.members")(function* (teamId: string, { after, limit, role }: MemberRange) {
    const conditions = [sql`m.team_id = ${teamId}`, sql`m.status = 'active'`]
    if (role !== undefined) conditions.push(sql`m.role = ${role}`)
    if (after !== undefined) {
      conditions.push(
        sql`(m.role, m.sort_name, m.user_id) > (${after.role}::text, ${after.sortName}::text, ${after.id}::uuid)`
      )
    }
    const rows = yield* orDie(sql<MemberRow>`
      select ${memberColumns} from memberships m join users u on u.id = m.user_id
      where ${sql.and(conditions)}
      -- alphabetically: admin before member
      order by m.role, m.sort_name, m.user_id limit ${limit}`)
    return rows.map(toMember)
  })

  /** The oldest teams, at most `limit`. */
  const oldest = Effect.fn("TeamsRepo.oldest")(function* (limit: number) {
    return yield* orDie(
      sql<{ uuid: string; name: string; isDeleted: boolean }>`
        select id as uuid, name, deleted_at is not null as "isDeleted" from teams order by created_at, id limit ${limit}`
    )
  })

  const ofOperator = sql`
    id, name, plan, created_at as "createdAt", deleted_at as "deletedAt", purge_at as "purgeAt",
    purge_began_at as "purgeBeganAt", open_projects as "openProjects"`

  /** A team, deleted or not, by its id. */
  const find = Effect.fn("TeamsRepo.find")(function* (teamId: string) {
    const [team] = yield* orDie(sql<TeamOfOperator>`select ${ofOperator} from teams where id = ${teamId}`)
    return team
  })

  const states = {
    active: "deleted_at is null",
    deleted: "deleted_at is not null"
  }

  /** At most `limit` teams that have a text in their name and are in a state, the newest first, from the one before this id on. */
  const search = Effect.fn("TeamsRepo.search")(function* (
    { state, text }: TeamSearch,
    before: string | undefined,
    limit: number
  ) {
    const conditions = [
      ...(state === undefined ? [] : [sql.literal(states[state])]),
      ...(text === undefined ? [] : [sql`name ilike ${`%${text.replaceAll(/[\\%_]/g, "\\$&")}%`}`]),
      ...(before === undefined ? [] : [sql`id < ${before}`])
    ]
    return yield* orDie(sql<TeamOfOperator & { readonly members: number }>`
      select ${ofOperator},
        (select count(*)::int from memberships where team_id = teams.id and status = 'active') as members
      from teams where ${conditions.length === 0 ? sql`true` : sql.and(conditions)} order by id desc limit ${limit}`)
  })

  /** The names of teams (UUIDs). */
  const namesOf = Effect.fn("TeamsRepo.namesOf")(function* (ids: ReadonlyArray<string>) {
    if (ids.length === 0) return new Map<string, string>()
    const rows = yield* orDie(sql<{ readonly id: string; readonly name: string }>`
      select id, name from teams where id = any(${ids}::uuid[])`)
    return new Map(rows.map(({ id, name }) => [id, name]))
  })

  /** Locks a team until the transaction ends. */
  const lock = Effect.fn("TeamsRepo.lock")(function* (teamId: string) {
    const [team] = yield* orDie(sql<TeamOfOperator>`select ${ofOperator} from teams where id = ${teamId} for update`)
    return team
  })

  /** The teams that can be purged now, and those that are deleted or that were restored and have projects to reopen. */
  const unfinished = Effect.fn("TeamsRepo.unfinished")(function* () {
    return yield* orDie(sql<TeamOfOperator>`
      select ${ofOperator} from teams where deleted_at is not null
      union all
      select ${ofOperator} from teams where deleted_at is null and open_projects is not null
      order by 1`)
  })

  /** Marks a team as deleted, or as not. */
  const mark = Effect.fn("TeamsRepo.mark")(function* (
    teamId: string,
    {
      deletedAt,
      openProjects,
      purgeAt,
      purgeBeganAt
    }: Pick<TeamOfOperator, "deletedAt" | "openProjects" | "purgeAt" | "purgeBeganAt">
  ) {
    yield* orDie(sql`
      update teams set deleted_at = ${deletedAt}, purge_at = ${purgeAt}, purge_began_at = ${purgeBeganAt},
        open_projects = ${openProjects}::uuid[]
      where id = ${teamId}`)
  })

  /** All members of a team, invited ones too, in the order of their list. */
  const membersOfOperator = Effect.fn("TeamsRepo.membersOfOperator")(function* (teamId: string) {
    return yield* orDie(sql<MemberOfOperator>`
      select u.id, u.name, u.email, u.is_bot as "isBot", m.role, m.status, u.deactivated_at as "deactivatedAt"
      from memberships m join users u on u.id = m.user_id
      where m.team_id = ${teamId}
      order by m.status, m.role, m.sort_name, m.user_id`)
  })

  const json = (range: PriceRange | AreaRange | UnitRange | null | undefined) =>
    range === null || range === undefined ? null : sql.json(range)

  /** Members of a team, invited ones too: active ones first, then by role and display name. */
  const membersOfTeam = Effect.fn("TeamsRepo.membersOfTeam")(function* (
    teamId: string,
    { after, limit, role }: Pick<MemberRange, "limit" | "role"> & { readonly after: ReadonlyArray<string> | undefined }
  ) {
    const conditions = [sql`m.team_id = ${teamId}`]
    if (role !== undefined) conditions.push(sql`m.role = ${role}`)
    if (after !== undefined) {
      const [status = "", ofRole = "", sortName = "", id = ""] = after
      conditions.push(
        sql`(m.status, m.role, m.sort_name, m.user_id) > (${status}::text, ${ofRole}::text, ${sortName}::text, ${id}::uuid)`
      )
    }
    return yield* orDie(sql<MembershipRow>`
      select m.user_id as "userId", u.name, u.email, u.is_bot as "isBot", m.role, m.status, m.sort_name as "sortName",
        u.deactivated_at is not null as "isDeactivated", u.broker, u.investor, m.joined_at as "joinedAt",
        u.signed_in_at as "signedInAt"
      from memberships m join users u on u.id = m.user_id
      where ${sql.and(conditions)}
      -- alphabetically: active before pending, admin before member
      order by m.status, m.role, m.sort_name, m.user_id limit ${limit}`)
  })

  /** Locks the membership of a user and those of the administrators of the team who can sign in, until the transaction ends. */
  const lockMembership = Effect.fn("TeamsRepo.lockMembership")(function* (teamId: string, userId: string) {
    const rows = yield* orDie(sql<LockedMembership>`
      select m.user_id as "userId", m.role, m.status, u.is_bot as "isBot", u.deactivated_at is not null as "isDeactivated"
      from memberships m join users u on u.id = m.user_id
      where m.team_id = ${teamId}
        and (m.user_id = ${userId} or m.role = 'admin' and m.status = 'active' and not u.is_bot and u.deactivated_at is null)
      order by m.user_id for update of m`)
    return { member: rows.find((row) => row.userId === userId), others: rows.filter((row) => row.userId !== userId) }
  })

  /** Whether the person with an e-mail address is an active member of a team. */
  const hasMember = Effect.fn("TeamsRepo.hasMember")(function* (teamId: string, email: string) {
    const found = yield* orDie(sql`
      select from memberships m join users u on u.id = m.user_id
      where m.team_id = ${teamId} and m.status = 'active' and lower(u.email) = lower(${email})`)
    return found.length > 0
  })

  /** Locks the profile of a team until the transaction ends. */
  const lockProfile = Effect.fn("TeamsRepo.lockProfile")(function* (teamId: string) {
    yield* orDie(sql`select from teams where id = ${teamId} for update`)
  })

  /** Writes the profile of a team. */
  const setProfile = Effect.fn("TeamsRepo.setProfile")(function* (teamId: string, team: TeamProfile) {
    yield* orDie(sql`
      update teams set name = ${team.name}, categories = ${team.categories}::text[],
        contact_person_id = ${team.contactPersonId === null ? null : (Id.toUuid("user", team.contactPersonId) ?? null)},
        country = ${team.country}, description = ${team.description}, homepage_url = ${team.homepageUrl},
        legal_name = ${team.legalName}, profile_picture_url = ${team.profilePictureUrl}, strategy = ${team.strategy},
        vat_number = ${team.vatNumber}, investment_capacity = ${json(team.investmentCapacity)}::jsonb,
        leasable_area = ${json(team.leasableArea)}::jsonb, property_count = ${json(team.propertyCount)}::jsonb,
        property_value = ${json(team.propertyValue)}::jsonb,
        restricted_investment_size = ${json(team.restrictedInvestmentSize)}::jsonb
      where id = ${teamId}`)
  })

  /** The plan of a team that exists. */
  const planOf = Effect.fn("TeamsRepo.planOf")(function* (teamId: string) {
    const [team] = yield* orDie(sql<{ readonly plan: Plan }>`select plan from teams where id = ${teamId}`)
    return team?.plan ?? "free"
  })

  const insert = Effect.fn("TeamsRepo.insert")(function* (id: string, team: TeamCreate, now: Date) {
    yield* orDie(sql`
      insert into teams (
        id, name, plan, categories, country, description, homepage_url, legal_name, profile_picture_url, strategy,
        vat_number, investment_capacity, leasable_area, property_count, property_value,
        restricted_investment_size, created_at
      ) values (
        ${id}, ${team.name}, ${team.plan}, ${team.categories ?? []}::text[], ${team.country ?? null},
        ${team.description ?? null}, ${team.homepageUrl ?? null}, ${team.legalName ?? null},
        ${team.profilePictureUrl ?? null}, ${team.strategy ?? null}, ${team.vatNumber ?? null},
        ${json(team.investmentCapacity)}::jsonb, ${json(team.leasableArea)}::jsonb,
        ${json(team.propertyCount)}::jsonb, ${json(team.propertyValue)}::jsonb,
        ${json(team.restrictedInvestmentSize)}::jsonb, ${now}
      )`)
  })

  const noPrimary = (userId: string) =>
    sql`not exists (select 1 from memberships where user_id = ${userId}::uuid and is_primary)`

  /**
   * Makes a user a member or invites them. Returns false if they already were either. The first team that a user joins is
   * their primary one.
   */
  const join = Effect.fn("TeamsRepo.join")(function* (membership: {
    readonly teamId: string
    readonly userId: string
    readonly name: string
    readonly role: Role
    readonly status: "active" | "pending"
    readonly now: Date
  }) {
    const { name, now, role, status, teamId, userId } = membership
    const joined = yield* orDie(sql`
      insert into memberships (team_id, user_id, role, status, is_primary, joined_at, sort_name)
      select ${teamId}::uuid, ${userId}::uuid, ${role}::text, ${status}::text,
        ${status === "active"}::boolean and ${noPrimary(userId)}, ${now}::timestamptz, ${sortNameOf(name)}::text
      on conflict (team_id, user_id) do nothing
      returning user_id`)
    return joined.length > 0
  })

  /** Accepts an invitation; returns false if there is none. */
  const accept = Effect.fn("TeamsRepo.accept")(function* (teamId: string, userId: string, now: Date) {
    const accepted = yield* orDie(sql`
      update memberships set status = 'active', joined_at = ${now}, is_primary = ${noPrimary(userId)}
      where team_id = ${teamId} and user_id = ${userId} and status = 'pending'
      returning user_id`)
    return accepted.length > 0
  })

  /**
   * Deletes a membership or an invitation, takes the invitations back that the user made, revokes the user's personal tokens for the team, and clears its contact person if it
   * was this user; returns false if there is none.
   */
  const leave = Effect.fn("TeamsRepo.leave")(function* (teamId: string, userId: string, now: Date) {
    const deleted = yield* orDie(sql`
      with deleted_membership as (
        delete from memberships where team_id = ${teamId} and user_id = ${userId} returning user_id
      ), cleared_contact_person as (
        update teams set contact_person_id = null
        where id = ${teamId} and contact_person_id in (select user_id from deleted_membership)
      ), ended_invitations as (
        delete from invitations
        where team_id = ${teamId} and invited_by in (select user_id from deleted_membership)
      ), revoked_tokens as (
        update tokens set revoked_at = ${now}
        where user_id in (select user_id from deleted_membership) and kind = 'personal' and team_id = ${teamId}
          and revoked_at is null
      ), revoked_grants as (
        update grants set revoked_at = ${now}
        where user_id in (select user_id from deleted_membership) and team_id = ${teamId} and revoked_at is null
      )
      select user_id from deleted_membership`)
    return deleted.length > 0
  })

  /** Gives a member another role; false if there is none. Invitations by who administers no longer end. */
  const setRole = Effect.fn("TeamsRepo.setRole")(function* (teamId: string, userId: string, role: Role) {
    const changed = yield* orDie(sql`
      with ended_invitations as (
        delete from invitations where team_id = ${teamId} and invited_by = ${userId} and ${role}::text <> 'admin'
      )
      update memberships set role = ${role} where team_id = ${teamId} and user_id = ${userId} returning user_id`)
    return changed.length > 0
  })

  /** The user with this e-mail address, ignoring case; never a bot. */
  const findPerson = Effect.fn("TeamsRepo.findPerson")(function* (email: string) {
    const [row] = yield* orDie(sql<{ id: string; name: string }>`
      select id, name from users where lower(email) = lower(${email}) and not is_bot`)
    return row
  })

  /** Gives a team another plan; returns its name. */
  const setPlan = Effect.fn("TeamsRepo.setPlan")(function* (teamId: string, plan: Plan) {
    const [team] = yield* orDie(sql<{ readonly name: string }>`
      update teams set plan = ${plan} where id = ${teamId} returning name`)
    return team?.name
  })

  /** The users among these who are active members of a team. */
  const activeMembers = Effect.fn("TeamsRepo.activeMembers")(function* (teamId: string, uuids: ReadonlyArray<string>) {
    return yield* orDie(sql<NamedUser>`
      select users.id, users.name from memberships join users on users.id = memberships.user_id
      where memberships.team_id = ${teamId} and memberships.user_id = any(${uuids}::uuid[])
        and memberships.status = 'active'`)
  })

  /** The people among the active members of a team, by name, at most `limit`. */
  const activeMembersOf = Effect.fn("TeamsRepo.activeMembersOf")(function* (teamId: string, limit: number) {
    return yield* orDie(sql<NamedUser>`
      select users.id, users.name from memberships join users on users.id = memberships.user_id
      where memberships.team_id = ${teamId} and memberships.status = 'active' and not users.is_bot
      order by users.name, users.id limit ${limit}`)
  })

  /** The names of users, whether they belong to a team or not. */
  const namesOfUsers = Effect.fn("TeamsRepo.namesOfUsers")(function* (uuids: ReadonlyArray<string>) {
    return yield* orDie(sql<NamedUser>`select id, name from users where id = any(${uuids}::uuid[])`)
  })

  /** The language of the user interface of a user. */
  const languageOfUser = Effect.fn("TeamsRepo.languageOfUser")(function* (uuid: string) {
    const [row] = yield* orDie(sql<{ readonly language: string }>`
      select ui_culture as language from users where id = ${uuid}`)
    return row?.language
  })

  return {
    ofUser,
    members,
    find,
    namesOf,
    search,
    lock,
    unfinished,
    mark,
    membersOfOperator,
    membersOfTeam,
    lockMembership,
    hasMember,
    lockProfile,
    setProfile,
    planOf,
    setPlan,
    oldest,
    insert,
    join,
    accept,
    leave,
    setRole,
    findPerson,
    activeMembers,
    activeMembersOf,
    namesOfUsers,
    languageOfUser
  }
})

/** Stores teams and memberships. */
export class TeamsRepo extends Context.Service<TeamsRepo, Effect.Success<typeof make>>()("identity/teams/TeamsRepo") {
  static readonly layer = Layer.effect(TeamsRepo, make)
}
