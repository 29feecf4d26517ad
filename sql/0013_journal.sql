-- The journal: the events of a team under numbers of its own, which are given when somebody reads (see EntriesRepo).

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

create table journal (
  team_id uuid not null,
  seq bigint not null,
  event_id uuid not null,
  primary key (team_id, seq)
);

-- No event has two numbers.
create unique index journal_by_event on journal (event_id);

-- The order in which events get their numbers.
create index if not exists events_in_order on events (team_id, occurred_at, transaction_id, seq);

-- Nothing reads them by it.
drop index if exists events_by_team;
