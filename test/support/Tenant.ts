/** Creates a team with one user, by SQL. */
import * as Secret from "../../src/core/auth/Secret.ts"
import * as Id from "../../src/core/Id.ts"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomBytes } from "node:crypto"
import type { Actor } from "../../src/core/auth/CurrentActor.ts"
import { Database } from "../../src/platform/db/Database.ts"

/** How the user differs from a broker with an active membership. */
export interface TenantOptions {
  readonly broker?: "active" | "pending" | null
  readonly investor?: "active" | "pending" | null
  readonly membership?: "active" | "pending"
  /** The role in the team; by default that of an administrator. */
  readonly role?: "admin" | "member"
  readonly scopes?: ReadonlyArray<string>
}

/** A team and its user, by default an administrator, with a personal access token. `…Id` are UUIDs, `team` and `user` public ids. */
export const make = (options: TenantOptions = {}) =>
  Effect.gen(function* () {
    const sql = yield* Database
    const random = yield* SecureRandom.SecureRandom
    const [teamId, userId, tokenId] = [yield* random.uuidV7(), yield* random.uuidV7(), yield* random.uuidV7()]
    const token = Secret.make("personal", randomBytes(32))
    const email = `${userId}@example.com`
    const membership = options.membership ?? "active"
    // One statement for speed, because nearly every test creates a tenant.
    yield* sql`
    with team as (insert into teams (id, name, plan, created_at) values (${teamId}, 'Berg & Co', 'plus', now())),
    person as (
      insert into users (id, email, first_name, last_name, name, broker, investor, created_at)
      values (${userId}, ${email}, 'Anna', 'Berg', 'Anna Berg',
        ${options.broker === undefined ? "active" : options.broker}, ${options.investor ?? null}, now())
    ),
    membership as (
      insert into memberships (team_id, user_id, role, status, is_primary, joined_at, sort_name)
      values (${teamId}, ${userId}, ${options.role ?? "admin"}, ${membership}, ${membership === "active"}, now(), 'anna berg')
    )
    insert into tokens (id, kind, hash, user_id, team_id, name, scopes, created_at, expires_at)
    values (${tokenId}, 'personal', ${Secret.hash(token)}, ${userId}, ${teamId}, 'test',
      ${options.scopes ?? ["api:public"]}::text[], now(), now() + interval '30 days')`
    return {
      teamId,
      userId,
      tokenId,
      token,
      email,
      team: Id.fromUuid("team", teamId),
      user: Id.fromUuid("user", userId)
    }
  }).pipe(Effect.orDie)

/** The user of a tenant that {@link make} created without options, as a caller of use-cases. */
export const actorOf = ({ teamId, userId }: { readonly teamId: string; readonly userId: string }): Actor => ({
  userId,
  teamId,
  clientId: null,
  role: "admin",
  membership: "active",
  broker: "active",
  investor: null,
  scopes: ["api:public"],
  origin: "api"
})
