-- By what a look for duplicates finds names before it compares them, beside `name_initials`: a duplicate has about as many letters, and the
-- same ones. `shapeOf` in src/network/duplicates/shapes.ts gives the same as these functions. As there, only words of more than three letters
-- count, and words with digits.

create or replace function name_length(name_key text) returns integer language sql immutable parallel safe
  return length(regexp_replace(name_key, '(?<![^ ])[^ 0-9]{1,3}(?![^ ])| ', '', 'g'));

-- Which letters the words have that begin with the first of the initials, with the second and with the third: a set of 32 bits for each, by
-- the codes of the letters.
create or replace function name_letters(name_key text) returns bit(96) language plpgsql immutable parallel safe as $$
declare
  sets integer[] := '{0,0,0}';
  at integer := 0;
  start text;
  previous text;
  word text;
begin
  for start, word in
    select * from (
      select case when long ~ '[0-9]' then long else left(long, 1) end, long
      from string_to_table(name_key, ' ') as long where length(long) > 3 or long ~ '[0-9]'
    ) as started (start, long)
    order by started.start collate "C"
  loop
    if start is distinct from previous then
      at := at + 1;
      exit when at > 3;
      previous := start;
    end if;
    for n in 1..length(word) loop
      sets[at] := sets[at] | (1 << ascii(substr(word, n, 1)) % 32);
    end loop;
  end loop;
  return (sets[1]::bit(32) || sets[2]::bit(32) || sets[3]::bit(32))::bit(96);
end $$;

-- Whether a name may be in Cyrillic or Greek letters. Such names are compared by their sound, of which letters and their number say nothing.
create or replace function may_be_transliterated(name text) returns boolean language sql immutable parallel safe
  return name ~ '[\u0370-\u052f\u1c80-\u1fff\u2126\u2de0-\u2dff\ua640-\ua69f\uab65\ufe2e\ufe2f\U00010140-\U0001018e\U000101a0\U0001d200-\U0001d245\U0001e030-\U0001e08f]';

-- The same as before. Postgres plans a query in PL/pgSQL once, and in SQL anew for each row that a statement writes.
create or replace function name_initials(name_key text) returns text language plpgsql immutable parallel safe as $$
begin
  return (
    select coalesce(
      string_agg(case when word ~ '[0-9]' then word else left(word, 1) end, ' '
        order by case when word ~ '[0-9]' then word else left(word, 1) end collate "C")
        filter (where length(word) > 3 or word ~ '[0-9]'),
      string_agg(word, ' ' order by word collate "C")
    )
    from string_to_table(name_key, ' ') as word
  );
end $$;
