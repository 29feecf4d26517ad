-- Finds the mandates whose place may meet another one: boxes that cover its parts, in units of 1e-7 degrees of longitude and
-- latitude. A mandate with a country and no geography has the boxes of the country. A trusted extension: the database's owner may
-- add it. It brings equality of UUIDs to the index.
create extension if not exists btree_gist;

create table mandate_boxes (
  team_id uuid not null,
  mandate_id uuid not null,
  box box not null
);

create index mandate_boxes_by_place on mandate_boxes using gist (team_id, box) include (mandate_id);
-- A search that finds too many walks all boxes in the order of their mandates, in this index alone.
create index mandate_boxes_by_mandate on mandate_boxes (team_id, mandate_id) include (box);
