-- Search of contacts and companies.

-- Text as search compares it: in lower case and without accents; ß is ss, and ø is o. The same in every locale and on every
-- version of Postgres, for indexes keep what it gives: so `lower` sees ASCII only, and the letters of Greek and Cyrillic
-- are told one by one. Its cost is what it takes beside reading a row.
create or replace function search_fold(value text) returns text
language plpgsql immutable strict parallel safe cost 200 as $$
begin
  if octet_length(value) = length(value) then
    return lower(value collate "C");
  end if;
  value := lower(regexp_replace(normalize(value, nfkd), '[\u0300-\u036f]', '', 'g') collate "C");
  if octet_length(value) = length(value) then
    return value;
  end if;
  value := translate(value, 'ØøŁłĐđÐðĦħıŦŧẞ', 'oollddddhhittß');
  value := replace(replace(replace(replace(value, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  value := replace(replace(replace(value, 'Æ', 'ae'), 'Œ', 'oe'), 'Þ', 'th');
  if octet_length(value) = length(value) then
    return value;
  end if;
  return translate(
    value,
    'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐҒҖҚҢҮҰҲҺӘӨ',
    'αβγδεζηθικλμνξοπρστυφχψωσабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґғҗқңүұҳһәө'
  );
end
$$;

-- What finds a text anywhere in a folded one: a pattern of `like`, in which %, _ and \ are what they are.
create or replace function search_pattern(value text) returns text
language sql immutable parallel safe
return '%' || replace(replace(replace(search_fold(value), '\', '\\'), '%', '\%'), '_', '\_') || '%';

-- What text is ordered and found by: 200 characters, for entries of an index must be short. Null comes after everything.
create or replace function search_key(value text) returns text
language sql immutable parallel safe
return coalesce(left(search_fold(left(value, 1000)), 200), chr(1114111));

-- A contact's name, as the service answers it.
create or replace function contact_name(first_name text, last_name text, email text) returns text
language sql immutable parallel safe
return case
  when first_name is null then coalesce(last_name, email)
  when last_name is null then first_name
  else first_name || ' ' || last_name
end;

-- Where the query of contacts looks: names, e-mail address, phone number and its digits, each after a space.
create or replace function contact_text(first_name text, last_name text, email text, phone text) returns text
language sql immutable parallel safe
return search_fold(
  coalesce(' ' || first_name, '') || coalesce(' ' || last_name, '') || coalesce(' ' || email, '') ||
  coalesce(' ' || phone || ' ' || translate(phone, translate(phone, '0123456789', ''), ''), '')
);

-- Where the query of companies looks.
create or replace function company_text(name text, legal_name text, domain text, homepage_url text) returns text
language sql immutable parallel safe
return search_fold(
  coalesce(' ' || name, '') || coalesce(' ' || legal_name, '') || coalesce(' ' || domain, '') ||
  coalesce(' ' || homepage_url, '')
);

-- Parts of words, and tags, are found among those of one team, with an extension that comes with pg_trgm. Free text
-- has an index of its own, so that only those who have some pay for it; so have tags. All indexes of this file together
-- make a bulk of inserts take about twice as long as without them (some 25 microseconds a row more). New parts wait in a list
-- until there are 4 MB of them, which searches read as well: entering each at once takes ten times as long.
create extension if not exists btree_gin;

create index if not exists contacts_text on contacts
  using gin (team_id, contact_text(first_name, last_name, email, phone) gin_trgm_ops) where deleted_at is null;
create index if not exists companies_text on companies
  using gin (team_id, company_text(name, legal_name, domain, homepage_url) gin_trgm_ops) where deleted_at is null;
create index if not exists contacts_strategy on contacts
  using gin (team_id, search_fold(strategy) gin_trgm_ops) where deleted_at is null and strategy is not null;
create index if not exists companies_strategy on companies
  using gin (team_id, search_fold(strategy) gin_trgm_ops) where deleted_at is null and strategy is not null;
create index if not exists contacts_tags on contacts
  using gin (team_id, tags) where deleted_at is null and tags <> '{}';
create index if not exists companies_tags on companies
  using gin (team_id, tags) where deleted_at is null and tags <> '{}';

-- What lists are usually sorted by, and found by as a whole or by its beginning. The other members are not worth what each
-- index costs every write: a sort by one of them reads the team's rows once.
create index if not exists contacts_name on contacts
  (team_id, (search_key(contact_name(first_name, last_name, email)) collate "C"), id) where deleted_at is null;
create index if not exists contacts_first_name on contacts
  (team_id, (search_key(first_name) collate "C"), id) where deleted_at is null;
create index if not exists contacts_last_name on contacts
  (team_id, (search_key(last_name) collate "C"), id) where deleted_at is null;
create index if not exists contacts_email_key on contacts
  (team_id, (search_key(email) collate "C"), id) where deleted_at is null;
create index if not exists companies_name on companies
  (team_id, (search_key(name) collate "C"), id) where deleted_at is null;
create index if not exists companies_domain_key on companies
  (team_id, (search_key(domain) collate "C"), id) where deleted_at is null;
create index if not exists companies_homepage on companies
  (team_id, (search_key(homepage_url) collate "C"), id) where deleted_at is null;

-- A page on LinkedIn names one person or company: those who have one are found by it, and never sorted by it.
create index if not exists contacts_linked_in on contacts (team_id, (search_key(linked_in_url) collate "C"))
  where deleted_at is null and linked_in_url is not null;
create index if not exists companies_linked_in on companies (team_id, (search_key(linked_in_url) collate "C"))
  where deleted_at is null and linked_in_url is not null;

-- Whether to walk a list in its order or to collect what an index finds depends on how common a term is. The indexes above
-- do not tell, for they are without tombstones.
create statistics if not exists contacts_text_values on contact_text(first_name, last_name, email, phone) from contacts;
create statistics if not exists contacts_strategy_values on search_fold(strategy) from contacts;
create statistics if not exists contacts_name_values
  on (search_key(contact_name(first_name, last_name, email)) collate "C") from contacts;
create statistics if not exists contacts_first_name_values on (search_key(first_name) collate "C") from contacts;
create statistics if not exists contacts_last_name_values on (search_key(last_name) collate "C") from contacts;
create statistics if not exists contacts_email_values on (search_key(email) collate "C") from contacts;
create statistics if not exists companies_text_values
  on company_text(name, legal_name, domain, homepage_url) from companies;
create statistics if not exists companies_strategy_values on search_fold(strategy) from companies;
create statistics if not exists companies_name_values on (search_key(name) collate "C") from companies;
create statistics if not exists companies_domain_values on (search_key(domain) collate "C") from companies;
create statistics if not exists companies_homepage_values on (search_key(homepage_url) collate "C") from companies;
