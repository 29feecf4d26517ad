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

create index if not exists companies_name_initials
  on companies (team_id, name_initials(name_key)) include (id, name_key, country)
  where deleted_at is null;

-- The same letters, however they are parted into words.
create index if not exists companies_name_letters on companies (team_id, replace(name_key, ' ', ''))
  where deleted_at is null;

-- What tells pages of LinkedIn apart: `company/castellum`, whatever the scheme, the subdomain (www, de …), what follows and
-- the case.
create function linked_in_page(url text) returns text language sql immutable parallel safe
  return substring(lower(url) from '^https?://(?:[a-z0-9-]+\.)*linkedin\.com/([^/?#]+/[^/?#]+)');

create index if not exists companies_linked_in_page on companies (team_id, linked_in_page(linked_in_url))
  where deleted_at is null and linked_in_url is not null;
