-- Who may call: teams (the tenants), people and bots, their memberships, and what they authenticate with.

create table teams (
  id uuid primary key,
  name text not null,
  plan text not null check (plan in ('free', 'professional', 'plus')),
  categories text[] not null default '{}',
  contact_person_id uuid,
  country text,
  description text,
  homepage_url text,
  legal_name text,
  profile_picture_url text,
  strategy text,
  vat_number text,
  investment_capacity jsonb,
  leasable_area jsonb,
  property_count jsonb,
  property_value jsonb,
  restricted_investment_size jsonb,
  created_at timestamptz not null
);

create table users (
  id uuid primary key,
  email text,
  email_confirmed boolean not null default false,
  phone text,
  phone_confirmed boolean not null default false,
  first_name text,
  last_name text,
  name text not null,
  is_bot boolean not null default false,
  culture text not null default 'en-US',
  ui_culture text not null default 'en-US',
  region text not null default 'DE',
  time_zone text not null default 'Europe/Berlin',
  profile_picture_url text,
  broker text check (broker in ('active', 'pending')),
  investor text check (investor in ('active', 'pending')),
  created_at timestamptz not null
);

create unique index users_email on users (lower(email)) where not is_bot;

alter table teams
  add constraint teams_contact_person foreign key (contact_person_id) references users (id);

create table memberships (
  team_id uuid not null references teams (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('admin', 'member')),
  status text not null check (status in ('active', 'pending')),
  is_primary boolean not null,
  joined_at timestamptz not null,
  -- "Admins first, then by display name": one ordered key, so that members page by keyset.
  sort_name text not null,
  primary key (team_id, user_id)
);

create index memberships_by_user on memberships (user_id);
create unique index memberships_one_primary on memberships (user_id) where is_primary;
create index memberships_active on memberships (team_id, role, sort_name, user_id) where status = 'active';

create table clients (
  id uuid primary key,
  team_id uuid not null references teams (id),
  bot_user_id uuid not null references users (id),
  name text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);

create index clients_by_team on clients (team_id, created_at, id);

create table tokens (
  id uuid primary key,
  kind text not null check (kind in ('personal', 'access')),
  hash bytea not null unique,
  user_id uuid not null references users (id),
  team_id uuid not null references teams (id),
  client_id uuid references clients (id),
  name text,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  check ((kind = 'access') = (client_id is not null))
);

create index tokens_by_user on tokens (user_id, created_at, id) where kind = 'personal';
create index tokens_by_expiry on tokens (expires_at);

-- Counts only: losing them in a crash costs nobody more than one window, so it need not be logged.
create unlogged table rate_windows (
  subject uuid primary key,
  opened_at timestamptz not null,
  requests integer not null
) with (fillfactor = 50);
