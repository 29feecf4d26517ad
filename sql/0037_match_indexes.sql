-- In each cell.
-- What a mandate is matched with, with what most of its score follows from: which properties are worth reading is known by these indexes
-- alone. With many rows, an operator creates them before, concurrently. They have the keys of 0006, which a later release drops.
create index if not exists properties_unplaced on properties (team_id, id)
  include (country, categories, tags, lifecycle_stage, tenure, deal_structure, year_built, unit_count, parcel_area, lettable_area, pricing)
  where deleted_at is null and coordinates is null;

create index if not exists properties_in_country on properties (team_id, country, id)
  include (categories, tags, lifecycle_stage, tenure, deal_structure, year_built, unit_count, parcel_area, lettable_area, pricing)
  where deleted_at is null and country is not null;
