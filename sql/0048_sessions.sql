-- Sign-in: passwords, the links by which they are set, sessions, and attempts.

create table passwords (
  user_id uuid primary key references users (id) on delete cascade,
  hash text not null,
  changed_at timestamptz not null
);

-- A link sets a password once. Only its hash is stored.
create table sign_in_links (
  hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_links_by_user on sign_in_links (user_id);
create index sign_in_links_by_expiry on sign_in_links (expires_at);

create table sessions (
  id uuid primary key,
  hash bytea not null unique,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  user_agent text,
  address text
);
create index sessions_by_user on sessions (user_id, created_at, id) where revoked_at is null;
create index sessions_by_expiry on sessions (expires_at);

-- Windows of attempts: to sign in, of an account and of a network address; at the token endpoint, of clients. By hashes. A crash may
-- forget them.
create unlogged table attempts (
  subject text primary key,
  opened_at timestamptz not null,
  attempts integer not null
);
create index attempts_by_age on attempts (opened_at);
