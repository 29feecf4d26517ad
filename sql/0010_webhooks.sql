-- Webhooks: where a team has events sent, what it wants, and what became of each delivery (src/webhooks/deliveries/README.md).

-- The subscription of a receiver to events of a team.
create table webhooks (
  id uuid primary key,
  team_id uuid not null references teams (id),
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  change_type text not null,
  change_origin text not null,
  deleted_at timestamptz,
  name text,
  url text not null,
  events text[] not null,
  status text not null check (status in ('active', 'paused', 'disabled')),
  secret_sealed bytea not null,
  disabled_reason text,
  disabled_at timestamptz,
  consecutive_exhausted integer not null default 0,
  -- When a client last made it active again. What had failed before is then attempted early.
  activated_at timestamptz,
  -- Secrets that were replaced and still sign until a time: [{sealed (base64), until}].
  previous_secrets jsonb not null default '[]',
  -- Whether the receiver did not answer in time when it was last called. Such a one gets few attempts at a time.
  slow boolean not null default false
);

create index webhooks_list on webhooks (team_id, created_at, id) where deleted_at is null;
create index webhooks_tombstones on webhooks (deleted_at) where deleted_at is not null;

-- Which events a webhook wants, and since when: a change of its events concerns new events only, however late the
-- fan-out of an older one runs. Many changes may have one time; their transactions' ids are in the order of the changes
-- (see begin_change), as long as they are of one server: one that was restored from a dump counts anew, but its times
-- go on. So the times decide, and the ids where they are equal.
create table webhook_subscriptions (
  webhook_id uuid not null references webhooks (id),
  team_id uuid not null,
  event_type text not null,
  from_at timestamptz not null,
  from_transaction xid8 not null,
  until_at timestamptz,
  until_transaction xid8,
  primary key (webhook_id, event_type, from_at, from_transaction),
  check ((until_at is null) = (until_transaction is null))
);

create index webhook_subscriptions_match on webhook_subscriptions (team_id, event_type)
  include (webhook_id, from_at, from_transaction, until_at, until_transaction);
create index webhook_subscriptions_ended on webhook_subscriptions (until_at) where until_at is not null;

-- One event for one webhook.
create table deliveries (
  id uuid primary key,
  team_id uuid not null,
  webhook_id uuid not null references webhooks (id),
  event_id uuid not null references events (id),
  event_type text not null,
  status text not null check (status in ('pending', 'delivered', 'failed', 'exhausted')),
  attempt_count integer not null default 0,
  -- Null when no attempt follows: delivered, given up, or waiting for its webhook to be active again.
  next_attempt_at timestamptz,
  last_attempt_at timestamptz,
  last_status_code integer,
  last_error text,
  last_duration_ms integer,
  created_at timestamptz not null,
  delivered_at timestamptz,
  -- Whether an attempt is being made, or its job is due; few of a webhook and of a team are at a time, however many wait.
  claimed boolean not null default false,
  -- The attempts that were made before the count began anew; attempts are numbered through.
  replayed_attempts integer not null default 0,
  -- Which worker has claimed it: an id whose lock tells that the worker lives.
  claimed_by text
);

-- An event has one delivery for a webhook. By the event first, so that old events can be removed: each looks for deliveries of its own.
create unique index deliveries_of_event on deliveries (event_id, webhook_id);
create index deliveries_claimed on deliveries (team_id, webhook_id) where claimed;
-- What waits for its time, or for room: first attempts, then others. In the words of SchedulerRepo.
create index deliveries_waiting
  on deliveries (webhook_id, least(attempt_count + replayed_attempts, 1), next_attempt_at, id)
  where next_attempt_at is not null and not claimed;

create index deliveries_log on deliveries (webhook_id, created_at desc, id desc);
-- Those by a state or a type that few have. Most deliveries are delivered, and need no index to be found.
create index deliveries_log_by_status on deliveries (webhook_id, status, created_at desc, id desc)
  where status <> 'delivered';
create index deliveries_log_by_type on deliveries (webhook_id, event_type, created_at desc, id desc);
-- What is to be sent when the webhook becomes active: what is held, without the refusals for good (a 4xx but 429), and
-- what has its next attempt at some time. In the words of DeliveriesRepo.resume, or they are of no use to it.
create index deliveries_held on deliveries (webhook_id, created_at, id)
  where next_attempt_at is null and (status = 'pending' or (
    status = 'failed' and (coalesce(last_status_code, 0) not between 400 and 499 or last_status_code = 429)
  ));
create index deliveries_retried on deliveries (webhook_id, next_attempt_at)
  where status = 'failed' and next_attempt_at is not null;

-- The attempts of a delivery, as its log shows them.
create table delivery_attempts (
  delivery_id uuid not null references deliveries (id) on delete cascade,
  number integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  status_code integer,
  error text,
  response_headers jsonb,
  response_body text,
  request_headers jsonb,
  team_id uuid not null,
  primary key (delivery_id, number)
);

-- When a team's deliveries are looked at next, for those that are due by then: one job for all of them.
create table delivery_wake_ups (
  team_id uuid primary key,
  at timestamptz not null
);

-- The attempts of each webhook by the hour in which they began and by their duration, rounded up: what its health is read from.
-- The transaction that records attempts adds to them; hourly housekeeping removes those of earlier days.
create table webhook_attempts (
  webhook_id uuid not null,
  hour timestamptz not null,
  duration_ms integer not null,
  attempts integer not null,
  -- First attempts of deliveries.
  first_attempts integer not null,
  -- Attempts that delivered.
  delivered integer not null,
  team_id uuid not null,
  primary key (webhook_id, hour, duration_ms)
);
create index webhook_attempts_by_hour on webhook_attempts (hour);

-- The latest failed attempt of each webhook, and whether subscribers were told that it is failing and not told since that it
-- was healthy again.
create table webhook_failures (
  webhook_id uuid primary key,
  is_failing boolean not null default false,
  at timestamptz,
  status_code integer,
  error text,
  team_id uuid not null
);
