-- Long texts as search compares them. To fold 20,000 characters takes milliseconds, too long to do it for each row of a search; to
-- look into the folded text takes a twentieth of that. Short ones, which almost all are, stay folded on the fly: their columns are
-- null.
alter table contacts add column if not exists strategy_folded text;
alter table companies add column if not exists strategy_folded text;
alter table properties add column if not exists description_folded text;

-- A text as search compares it if it is long, and null otherwise.
create or replace function search_long_fold(value text) returns text
language sql immutable parallel safe
return case when octet_length(value) > 500 then search_fold(value) end;

-- By triggers, since the previous release writes as well.
create function fold_strategy() returns trigger language plpgsql as $$
begin
  new.strategy_folded := search_long_fold(new.strategy);
  return new;
end
$$;

create function fold_description() returns trigger language plpgsql as $$
begin
  new.description_folded := search_long_fold(new.description);
  return new;
end
$$;

create trigger fold_new_strategy before insert on contacts
  for each row when (octet_length(new.strategy) > 500) execute function fold_strategy();
create trigger fold_strategy before update of strategy on contacts
  for each row when (new.strategy is distinct from old.strategy) execute function fold_strategy();
create trigger fold_new_strategy before insert on companies
  for each row when (octet_length(new.strategy) > 500) execute function fold_strategy();
create trigger fold_strategy before update of strategy on companies
  for each row when (new.strategy is distinct from old.strategy) execute function fold_strategy();
create trigger fold_new_description before insert on properties
  for each row when (octet_length(new.description) > 500) execute function fold_description();
create trigger fold_description before update of description on properties
  for each row when (new.description is distinct from old.description) execute function fold_description();

-- Parts of long texts. The indexes of 0009_search.sql and 0033_properties.sql have them as well, but would fold each row that they
-- find once more.
create index if not exists contacts_long_strategy on contacts
  using gin (team_id, strategy_folded gin_trgm_ops) where deleted_at is null and strategy_folded is not null;
create index if not exists companies_long_strategy on companies
  using gin (team_id, strategy_folded gin_trgm_ops) where deleted_at is null and strategy_folded is not null;
create index if not exists properties_long_description on properties
  using gin (team_id, description_folded gin_trgm_ops) where deleted_at is null and description_folded is not null;

-- What the job `housekeeping/foldedTexts` still has to fold: rows of the previous release.
create index if not exists contacts_unfolded on contacts (id)
  where strategy_folded is null and octet_length(strategy) > 500;
create index if not exists companies_unfolded on companies (id)
  where strategy_folded is null and octet_length(strategy) > 500;
create index if not exists properties_unfolded on properties (id)
  where description_folded is null and octet_length(description) > 500;
