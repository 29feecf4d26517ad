-- In each cell.
-- The requests to the API of the last hours, for those who write programs (docs/behaviour/console.md#requests): no bodies, no addresses,
-- and of the path its pattern alone. `client_id` is the OAuth client or app, `token_id` the personal token, of which one is null. A row may
-- stand for several requests that were alike.
create table request_records (
  team_id uuid not null,
  at timestamptz not null,
  id uuid not null,
  request_id text,
  method text not null,
  route text,
  tool text,
  status integer not null,
  code text,
  duration_ms real not null,
  client_id uuid,
  token_id uuid,
  requests integer not null,
  primary key (team_id, at, id)
);

create index request_records_by_age on request_records (at);
