-- Secrets that were replaced and still sign until a time: [{sealed (base64), until}].
alter table webhooks add column previous_secrets jsonb not null default '[]';

-- Whether the receiver did not answer in time when it was last called. Such a one gets few attempts at a time.
alter table webhooks add column slow boolean not null default false;

-- `admitted`: an attempt is being made, or its job is due; few of an endpoint and of a team are at a time, however many
-- wait. `replayed_attempts`: those made before the count began anew; attempts are numbered through.
alter table deliveries
  add column admitted boolean not null default false,
  add column replayed_attempts integer not null default 0;

alter table delivery_attempts add column request_headers jsonb;

-- Changes whose events are not fanned out yet, in the transaction of the change: no event is forgotten when its job is.
create table fan_outs (
  team_id uuid not null,
  transaction_id xid8 not null,
  at timestamptz not null,
  primary key (team_id, at, transaction_id)
);
create index fan_outs_by_age on fan_outs (at);

-- When a team's deliveries are looked at next, for those that are due by then: one job for all of them.
create table delivery_alarms (
  team_id uuid primary key,
  at timestamptz not null
);
