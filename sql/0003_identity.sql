-- Who may call: teams (the tenants), people and bots, their memberships, and what they authenticate with.

-- The tenants. Whatever belongs to one names it by `team_id`.
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

-- People, and the bots that clients act as.
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

-- A person is found by their e-mail address when they sign in.
create unique index users_email on users (lower(email)) where not is_bot;

alter table teams
  add constraint teams_contact_person foreign key (contact_person_id) references users (id);

-- Who belongs to which teams.
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

-- The teams of a person, one of which is theirs to begin with.
create index memberships_by_user on memberships (user_id);
create unique index memberships_one_primary on memberships (user_id) where is_primary;
create index memberships_active on memberships (team_id, role, sort_name, user_id) where status = 'active';

-- Programs of a team that act as a bot of their own, by client credentials.
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

-- Signed-in browsers. Only the hash of what the cookie carries is stored.
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

-- Who a person is at the OpenID provider with which they sign in. One subject for a person at each provider.
create table upstream_subjects (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  primary key (issuer, subject),
  unique (user_id, issuer)
);

-- Apps that act for people: what people granted them, and the codes and tokens of these grants.
create table apps (
  id uuid primary key,
  name text not null,
  -- confidential: has a secret. public: has none. document: a public one that a document at its URL describes.
  kind text not null check (kind in ('confidential', 'public', 'document')),
  secret_hash bytea check ((kind = 'confidential') = (secret_hash is not null)),
  redirect_uris text[] not null,
  document_url text unique check ((kind = 'document') = (document_url is not null)),
  created_at timestamptz not null,
  fetched_at timestamptz,
  revoked_at timestamptz,
  -- Until when the document is used without being loaded again.
  fresh_until timestamptz,
  -- Whether it registered itself. Such an app ends after a while if nobody used it.
  is_registered boolean not null default false
);
create index apps_list on apps (created_at, id);
create index apps_registered on apps (created_at, id) where is_registered;

-- What a person lets an app do in one of their teams.
create table grants (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  app_id uuid not null references apps (id),
  team_id uuid not null references teams (id),
  scopes text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revoked_at timestamptz
);
create unique index grants_one on grants (user_id, app_id, team_id) where revoked_at is null;
create index grants_by_team on grants (team_id, created_at, id) where revoked_at is null;
create index grants_by_app on grants (app_id);
-- Those that were revoked are removed after a week, with all that they led to.
create index grants_revoked on grants (revoked_at) where revoked_at is not null;

-- What one sign-in at an app led to: its code, and the refresh tokens that replaced one another. It ends as a whole.
create table grant_families (
  id uuid primary key,
  grant_id uuid not null references grants (id) on delete cascade,
  scopes text[] not null,
  resource text,
  created_at timestamptz not null,
  revoked_at timestamptz,
  -- Until when anything of it can be valid. A week later it is removed, with its code and tokens: neither the code nor the refresh tokens
  -- are removed before, because one that comes again must still end the family.
  ends_at timestamptz not null
);
create index grant_families_by_grant on grant_families (grant_id);
create index grant_families_by_end on grant_families (ends_at);

-- The code of a sign-in at an app, which the app exchanges for tokens once.
create table authorization_codes (
  hash bytea primary key,
  family_id uuid not null references grant_families (id) on delete cascade,
  redirect_uri text not null,
  challenge text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index authorization_codes_by_family on authorization_codes (family_id);

-- Each is used once, for new tokens. One that comes again was stolen, and ends the family.
create table refresh_tokens (
  hash bytea primary key,
  family_id uuid not null references grant_families (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  replaced_at timestamptz
);
create index refresh_tokens_by_family on refresh_tokens (family_id);

-- What calls carry. `personal`: made by a person for themselves. `access`: of a client, which exchanged its credentials for it. `granted`: of
-- an app, by a grant.
create table tokens (
  id uuid primary key,
  kind text not null check (kind in ('personal', 'access', 'granted')),
  hash bytea not null unique,
  user_id uuid not null references users (id),
  team_id uuid not null references teams (id),
  client_id uuid references clients (id),
  name text,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  family_id uuid references grant_families (id) on delete cascade,
  -- The form of the account page that made a personal token: sent again, as by a reload, it makes no other one.
  form_hash bytea,
  check ((kind = 'access') = (client_id is not null) and (kind = 'granted') = (family_id is not null))
);

create index tokens_by_user on tokens (user_id, created_at, id) where kind = 'personal';
create index tokens_by_client on tokens (client_id, created_at, id) where client_id is not null;
create index tokens_by_family on tokens (family_id, created_at, id) where family_id is not null;
create index tokens_by_expiry on tokens (expires_at);
create unique index tokens_by_form on tokens (form_hash) where form_hash is not null;

-- Counts only: losing them in a crash costs nobody more than one window, so it need not be logged.
create unlogged table rate_windows (
  subject uuid primary key,
  opened_at timestamptz not null,
  requests integer not null
) with (fillfactor = 50);
