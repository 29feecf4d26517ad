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
  error text
);
