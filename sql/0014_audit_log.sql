-- Who did what, from where, with which outcome (docs/behaviour/audit-log.md). Rows are only added: a trigger refuses to change them, and to
-- delete them before `keep_until`. It belongs to the installation, so that it is in no cell. It names nobody but the operator's system user:
-- names are looked up when it is read.
create table audit_log (
  id uuid primary key,
  at timestamptz not null,
  keep_until timestamptz not null,
  -- Null for what concerns the installation.
  team_id uuid,
  actor_kind text not null check (actor_kind in ('user', 'bot', 'operator', 'system', 'anonymous')),
  -- The user, or the bot of a client.
  actor_id uuid,
  -- The user of the operator's machine that ran a command.
  os_uid bigint,
  os_user text,
  client_id uuid,
  grant_id uuid,
  token_id uuid,
  session_id uuid,
  command text,
  address text,
  action text not null,
  target_type text,
  target_id text,
  outcome text not null check (outcome in ('success', 'refused', 'failed')),
  request_id text,
  details jsonb not null
);

create index audit_log_by_team on audit_log (team_id, id) where team_id is not null;
create index audit_log_by_action on audit_log (action, id);
create index audit_log_by_actor on audit_log (actor_id, id) where actor_id is not null;
create index audit_log_by_client on audit_log (client_id, id) where client_id is not null;
create index audit_log_by_target on audit_log (target_id, id) where target_id is not null;
create index audit_log_by_end on audit_log (keep_until);

create function refuse_audit_change() returns trigger
language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.keep_until <= clock_timestamp() then
      return old;
    end if;
    raise exception 'a row of audit_log is kept until %', old.keep_until using errcode = 'insufficient_privilege';
  end if;
  raise exception 'audit_log is append-only: % is refused', tg_op using errcode = 'insufficient_privilege';
end
$$;

create trigger refuse_change before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger refuse_truncate before truncate on audit_log
  for each statement execute function refuse_audit_change();

-- What is counted, because anybody can make it happen as often as they like: one row for each caller and hour, which becomes a row of the
-- log, with the same id, when its hour is over.
create table audit_counts (
  -- A hash of what is the same for all that it counts, the hour included.
  key text primary key,
  id uuid not null,
  opened_at timestamptz not null,
  last_at timestamptz not null,
  count bigint not null,
  team_id uuid,
  actor_kind text not null,
  actor_id uuid,
  client_id uuid,
  grant_id uuid,
  token_id uuid,
  address text,
  action text not null,
  target_type text,
  target_id text,
  outcome text not null,
  details jsonb not null
);

create index audit_counts_by_age on audit_counts (opened_at);
