/** The SQL of invitations to teams. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { Role } from "../teams/Team.ts"

/** An invitation that is valid, with its team, and with the account that has its address, if there is one. Ids are UUIDs. */
export interface StoredInvitation {
  readonly id: string
  readonly teamId: string
  readonly teamName: string
  readonly email: string
  readonly role: Role
  readonly invitedBy: string | null
  readonly account: { readonly id: string; readonly name: string; readonly isDeactivated: boolean } | null
  readonly expiresAt: Date
}

/** An invitation as a list has it. */
export interface ListedInvitation {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly invitedBy: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** Adds an invitation; an earlier one of the team to the same address ends. */
  const insert = Effect.fn("InvitationsRepo.insert")(function* (invitation: {
    readonly id: string
    readonly hash: Uint8Array
    readonly teamId: string
    readonly email: string
    readonly role: Role
    readonly invitedBy: string | null
    readonly now: Date
    readonly expiresAt: Date
  }) {
    const { email, expiresAt, hash, id, invitedBy, now, role, teamId } = invitation
    yield* orDie(sql`
      insert into invitations (id, hash, team_id, email, role, invited_by, created_at, expires_at)
      values (${id}, ${hash}, ${teamId}, ${email}, ${role}, ${invitedBy}, ${now}, ${expiresAt})
      on conflict (team_id, lower(email)) do update set
        id = excluded.id, hash = excluded.hash, email = excluded.email, role = excluded.role,
        invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at`)
  })

  /** The valid invitations to a team, the latest first; at most 500. */
  const list = Effect.fn("InvitationsRepo.list")(function* (teamId: string, now: Date) {
    return yield* orDie(sql<ListedInvitation>`
      select i.id, i.email, i.role, u.name as "invitedBy", i.created_at as "createdAt", i.expires_at as "expiresAt"
      from invitations i left join users u on u.id = i.invited_by
      where i.team_id = ${teamId} and i.expires_at > ${now}
      order by i.created_at desc, i.id limit 500`)
  })

  const columns = sql`
    select i.id, i.team_id as "teamId", t.name as "teamName", i.email, i.role, inviter.name as "invitedBy",
      i.expires_at as "expiresAt",
      case when u.id is not null then
        jsonb_build_object('id', u.id, 'name', u.name, 'isDeactivated', u.deactivated_at is not null)
      end as account
    from invitations i
    join teams t on t.id = i.team_id
    left join users inviter on inviter.id = i.invited_by
    left join users u on lower(u.email) = lower(i.email) and not u.is_bot`

  /** The valid invitation with this hash. */
  const find = Effect.fn("InvitationsRepo.find")(function* (hash: Uint8Array, now: Date) {
    const [found] = yield* orDie(sql<StoredInvitation>`
      ${columns} where i.hash = ${hash} and i.expires_at > ${now} and t.deleted_at is null`)
    return found
  })

  /** As `find`, for whoever uses it up: it is locked until the transaction ends. */
  const lock = Effect.fn("InvitationsRepo.lock")(function* (hash: Uint8Array, now: Date) {
    const [found] = yield* orDie(sql<StoredInvitation>`
      ${columns} where i.hash = ${hash} and i.expires_at > ${now} and t.deleted_at is null for update of i`)
    return found
  })

  /** Removes an invitation; false if there is none with this id. */
  const remove = Effect.fn("InvitationsRepo.remove")(function* (teamId: string, id: string) {
    const removed = yield* orDie(sql`delete from invitations where team_id = ${teamId} and id = ${id} returning id`)
    return removed.length > 0
  })

  /** Removes invitations that have expired, at most `limit`; returns how many. */
  const purge = Effect.fn("InvitationsRepo.purge")(function* (now: Date, limit: number) {
    const purged = yield* orDie(sql`
      delete from invitations where id in (select id from invitations where expires_at < ${now} limit ${limit})
      returning id`)
    return purged.length
  })

  return { insert, list, find, lock, remove, purge }
})

/** Stores invitations. */
export class InvitationsRepo extends Context.Service<InvitationsRepo, Effect.Success<typeof make>>()(
  "identity/invitations/InvitationsRepo"
) {
  static readonly layer = Layer.effect(InvitationsRepo, make)
}
