-- What investors look for. Lists of codes are sets; ranges are values that are written as a whole.
create table mandates (
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
  deleted_refs jsonb
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
