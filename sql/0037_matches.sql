-- The position of a property in the units of `mandate_boxes`: 1e-7 degrees of longitude and latitude.
create or replace function property_point(coordinates jsonb) returns point
language sql immutable parallel safe
return point((coordinates ->> 'longitude')::double precision * 1e7, (coordinates ->> 'latitude')::double precision * 1e7);

-- What a mandate is matched with: the properties in its area and those without coordinates, or those of its country and those of
-- which neither coordinates nor country are known.
create index properties_by_place on properties using gist (team_id, property_point(coordinates))
  where deleted_at is null and coordinates is not null;
create index properties_without_place on properties (team_id, id) where deleted_at is null and coordinates is null;
create index properties_without_location on properties (team_id, id)
  where deleted_at is null and coordinates is null and country is null;
create index properties_by_country on properties (team_id, country, id) where deleted_at is null;
-- A property whose coordinates are beside the coarse outline of its country is in the country all the same.
create index mandates_by_country on mandates (team_id, country, id)
  where deleted_at is null and status = 'active' and geography is null and country is not null;
