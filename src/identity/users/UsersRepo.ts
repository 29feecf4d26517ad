/** The SQL of users. */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { Actor } from "../../core/auth/CurrentActor.ts"
import { sortNameOf } from "../teams/rules.ts"
import { stateOf as stateOfTimes } from "./rules.ts"
import { type Capabilities, type CapabilitiesPatch, type Me, partsOf, type ProfilePatch } from "./User.ts"

/** A user without their teams. */
export type Profile = Omit<Me, "primaryTeam" | "secondaryTeams">

/** A user to insert. Ids are UUIDs. */
export interface NewUser {
  readonly id: string
  readonly email: string | null
  /** Whether somebody vouches for the address. */
  readonly emailConfirmed: boolean
  readonly name: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly phone: string | null
  readonly isBot: boolean
  readonly capabilities: Capabilities
  /** How they read; the defaults of the service if it is left out. */
  readonly culture?: string
  readonly now: Date
}

/** What a person may do in a team (UUID). */
export type Member = Pick<Actor, "teamId" | "role" | "membership" | "broker" | "investor">

const defaultCulture = "en-US"

interface Row {
  readonly id: string
  readonly email: string | null
  readonly email_confirmed: boolean
  readonly phone: string | null
  readonly phone_confirmed: boolean
  readonly first_name: string | null
  readonly last_name: string | null
  readonly name: string
  readonly is_bot: boolean
  readonly culture: string
  readonly ui_culture: string
  readonly region: string
  readonly time_zone: string
  readonly profile_picture_url: string | null
  readonly broker: "active" | "pending" | null
  readonly investor: "active" | "pending" | null
}

const toProfile = (row: Row): Profile => ({
  id: Id.fromUuid("user", row.id),
  name: row.name,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  emailConfirmed: row.email_confirmed,
  phone: row.phone,
  phoneConfirmed: row.phone_confirmed,
  ...(row.is_bot ? { isBot: true } : {}),
  profilePictureUrl: row.profile_picture_url,
  culture: row.culture,
  uiCulture: row.ui_culture,
  region: row.region,
  timeZone: row.time_zone,
  capabilities: {
    ...(row.broker === null ? {} : { broker: row.broker }),
    ...(row.investor === null ? {} : { investor: row.investor })
  }
})

const make = Effect.gen(function* () {
  const sql = yield* Database

  const find = Effect.fn("UsersRepo.find")(function* (id: string) {
    const [row] = yield* orDie(sql<Row>`
      select id, email, email_confirmed, phone, phone_confirmed, first_name, last_name, name, is_bot, culture,
        ui_culture, region, time_zone, profile_picture_url, broker, investor
      from users where id = ${id}`)
    return row === undefined ? undefined : toProfile(row)
  })

  /** The UUID of the person with an e-mail address, ignoring case. */
  const findByEmail = Effect.fn("UsersRepo.findByEmail")(function* (email: string) {
    const [row] = yield* orDie(sql<{ id: string }>`
      select id from users where lower(email) = lower(${email}) and not is_bot`)
    return row?.id
  })

  /** The state of a user; that of a user who does not exist is `deleted`. */
  const stateOf = Effect.fn("UsersRepo.stateOf")(function* (id: string) {
    const [row] = yield* orDie(sql<{ readonly deactivatedAt: Date | null; readonly deletedAt: Date | null }>`
      select deactivated_at as "deactivatedAt", deleted_at as "deletedAt" from users where id = ${id}`)
    return row === undefined ? "deleted" : stateOfTimes(row)
  })

  /** The membership and capabilities of a person in a team, by default the primary one; undefined if they do not belong to it. */
  const memberOf = Effect.fn("UsersRepo.memberOf")(function* (id: string, teamId: string | undefined) {
    const [member] = yield* orDie(sql<Member>`
      select m.team_id as "teamId", m.role, m.status as membership, u.broker, u.investor
      from users u join memberships m on m.user_id = u.id
      where u.id = ${id} and (m.team_id = ${teamId ?? null}::uuid or ${teamId === undefined} and m.is_primary)`)
    return member
  })

  /** The UUID of a bot that is a member of a team. */
  const findBot = Effect.fn("UsersRepo.findBot")(function* (id: string, teamId: string) {
    const [row] = yield* orDie(sql<{ id: string }>`
      select u.id from users u join memberships m on m.user_id = u.id
      where u.id = ${id} and u.is_bot and m.team_id = ${teamId}`)
    return row?.id
  })

  /** Returns false without inserting if another person has the e-mail address. */
  const insert = Effect.fn("UsersRepo.insert")(function* (user: NewUser) {
    const inserted = yield* orDie(sql`
      insert into users (
        id, email, email_confirmed, phone, first_name, last_name, name, is_bot, broker, investor, culture, ui_culture, created_at
      ) values (
        ${user.id}, ${user.email}, ${user.emailConfirmed}, ${user.phone}, ${user.firstName}, ${user.lastName},
        ${user.name}, ${user.isBot}, ${user.capabilities.broker ?? null}, ${user.capabilities.investor ?? null},
        ${user.culture ?? defaultCulture}, ${user.culture ?? defaultCulture}, ${user.now}
      )
      on conflict (lower(email)) where not is_bot do nothing
      returning id`)
    return inserted.length > 0
  })

  /** Notes that an address is that of the user. Where it was not known, all that gives access to the account ends. */
  const confirmEmail = Effect.fn("UsersRepo.confirmEmail")(function* (id: string, now: Date) {
    yield* orDie(sql`
      with confirmed as (
        update users set email_confirmed = true where id = ${id} and not email_confirmed returning id
      ), of_passwords as (
        delete from passwords where user_id in (select id from confirmed)
      ), of_sessions as (
        update sessions set revoked_at = ${now} where user_id in (select id from confirmed) and revoked_at is null
      ), of_tokens as (
        update tokens set revoked_at = ${now} where user_id in (select id from confirmed) and revoked_at is null
      )
      update grants set revoked_at = ${now} where user_id in (select id from confirmed) and revoked_at is null`)
  })

  /** Changes the profile of a person; false if there is none. Another phone number is not confirmed. */
  const changeProfile = Effect.fn("UsersRepo.changeProfile")(function* (id: string, patch: ProfilePatch) {
    const { culture, name, phone, region, timeZone, uiCulture } = patch
    const isNamed = name !== undefined
    const parts = partsOf(name ?? "")
    const changed = yield* orDie(sql`
      with sorted as (
        update memberships set sort_name = ${sortNameOf(name ?? "")}
        where ${isNamed} and user_id = ${id}
      )
      update users set
        name = coalesce(${name ?? null}, name),
        first_name = case when ${isNamed} then ${parts.firstName} else first_name end,
        last_name = case when ${isNamed} then ${parts.lastName} else last_name end,
        phone = case when ${phone === undefined} then phone else ${phone ?? null} end,
        phone_confirmed = phone_confirmed and (${phone === undefined} or phone is not distinct from ${phone ?? null}),
        culture = coalesce(${culture ?? null}, culture),
        ui_culture = coalesce(${uiCulture ?? null}, ui_culture),
        region = coalesce(${region ?? null}, region),
        time_zone = coalesce(${timeZone ?? null}, time_zone)
      where id = ${id} and not is_bot
      returning id`)
    return changed.length > 0
  })

  const setCapabilities = Effect.fn("UsersRepo.setCapabilities")(function* (
    id: string,
    { broker, investor }: Pick<CapabilitiesPatch, "broker" | "investor">
  ) {
    yield* orDie(sql`
        update users set
          broker = case when ${broker === undefined} then broker else ${broker ?? null} end,
          investor = case when ${investor === undefined} then investor else ${investor ?? null} end
        where id = ${id}`)
  })

  return {
    find,
    findByEmail,
    stateOf,
    memberOf,
    findBot,
    insert,
    confirmEmail,
    changeProfile,
    setCapabilities
  }
})

/** Stores users: people and bots. */
export class UsersRepo extends Context.Service<UsersRepo, Effect.Success<typeof make>>()("identity/users/UsersRepo") {
  static readonly layer = Layer.effect(UsersRepo, make)
}
