-- Apps that act for people: what people granted them, and the codes and tokens of these grants. Beside the previous release, which
-- takes tokens of grants for personal ones.

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
  revoked_at timestamptz
);
create index apps_list on apps (created_at, id);

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

-- What one sign-in at an app led to: its code, and the refresh tokens that replaced one another. It ends as a whole.
create table grant_families (
  id uuid primary key,
  grant_id uuid not null references grants (id) on delete cascade,
  scopes text[] not null,
  resource text,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index grant_families_by_grant on grant_families (grant_id);

create table authorization_codes (
  hash bytea primary key,
  family_id uuid not null references grant_families (id) on delete cascade,
  redirect_uri text not null,
  challenge text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index authorization_codes_by_expiry on authorization_codes (expires_at);
create index authorization_codes_by_family on authorization_codes (family_id);

create table refresh_tokens (
  hash bytea primary key,
  family_id uuid not null references grant_families (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  replaced_at timestamptz
);
create index refresh_tokens_by_expiry on refresh_tokens (expires_at);
create index refresh_tokens_by_family on refresh_tokens (family_id);

alter table tokens add column family_id uuid references grant_families (id) on delete cascade;
alter table tokens drop constraint tokens_check, drop constraint tokens_kind_check;
alter table tokens add constraint tokens_kind_check check (kind in ('personal', 'access', 'granted')) not valid;
alter table tokens add constraint tokens_check check (
  (kind = 'access') = (client_id is not null) and (kind = 'granted') = (family_id is not null)
) not valid;
create index tokens_by_family on tokens (family_id, created_at, id) where family_id is not null;
create index tokens_by_client on tokens (client_id, created_at, id) where client_id is not null;
