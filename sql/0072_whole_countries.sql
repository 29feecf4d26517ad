-- In each cell.

-- The countries that the place of a mandate consists of, if it was named so: ISO 3166-1 codes.
alter table mandates add column if not exists whole_countries text[] not null default '{}';

-- The country that a box is of, if the place of its mandate consists of countries; empty for all others.
alter table mandate_boxes add column if not exists country text not null default '';

create index if not exists mandate_boxes_by_country on mandate_boxes (team_id, country, mandate_id) where country <> '';

-- A mandate for a country without a place now reaches up to 25 km off the coast: 0.23 degrees of latitude. Until it is written
-- again, its boxes are widened by that. These are few: not a job's work.
update mandate_boxes
set box = box(
  point(
    case when (box[1])[0] - width < -1.8e9 or (box[0])[0] + width > 1.8e9 then -1.8e9 else (box[1])[0] - width end,
    greatest((box[1])[1] - 2.3e6, -9e8)
  ),
  point(
    case when (box[1])[0] - width < -1.8e9 or (box[0])[0] + width > 1.8e9 then 1.8e9 else (box[0])[0] + width end,
    least((box[0])[1] + 2.3e6, 9e8)
  )
)
from (
  select mandates.team_id, mandates.id, boxes.ctid as place,
    2.3e6 / cosd(least(89, greatest(abs((boxes.box[0])[1]), abs((boxes.box[1])[1])) / 1e7 + 0.23)) as width
  from mandates join mandate_boxes as boxes on boxes.team_id = mandates.team_id and boxes.mandate_id = mandates.id
  where mandates.geography is null and mandates.country is not null and mandates.deleted_at is null
) as narrow
where mandate_boxes.team_id = narrow.team_id and mandate_boxes.mandate_id = narrow.id and mandate_boxes.ctid = narrow.place;
