-- In each cell.
-- Texts by which things are told apart are compared and stored in NFC. Before, two spellings of one text were two things. Where a reference
-- of the same text in NFC exists already, the other spelling stays as it is, because only its team can say which record it means.
update external_references as kept
set namespace = normalize(kept.namespace, NFC), external_id = normalize(kept.external_id, NFC)
from (
  select distinct on (team_id, resource_type, normalize(namespace, NFC), normalize(external_id, NFC))
    team_id, resource_type, namespace, external_id
  from external_references
  order by team_id, resource_type, normalize(namespace, NFC), normalize(external_id, NFC),
    (namespace is nfc normalized and external_id is nfc normalized) desc, namespace, external_id
) as first
where kept.team_id = first.team_id and kept.resource_type = first.resource_type and kept.namespace = first.namespace
  and kept.external_id = first.external_id
  and (kept.namespace is not nfc normalized or kept.external_id is not nfc normalized);

update contacts
set tags = array(
  select normalize(tag, NFC) from unnest(tags) with ordinality as each (tag, place) group by 1 order by min(place))
where exists (select from unnest(tags) as tag where tag is not nfc normalized);

update companies
set tags = array(
  select normalize(tag, NFC) from unnest(tags) with ordinality as each (tag, place) group by 1 order by min(place))
where exists (select from unnest(tags) as tag where tag is not nfc normalized);

update prospects
set tags = array(
  select normalize(tag, NFC) from unnest(tags) with ordinality as each (tag, place) group by 1 order by min(place))
where exists (select from unnest(tags) as tag where tag is not nfc normalized);

update prospects
set project_tags = array(
  select normalize(tag, NFC) from unnest(project_tags) with ordinality as each (tag, place) group by 1 order by min(place))
where exists (select from unnest(project_tags) as tag where tag is not nfc normalized);

-- Documents of rooms whose paths are one text are versions of one document, in the order in which they were uploaded. Versions are negative
-- for a moment, because no two rows may have the same one.
update room_documents as document
set path = numbered.path, version = -numbered.version
from (
  select file_id, normalize(path, NFC) as path,
    row_number() over (partition by room_id, normalize(path, NFC) order by files.created_at, file_id)::int as version
  from room_documents join files on files.id = file_id
  where (room_id, normalize(path, NFC)) in (
    select room_id, normalize(path, NFC) from room_documents where path is not nfc normalized)
) as numbered
where document.file_id = numbered.file_id;

update room_documents set version = -version where version < 0;

insert into room_document_numbers as numbers (room_id, path, team_id, version)
select room_id, path, team_id, max(version) from (
  select room_id, normalize(path, NFC) as path, team_id, version from room_document_numbers where path is not nfc normalized
  union all
  select room_id, path, team_id, version from room_documents
  where (room_id, path) in (select room_id, normalize(path, NFC) from room_document_numbers where path is not nfc normalized)
) as used
group by room_id, path, team_id
on conflict (room_id, path) do update set version = greatest(numbers.version, excluded.version);

delete from room_document_numbers where path is not nfc normalized;
