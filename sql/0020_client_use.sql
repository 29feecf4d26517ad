-- What is known of the use of clients, and a second secret for a rotation without an interruption.

-- How many requests of a caller were answered on a day (UTC): of the client, the grant or the personal token that its rate limit is of. The
-- statement that opens the caller's next rate window adds those of the one before.
create table request_days (
  subject uuid not null,
  day date not null,
  requests bigint not null,
  last_at timestamptz not null,
  primary key (subject, day)
);

create index request_days_by_day on request_days (day);

-- The network addresses from which clients and apps called.
create table client_addresses (
  client_id uuid not null,
  address text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (client_id, address)
);

create index client_addresses_by_age on client_addresses (last_at);

-- The secret that a rotation replaced, until its overlap ends.
alter table clients add column previous_secret_hash bytea;
alter table clients add column previous_secret_until timestamptz;
alter table clients add constraint clients_previous_secret
  check ((previous_secret_hash is null) = (previous_secret_until is null)) not valid;
