/** The SQL of authentication, which every request runs: it finds callers by their tokens and counts their requests. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { Actor } from "./CurrentActor.ts"
import { type Limits, skewSeconds, windowSeconds } from "./rules.ts"

/** The caller that a valid token belongs to, and how much of their rate limit is used. */
export interface AuthenticatedCaller {
  readonly actor: Omit<Actor, "origin">
  /** Whether the token is good for the MCP endpoint alone. */
  readonly forMcpOnly: boolean
  /** The stored hash of the token, for a comparison in constant time. */
  readonly hash: Uint8Array
  readonly policy: keyof Limits
  /** Requests in this window, this one included. Rejected requests do not add up beyond the limit. */
  readonly requests: number
  readonly openedAt: Date
  /** UUIDs. */
  readonly tokenId: string
  readonly grantId: string | null
  /** Why nothing is done for the caller, although the token is valid. */
  readonly closed: "team_deleted" | "user_deactivated" | null
}

interface CallerRow {
  readonly token_id: string
  readonly grant_id: string | null
  readonly hash: Uint8Array
  readonly user_id: string
  readonly team_id: string
  readonly client_id: string | null
  readonly role: Actor["role"]
  readonly membership: Actor["membership"]
  readonly broker: Actor["broker"]
  readonly investor: Actor["investor"]
  readonly scopes: ReadonlyArray<string>
  readonly policy: keyof Limits
  readonly resource: string | null
  readonly closed: AuthenticatedCaller["closed"]
  readonly opened_at: Date
  readonly subject: string
  readonly before: number
}

const toCaller = (row: CallerRow, requests: number): AuthenticatedCaller => ({
  actor: {
    userId: row.user_id,
    teamId: row.team_id,
    clientId: row.client_id,
    role: row.role,
    membership: row.membership,
    broker: row.broker,
    investor: row.investor,
    scopes: row.scopes
  },
  hash: row.hash,
  forMcpOnly: row.resource === "mcp",
  policy: row.policy,
  requests,
  openedAt: row.opened_at,
  tokenId: row.token_id,
  grantId: row.grant_id,
  closed: row.closed
})

/** A token that is not good, and why. Ids are UUIDs. */
export interface RefusedToken {
  readonly tokenId: string
  readonly clientId: string | null
  readonly grantId: string | null
  readonly userId: string
  readonly teamId: string
  readonly code: string
}

/** An address from which a client (UUID) called. */
export interface SeenAddress {
  readonly clientId: string
  readonly address: string
  readonly at: Date
}

const keyOf = (hash: Uint8Array) => Buffer.from(hash).toString("base64")

/** The caller of each hash, in their order. Each request of one caller counts one more than the request before it. */
const inOrder = (hashes: ReadonlyArray<Uint8Array>, rows: ReadonlyArray<CallerRow>) => {
  const rowsByHash = new Map(rows.map((row) => [keyOf(row.hash), row]))
  const counted = new Map(rows.map(({ before, subject }) => [subject, before]))
  return hashes.map((hash) => {
    const row = rowsByHash.get(keyOf(hash))
    if (row === undefined) return undefined
    const requests = (counted.get(row.subject) ?? 0) + 1
    counted.set(row.subject, requests)
    return toCaller(row, requests)
  })
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  /**
   * Finds the callers of these token hashes and counts a request of each, in one statement; returns them in that order. `undefined`,
   * and nothing counted, for a token that is unknown, revoked or expired, whose client, app or grant is revoked, or whose user left the
   * team.
   */
  const authenticate = Effect.fn("CallersRepo.authenticate")(function* (
    hashes: ReadonlyArray<Uint8Array>,
    now: Date,
    limits: Limits
  ) {
    // `order by subject` locks the rows in one order, so that concurrent statements wait for each other without a deadlock.
    const rows = yield* orDie(sql<CallerRow>`
      with asked as (
        select hash, count(*)::int as requests from unnest(${hashes}::bytea[]) as one (hash)
        group by hash
      ), caller as (
        select t.hash, t.id as token_id, g.id as grant_id, t.user_id, t.team_id, coalesce(t.client_id, g.app_id) as client_id, t.scopes, m.role,
          m.status as membership, u.broker, u.investor, f.resource, coalesce(g.id, t.client_id, t.id) as subject,
          asked.requests, case when t.kind = 'personal' then 'pat' else 'client' end as policy,
          case when t.kind = 'personal' then ${limits.pat}::int else ${limits.client}::int end as allowed,
          case when team.deleted_at is not null then 'team_deleted'
            when u.deactivated_at is not null then 'user_deactivated' end as closed
        from asked
        join tokens t using (hash)
        join users u on u.id = t.user_id
        join teams team on team.id = t.team_id
        join memberships m on m.user_id = t.user_id and m.team_id = t.team_id
        left join clients c on c.id = t.client_id
        left join grant_families f on f.id = t.family_id
        left join grants g on g.id = f.grant_id
        left join apps a on a.id = g.app_id
        where t.revoked_at is null and t.expires_at > ${now}::timestamptz and c.revoked_at is null
          and f.revoked_at is null and g.revoked_at is null and a.revoked_at is null
          and (f.id is null or m.joined_at <= f.created_at)
      ), budget as (
        select subject, sum(requests)::int as requests, min(allowed) as allowed from caller group by subject
      ), counted as (
        insert into rate_windows as w (subject, opened_at, requests)
        select subject, ${now}::timestamptz, requests from budget order by subject
        on conflict (subject) do update set (opened_at, requests) = (
          select
            case when over then excluded.opened_at else w.opened_at end,
            excluded.requests + case when over then 0 else least(w.requests, allowed) end
          from budget, (
            select w.opened_at <= excluded.opened_at - make_interval(secs => ${windowSeconds}::int)
              or w.opened_at > excluded.opened_at + make_interval(secs => ${skewSeconds}::int) as over
          ) as present
          where budget.subject = excluded.subject
        )
        returning subject, opened_at, requests
      ), ended as (
        -- Those of the window before count for its day, once: by the statement that opened this one.
        insert into request_days as d (subject, day, requests, last_at)
        select subject, (w.opened_at at time zone 'utc')::date, least(w.requests, budget.allowed), w.opened_at
        from rate_windows w join budget using (subject) join counted using (subject)
        where counted.requests = budget.requests and counted.opened_at <> w.opened_at
        order by subject
        on conflict (subject, day) do update set
          requests = d.requests + excluded.requests, last_at = greatest(d.last_at, excluded.last_at)
      )
      select hash, token_id, grant_id, subject, user_id, team_id, client_id, scopes, role, membership, broker, investor, policy, resource, closed,
        opened_at,
        counted.requests - budget.requests as before
      from caller join counted using (subject) join budget using (subject)`)
    return inOrder(hashes, rows)
  })

  /** Deletes rate-limit windows that opened before `until`, at most `limit`; returns how many. */
  const purgeWindows = Effect.fn("CallersRepo.purgeWindows")(function* (until: Date, limit: number) {
    // Postgres checks the outer condition again on the locked row: a caller who returned has opened a new window in it.
    const purged = yield* orDie(sql`
      with purged as (
        delete from rate_windows where subject in (
          select subject from rate_windows where opened_at < ${until} limit ${limit}
        ) and opened_at < ${until}
        returning subject, opened_at, requests
      ), ended as (
        insert into request_days as d (subject, day, requests, last_at)
        select subject, (opened_at at time zone 'utc')::date, requests, opened_at from purged order by subject
        on conflict (subject, day) do update set
          requests = d.requests + excluded.requests, last_at = greatest(d.last_at, excluded.last_at)
      )
      select subject from purged`)
    return purged.length
  })

  /** What is known of these tokens, by their hashes, whether they are valid or not. */
  const explain = Effect.fn("CallersRepo.explain")(function* (hashes: ReadonlyArray<Uint8Array>, now: Date) {
    const rows = yield* orDie(sql<RefusedToken & { readonly hash: Uint8Array }>`
      select t.hash, t.id as "tokenId", coalesce(t.client_id, g.app_id) as "clientId", g.id as "grantId",
        t.user_id as "userId", t.team_id as "teamId",
        case
          when t.revoked_at is not null then 'revoked'
          when t.expires_at <= ${now} then 'expired'
          when c.revoked_at is not null then 'client_revoked'
          when a.revoked_at is not null then 'app_revoked'
          when f.revoked_at is not null or g.revoked_at is not null then 'grant_revoked'
          when m.user_id is null then 'not_a_member'
          when team.deleted_at is not null then 'team_deleted'
          when u.deactivated_at is not null then 'user_deactivated'
          else 'refused'
        end as code
      from unnest(${hashes}::bytea[]) as asked (hash)
      join tokens t using (hash)
      join users u on u.id = t.user_id
      join teams team on team.id = t.team_id
      left join memberships m on m.user_id = t.user_id and m.team_id = t.team_id
      left join clients c on c.id = t.client_id
      left join grant_families f on f.id = t.family_id
      left join grants g on g.id = f.grant_id
      left join apps a on a.id = g.app_id`)
    const byHash = new Map(rows.map(({ hash, ...row }) => [keyOf(hash), row]))
    return hashes.map((hash) => byHash.get(keyOf(hash)))
  })

  /** Notes from where clients called. */
  const noteAddresses = Effect.fn("CallersRepo.noteAddresses")(function* (seen: ReadonlyArray<SeenAddress>) {
    yield* orDie(sql`
      insert into client_addresses as known (client_id, address, first_at, last_at)
      select "clientId", address, at, at
      from jsonb_to_recordset(${sql.json(seen)}) as row ("clientId" uuid, address text, at timestamptz)
      order by "clientId", address
      on conflict (client_id, address) do update set last_at = greatest(known.last_at, excluded.last_at)`)
  })

  /** Deletes counts of days and addresses that were last seen before `until`, at most `limit` of each; returns how many. */
  const purgeUse = Effect.fn("CallersRepo.purgeUse")(function* (until: Date, limit: number) {
    const purged = yield* orDie(sql`
      with days as (
        delete from request_days where (subject, day) in (
          select subject, day from request_days where day < (${until}::timestamptz at time zone 'utc')::date limit ${limit}
        ) returning subject
      ), addresses as (
        delete from client_addresses where (client_id, address) in (
          select client_id, address from client_addresses where last_at < ${until} limit ${limit}
        ) returning client_id
      )
      select subject from days union all select client_id from addresses`)
    return purged.length
  })

  return { authenticate, purgeWindows, explain, noteAddresses, purgeUse }
})

/** Finds and counts callers. */
export class CallersRepo extends Context.Service<CallersRepo, Effect.Success<typeof make>>()("core/auth/CallersRepo") {
  static readonly layer = Layer.effect(CallersRepo, make)
}
