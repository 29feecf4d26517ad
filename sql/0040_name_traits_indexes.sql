-- In each cell.
-- Finds names by their traits (0039). With many rows, an operator creates those functions and these indexes before, the indexes concurrently.
-- Processes of the previous release read `companies_name_initials`, which a later release drops.
create index if not exists companies_name_traits
  on companies (team_id, name_initials(name_key), name_length(name_key), name_letters(name_key)) include (id, name_key, country)
  where deleted_at is null and not may_be_transliterated(name);

create index if not exists companies_transliterated_names
  on companies (team_id, name_initials(name_key)) include (id, name_key, country)
  where deleted_at is null and may_be_transliterated(name);
