/** Named statements, which Postgres parses and plans once for each connection. */

/** Finds a token by its hash and counts a request. Parameters: hash, now, limits of tokens and clients. */
export const authenticate = {
  name: "authenticate",
  text: `
    with caller as (
      select t.hash, t.user_id, t.team_id, t.client_id, t.scopes, m.role, m.status as membership, u.broker, u.investor,
        coalesce(t.client_id, t.id) as subject,
        case when t.client_id is null then 'pat' else 'client' end as policy,
        case when t.client_id is null then $3::int else $4::int end as allowed
      from tokens t
      join users u on u.id = t.user_id
      join memberships m on m.user_id = t.user_id and m.team_id = t.team_id
      left join clients c on c.id = t.client_id
      where t.hash = $1 and t.revoked_at is null and t.expires_at > $2::timestamptz and c.revoked_at is null
    ), counted as (
      insert into rate_windows as w (subject, opened_at, requests)
      select subject, $2::timestamptz, 1 from caller
      on conflict (subject) do update set (opened_at, requests) = (
        select
          case when over then excluded.opened_at else w.opened_at end,
          case when over then 1 else least(w.requests, caller.allowed) + 1 end
        from caller, (
          select w.opened_at <= excluded.opened_at - interval '60 seconds'
            or w.opened_at > excluded.opened_at + interval '5 seconds' as over
        ) as present
      )
      returning opened_at, requests
    )
    select hash, user_id, team_id, client_id, scopes, role, membership, broker, investor, policy, opened_at, requests
    from caller, counted`
}

/** As {@link authenticate}, without counting. Parameters: hash, now. */
export const findToken = {
  name: "find-token",
  text: `
    select t.hash, t.user_id, t.team_id, t.client_id, t.scopes, m.role, m.status as membership, u.broker, u.investor,
      case when t.client_id is null then 'pat' else 'client' end as policy
    from tokens t
    join users u on u.id = t.user_id
    join memberships m on m.user_id = t.user_id and m.team_id = t.team_id
    left join clients c on c.id = t.client_id
    where t.hash = $1 and t.revoked_at is null and t.expires_at > $2::timestamptz and c.revoked_at is null`
}

const contact = `
  id, version::text, created_at, updated_at, change_type, change_origin, deleted_at, merged_into,
  first_name, last_name, email, phone, primary_language, primary_company_id, tags, strategy, linked_in_url,
  profile_picture_url,
  deleted_refs,
  array(
    select namespace || ':' || external_id from external_references where resource_id = contacts.id order by position
  ) as external_refs`

/** A contact, or a merged one. Parameters: team, id. */
export const findContact = {
  name: "find-contact",
  text: `
    select ${contact} from contacts
    where team_id = $1 and id = $2 and (deleted_at is null or merged_into is not null)`
}

/** The first page of contacts. Parameters: team, limit. */
export const firstContacts = {
  name: "first-contacts",
  text: `select ${contact} from contacts where team_id = $1 and deleted_at is null order by created_at, id limit $2`
}

/** The contacts after a position. Parameters: team, limit, time and id of the position. */
export const nextContacts = {
  name: "next-contacts",
  text: `
    select ${contact} from contacts
    where team_id = $1 and deleted_at is null and (created_at, id) > ($3::timestamptz, $4::uuid)
    order by created_at, id limit $2`
}

/** The id and time of the transaction, and the number of its action. Parameter: team. */
export const beginChange = {
  name: "begin-change",
  text: `
    select changed_at as at, transaction_id::text, nextval('action_numbers')::text as number from begin_change($1, null)`
}

/** Locks an idempotency key. Parameter: hash of the scope. */
export const tryLock = { name: "try-lock", text: "select pg_try_advisory_xact_lock($1) as free" }

/** The stored response. Parameters: scope, time. */
export const keptAnswer = {
  name: "kept-answer",
  text: `
    select body_hash, answer from idempotency_keys
    where scope = $1 and created_at > $2::timestamptz - interval '24 hours'`
}

/** Locks an e-mail address. Parameter: name of the lock. */
export const claimEmail = {
  name: "claim-email",
  text: "select pg_advisory_xact_lock(hashtextextended($1 || lower($2), 0))"
}

/**
 * The contacts with an e-mail address. Parameters: team, address. It finds them first and sorts afterwards: with the limit in
 * the same query, Postgres would scan the list of all contacts.
 */
export const sameEmail = {
  name: "same-email",
  text: `
    select id, first_name, last_name, email from (
      select id, first_name, last_name, email, created_at from contacts
      where team_id = $1 and lower(email) = lower($2) and deleted_at is null offset 0
    ) as same
    order by created_at, id limit 10`
}

/** The owners of references. Parameters: team, namespaces, ids. */
export const holders = {
  name: "holders",
  text: `
    select resource_id, namespace, external_id
    from unnest($2::text[], $3::text[]) as wanted (namespace, external_id)
    join external_references using (namespace, external_id)
    where team_id = $1 and resource_type = 'contact'`
}

/** Inserts a contact. */
export const insertContact = {
  name: "insert-contact",
  text: `
    insert into contacts (
      id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, first_name, last_name, email, phone,
      primary_language, primary_company_id, tags, strategy, linked_in_url, profile_picture_url
    ) values ($1, $2, 1, pg_current_xact_id(), $3, $3, 'created', 'api', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`
}

/** Inserts references. Parameters: team, resource, namespaces, ids. */
export const insertReferences = {
  name: "insert-references",
  text: `
    insert into external_references (team_id, resource_type, namespace, external_id, resource_id, position)
    select $1, 'contact', namespace, external_id, $2, position - 1
    from unnest($3::text[], $4::text[]) with ordinality as reference (namespace, external_id, position)
    on conflict (team_id, resource_type, namespace, external_id) do nothing
    returning resource_id`
}

/** Inserts a row of the timeline alone. Parameters: id, team, time, user, client. */
export const insertAction = {
  name: "insert-action",
  text: `
    insert into actions (id, team_id, type, event, occurred_at, actor_user_id, client_id, origin, details)
    values ($1, $2, 'audit', 'contact.created', $3, $4, $5, 'api', '{"kind": "audit"}')`
}

/** Stores a response. Parameters: team, scope, hash of the body, response, time. */
export const keepAnswer = {
  name: "keep-answer",
  text: `
    insert into idempotency_keys (team_id, scope, body_hash, answer, created_at) values ($1, $2, $3, $4, $5)
    on conflict (scope) do update
    set body_hash = excluded.body_hash, answer = excluded.answer, created_at = excluded.created_at`
}

/** Inserts the row of the timeline with its subjects, the event, and the outstanding fan-out. */
export const record = {
  name: "record",
  text: `
    with action as (
      insert into actions (id, number, team_id, type, event, occurred_at, actor_user_id, client_id, origin, details)
      values ($1, $2, $3, 'audit', 'contact.created', $4, $5, $6, 'api', '{"kind": "audit"}')
    ), subject as (
      insert into action_subjects (subject_type, subject_id, action_id, team_id, occurred_at, partition)
      values ('contact', $7, $1, $3, $4, 'audit')
    ), promise as (
      insert into fan_outs (team_id, transaction_id, at) values ($3, $8::text::xid8, $4)
    )
    insert into events (id, transaction_id, team_id, message_id, type, resource_type, resource_id, occurred_at, body)
    values ($9, pg_current_xact_id(), $3, $10, 'contact.created', 'contact', $7, $4, $11)`
}

/** Enqueues the fan-out job. Parameter: payload. */
export const addJob = { name: "add-job", text: "select 1 from graphile_worker.add_job('webhooks/fanOut', $1::json)" }
