-- One committed change, read in several ways: the timeline, events and the journal, deltas.

-- The greatest time given to a change of the teams of a bucket so far, in milliseconds since 1970. Sequences, because they must not
-- roll back. They are empty until the first change.
do $$
begin
  for bucket in 0..63 loop
    execute format('create sequence change_time_ms_%s minvalue 0', bucket);
  end loop;
end
$$;

-- What draws ids for the further teams of a transaction. It is always empty.
create unlogged table change_ids ();

-- Gives what the running transaction does in a team its id and its time, in the same order: within a team, a greater id never has
-- the lesser time. It is called once for each team. A change without a team passes the id of none. Delta readers depend on it: what is
-- older than the oldest open writer is complete (docs/adr/0029-changes-begin-by-team.md).
--
-- Why ids and times have one order: teams share 64 buckets, each with a lock and a clock, and calls for one team exclude each other by the
-- lock of its bucket. Each takes an id that nobody had before, and a time that is not before that of the bucket's clock. The next call
-- therefore gives a greater id, and a time that is the same or later. The bucket is taken from the team's id alone, so that a team stays
-- in it on every server.
--
-- A transaction has one id, which it gets with its first team. When it reaches another team, others may have begun changes there
-- with greater ids, and its own would be out of order. It gets the id of a subtransaction there, which is drawn under the lock like
-- any other. It serves as the id of the transaction does: it is greater than that, so whoever sees that all transactions before some
-- id have ended, and this one is among them, knows that the whole transaction has.
--
-- The lock is the transaction's, taken in a block that is rolled back: that lets go of it long before the commit, and takes back neither
-- the id nor the sequence. A lock of the session would stay behind when the statement is canceled the moment that the lock is given to it,
-- and then nobody could change anything in the bucket until the connection is closed.
create function begin_change(team uuid, at timestamptz, out transaction_id xid8, out changed_at timestamptz)
language plpgsql as $$
declare
  bucket constant int := get_byte(uuid_send(team), 15) % 64;
  clock constant regclass := 'change_time_ms_' || bucket;
  own constant bigint := pg_current_xact_id_if_assigned()::text::bigint;
  ms bigint;
begin
  begin
    perform pg_advisory_xact_lock(7065001, bucket);
    if own is null then
      transaction_id := pg_current_xact_id();
    else
      -- `xmin` has the lower 32 bits of the id.
      insert into change_ids default values
        returning (own + ((xmin::text::bigint - own) & 4294967295))::text::xid8 into transaction_id;
    end if;
    ms := greatest(
      floor(extract(epoch from coalesce(at, clock_timestamp())) * 1000)::bigint,
      pg_sequence_last_value(clock)
    );
    perform setval(clock, ms);
    raise sqlstate 'PN001' using message = 'lets go of the lock';
  exception when sqlstate 'PN001' then
    null;
  end;
  changed_at := to_timestamp(ms / 1000) + (ms % 1000) * interval '1 millisecond';
end
$$;

-- Each row of a timeline has a number, which is drawn with its change.
create sequence action_numbers;

-- The timeline: who did what, when, to which subjects. Notes are rows of timelines, too, which are archived and revised: the last five
-- columns are theirs alone.
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
  details jsonb not null,
  version bigint not null default 1,
  content_format text,
  archived_at timestamptz,
  supersedes uuid,
  superseded_by uuid
);

-- A revision has one successor at most.
create unique index actions_supersedes on actions (supersedes) where supersedes is not null;

-- The timelines that an action is on: those of all its subjects.
create table action_subjects (
  subject_type text not null,
  subject_id uuid not null,
  action_id uuid not null references actions (id),
  team_id uuid not null,
  occurred_at timestamptz not null,
  -- Which part of the timeline the row stands in. Every filter of a timeline is a set of partitions, and the rows of a partition are in the
  -- index in their order: a page costs the same at any depth, however many rows are hidden.
  partition text not null default 'audit',
  primary key (subject_id, occurred_at, action_id)
);

create index action_subjects_by_partition on action_subjects (subject_id, partition, occurred_at, action_id);
create index action_subjects_by_action on action_subjects (action_id);

-- The events of a team: the exact bytes that subscribers receive.
create table events (
  id uuid primary key,
  seq bigint generated always as identity unique,
  transaction_id xid8 not null,
  team_id uuid not null,
  message_id text not null,
  type text not null,
  resource_type text not null,
  resource_id uuid not null,
  occurred_at timestamptz not null,
  body text not null
);

create index events_by_transaction on events (transaction_id);
-- The order in which events get their numbers in the journal.
create index events_in_order on events (team_id, occurred_at, transaction_id, seq);

-- The journal: the events of a team under numbers of its own, which are given when somebody reads (see src/webhooks/changes/EntriesRepo.ts). This is how far
-- the numbers of each team go.
create table journals (
  team_id uuid primary key,
  -- The last number that was given, and the last one whose event is kept no longer.
  last_seq bigint not null default 0,
  purged_seq bigint not null default 0,
  -- The place of the last event that has a number.
  at timestamptz not null default '-infinity',
  transaction_id xid8 not null default '0',
  event_seq bigint not null default 0
);

-- Which event has which number.
create table journal (
  team_id uuid not null,
  seq bigint not null,
  event_id uuid not null,
  primary key (team_id, seq)
);

-- No event has two numbers.
create unique index journal_by_event on journal (event_id);

-- Changes whose events are not fanned out to webhooks yet, in the transaction of the change: no event is forgotten when its job is.
create table fan_outs (
  team_id uuid not null,
  transaction_id xid8 not null,
  at timestamptz not null,
  primary key (team_id, at, transaction_id)
);
create index fan_outs_by_age on fan_outs (at);

-- The latest tombstone that was purged from each list: a delta answers 410 only to readers who have not been shown it
-- (docs/adr/0002-transaction-id-horizon.md). `list_id` is the project of its prospects and tasks, or else the team.
create table purged_tombstones (
  team_id uuid not null references teams,
  resource_type text not null,
  list_id uuid not null,
  updated_at timestamptz not null,
  transaction_id xid8 not null,
  primary key (team_id, resource_type, list_id)
);

-- The ids that other systems know resources by: within a team, a namespace and a type, one names one resource.
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
