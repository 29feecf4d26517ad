-- Every part of a word is the beginning of one of its endings. Searches find words and their parts by these (0033): the endings of a
-- searched text's words, of at least three letters and cut off after eight, in which words are runs of what is neither ASCII nor a letter, or
-- an ASCII letter. The first characters are the team's own, so that no team's words are among those of another.
create or replace function search_endings(team_id uuid, value text) returns tsvector
language plpgsql immutable strict parallel safe cost 400 as $$
declare
  team constant text := right(team_id::text, 6);
  seen text := '';
  endings text[] := '{}';
  word text;
begin
  foreach word in array regexp_split_to_array(value, '[\x01-@\[-`{-\x7f]+') loop
    -- A part of a word before has its endings.
    if length(word) > 2 and strpos(seen, word) = 0 then
      seen := seen || ' ' || word;
      for at in 1 .. length(word) - 2 loop
        endings := array_append(endings, team || substr(word, at, 8));
      end loop;
    end if;
  end loop;
  return array_to_tsvector(endings);
end
$$;

-- What finds the endings that begin with a word, or with its first letters if it is long.
create or replace function search_beginning(team_id uuid, word text) returns tsquery
language sql immutable strict parallel safe
return ('''' || right(team_id::text, 6) || left(search_fold(word), 8) || ''':*')::tsquery;

-- How common words are: lists are walked for common ones (0005).
create statistics contacts_ending_values on search_endings(team_id, searched_text) from contacts;
create statistics companies_ending_values on search_endings(team_id, searched_text) from companies;
create statistics properties_ending_values on search_endings(team_id, searched_text) from properties;
alter statistics contacts_ending_values set statistics 300;
alter statistics companies_ending_values set statistics 300;
