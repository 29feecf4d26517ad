create table contacts (
  id uuid primary key,
  team_id uuid not null references teams (id),
  version bigint not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  change_type text not null,
  change_origin text not null,
  deleted_at timestamptz,
  first_name text,
  last_name text,
  email text,
  phone text,
  primary_language text,
  primary_company_id uuid,
  tags text[] not null default '{}',
  strategy text,
  linked_in_url text,
  profile_picture_url text,
  -- What a tombstone answers with: references are released on deletion, so they are no longer in their own table.
  deleted_refs jsonb
);

create index contacts_list on contacts (team_id, created_at, id) where deleted_at is null;
create index contacts_list_with_deleted on contacts (team_id, created_at, id);
create index contacts_delta on contacts (team_id, updated_at, id);
create index contacts_email on contacts (team_id, lower(email)) where deleted_at is null and email is not null;
create index contacts_tombstones on contacts (deleted_at) where deleted_at is not null;
