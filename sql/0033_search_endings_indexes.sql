-- In each cell.
-- Finds words and parts of words (0032). With many rows, an operator creates these functions and indexes before, the indexes concurrently.
create index if not exists contacts_endings on contacts using gin (search_endings(team_id, searched_text)) where deleted_at is null;

create index if not exists companies_endings on companies using gin (search_endings(team_id, searched_text)) where deleted_at is null;

create index if not exists properties_endings on properties using gin (search_endings(team_id, searched_text)) where deleted_at is null;
