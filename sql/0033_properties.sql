-- Properties: the assets themselves. Members that lists filter by and searches usually name have a column of their own; so have the
-- other members, because a row is written and read as a whole, and a column that is null takes a bit. Objects inside, and amounts with
-- their unit, are JSON, whose numbers are exact decimals: they are compared as `numeric`, never added up.
create table properties (
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
  owner_id uuid,
  -- The living projects that list it: a copy of `projects.property_ids` from the other side, which writers of projects keep, so that a
  -- page of properties needs no join and a property whose projects change gets a new version.
  project_ids uuid[] not null default '{}',
  description text,
  country text,
  locality text,
  -- With the country and the locality, as it is answered.
  address jsonb,
  coordinates jsonb,
  parcels jsonb,
  categories text[] not null default '{}',
  subcategories text[] not null default '{}',
  lifecycle_stage text,
  tenure text,
  ground_lease jsonb,
  ownership_share jsonb,
  deal_structure text,
  parcel_area jsonb,
  gross_floor_area jsonb,
  internal_area jsonb,
  lettable_area jsonb,
  rented_area jsonb,
  vacant_area jsonb,
  areas_by_use jsonb,
  zoning jsonb,
  conversions text[] not null default '{}',
  tags text[] not null default '{}',
  year_built integer,
  year_renovated integer,
  building_count integer,
  floor_count integer,
  unit_count integer,
  parking_spaces integer,
  grade text,
  condition text,
  heritage_listed boolean,
  industrial jsonb,
  hotel jsonb,
  income jsonb,
  tenants jsonb,
  pricing jsonb,
  energy jsonb,
  certifications jsonb,
  eu_taxonomy_aligned boolean,
  stranding_year integer,
  deleted_refs jsonb
);

create index properties_list on properties (team_id, created_at, id) where deleted_at is null;
create index properties_list_with_deleted on properties (team_id, created_at, id);
create index properties_delta on properties (team_id, updated_at, id);
create index properties_tombstones on properties (deleted_at) where deleted_at is not null;

-- Where the query of properties looks: the name and the address, each part after a space.
create or replace function property_text(name text, address jsonb) returns text
language sql immutable parallel safe
return search_fold(
  coalesce(' ' || name, '') || coalesce(' ' || (address ->> 'street'), '') ||
  coalesce(' ' || (address ->> 'houseNumber'), '') || coalesce(' ' || (address ->> 'postalCode'), '') ||
  coalesce(' ' || (address ->> 'locality'), '') || coalesce(' ' || (address ->> 'region'), '')
);

-- As for contacts and companies (0009_search.sql).
create index properties_text on properties
  using gin (team_id, property_text(name, address) gin_trgm_ops) where deleted_at is null;
create index properties_description on properties
  using gin (team_id, search_fold(description) gin_trgm_ops) where deleted_at is null and description is not null;
-- What to update when the list of a project changes.
create index properties_of_projects on properties
  using gin (team_id, project_ids) where deleted_at is null and project_ids <> '{}';
create index properties_tags on properties using gin (team_id, tags) where deleted_at is null and tags <> '{}';
create index properties_name on properties
  (team_id, (search_key(name) collate "C"), id) where deleted_at is null;
create index properties_locality on properties
  (team_id, (search_key(locality) collate "C"), id) where deleted_at is null;

create statistics properties_text_values on property_text(name, address) from properties;
create statistics properties_description_values on search_fold(description) from properties;
create statistics properties_name_values on (search_key(name) collate "C") from properties;
create statistics properties_locality_values on (search_key(locality) collate "C") from properties;

-- Whether somebody wrote `property_count`: else it follows `property_ids`. Null on the rows of the previous release: there, any count
-- was written.
alter table projects add column property_count_written boolean;
-- The projects that list a property that is deleted.
create index projects_listing on projects
  using gin (team_id, property_ids) where deleted_at is null and property_ids <> '{}';

alter table files drop constraint files_subject_type_check;
alter table files add constraint files_subject_type_check
  check (subject_type in ('contact', 'company', 'project', 'prospect', 'property')) not valid;
