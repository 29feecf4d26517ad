-- The network of a team: contacts, companies, and which contact works for which company. Every table of records has the same first
-- columns: who it belongs to, the version of the record, the transaction and the time of its latest change, and how that came about. A deleted
-- record stays as a tombstone, so that deltas show that it is gone.

-- A contact's name, as the service answers it.
create function contact_name(first_name text, last_name text, email text) returns text
language sql immutable parallel safe
return case
  when first_name is null then coalesce(last_name, email)
  when last_name is null then first_name
  else first_name || ' ' || last_name
end;

-- Where the query of contacts looks: names, e-mail address and phone number, each after a space. Names of Chinese, Japanese and Korean
-- characters stand together, in either order.
create function contact_text(first_name text, last_name text, email text, phone text) returns text
language sql immutable parallel safe
return search_text(
  coalesce(' ' || first_name, '') || coalesce(' ' || last_name, '') || coalesce(' ' || email, '') ||
  coalesce(' ' || phone_text(phone), '') ||
  case when first_name ~ '[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff66-\uffdc\U00020000-\U0003ffff]' and last_name ~ '[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff66-\uffdc\U00020000-\U0003ffff]' then ' ' || last_name || first_name else '' end
);

-- Where the query of companies looks.
create function company_text(name text, legal_name text, domain text, homepage_url text) returns text
language sql immutable parallel safe
return search_text(
  coalesce(' ' || name, '') || coalesce(' ' || legal_name, '') || coalesce(' ' || domain, '') ||
  coalesce(' ' || homepage_url, '')
);

-- People. Members that are looked for or sorted by have columns; what is looked into has `searched_text`.
create table contacts (
  id uuid primary key,
  team_id uuid not null references teams (id),
  version bigint not null,
  transaction_id xid8 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  change_type text not null,
  change_origin text not null,
  deleted_at timestamptz,
  first_name text,
  last_name text,
  email text,
  phone text,
  primary_language text,
  primary_company_id uuid,
  tags text[] not null default '{}',
  strategy text,
  linked_in_url text,
  profile_picture_url text,
  -- What a tombstone answers with: references are released on deletion, so they are no longer in their own table.
  deleted_refs jsonb,
  -- The contact that this one became part of; a merged contact is a tombstone that redirects.
  merged_into uuid,
  -- The text of `strategy` as it is searched, if it is long. Null for short ones, which are folded when they are looked into.
  strategy_folded text,
  -- What queries look into is stored, because to fold it takes longer than to read it, and each row that an index finds is looked into again.
  searched_text text generated always as (contact_text(first_name, last_name, email, phone)) stored
);

create index contacts_list on contacts (team_id, created_at, id) where deleted_at is null;
create index contacts_list_with_deleted on contacts (team_id, created_at, id);
create index contacts_delta on contacts (team_id, updated_at, id);
create index contacts_email on contacts (team_id, lower(email)) where deleted_at is null and email is not null;
create index contacts_tombstones on contacts (deleted_at) where deleted_at is not null;
create index contacts_merged on contacts (merged_into) where merged_into is not null;
create index contacts_by_company on contacts (primary_company_id) where primary_company_id is not null;

-- Organizations.
create table companies (
  id uuid primary key,
  team_id uuid not null references teams (id),
  version bigint not null,
  transaction_id xid8 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  change_type text not null,
  change_origin text not null,
  deleted_at timestamptz,
  name text,
  legal_name text,
  country text,
  homepage_url text,
  domain text,
  linked_in_url text,
  tags text[] not null default '{}',
  strategy text,
  profile_picture_url text,
  -- The name as duplicates are compared: without legal form, accents and case. Written with the name.
  name_key text,
  deleted_refs jsonb,
  -- The company that this one became part of; a merged company is a tombstone that redirects.
  merged_into uuid,
  -- As for contacts.
  strategy_folded text,
  -- By which version of the rules `name_key` was made (`nameKeyVersion` in src/network/companies/naming.ts). Null on tombstones.
  name_key_version integer,
  searched_text text generated always as (company_text(name, legal_name, domain, homepage_url)) stored
);

create index companies_list on companies (team_id, created_at, id) where deleted_at is null;
create index companies_list_with_deleted on companies (team_id, created_at, id);
create index companies_delta on companies (team_id, updated_at, id);
create index companies_domain on companies (team_id, domain) where deleted_at is null and domain is not null;
create index companies_name_key on companies (team_id, name_key, country) where deleted_at is null;
create index companies_tombstones on companies (deleted_at) where deleted_at is not null;
create index companies_merged on companies (merged_into) where merged_into is not null;

-- Which contact works for which company.
create table links (
  id uuid primary key,
  team_id uuid not null references teams (id),
  version bigint not null,
  transaction_id xid8 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  change_type text not null,
  change_origin text not null,
  deleted_at timestamptz,
  -- Kept on tombstones, so that the pair can be linked again under the same id.
  contact_id uuid not null,
  company_id uuid not null,
  job_title text,
  deleted_refs jsonb
);

create index links_list on links (team_id, created_at, id) where deleted_at is null;
create index links_list_with_deleted on links (team_id, created_at, id);
create index links_delta on links (team_id, updated_at, id);
create unique index links_pair on links (team_id, contact_id, company_id) where deleted_at is null;
create index links_former_pairs on links (team_id, contact_id, company_id, deleted_at) where deleted_at is not null;
create index links_by_company on links (team_id, company_id) where deleted_at is null;
create index links_tombstones on links (deleted_at) where deleted_at is not null;

-- The links of one contact or company, tombstones included, in the order of the list.
create index links_of_contact on links (team_id, contact_id, created_at, id);
create index links_of_company on links (team_id, company_id, created_at, id);

-- Searches.

-- Long texts as search compares them. To fold 20,000 characters takes milliseconds, too long to do it for each row of a search; to
-- look into the folded text takes a twentieth of that. Short ones, which almost all are, stay folded on the fly: their columns are
-- null. Triggers fold, and not a generated column, so that only an update that changes the text does.
create function fold_strategy() returns trigger language plpgsql as $$
begin
  new.strategy_folded := search_long_fold(new.strategy);
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

-- Parts of words, and tags, are found among those of one team. Free text has an index of its own, so that only those who have some pay for
-- it; so have tags. All indexes of searches together make a bulk of inserts take about twice as long as without them (some 25 microseconds a
-- row more). New parts wait in a list until there are 4 MB of them, which searches read as well: entering each at once takes ten times as
-- long.
create index contacts_text on contacts using gin (team_id, searched_text gin_trgm_ops) where deleted_at is null;
create index companies_text on companies using gin (team_id, searched_text gin_trgm_ops) where deleted_at is null;
create index contacts_strategy on contacts
  using gin (team_id, search_text(strategy) gin_trgm_ops) where deleted_at is null and strategy is not null;
create index companies_strategy on companies
  using gin (team_id, search_text(strategy) gin_trgm_ops) where deleted_at is null and strategy is not null;
-- Parts of long texts. The indexes before have them as well, but would fold each row that they find once more.
create index contacts_long_strategy on contacts
  using gin (team_id, strategy_folded gin_trgm_ops) where deleted_at is null and strategy_folded is not null;
create index companies_long_strategy on companies
  using gin (team_id, strategy_folded gin_trgm_ops) where deleted_at is null and strategy_folded is not null;
create index contacts_tags on contacts using gin (team_id, tags) where deleted_at is null and tags <> '{}';
create index companies_tags on companies using gin (team_id, tags) where deleted_at is null and tags <> '{}';

-- What lists are usually sorted by, and found by as a whole or by its beginning. The other members are not worth what each
-- index costs every write: a sort by one of them reads the team's rows once.
create index contacts_name on contacts
  (team_id, (search_key(contact_name(first_name, last_name, email)) collate "C"), id) where deleted_at is null;
create index contacts_first_name on contacts
  (team_id, (search_key(first_name) collate "C"), id) where deleted_at is null;
create index contacts_last_name on contacts
  (team_id, (search_key(last_name) collate "C"), id) where deleted_at is null;
create index contacts_email_key on contacts
  (team_id, (search_key(email) collate "C"), id) where deleted_at is null;
create index companies_name on companies
  (team_id, (search_key(name) collate "C"), id) where deleted_at is null;
create index companies_domain_key on companies
  (team_id, (search_key(domain) collate "C"), id) where deleted_at is null;
create index companies_homepage on companies
  (team_id, (search_key(homepage_url) collate "C"), id) where deleted_at is null;

-- A page on LinkedIn names one person or company: those who have one are found by it, and never sorted by it.
create index contacts_linked_in on contacts (team_id, (search_key(linked_in_url) collate "C"))
  where deleted_at is null and linked_in_url is not null;
create index companies_linked_in on companies (team_id, (search_key(linked_in_url) collate "C"))
  where deleted_at is null and linked_in_url is not null;

-- Whether to walk a list in its order or to collect what an index finds depends on how common a term is. The indexes above
-- do not tell, for they are without tombstones.
create statistics contacts_strategies on search_text(strategy) from contacts;
create statistics contacts_name_values
  on (search_key(contact_name(first_name, last_name, email)) collate "C") from contacts;
create statistics contacts_first_name_values on (search_key(first_name) collate "C") from contacts;
create statistics contacts_last_name_values on (search_key(last_name) collate "C") from contacts;
create statistics contacts_email_values on (search_key(email) collate "C") from contacts;
create statistics companies_strategies on search_text(strategy) from companies;
create statistics companies_name_values on (search_key(name) collate "C") from companies;
create statistics companies_domain_values on (search_key(domain) collate "C") from companies;
create statistics companies_homepage_values on (search_key(homepage_url) collate "C") from companies;

-- A row that is drawn for the statistics stands for as many rows as there are to one drawn. At a hundred that is one in a
-- hundred, and a name that few have would seem to be common when one of them is drawn.
alter table contacts alter column searched_text set statistics 300;
alter table companies alter column searched_text set statistics 300;
alter statistics contacts_strategies set statistics 300;
alter statistics companies_strategies set statistics 300;

-- Looks for duplicates of companies: names of much the same words, and the same LinkedIn page.

-- What names of the same words have in common, whatever their order and in spite of slips of the pen: the first letter of
-- each word, and numbers as they are. Short words do not count, unless there are no others.
create function name_initials(name_key text) returns text language sql immutable parallel safe
  return (
    select coalesce(
      string_agg(case when word ~ '[0-9]' then word else left(word, 1) end, ' '
        order by case when word ~ '[0-9]' then word else left(word, 1) end collate "C")
        filter (where length(word) > 3 or word ~ '[0-9]'),
      string_agg(word, ' ' order by word collate "C")
    )
    from string_to_table(name_key, ' ') as word
  );

create index companies_name_initials
  on companies (team_id, name_initials(name_key)) include (id, name_key, country)
  where deleted_at is null;

-- The same letters, however they are parted into words.
create index companies_name_letters on companies (team_id, replace(name_key, ' ', ''))
  where deleted_at is null;

-- What tells pages of LinkedIn apart: `company/castellum`, whatever the scheme, the subdomain (www, de …), what follows and
-- the case.
create function linked_in_page(url text) returns text language sql immutable parallel safe
  return substring(lower(url) from '^https?://(?:[a-z0-9-]+\.)*linkedin\.com/([^/?#]+/[^/?#]+)');

create index companies_linked_in_page on companies (team_id, linked_in_page(linked_in_url))
  where deleted_at is null and linked_in_url is not null;

-- The job `housekeeping/nameKeys` looks here for keys of former versions of the rules.
create index companies_name_key_version on companies (name_key_version, id) where name is not null;
