create table companies (
  id uuid primary key,
  team_id uuid not null references teams (id),
  version bigint not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  change_type text not null,
  change_origin text not null,
  deleted_at timestamptz,
  name text,
  legal_name text,
  country text,
  homepage_url text,
  domain text,
  linked_in_url text,
  tags text[] not null default '{}',
  strategy text,
  profile_picture_url text,
  -- The name as duplicates are compared: without legal form, accents and case. Written with the name.
  name_key text,
  deleted_refs jsonb,
  -- The company that this one became part of; a merged company is a tombstone that redirects.
  merged_into uuid
);

create index companies_list on companies (team_id, created_at, id) where deleted_at is null;
create index companies_list_with_deleted on companies (team_id, created_at, id);
create index companies_delta on companies (team_id, updated_at, id);
create index companies_domain on companies (team_id, domain) where deleted_at is null and domain is not null;
create index companies_name_key on companies (team_id, name_key, country) where deleted_at is null;
create index companies_tombstones on companies (deleted_at) where deleted_at is not null;
create index companies_merged on companies (merged_into) where merged_into is not null;

-- Which contact works for which company.
create table links (
  id uuid primary key,
  team_id uuid not null references teams (id),
  version bigint not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  change_type text not null,
  change_origin text not null,
  deleted_at timestamptz,
  -- Kept on tombstones, so that the pair can be linked again under the same id.
  contact_id uuid not null,
  company_id uuid not null,
  job_title text,
  deleted_refs jsonb
);

create index links_list on links (team_id, created_at, id) where deleted_at is null;
create index links_list_with_deleted on links (team_id, created_at, id);
create index links_delta on links (team_id, updated_at, id);
create unique index links_pair on links (team_id, contact_id, company_id) where deleted_at is null;
create index links_former_pairs on links (team_id, contact_id, company_id, deleted_at) where deleted_at is not null;
create index links_by_company on links (team_id, company_id) where deleted_at is null;
create index links_tombstones on links (deleted_at) where deleted_at is not null;

alter table contacts add column merged_into uuid;

create index contacts_merged on contacts (merged_into) where merged_into is not null;
create index contacts_by_company on contacts (primary_company_id) where primary_company_id is not null;
