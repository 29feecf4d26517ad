-- In each cell.
-- Indexes and stored texts by the functions of 0075. Indexes of cells have other names, so those of the former expressions are found by
-- these.
do $do$
declare
  former regclass;
begin
  for former in
    select indexrelid::regclass from pg_index
    where indrelid in ('contacts'::regclass, 'companies'::regclass, 'properties'::regclass)
      and pg_get_indexdef(indexrelid) ~ 'search_fold\((strategy|description)\)|(contact|company|property)_text\('
  loop
    execute format('drop index %s', former);
  end loop;
end
$do$;

drop statistics if exists contacts_text_values;

drop statistics if exists companies_text_values;

drop statistics if exists properties_text_values;

drop statistics if exists contacts_strategy_values;

drop statistics if exists companies_strategy_values;

drop statistics if exists properties_description_values;

-- What queries look into is stored, because to fold it takes longer than to read it, and each row that an index finds is looked into again.
alter table contacts add column searched_text text
  generated always as (contact_text(first_name, last_name, email, phone)) stored;

alter table companies add column searched_text text
  generated always as (company_text(name, legal_name, domain, homepage_url)) stored;

alter table properties add column searched_text text generated always as (property_text(name, address)) stored;

-- As 0017 has it for the expressions.
alter table contacts alter column searched_text set statistics 300;

alter table companies alter column searched_text set statistics 300;

update contacts set strategy_folded = search_long_fold(strategy) where octet_length(strategy) > 500;

update companies set strategy_folded = search_long_fold(strategy) where octet_length(strategy) > 500;

update properties set description_folded = search_long_fold(description) where octet_length(description) > 500;

create index contacts_text on contacts using gin (team_id, searched_text gin_trgm_ops) where deleted_at is null;

create index companies_text on companies using gin (team_id, searched_text gin_trgm_ops) where deleted_at is null;

create index properties_text on properties using gin (team_id, searched_text gin_trgm_ops) where deleted_at is null;

create index contacts_strategy on contacts
  using gin (team_id, search_text(strategy) gin_trgm_ops) where deleted_at is null and strategy is not null;

create index companies_strategy on companies
  using gin (team_id, search_text(strategy) gin_trgm_ops) where deleted_at is null and strategy is not null;

create index properties_description on properties
  using gin (team_id, search_text(description) gin_trgm_ops) where deleted_at is null and description is not null;

create statistics contacts_strategies on search_text(strategy) from contacts;

create statistics companies_strategies on search_text(strategy) from companies;

create statistics properties_descriptions on search_text(description) from properties;

alter statistics contacts_strategies set statistics 300;

alter statistics companies_strategies set statistics 300;

reindex table contacts;

reindex table companies;

reindex table properties;

analyze contacts, companies, properties;
