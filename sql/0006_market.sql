-- What is offered and what is wanted: properties and mandates.

-- Where the query of properties looks: the name and the address, each part after a space; once more from the region to the house, as
-- addresses are written in East Asia.
create function property_text(name text, address jsonb) returns text
language sql immutable parallel safe
return search_text(
  coalesce(' ' || name, '') || coalesce(' ' || (address ->> 'street'), '') ||
  coalesce(' ' || (address ->> 'houseNumber'), '') || coalesce(' ' || (address ->> 'postalCode'), '') ||
  coalesce(' ' || (address ->> 'locality'), '') || coalesce(' ' || (address ->> 'region'), '') ||
  case when address ->> 'locality' ~ '[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff66-\uffdc\U00020000-\U0003ffff]' then
    ' ' || coalesce(address ->> 'region', '') || (address ->> 'locality') || coalesce(address ->> 'street', '') ||
    coalesce(address ->> 'houseNumber', '') || coalesce(name, '')
  else '' end
);

-- The position of a property in the units of `mandate_boxes`: 1e-7 degrees of longitude and latitude.
create function property_point(coordinates jsonb) returns point
language sql immutable parallel safe
return point((coordinates ->> 'longitude')::double precision * 1e7, (coordinates ->> 'latitude')::double precision * 1e7);

-- Properties: the assets themselves. Members that lists filter by and searches usually name have a column of their own; so have the
-- other members, because a row is written and read as a whole, and a column that is null takes a bit. Objects inside, and amounts with
-- their unit, are JSON, whose numbers are exact decimals: they are compared as `numeric`, never added up.
create table properties (
  id uuid primary key,
  team_id uuid not null references teams (id),
  version bigint not null,
  transaction_id xid8 not null,
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
  deleted_refs jsonb,
  -- As for the strategy of contacts (0005_network.sql).
  description_folded text,
  searched_text text generated always as (property_text(name, address)) stored
);

create index properties_list on properties (team_id, created_at, id) where deleted_at is null;
create index properties_list_with_deleted on properties (team_id, created_at, id);
create index properties_delta on properties (team_id, updated_at, id);
create index properties_tombstones on properties (deleted_at) where deleted_at is not null;

-- Searches, as for contacts and companies (0005_network.sql).
create function fold_description() returns trigger language plpgsql as $$
begin
  new.description_folded := search_long_fold(new.description);
  return new;
end
$$;

create trigger fold_new_description before insert on properties
  for each row when (octet_length(new.description) > 500) execute function fold_description();
create trigger fold_description before update of description on properties
  for each row when (new.description is distinct from old.description) execute function fold_description();

create index properties_text on properties using gin (team_id, searched_text gin_trgm_ops) where deleted_at is null;
create index properties_description on properties
  using gin (team_id, search_text(description) gin_trgm_ops) where deleted_at is null and description is not null;
create index properties_long_description on properties
  using gin (team_id, description_folded gin_trgm_ops) where deleted_at is null and description_folded is not null;
create index properties_tags on properties using gin (team_id, tags) where deleted_at is null and tags <> '{}';
create index properties_name on properties
  (team_id, (search_key(name) collate "C"), id) where deleted_at is null;
create index properties_locality on properties
  (team_id, (search_key(locality) collate "C"), id) where deleted_at is null;

create statistics properties_descriptions on search_text(description) from properties;
create statistics properties_name_values on (search_key(name) collate "C") from properties;
create statistics properties_locality_values on (search_key(locality) collate "C") from properties;

-- What to update when the list of a project changes.
create index properties_of_projects on properties
  using gin (team_id, project_ids) where deleted_at is null and project_ids <> '{}';

-- What a mandate is matched with: the properties in its area and those without coordinates, or those of its country and those of
-- which neither coordinates nor country are known.
create index properties_by_place on properties using gist (team_id, property_point(coordinates))
  where deleted_at is null and coordinates is not null;
create index properties_without_place on properties (team_id, id) where deleted_at is null and coordinates is null;
create index properties_without_location on properties (team_id, id)
  where deleted_at is null and coordinates is null and country is null;
create index properties_by_country on properties (team_id, country, id) where deleted_at is null;

-- What investors look for. Lists of codes are sets; ranges are values that are written as a whole.
create table mandates (
  id uuid primary key,
  team_id uuid not null references teams (id),
  version bigint not null,
  transaction_id xid8 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  change_type text not null,
  change_origin text not null,
  deleted_at timestamptz,
  name text,
  description text,
  status text,
  valid_until timestamptz,
  -- For whom a broker keeps it: {contactId} or {companyId}; null is the team itself. `investor_id` is the UUID of either.
  investor jsonb,
  investor_id uuid,
  categories text[] not null default '{}',
  subcategories text[] not null default '{}',
  lifecycle_stages text[] not null default '{}',
  tenures text[] not null default '{}',
  deal_structures text[] not null default '{}',
  conversions text[] not null default '{}',
  risk_profiles text[] not null default '{}',
  investment_size jsonb,
  year_built jsonb,
  parcel_area jsonb,
  lettable_area jsonb,
  zoning_gfa jsonb,
  net_initial_yield jsonb,
  vacancy_rate jsonb,
  target_irr jsonb,
  wault jsonb,
  unit_count jsonb,
  price_per_sqm jsonb,
  worst_energy_class text,
  country text,
  -- The polygons of its place, encoded (src/market/mandates/geography/), also those that approximate a circle.
  geography bytea,
  -- The centre, {latitude, longitude}, and the radius in metres of a place that is a circle.
  near jsonb,
  radius double precision,
  positive_tags text[] not null default '{}',
  negative_tags text[] not null default '{}',
  deleted_refs jsonb,
  -- The countries that its place consists of, if it was named so: ISO 3166-1 codes.
  whole_countries text[] not null default '{}'
);

create index mandates_list on mandates (team_id, created_at, id) where deleted_at is null;
create index mandates_list_with_deleted on mandates (team_id, created_at, id);
create index mandates_delta on mandates (team_id, updated_at, id);
create index mandates_by_status on mandates (team_id, status, created_at, id) where deleted_at is null;
create index mandates_by_investor on mandates (team_id, investor_id, created_at, id)
  where deleted_at is null and investor_id is not null;
create index mandates_tombstones on mandates (deleted_at) where deleted_at is not null;
-- A search by place walks these: all, and those that want any place.
create index mandates_by_id on mandates (team_id, id) where deleted_at is null;
create index mandates_anywhere on mandates (team_id, id) where deleted_at is null and geography is null and country is null;
-- A property whose coordinates are beside the coarse outline of its country is in the country all the same.
create index mandates_by_country on mandates (team_id, country, id)
  where deleted_at is null and status = 'active' and geography is null and country is not null;

-- Finds the mandates whose place may meet another one: boxes that cover its parts, in units of 1e-7 degrees of longitude and
-- latitude. A mandate with a country and no geography has the boxes of the country.
create table mandate_boxes (
  team_id uuid not null,
  mandate_id uuid not null,
  box box not null,
  -- The country that the box is of, if the place of its mandate consists of countries; empty for all others.
  country text not null default ''
);

create index mandate_boxes_by_place on mandate_boxes using gist (team_id, box) include (mandate_id);
-- A search that finds too many walks all boxes in the order of their mandates, in this index alone.
create index mandate_boxes_by_mandate on mandate_boxes (team_id, mandate_id) include (box);
create index mandate_boxes_by_country on mandate_boxes (team_id, country, mandate_id) where country <> '';
