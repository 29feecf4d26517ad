-- One committed change, read in several ways: timeline, events, delta.

-- The greatest time given to a change so far, in milliseconds since 1970. A sequence, because it must not roll back.
create sequence change_time_ms minvalue 0 start 0;
select setval('change_time_ms', 0);

-- Gives the running transaction its id and its time, in the same order: a transaction with the greater id never has
-- the lesser time. Delta readers depend on it: what is older than the oldest open writer is complete.
--
-- The lock is the transaction's, taken in a block that is rolled back: that lets go of it long before the commit, and
-- takes back neither the id nor the sequence. A lock of the session would stay behind when the statement is canceled the
-- moment that the lock is given to it, and then nobody could change anything until the connection is closed.
create function begin_change(at timestamptz default null, out transaction_id xid8, out changed_at timestamptz)
language plpgsql as $$
declare
  ms bigint;
begin
  begin
    perform pg_advisory_xact_lock(7065001);
    transaction_id := pg_current_xact_id();
    ms := greatest(
      floor(extract(epoch from coalesce(at, clock_timestamp())) * 1000)::bigint,
      (select last_value from change_time_ms)
    );
    perform setval('change_time_ms', ms);
    raise sqlstate 'PN001' using message = 'lets go of the lock';
  exception when sqlstate 'PN001' then
    null;
  end;
  changed_at := to_timestamp(ms / 1000) + (ms % 1000) * interval '1 millisecond';
end
$$;

-- A UUIDv7 for rows that a statement makes by the set (Postgres has its own from 18 on).
create function new_uuid_v7(at timestamptz) returns uuid
language sql volatile as $$
  select encode(
    set_bit(set_bit(overlay(
      uuid_send(gen_random_uuid())
      placing substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3)
      from 1 for 6
    ), 52, 1), 53, 1),
    'hex'
  )::uuid
$$;

create sequence action_numbers;

-- The timeline: who did what, when, to which subjects.
create table actions (
  id uuid primary key,
  number bigint not null unique default nextval('action_numbers'),
  team_id uuid not null,
  type text not null check (type in ('note', 'chat', 'audit')),
  event text,
  occurred_at timestamptz not null,
  actor_user_id uuid,
  client_id uuid,
  origin text not null,
  details jsonb not null
);

create table action_subjects (
  subject_type text not null,
  subject_id uuid not null,
  action_id uuid not null references actions (id),
  team_id uuid not null,
  occurred_at timestamptz not null,
  primary key (subject_id, occurred_at, action_id)
);

-- The journal of events: the exact bytes that subscribers receive.
create table events (
  id uuid primary key,
  seq bigint generated always as identity unique,
  transaction_id xid8 not null default pg_current_xact_id(),
  team_id uuid not null,
  message_id text not null,
  type text not null,
  resource_type text not null,
  resource_id uuid not null,
  occurred_at timestamptz not null,
  body text not null
);

create index events_by_transaction on events (transaction_id);
create index events_by_team on events (team_id, seq);

create table external_references (
  team_id uuid not null,
  resource_type text not null,
  namespace text not null,
  external_id text not null,
  resource_id uuid not null,
  position smallint not null,
  primary key (team_id, resource_type, namespace, external_id)
);

create index external_references_by_resource on external_references (resource_id, position);

-- The answers of creates, so that a repeated request gets the first one again. Sealed: an answer may hold a secret.
create table idempotency_keys (
  team_id uuid not null,
  scope bytea primary key,
  body_hash bytea not null,
  answer bytea not null,
  created_at timestamptz not null
);

create index idempotency_keys_by_age on idempotency_keys (created_at);
