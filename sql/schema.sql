-- The schema that the migrations in this folder lead to, for reviews and readers. Nothing applies this file:
-- `npm run schema` writes it, and a test compares it with the migrations.

-- Name: public; Type: SCHEMA; Schema: -; Owner: -

CREATE SCHEMA public;

-- Name: SCHEMA public; Type: COMMENT; Schema: -; Owner: -

COMMENT ON SCHEMA public IS 'standard public schema';

-- Name: add_usage(uuid, text, bigint); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.add_usage(of_team uuid, of_kind text, delta bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  if delta = 0 then
    return;
  end if;
  update team_usage set used = used + delta
  where team_id = of_team and kind = of_kind and shard = (
    select shard from team_usage
    where team_id = of_team and kind = of_kind
    limit 1 for update skip locked
  );
  if not found then
    insert into team_usage (team_id, kind, shard, used) values (of_team, of_kind, nextval('team_usage_shards'), delta);
  end if;
end
$$;

-- Name: begin_change(uuid, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.begin_change(team uuid, at timestamp with time zone, OUT transaction_id xid8, OUT changed_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
  bucket constant int := get_byte(uuid_send(team), 15) % 64;
  clock constant regclass := 'change_time_ms_' || bucket;
  own constant bigint := pg_current_xact_id_if_assigned()::text::bigint;
  ms bigint;
begin
  begin
    perform pg_advisory_xact_lock(7065001, bucket);
    if own is null then
      transaction_id := pg_current_xact_id();
    else
      -- `xmin` has the lower 32 bits of the id.
      insert into change_ids default values
        returning (own + ((xmin::text::bigint - own) & 4294967295))::text::xid8 into transaction_id;
    end if;
    ms := greatest(
      floor(extract(epoch from coalesce(at, clock_timestamp())) * 1000)::bigint,
      pg_sequence_last_value(clock)
    );
    perform setval(clock, ms);
    raise sqlstate 'PN001' using message = 'lets go of the lock';
  exception when sqlstate 'PN001' then
    null;
  end;
  changed_at := to_timestamp(ms / 1000) + (ms % 1000) * interval '1 millisecond';
end
$$;

-- Name: search_text(text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.search_text(value text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT COST 400 PARALLEL SAFE
    AS $$
declare
  plain constant text := public.search_fold(value);
  loose constant text := public.search_loose(plain);
  spelled text := plain;
begin
  if octet_length(value) > length(value) then
    spelled := public.search_spelled(value);
  end if;
  if spelled = plain and loose = plain then
    return plain;
  end if;
  return plain || case when spelled = plain then '' else ' ' || spelled end || case when loose = plain then '' else ' ' || loose end;
end
$$;

-- Name: company_text(text, text, text, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.company_text(name text, legal_name text, domain text, homepage_url text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN public.search_text((((COALESCE((' '::text || name), ''::text) || COALESCE((' '::text || legal_name), ''::text)) || COALESCE((' '::text || domain), ''::text)) || COALESCE((' '::text || homepage_url), ''::text)));

-- Name: contact_name(text, text, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.contact_name(first_name text, last_name text, email text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (first_name IS NULL) THEN COALESCE(last_name, email) WHEN (last_name IS NULL) THEN first_name ELSE ((first_name || ' '::text) || last_name) END;

-- Name: phone_text(text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.phone_text(phone text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT COST 200 PARALLEL SAFE
    AS $$
declare
  digits constant text := public.phone_digits(phone);
begin
  return phone || ' ' || digits || ' ' || public.search_phone(phone, digits);
end
$$;

-- Name: contact_text(text, text, text, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.contact_text(first_name text, last_name text, email text, phone text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN public.search_text(((((COALESCE((' '::text || first_name), ''::text) || COALESCE((' '::text || last_name), ''::text)) || COALESCE((' '::text || email), ''::text)) || COALESCE((' '::text || public.phone_text(phone)), ''::text)) || CASE WHEN ((first_name ~ '[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff66-\uffdc\U00020000-\U0003ffff]'::text) AND (last_name ~ '[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff66-\uffdc\U00020000-\U0003ffff]'::text)) THEN ((' '::text || last_name) || first_name) ELSE ''::text END));

-- Name: count_answer_bytes(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.count_answer_bytes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform add_usage(team_id, 'stored_answer_bytes', case tg_op when 'DELETE' then -bytes else bytes end)
  from (select team_id, sum(octet_length(answer)) as bytes from changed group by team_id) counted;
  return null;
end
$$;

-- Name: count_file_bytes(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.count_file_bytes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform add_usage(team_id, 'file_bytes', case tg_op when 'DELETE' then -bytes else bytes end)
  from (select team_id, sum(size)::bigint as bytes from changed group by team_id) counted;
  return null;
end
$$;

-- Name: count_replaced_answer_bytes(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.count_replaced_answer_bytes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform add_usage(team_id, 'stored_answer_bytes', sum(bytes)::bigint)
  from (
    select team_id, octet_length(answer) as bytes from changed
    union all
    select team_id, -octet_length(answer) from replaced
  ) counted
  group by team_id;
  return null;
end
$$;

-- Name: count_rows(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.count_rows() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform add_usage(team_id, tg_argv[0], case tg_op when 'DELETE' then -rows else rows end)
  from (select team_id, count(*) as rows from changed group by team_id) counted;
  return null;
end
$$;

-- Name: fold_description(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.fold_description() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.description_folded := search_long_fold(new.description);
  return new;
end
$$;

-- Name: fold_strategy(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.fold_strategy() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.strategy_folded := search_long_fold(new.strategy);
  return new;
end
$$;

-- Name: linked_in_page(text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.linked_in_page(url text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN "substring"(lower(url), '^https?://(?:[a-z0-9-]+\.)*linkedin\.com/([^/?#]+/[^/?#]+)'::text);

-- Name: may_be_transliterated(text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.may_be_transliterated(name text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (name ~ '[\u0370-\u052f\u1c80-\u1fff\u2126\u2de0-\u2dff\ua640-\ua69f\uab65\ufe2e\ufe2f\U00010140-\U0001018e\U000101a0\U0001d200-\U0001d245\U0001e030-\U0001e08f]'::text);

-- Name: name_initials(text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.name_initials(name_key text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
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

-- Name: name_length(text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.name_length(name_key text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN length(regexp_replace(name_key, '(?<![^ ])[^ 0-9]{1,3}(?![^ ])| '::text, ''::text, 'g'::text));

-- Name: name_letters(text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.name_letters(name_key text) RETURNS bit
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
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

-- Name: new_uuid_v7(timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.new_uuid_v7(at timestamp with time zone) RETURNS uuid
    LANGUAGE sql
    AS $$
  select encode(
    set_bit(set_bit(overlay(
      uuid_send(gen_random_uuid())
      placing substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3)
      from 1 for 6
    ), 52, 1), 53, 1),
    'hex'
  )::uuid
$$;

-- Name: phone_digits(text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.phone_digits(phone text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
begin
  if octet_length(phone) > length(phone) then
    phone := public.search_fold(phone);
  end if;
  if phone ~ '[([] *0' then
    phone := regexp_replace(phone, '[([] *0 *[])]', '');
  end if;
  return translate(phone, translate(phone, '0123456789', ''), '');
end
$$;

-- Name: property_point(jsonb); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.property_point(coordinates jsonb) RETURNS point
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN point((((coordinates ->> 'longitude'::text))::double precision * ('10000000'::numeric)::double precision), (((coordinates ->> 'latitude'::text))::double precision * ('10000000'::numeric)::double precision));

-- Name: property_text(text, jsonb); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.property_text(name text, address jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN public.search_text(((((((COALESCE((' '::text || name), ''::text) || COALESCE((' '::text || (address ->> 'street'::text)), ''::text)) || COALESCE((' '::text || (address ->> 'houseNumber'::text)), ''::text)) || COALESCE((' '::text || (address ->> 'postalCode'::text)), ''::text)) || COALESCE((' '::text || (address ->> 'locality'::text)), ''::text)) || COALESCE((' '::text || (address ->> 'region'::text)), ''::text)) || CASE WHEN ((address ->> 'locality'::text) ~ '[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff66-\uffdc\U00020000-\U0003ffff]'::text) THEN (((((' '::text || COALESCE((address ->> 'region'::text), ''::text)) || (address ->> 'locality'::text)) || COALESCE((address ->> 'street'::text), ''::text)) || COALESCE((address ->> 'houseNumber'::text), ''::text)) || COALESCE(name, ''::text)) ELSE ''::text END));

-- Name: refuse_audit_change(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.refuse_audit_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'DELETE' then
    if old.keep_until <= clock_timestamp() then
      return old;
    end if;
    raise exception 'a row of audit_log is kept until %', old.keep_until using errcode = 'insufficient_privilege';
  end if;
  raise exception 'audit_log is append-only: % is refused', tg_op using errcode = 'insufficient_privilege';
end
$$;

-- Name: search_fold(text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.search_fold(value text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT COST 200 PARALLEL SAFE
    AS $$
begin
  if octet_length(value) = length(value) then
    return translate(lower(value collate "C"), '`', '''');
  end if;
  -- Without accents, other marks and what shows nothing. Apostrophes that would fall apart into a space and an accent come first.
  value := lower(regexp_replace(
    normalize(translate(value, E'\u00b4\u0384\u1fbd\u1fbf\u1ffe', repeat('''', 5)), nfkd),
    '[\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u0640\u064b-\u065f'
      '\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u115f\u1160\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff'
      '\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\ufff9-\ufffb'
      '\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]',
    '', 'g') collate "C");
  if octet_length(value) = length(value) then
    return translate(value, '`', '''');
  end if;
  value := translate(value, '`ØøŁłĐđÐðĦħıŦŧŊẞ', '''oollddddhhittŋß');
  value := replace(replace(replace(replace(value, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  value := replace(replace(replace(value, 'Æ', 'ae'), 'Œ', 'oe'), 'Þ', 'th');
  if octet_length(value) = length(value) then
    return value;
  end if;
  -- Apostrophes, quotes, dashes and spaces of other kinds.
  if value ~ '[\u0085\u00ab\u00bb\u02b9-\u02d7\u055a-\u058a\u05be-\u05f4\u1680\u2010-\u2043\u2212\u2e3a\u2e3b\u301d\u301e\ua78c]' then
    value := translate(value,
      E'\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u055a\u05f3\u2018\u2019\u201b\u2032\u2035\ua78c'
       '\u05f4\u201c\u201d\u201e\u201f\u00ab\u00bb\u301d\u301e'
       '\u02d7\u058a\u05be\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2e3a\u2e3b\u0085\u1680\u2028\u2029',
      repeat('''', 14) || repeat('"', 9) || repeat('-', 13) || '    ');
  end if;
  -- Letters of alphabets with two cases.
  if value ~ '[\u0180-\u024f]' then
    value := translate(value,
      'ƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƢƤƦƧƩƬƮƱƲƳƵƷƸƼǤǶǷȜȠȢȤȺȻȽȾɁɃɄɅɆɈɊɌɎ',
      'ɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵƣƥʀƨʃƭʈʊʋƴƶʒƹƽǥƕƿȝƞȣȥⱥȼƚⱦɂƀʉʌɇɉɋɍɏ');
  end if;
  if value ~ '[\u0370-\u03ff]' then
    value := translate(value,
      'ςΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩͰͲͶͿϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽϾϿ',
      'σαβγδεζηθικλμνξοπρστυφχψωͱͳͷϳϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻͼͽ');
  end if;
  if value ~ '[\u0400-\u042f\u0460-\u052f]' then
    value := translate(value,
      'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮ',
      'абвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯ');
  end if;
  if value ~ '[\u0531-\u0556]' then
    value := translate(value, 'ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ', 'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ');
  end if;
  if value ~ '[\u1c90-\u1cbf]' then
    value := translate(value, 'ᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿ', 'აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿ');
  end if;
  -- Arabic and Persian letters that are written for one another, and digits of other scripts.
  if value ~ '[\u0600-\u06ff\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59]' then
    value := translate(value,
      'ٱىیېکةھہۃە٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯๐๑๒๓๔๕๖๗๘๙ء',
      'ايييكههههه01234567890123456789012345678901234567890123456789');
  end if;
  -- Chinese, Japanese and Korean are written with spaces or without.
  if value ~ '[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff] +[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]' then
    value := regexp_replace(value, '(?<=[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]) +(?=[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff])', '', 'g');
  end if;
  return value;
end
$$;

-- Name: search_beginning(uuid, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.search_beginning(team_id uuid, word text) RETURNS tsquery
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ((((''''::text || "right"((team_id)::text, 6)) || "left"(public.search_fold(word), 8)) || ''':*'::text))::tsquery;

-- Name: search_loose(text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.search_loose(folded text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT COST 50 PARALLEL SAFE
    AS $$
begin
  if folded ~ 'a[ae]|[ou]e|''' then
    folded := regexp_replace(regexp_replace(replace(folded, '''', ''), 'a[ae]+', 'a', 'g'), 'oe+', 'o', 'g');
    return regexp_replace(folded, '(^|[^aeoq])ue+', '\1u', 'g');
  end if;
  return folded;
end
$$;

-- Name: search_spelled(text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.search_spelled(value text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT COST 200 PARALLEL SAFE
    AS $$
begin
  if octet_length(value) > length(value) then
    value := translate(normalize(value, nfc), 'ÄÖÜØÅ', 'äöüøå');
    if value ~ '[äöüøå]' then
      value := replace(replace(replace(replace(replace(value, 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ø', 'oe'), 'å', 'aa');
    end if;
  end if;
  return public.search_fold(value);
end
$$;

-- Name: search_begins(text, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.search_begins(value text, beginning text) RETURNS boolean
    LANGUAGE sql IMMUTABLE COST 800 PARALLEL SAFE
    RETURN (starts_with(public.search_fold(value), beginning) OR starts_with(public.search_spelled(value), beginning) OR starts_with(public.search_loose(public.search_fold(value)), beginning));

-- Name: search_endings(uuid, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.search_endings(team_id uuid, value text) RETURNS tsvector
    LANGUAGE plpgsql IMMUTABLE STRICT COST 400 PARALLEL SAFE
    AS $$
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

-- Name: search_equal(text, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.search_equal(value text, other text) RETURNS boolean
    LANGUAGE sql IMMUTABLE COST 800 PARALLEL SAFE
    RETURN ((public.search_fold(value) = public.search_fold(other)) OR (public.search_spelled(value) = public.search_spelled(other)));

-- Name: search_key(text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.search_key(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN COALESCE("left"(public.search_loose(public.search_fold("left"(value, 1000))), 200), chr(1114111));

-- Name: search_long_fold(text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.search_long_fold(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (octet_length(value) > 500) THEN (public.search_fold(value) || (SELECT COALESCE(string_agg((' '::text || others.word), ''::text ORDER BY (others.word COLLATE "C")), ''::text) AS "coalesce" FROM (SELECT string_to_table(((public.search_spelled(search_long_fold.value) || ' '::text) || public.search_loose(public.search_fold(search_long_fold.value))), ' '::text) AS word EXCEPT SELECT string_to_table(public.search_fold(search_long_fold.value), ' '::text) AS string_to_table) others)) ELSE NULL::text END;

-- Name: search_pattern(text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.search_pattern(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (('%'::text || replace(replace(replace(public.search_fold(value), '\'::text, '\\'::text), '%'::text, '\%'::text), '_'::text, '\_'::text)) || '%'::text);

-- Name: search_phone(text, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.search_phone(phone text, digits text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
begin
  if starts_with(phone, '+') or phone ~ '^[^0-9]*([+＋]|00)' then
    -- The country codes of one, two and three digits.
    digits := regexp_replace(ltrim(digits, '0'),
      '^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(2[1-689]|3[578]|42|5[09]|6[7-9]|8[035789]|9[679])[0-9])', '');
  end if;
  digits := ltrim(digits, '0');
  if length(digits) = 11 then
    digits := regexp_replace(digits, '^[178]', '');
  end if;
  return case when length(digits) < 3 then public.search_fold(phone) else digits end;
end
$$;

-- Name: search_phone(text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.search_phone(phone text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN public.search_phone(phone, public.phone_digits(phone));

-- Name: action_numbers; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.action_numbers
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

-- Name: action_subjects; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.action_subjects (
    subject_type text NOT NULL,
    subject_id uuid NOT NULL,
    action_id uuid NOT NULL,
    team_id uuid NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    partition text DEFAULT 'audit'::text NOT NULL
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: actions; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.actions (
    id uuid NOT NULL,
    number bigint DEFAULT nextval('public.action_numbers'::regclass) NOT NULL,
    team_id uuid NOT NULL,
    type text NOT NULL,
    event text,
    occurred_at timestamp with time zone NOT NULL,
    actor_user_id uuid,
    client_id uuid,
    origin text NOT NULL,
    details jsonb NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    content_format text,
    archived_at timestamp with time zone,
    supersedes uuid,
    superseded_by uuid,
    CONSTRAINT actions_type_check CHECK ((type = ANY (ARRAY['note'::text, 'chat'::text, 'audit'::text])))
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: apps; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.apps (
    id uuid NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    secret_hash bytea,
    redirect_uris text[] NOT NULL,
    document_url text,
    created_at timestamp with time zone NOT NULL,
    fetched_at timestamp with time zone,
    revoked_at timestamp with time zone,
    fresh_until timestamp with time zone,
    is_registered boolean DEFAULT false NOT NULL,
    sealed_secret bytea,
    created_by uuid,
    CONSTRAINT apps_check CHECK (((kind = 'confidential'::text) = (secret_hash IS NOT NULL))),
    CONSTRAINT apps_check1 CHECK (((kind = 'document'::text) = (document_url IS NOT NULL))),
    CONSTRAINT apps_kind_check CHECK ((kind = ANY (ARRAY['confidential'::text, 'public'::text, 'document'::text])))
);

-- Name: attempts; Type: TABLE; Schema: public; Owner: -

CREATE UNLOGGED TABLE public.attempts (
    subject text NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    attempts integer NOT NULL
);

-- Name: audit_counts; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.audit_counts (
    key text NOT NULL,
    id uuid NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    count bigint NOT NULL,
    team_id uuid,
    actor_kind text NOT NULL,
    actor_id uuid,
    client_id uuid,
    grant_id uuid,
    token_id uuid,
    address text,
    action text NOT NULL,
    target_type text,
    target_id text,
    outcome text NOT NULL,
    details jsonb NOT NULL
);

-- Name: audit_log; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.audit_log (
    id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    keep_until timestamp with time zone NOT NULL,
    team_id uuid,
    actor_kind text NOT NULL,
    actor_id uuid,
    os_uid bigint,
    os_user text,
    client_id uuid,
    grant_id uuid,
    token_id uuid,
    session_id uuid,
    command text,
    address text,
    action text NOT NULL,
    target_type text,
    target_id text,
    outcome text NOT NULL,
    request_id text,
    details jsonb NOT NULL,
    CONSTRAINT audit_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'bot'::text, 'operator'::text, 'system'::text, 'anonymous'::text]))),
    CONSTRAINT audit_log_outcome_check CHECK ((outcome = ANY (ARRAY['success'::text, 'refused'::text, 'failed'::text])))
);

-- Name: authorization_codes; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.authorization_codes (
    hash bytea NOT NULL,
    family_id uuid NOT NULL,
    redirect_uri text NOT NULL,
    challenge text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone
);

-- Name: bids; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.bids (
    action_id uuid NOT NULL,
    team_id uuid NOT NULL,
    amount numeric NOT NULL,
    currency text NOT NULL,
    created_at timestamp with time zone NOT NULL
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: cells; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.cells (
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT cells_name_check CHECK ((name ~ '^cell_[a-z0-9_]{1,40}$'::text))
);

-- Name: change_ids; Type: TABLE; Schema: public; Owner: -

CREATE UNLOGGED TABLE public.change_ids (
);

-- Name: change_time_ms_0; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_0
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_1; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_1
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_10; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_10
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_11; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_11
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_12; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_12
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_13; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_13
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_14; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_14
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_15; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_15
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_16; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_16
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_17; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_17
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_18; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_18
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_19; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_19
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_2; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_2
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_20; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_20
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_21; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_21
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_22; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_22
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_23; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_23
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_24; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_24
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_25; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_25
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_26; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_26
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_27; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_27
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_28; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_28
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_29; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_29
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_3; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_3
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_30; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_30
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_31; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_31
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_32; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_32
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_33; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_33
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_34; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_34
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_35; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_35
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_36; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_36
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_37; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_37
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_38; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_38
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_39; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_39
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_4; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_4
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_40; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_40
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_41; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_41
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_42; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_42
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_43; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_43
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_44; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_44
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_45; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_45
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_46; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_46
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_47; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_47
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_48; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_48
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_49; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_49
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_5; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_5
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_50; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_50
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_51; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_51
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_52; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_52
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_53; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_53
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_54; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_54
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_55; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_55
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_56; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_56
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_57; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_57
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_58; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_58
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_59; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_59
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_6; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_6
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_60; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_60
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_61; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_61
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_62; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_62
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_63; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_63
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_7; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_7
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_8; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_8
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: change_time_ms_9; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.change_time_ms_9
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

-- Name: client_addresses; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.client_addresses (
    client_id uuid NOT NULL,
    address text NOT NULL,
    first_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL
);

-- Name: clients; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.clients (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    bot_user_id uuid NOT NULL,
    name text NOT NULL,
    secret_hash bytea NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    previous_secret_hash bytea,
    previous_secret_until timestamp with time zone
);

-- Name: communications; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.communications (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    project_id uuid NOT NULL,
    prospect_id uuid,
    email text NOT NULL,
    category text NOT NULL,
    projection jsonb,
    expires_at timestamp with time zone,
    communicated_at timestamp with time zone NOT NULL,
    CONSTRAINT communications_category_check CHECK ((category = ANY (ARRAY['buying'::text, 'invitation'::text, 'selling'::text])))
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: companies; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.companies (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    version bigint NOT NULL,
    transaction_id xid8 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    change_type text NOT NULL,
    change_origin text NOT NULL,
    deleted_at timestamp with time zone,
    name text,
    legal_name text,
    country text,
    homepage_url text,
    domain text,
    linked_in_url text,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    strategy text,
    profile_picture_url text,
    name_key text,
    deleted_refs jsonb,
    merged_into uuid,
    strategy_folded text,
    name_key_version integer,
    searched_text text GENERATED ALWAYS AS (public.company_text(name, legal_name, domain, homepage_url)) STORED
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');
ALTER TABLE ONLY public.companies ALTER COLUMN searched_text SET STATISTICS 300;

-- Name: contacts; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.contacts (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    version bigint NOT NULL,
    transaction_id xid8 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    change_type text NOT NULL,
    change_origin text NOT NULL,
    deleted_at timestamp with time zone,
    first_name text,
    last_name text,
    email text,
    phone text,
    primary_language text,
    primary_company_id uuid,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    strategy text,
    linked_in_url text,
    profile_picture_url text,
    deleted_refs jsonb,
    merged_into uuid,
    strategy_folded text,
    searched_text text GENERATED ALWAYS AS (public.contact_text(first_name, last_name, email, phone)) STORED
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');
ALTER TABLE ONLY public.contacts ALTER COLUMN searched_text SET STATISTICS 300;

-- Name: deleted_records; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.deleted_records (
    team_id uuid NOT NULL,
    type text NOT NULL,
    id uuid NOT NULL,
    deleted_at timestamp with time zone NOT NULL,
    user_id uuid,
    client_id uuid,
    cause_id uuid,
    fields jsonb NOT NULL
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: deletion_effects; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.deletion_effects (
    team_id uuid NOT NULL,
    cause_id uuid NOT NULL,
    type text NOT NULL,
    id uuid NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    fields jsonb NOT NULL
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: deletion_windows; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.deletion_windows (
    team_id uuid NOT NULL,
    subject uuid NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    deletions bigint NOT NULL,
    announced_at timestamp with time zone
);

-- Name: deliveries; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.deliveries (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    status text NOT NULL,
    attempt_count integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone,
    last_attempt_at timestamp with time zone,
    last_status_code integer,
    last_error text,
    last_duration_ms integer,
    created_at timestamp with time zone NOT NULL,
    delivered_at timestamp with time zone,
    claimed boolean DEFAULT false NOT NULL,
    replayed_attempts integer DEFAULT 0 NOT NULL,
    claimed_by text,
    CONSTRAINT deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'exhausted'::text])))
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: delivery_attempts; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.delivery_attempts (
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    duration_ms integer NOT NULL,
    status_code integer,
    error text,
    response_headers jsonb,
    response_body text,
    request_headers jsonb,
    team_id uuid NOT NULL
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: delivery_wake_ups; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.delivery_wake_ups (
    team_id uuid NOT NULL,
    at timestamp with time zone NOT NULL
);

-- Name: erasures; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.erasures (
    team_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    receipt_id uuid NOT NULL,
    hashes bytea[] NOT NULL,
    erased_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone
);

-- Name: events; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.events (
    id uuid NOT NULL,
    seq bigint NOT NULL,
    transaction_id xid8 NOT NULL,
    team_id uuid NOT NULL,
    message_id text NOT NULL,
    type text NOT NULL,
    resource_type text NOT NULL,
    resource_id uuid NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    body text NOT NULL
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: events_seq_seq; Type: SEQUENCE; Schema: public; Owner: -

ALTER TABLE public.events ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.events_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: external_references; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.external_references (
    team_id uuid NOT NULL,
    resource_type text NOT NULL,
    namespace text NOT NULL,
    external_id text NOT NULL,
    resource_id uuid NOT NULL,
    "position" smallint NOT NULL
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: fan_outs; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.fan_outs (
    team_id uuid NOT NULL,
    transaction_id xid8 NOT NULL,
    at timestamp with time zone NOT NULL
);

-- Name: file_space; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.file_space (
    id uuid NOT NULL
);

-- Name: files; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.files (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    change_type text NOT NULL,
    change_origin text NOT NULL,
    subject_type text NOT NULL,
    subject_id uuid NOT NULL,
    name text NOT NULL,
    content_type text NOT NULL,
    size bigint NOT NULL,
    sha256 bytea NOT NULL,
    content uuid NOT NULL,
    CONSTRAINT files_subject_type_check CHECK ((subject_type = ANY (ARRAY['contact'::text, 'company'::text, 'project'::text, 'prospect'::text, 'property'::text, 'offer'::text, 'room'::text])))
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: grant_families; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.grant_families (
    id uuid NOT NULL,
    grant_id uuid NOT NULL,
    scopes text[] NOT NULL,
    resource text,
    created_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    ends_at timestamp with time zone NOT NULL
);

-- Name: grants; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.grants (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    app_id uuid NOT NULL,
    team_id uuid NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone
);

-- Name: idempotency_keys; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.idempotency_keys (
    team_id uuid NOT NULL,
    scope bytea NOT NULL,
    body_hash bytea NOT NULL,
    answer bytea NOT NULL,
    created_at timestamp with time zone NOT NULL
);

-- Name: imports; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.imports (
    team_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    format text NOT NULL,
    file_name text NOT NULL,
    size bigint NOT NULL,
    content uuid NOT NULL,
    header jsonb NOT NULL,
    options jsonb NOT NULL,
    state text NOT NULL,
    attempt uuid,
    counts jsonb NOT NULL,
    report jsonb,
    detail text,
    receipts uuid,
    created_at timestamp with time zone NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    CONSTRAINT imports_state_check CHECK ((state = ANY (ARRAY['uploaded'::text, 'checking'::text, 'checked'::text, 'importing'::text, 'imported'::text, 'refused'::text])))
);

-- Name: invitations; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.invitations (
    id uuid NOT NULL,
    hash bytea NOT NULL,
    team_id uuid NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    invited_by uuid,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'member'::text])))
);

-- Name: job_runs; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.job_runs (
    name text NOT NULL,
    known_since timestamp with time zone NOT NULL,
    ran_at timestamp with time zone,
    succeeded_at timestamp with time zone
);

-- Name: journal; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.journal (
    team_id uuid NOT NULL,
    seq bigint NOT NULL,
    event_id uuid NOT NULL
);

-- Name: journals; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.journals (
    team_id uuid NOT NULL,
    last_seq bigint DEFAULT 0 NOT NULL,
    purged_seq bigint DEFAULT 0 NOT NULL,
    at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    transaction_id xid8 DEFAULT '0'::xid8 NOT NULL,
    event_seq bigint DEFAULT 0 NOT NULL
);

-- Name: links; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.links (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    version bigint NOT NULL,
    transaction_id xid8 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    change_type text NOT NULL,
    change_origin text NOT NULL,
    deleted_at timestamp with time zone,
    contact_id uuid NOT NULL,
    company_id uuid NOT NULL,
    job_title text,
    deleted_refs jsonb
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: mandate_boxes; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.mandate_boxes (
    team_id uuid NOT NULL,
    mandate_id uuid NOT NULL,
    box box NOT NULL,
    country text DEFAULT ''::text NOT NULL
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: mandates; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.mandates (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    version bigint NOT NULL,
    transaction_id xid8 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    change_type text NOT NULL,
    change_origin text NOT NULL,
    deleted_at timestamp with time zone,
    name text,
    description text,
    status text,
    valid_until timestamp with time zone,
    investor jsonb,
    investor_id uuid,
    categories text[] DEFAULT '{}'::text[] NOT NULL,
    subcategories text[] DEFAULT '{}'::text[] NOT NULL,
    lifecycle_stages text[] DEFAULT '{}'::text[] NOT NULL,
    tenures text[] DEFAULT '{}'::text[] NOT NULL,
    deal_structures text[] DEFAULT '{}'::text[] NOT NULL,
    conversions text[] DEFAULT '{}'::text[] NOT NULL,
    risk_profiles text[] DEFAULT '{}'::text[] NOT NULL,
    investment_size jsonb,
    year_built jsonb,
    parcel_area jsonb,
    lettable_area jsonb,
    zoning_gfa jsonb,
    net_initial_yield jsonb,
    vacancy_rate jsonb,
    target_irr jsonb,
    wault jsonb,
    unit_count jsonb,
    price_per_sqm jsonb,
    worst_energy_class text,
    country text,
    geography bytea,
    near jsonb,
    radius double precision,
    positive_tags text[] DEFAULT '{}'::text[] NOT NULL,
    negative_tags text[] DEFAULT '{}'::text[] NOT NULL,
    deleted_refs jsonb,
    whole_countries text[] DEFAULT '{}'::text[] NOT NULL
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: memberships; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.memberships (
    team_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    status text NOT NULL,
    is_primary boolean NOT NULL,
    joined_at timestamp with time zone NOT NULL,
    sort_name text NOT NULL,
    visited_at timestamp with time zone,
    changes_since timestamp with time zone,
    CONSTRAINT memberships_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'member'::text]))),
    CONSTRAINT memberships_status_check CHECK ((status = ANY (ARRAY['active'::text, 'pending'::text])))
);

-- Name: messages; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.messages (
    action_id uuid NOT NULL,
    team_id uuid NOT NULL,
    sender text NOT NULL,
    user_id uuid,
    text text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT messages_sender_check CHECK ((sender = ANY (ARRAY['broker'::text, 'investor'::text])))
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: offer_cells; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.offer_cells (
    broker_team_id uuid NOT NULL,
    cell text NOT NULL
);

-- Name: offers; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.offers (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    change_type text NOT NULL,
    change_origin text NOT NULL,
    user_id uuid NOT NULL,
    broker_team_id uuid NOT NULL,
    project_id uuid NOT NULL,
    prospect_id uuid,
    category text NOT NULL,
    projection jsonb,
    status text NOT NULL,
    read_at timestamp with time zone,
    answer text,
    answered_at timestamp with time zone,
    rejection_reason text,
    expires_at timestamp with time zone,
    expired_at timestamp with time zone,
    removed_at timestamp with time zone,
    withdrawn_at timestamp with time zone,
    closed_at timestamp with time zone,
    CONSTRAINT offers_answer_check CHECK ((answer = ANY (ARRAY['accepted'::text, 'rejected'::text]))),
    CONSTRAINT offers_category_check CHECK ((category = ANY (ARRAY['buying'::text, 'invitation'::text, 'selling'::text])))
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: passwords; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.passwords (
    user_id uuid NOT NULL,
    hash text NOT NULL,
    changed_at timestamp with time zone NOT NULL
);

-- Name: projects; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.projects (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    version bigint NOT NULL,
    transaction_id xid8 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    change_type text NOT NULL,
    change_origin text NOT NULL,
    deleted_at timestamp with time zone,
    name text,
    description text,
    is_portfolio boolean,
    property_count integer,
    property_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    exclusivity text,
    owner_id uuid,
    published_at timestamp with time zone,
    communicated_at timestamp with time zone,
    room_opened_at timestamp with time zone,
    closed_at timestamp with time zone,
    deleted_refs jsonb,
    purged_at timestamp with time zone,
    property_count_written boolean,
    seller_contact_id uuid
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: properties; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.properties (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    version bigint NOT NULL,
    transaction_id xid8 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    change_type text NOT NULL,
    change_origin text NOT NULL,
    deleted_at timestamp with time zone,
    name text,
    owner_id uuid,
    project_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    description text,
    country text,
    locality text,
    address jsonb,
    coordinates jsonb,
    parcels jsonb,
    categories text[] DEFAULT '{}'::text[] NOT NULL,
    subcategories text[] DEFAULT '{}'::text[] NOT NULL,
    lifecycle_stage text,
    tenure text,
    ground_lease jsonb,
    ownership_share jsonb,
    deal_structure text,
    parcel_area jsonb,
    gross_floor_area jsonb,
    internal_area jsonb,
    lettable_area jsonb,
    rented_area jsonb,
    vacant_area jsonb,
    areas_by_use jsonb,
    zoning jsonb,
    conversions text[] DEFAULT '{}'::text[] NOT NULL,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    year_built integer,
    year_renovated integer,
    building_count integer,
    floor_count integer,
    unit_count integer,
    parking_spaces integer,
    grade text,
    condition text,
    heritage_listed boolean,
    industrial jsonb,
    hotel jsonb,
    income jsonb,
    tenants jsonb,
    pricing jsonb,
    energy jsonb,
    certifications jsonb,
    eu_taxonomy_aligned boolean,
    stranding_year integer,
    deleted_refs jsonb,
    description_folded text,
    searched_text text GENERATED ALWAYS AS (public.property_text(name, address)) STORED
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: prospects; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.prospects (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    version bigint NOT NULL,
    transaction_id xid8 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    change_type text NOT NULL,
    change_origin text NOT NULL,
    deleted_at timestamp with time zone,
    project_id uuid NOT NULL,
    project_created_at timestamp with time zone NOT NULL,
    contact_id uuid,
    company_id uuid,
    name text,
    email text,
    domain text,
    country text,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    classification text,
    interest text,
    stage text,
    milestone_stage text,
    milestone_stage_since_override text,
    override_stage text,
    override_by uuid,
    override_at timestamp with time zone,
    override_reason text,
    owner_id uuid,
    project_tags text[] DEFAULT '{}'::text[] NOT NULL,
    project_tag_keys text[] DEFAULT '{}'::text[] NOT NULL,
    access_expires_at timestamp with time zone,
    teaser_communicated_at timestamp with time zone,
    room_access_at timestamp with time zone,
    accepted boolean,
    chat boolean,
    invitation boolean,
    note_count integer,
    open_task_count integer,
    next_task jsonb,
    next_task_due date,
    overdue_when_written boolean,
    removed_at timestamp with time zone,
    deleted_with_project boolean DEFAULT false NOT NULL,
    deleted_refs jsonb,
    erased_at timestamp with time zone,
    CONSTRAINT prospects_check CHECK (((contact_id IS NULL) <> (company_id IS NULL)))
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: purged_tombstones; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.purged_tombstones (
    team_id uuid NOT NULL,
    resource_type text NOT NULL,
    list_id uuid NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    transaction_id xid8 NOT NULL
);

-- Name: questions; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.questions (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    version bigint NOT NULL,
    transaction_id xid8 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    change_type text NOT NULL,
    change_origin text NOT NULL,
    deleted_at timestamp with time zone,
    project_id uuid NOT NULL,
    room_id uuid NOT NULL,
    number integer NOT NULL,
    text text NOT NULL,
    category text NOT NULL,
    priority text NOT NULL,
    state text DEFAULT 'open'::text NOT NULL,
    assignee_id uuid,
    prospect_id uuid,
    asker_name text,
    document_id uuid,
    document_name text,
    document_page integer,
    due_at timestamp with time zone NOT NULL,
    draft_text text,
    draft_format text,
    draft_author_id uuid,
    drafted_at timestamp with time zone,
    answer_text text,
    answer_audience text,
    answered_at timestamp with time zone,
    CONSTRAINT questions_answer_audience_check CHECK ((answer_audience = ANY (ARRAY['asker'::text, 'all'::text]))),
    CONSTRAINT questions_state_check CHECK ((state = ANY (ARRAY['open'::text, 'drafted'::text, 'answered'::text, 'closed'::text])))
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: rate_windows; Type: TABLE; Schema: public; Owner: -

CREATE UNLOGGED TABLE public.rate_windows (
    subject uuid NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    requests integer NOT NULL
)
WITH (fillfactor='50');

-- Name: refresh_tokens; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.refresh_tokens (
    hash bytea NOT NULL,
    family_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    replaced_at timestamp with time zone
);

-- Name: request_days; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.request_days (
    subject uuid NOT NULL,
    day date NOT NULL,
    requests bigint NOT NULL,
    last_at timestamp with time zone NOT NULL
);

-- Name: request_records; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.request_records (
    team_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    request_id text,
    method text NOT NULL,
    route text,
    tool text,
    status integer NOT NULL,
    code text,
    duration_ms real NOT NULL,
    client_id uuid,
    token_id uuid,
    requests integer NOT NULL
);

-- Name: room_access; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.room_access (
    room_id uuid NOT NULL,
    prospect_id uuid NOT NULL,
    team_id uuid NOT NULL,
    granted_at timestamp with time zone NOT NULL,
    granted_by uuid,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    expired_at timestamp with time zone
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: room_document_numbers; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.room_document_numbers (
    room_id uuid NOT NULL,
    path text NOT NULL,
    team_id uuid NOT NULL,
    version integer NOT NULL
);

-- Name: room_documents; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.room_documents (
    file_id uuid NOT NULL,
    room_id uuid NOT NULL,
    team_id uuid NOT NULL,
    path text NOT NULL,
    version integer NOT NULL
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: rooms; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.rooms (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    version bigint NOT NULL,
    transaction_id xid8 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    change_type text NOT NULL,
    change_origin text NOT NULL,
    deleted_at timestamp with time zone,
    project_id uuid NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    nda_required boolean NOT NULL,
    default_access text,
    opened_at timestamp with time zone,
    winding_down_at timestamp with time zone,
    closed_at timestamp with time zone,
    open_question_count integer DEFAULT 0 NOT NULL,
    qa_enabled boolean DEFAULT true NOT NULL,
    qa_limit_per_prospect integer,
    qa_deadline timestamp with time zone,
    qa_categories text[],
    CONSTRAINT rooms_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'open'::text, 'winding_down'::text, 'closed'::text])))
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: saved_filters; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.saved_filters (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    page text NOT NULL,
    name text NOT NULL,
    query text NOT NULL,
    created_at timestamp with time zone NOT NULL
);

-- Name: schema_migrations; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.schema_migrations (
    file text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

-- Name: secret_key_fingerprint; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.secret_key_fingerprint (
    is_only_row boolean DEFAULT true NOT NULL,
    fingerprint bytea NOT NULL,
    former bytea,
    CONSTRAINT secret_key_fingerprint_is_only_row_check CHECK (is_only_row)
);

-- Name: server_timelines; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.server_timelines (
    name text NOT NULL
);

-- Name: sessions; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.sessions (
    id uuid NOT NULL,
    hash bytea NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    user_agent text,
    address text
);

-- Name: sign_in_links; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.sign_in_links (
    hash bytea NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone
);

-- Name: tasks; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.tasks (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    change_type text NOT NULL,
    change_origin text NOT NULL,
    project_id uuid NOT NULL,
    prospect_id uuid NOT NULL,
    type text NOT NULL,
    due_date date NOT NULL,
    assignee_id uuid NOT NULL,
    note text,
    state text DEFAULT 'open'::text NOT NULL,
    created_by uuid,
    ended_at timestamp with time zone,
    ended_by uuid,
    added_action_id uuid NOT NULL,
    transaction_id xid8 NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT tasks_state_check CHECK ((state = ANY (ARRAY['open'::text, 'completed'::text, 'canceled'::text])))
)
WITH (autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='10000');

-- Name: team_cells; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.team_cells (
    team_id uuid NOT NULL,
    cell text NOT NULL,
    state text,
    CONSTRAINT team_cells_state_check CHECK ((state = ANY (ARRAY['draining'::text, 'moving'::text])))
);

-- Name: team_quotas; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.team_quotas (
    team_id uuid NOT NULL,
    kind text NOT NULL,
    quota bigint NOT NULL,
    CONSTRAINT team_quotas_quota_check CHECK ((quota >= 0))
);

-- Name: team_runs; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.team_runs (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    team text,
    team_name text,
    options jsonb NOT NULL,
    state text NOT NULL,
    attempt uuid,
    progress jsonb NOT NULL,
    report jsonb,
    detail text,
    file_name text,
    size bigint,
    content uuid,
    created_at timestamp with time zone NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    CONSTRAINT team_runs_kind_check CHECK ((kind = ANY (ARRAY['export'::text, 'import'::text, 'restore'::text]))),
    CONSTRAINT team_runs_state_check CHECK ((state = ANY (ARRAY['checking'::text, 'checked'::text, 'running'::text, 'done'::text, 'refused'::text])))
);

-- Name: team_usage; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.team_usage (
    team_id uuid NOT NULL,
    kind text NOT NULL,
    shard bigint NOT NULL,
    used bigint NOT NULL
)
WITH (fillfactor='20', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');

-- Name: team_usage_shards; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.team_usage_shards
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

-- Name: teams; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.teams (
    id uuid NOT NULL,
    name text NOT NULL,
    plan text NOT NULL,
    categories text[] DEFAULT '{}'::text[] NOT NULL,
    contact_person_id uuid,
    country text,
    description text,
    homepage_url text,
    legal_name text,
    profile_picture_url text,
    strategy text,
    vat_number text,
    investment_capacity jsonb,
    leasable_area jsonb,
    property_count jsonb,
    property_value jsonb,
    restricted_investment_size jsonb,
    created_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    purge_at timestamp with time zone,
    purge_began_at timestamp with time zone,
    open_projects uuid[],
    CONSTRAINT teams_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'professional'::text, 'plus'::text])))
);

-- Name: teasers; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.teasers (
    subject_type text NOT NULL,
    subject_id uuid NOT NULL,
    team_id uuid NOT NULL,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    change_type text NOT NULL,
    change_origin text NOT NULL,
    published_at timestamp with time zone,
    verified_at timestamp with time zone,
    communicated_at timestamp with time zone,
    options jsonb NOT NULL,
    tags text[],
    title text,
    CONSTRAINT teasers_subject_type_check CHECK ((subject_type = ANY (ARRAY['project'::text, 'property'::text, 'room'::text])))
);

-- Name: tokens; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.tokens (
    id uuid NOT NULL,
    kind text NOT NULL,
    hash bytea NOT NULL,
    user_id uuid NOT NULL,
    team_id uuid NOT NULL,
    client_id uuid,
    name text,
    scopes text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    family_id uuid,
    form_hash bytea,
    CONSTRAINT tokens_check CHECK ((((kind = 'access'::text) = (client_id IS NOT NULL)) AND ((kind = 'granted'::text) = (family_id IS NOT NULL)))),
    CONSTRAINT tokens_kind_check CHECK ((kind = ANY (ARRAY['personal'::text, 'access'::text, 'granted'::text])))
);

-- Name: upstream_subjects; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.upstream_subjects (
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL
);

-- Name: users; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.users (
    id uuid NOT NULL,
    email text,
    email_confirmed boolean DEFAULT false NOT NULL,
    phone text,
    phone_confirmed boolean DEFAULT false NOT NULL,
    first_name text,
    last_name text,
    name text NOT NULL,
    is_bot boolean DEFAULT false NOT NULL,
    culture text DEFAULT 'en-US'::text NOT NULL,
    ui_culture text DEFAULT 'en-US'::text NOT NULL,
    region text DEFAULT 'DE'::text NOT NULL,
    time_zone text DEFAULT 'Europe/Berlin'::text NOT NULL,
    profile_picture_url text,
    broker text,
    investor text,
    created_at timestamp with time zone NOT NULL,
    signed_in_at timestamp with time zone,
    deactivated_at timestamp with time zone,
    deleted_at timestamp with time zone,
    is_operator boolean DEFAULT false NOT NULL,
    CONSTRAINT users_broker_check CHECK ((broker = ANY (ARRAY['active'::text, 'pending'::text]))),
    CONSTRAINT users_investor_check CHECK ((investor = ANY (ARRAY['active'::text, 'pending'::text])))
);

-- Name: webhook_attempts; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.webhook_attempts (
    webhook_id uuid NOT NULL,
    hour timestamp with time zone NOT NULL,
    duration_ms integer NOT NULL,
    attempts integer NOT NULL,
    first_attempts integer NOT NULL,
    delivered integer NOT NULL,
    team_id uuid NOT NULL
);

-- Name: webhook_failures; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.webhook_failures (
    webhook_id uuid NOT NULL,
    is_failing boolean DEFAULT false NOT NULL,
    at timestamp with time zone,
    status_code integer,
    error text,
    team_id uuid NOT NULL
);

-- Name: webhook_subscriptions; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.webhook_subscriptions (
    webhook_id uuid NOT NULL,
    team_id uuid NOT NULL,
    event_type text NOT NULL,
    from_at timestamp with time zone NOT NULL,
    from_transaction xid8 NOT NULL,
    until_at timestamp with time zone,
    until_transaction xid8,
    CONSTRAINT webhook_subscriptions_check CHECK (((until_at IS NULL) = (until_transaction IS NULL)))
);

-- Name: webhooks; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.webhooks (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    change_type text NOT NULL,
    change_origin text NOT NULL,
    deleted_at timestamp with time zone,
    name text,
    url text NOT NULL,
    events text[] NOT NULL,
    status text NOT NULL,
    secret_sealed bytea NOT NULL,
    disabled_reason text,
    disabled_at timestamp with time zone,
    consecutive_exhausted integer DEFAULT 0 NOT NULL,
    activated_at timestamp with time zone,
    previous_secrets jsonb DEFAULT '[]'::jsonb NOT NULL,
    slow boolean DEFAULT false NOT NULL,
    created_by_client uuid,
    created_by_user uuid,
    CONSTRAINT webhooks_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text])))
);

-- Name: action_subjects action_subjects_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.action_subjects
    ADD CONSTRAINT action_subjects_pkey PRIMARY KEY (subject_id, occurred_at, action_id);

-- Name: actions actions_number_key; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.actions
    ADD CONSTRAINT actions_number_key UNIQUE (number);

-- Name: actions actions_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.actions
    ADD CONSTRAINT actions_pkey PRIMARY KEY (id);

-- Name: apps apps_document_url_key; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.apps
    ADD CONSTRAINT apps_document_url_key UNIQUE (document_url);

-- Name: apps apps_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.apps
    ADD CONSTRAINT apps_pkey PRIMARY KEY (id);

-- Name: attempts attempts_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (subject);

-- Name: audit_counts audit_counts_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.audit_counts
    ADD CONSTRAINT audit_counts_pkey PRIMARY KEY (key);

-- Name: audit_log audit_log_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);

-- Name: authorization_codes authorization_codes_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.authorization_codes
    ADD CONSTRAINT authorization_codes_pkey PRIMARY KEY (hash);

-- Name: bids bids_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.bids
    ADD CONSTRAINT bids_pkey PRIMARY KEY (action_id);

-- Name: cells cells_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.cells
    ADD CONSTRAINT cells_pkey PRIMARY KEY (name);

-- Name: client_addresses client_addresses_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.client_addresses
    ADD CONSTRAINT client_addresses_pkey PRIMARY KEY (client_id, address);

-- Name: clients clients_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.clients
    ADD CONSTRAINT clients_pkey PRIMARY KEY (id);

-- Name: clients clients_previous_secret; Type: CHECK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE public.clients
    ADD CONSTRAINT clients_previous_secret CHECK (((previous_secret_hash IS NULL) = (previous_secret_until IS NULL))) NOT VALID;

-- Name: communications communications_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.communications
    ADD CONSTRAINT communications_pkey PRIMARY KEY (id);

-- Name: companies companies_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.companies
    ADD CONSTRAINT companies_pkey PRIMARY KEY (id);

-- Name: contacts contacts_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT contacts_pkey PRIMARY KEY (id);

-- Name: deleted_records deleted_records_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.deleted_records
    ADD CONSTRAINT deleted_records_pkey PRIMARY KEY (team_id, type, id);

-- Name: deletion_effects deletion_effects_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.deletion_effects
    ADD CONSTRAINT deletion_effects_pkey PRIMARY KEY (team_id, cause_id, type, id);

-- Name: deletion_windows deletion_windows_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.deletion_windows
    ADD CONSTRAINT deletion_windows_pkey PRIMARY KEY (team_id, subject);

-- Name: deliveries deliveries_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);

-- Name: delivery_attempts delivery_attempts_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.delivery_attempts
    ADD CONSTRAINT delivery_attempts_pkey PRIMARY KEY (delivery_id, number);

-- Name: delivery_wake_ups delivery_wake_ups_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.delivery_wake_ups
    ADD CONSTRAINT delivery_wake_ups_pkey PRIMARY KEY (team_id);

-- Name: erasures erasures_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_pkey PRIMARY KEY (team_id, contact_id);

-- Name: events events_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);

-- Name: events events_seq_key; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_seq_key UNIQUE (seq);

-- Name: external_references external_references_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.external_references
    ADD CONSTRAINT external_references_pkey PRIMARY KEY (team_id, resource_type, namespace, external_id);

-- Name: fan_outs fan_outs_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.fan_outs
    ADD CONSTRAINT fan_outs_pkey PRIMARY KEY (team_id, at, transaction_id);

-- Name: file_space file_space_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.file_space
    ADD CONSTRAINT file_space_pkey PRIMARY KEY (id);

-- Name: files files_content_key; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_content_key UNIQUE (content);

-- Name: files files_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_pkey PRIMARY KEY (id);

-- Name: grant_families grant_families_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.grant_families
    ADD CONSTRAINT grant_families_pkey PRIMARY KEY (id);

-- Name: grants grants_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_pkey PRIMARY KEY (id);

-- Name: idempotency_keys idempotency_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (scope);

-- Name: imports imports_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (team_id, id);

-- Name: invitations invitations_hash_key; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_hash_key UNIQUE (hash);

-- Name: invitations invitations_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (id);

-- Name: job_runs job_runs_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.job_runs
    ADD CONSTRAINT job_runs_pkey PRIMARY KEY (name);

-- Name: journal journal_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (team_id, seq);

-- Name: journals journals_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.journals
    ADD CONSTRAINT journals_pkey PRIMARY KEY (team_id);

-- Name: links links_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_pkey PRIMARY KEY (id);

-- Name: mandates mandates_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.mandates
    ADD CONSTRAINT mandates_pkey PRIMARY KEY (id);

-- Name: memberships memberships_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (team_id, user_id);

-- Name: messages messages_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (action_id);

-- Name: offer_cells offer_cells_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.offer_cells
    ADD CONSTRAINT offer_cells_pkey PRIMARY KEY (broker_team_id, cell);

-- Name: offers offers_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.offers
    ADD CONSTRAINT offers_pkey PRIMARY KEY (id);

-- Name: passwords passwords_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.passwords
    ADD CONSTRAINT passwords_pkey PRIMARY KEY (user_id);

-- Name: projects projects_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_pkey PRIMARY KEY (id);

-- Name: properties properties_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.properties
    ADD CONSTRAINT properties_pkey PRIMARY KEY (id);

-- Name: prospects prospects_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.prospects
    ADD CONSTRAINT prospects_pkey PRIMARY KEY (id);

-- Name: purged_tombstones purged_tombstones_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.purged_tombstones
    ADD CONSTRAINT purged_tombstones_pkey PRIMARY KEY (team_id, resource_type, list_id);

-- Name: questions questions_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.questions
    ADD CONSTRAINT questions_pkey PRIMARY KEY (id);

-- Name: rate_windows rate_windows_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.rate_windows
    ADD CONSTRAINT rate_windows_pkey PRIMARY KEY (subject);

-- Name: refresh_tokens refresh_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (hash);

-- Name: request_days request_days_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.request_days
    ADD CONSTRAINT request_days_pkey PRIMARY KEY (subject, day);

-- Name: request_records request_records_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.request_records
    ADD CONSTRAINT request_records_pkey PRIMARY KEY (team_id, at, id);

-- Name: room_access room_access_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.room_access
    ADD CONSTRAINT room_access_pkey PRIMARY KEY (room_id, prospect_id);

-- Name: room_document_numbers room_document_numbers_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.room_document_numbers
    ADD CONSTRAINT room_document_numbers_pkey PRIMARY KEY (room_id, path);

-- Name: room_documents room_documents_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.room_documents
    ADD CONSTRAINT room_documents_pkey PRIMARY KEY (file_id);

-- Name: room_documents room_documents_room_id_path_version_key; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.room_documents
    ADD CONSTRAINT room_documents_room_id_path_version_key UNIQUE (room_id, path, version);

-- Name: rooms rooms_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.rooms
    ADD CONSTRAINT rooms_pkey PRIMARY KEY (id);

-- Name: saved_filters saved_filters_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.saved_filters
    ADD CONSTRAINT saved_filters_pkey PRIMARY KEY (id);

-- Name: saved_filters saved_filters_user_id_page_name_key; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.saved_filters
    ADD CONSTRAINT saved_filters_user_id_page_name_key UNIQUE (user_id, page, name);

-- Name: schema_migrations schema_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (file);

-- Name: secret_key_fingerprint secret_key_fingerprint_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.secret_key_fingerprint
    ADD CONSTRAINT secret_key_fingerprint_pkey PRIMARY KEY (is_only_row);

-- Name: server_timelines server_timelines_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.server_timelines
    ADD CONSTRAINT server_timelines_pkey PRIMARY KEY (name);

-- Name: sessions sessions_hash_key; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_hash_key UNIQUE (hash);

-- Name: sessions sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

-- Name: sign_in_links sign_in_links_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT sign_in_links_pkey PRIMARY KEY (hash);

-- Name: tasks tasks_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_pkey PRIMARY KEY (id);

-- Name: team_cells team_cells_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.team_cells
    ADD CONSTRAINT team_cells_pkey PRIMARY KEY (team_id);

-- Name: team_quotas team_quotas_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.team_quotas
    ADD CONSTRAINT team_quotas_pkey PRIMARY KEY (team_id, kind);

-- Name: team_runs team_runs_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.team_runs
    ADD CONSTRAINT team_runs_pkey PRIMARY KEY (id);

-- Name: team_usage team_usage_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.team_usage
    ADD CONSTRAINT team_usage_pkey PRIMARY KEY (team_id, kind, shard);

-- Name: teams teams_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.teams
    ADD CONSTRAINT teams_pkey PRIMARY KEY (id);

-- Name: teasers teasers_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.teasers
    ADD CONSTRAINT teasers_pkey PRIMARY KEY (subject_type, subject_id);

-- Name: tokens tokens_hash_key; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_hash_key UNIQUE (hash);

-- Name: tokens tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (id);

-- Name: upstream_subjects upstream_subjects_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.upstream_subjects
    ADD CONSTRAINT upstream_subjects_pkey PRIMARY KEY (issuer, subject);

-- Name: upstream_subjects upstream_subjects_user_id_issuer_key; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.upstream_subjects
    ADD CONSTRAINT upstream_subjects_user_id_issuer_key UNIQUE (user_id, issuer);

-- Name: users users_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

-- Name: webhook_attempts webhook_attempts_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (webhook_id, hour, duration_ms);

-- Name: webhook_failures webhook_failures_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.webhook_failures
    ADD CONSTRAINT webhook_failures_pkey PRIMARY KEY (webhook_id);

-- Name: webhook_subscriptions webhook_subscriptions_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.webhook_subscriptions
    ADD CONSTRAINT webhook_subscriptions_pkey PRIMARY KEY (webhook_id, event_type, from_at, from_transaction);

-- Name: webhooks webhooks_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);

-- Name: action_subjects_by_action; Type: INDEX; Schema: public; Owner: -

CREATE INDEX action_subjects_by_action ON public.action_subjects USING btree (action_id);

-- Name: action_subjects_by_partition; Type: INDEX; Schema: public; Owner: -

CREATE INDEX action_subjects_by_partition ON public.action_subjects USING btree (subject_id, partition, occurred_at, action_id);

-- Name: actions_supersedes; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX actions_supersedes ON public.actions USING btree (supersedes) WHERE (supersedes IS NOT NULL);

-- Name: actions_text; Type: INDEX; Schema: public; Owner: -

CREATE INDEX actions_text ON public.actions USING gin (team_id, lower((details ->> 'message'::text)) public.gin_trgm_ops) WHERE ((details ->> 'message'::text) IS NOT NULL);

-- Name: apps_list; Type: INDEX; Schema: public; Owner: -

CREATE INDEX apps_list ON public.apps USING btree (created_at, id);

-- Name: apps_registered; Type: INDEX; Schema: public; Owner: -

CREATE INDEX apps_registered ON public.apps USING btree (created_at, id) WHERE is_registered;

-- Name: apps_sealed; Type: INDEX; Schema: public; Owner: -

CREATE INDEX apps_sealed ON public.apps USING btree (created_at) WHERE (sealed_secret IS NOT NULL);

-- Name: attempts_by_age; Type: INDEX; Schema: public; Owner: -

CREATE INDEX attempts_by_age ON public.attempts USING btree (opened_at);

-- Name: audit_counts_by_age; Type: INDEX; Schema: public; Owner: -

CREATE INDEX audit_counts_by_age ON public.audit_counts USING btree (opened_at);

-- Name: audit_log_by_action; Type: INDEX; Schema: public; Owner: -

CREATE INDEX audit_log_by_action ON public.audit_log USING btree (action, id);

-- Name: audit_log_by_actor; Type: INDEX; Schema: public; Owner: -

CREATE INDEX audit_log_by_actor ON public.audit_log USING btree (actor_id, id) WHERE (actor_id IS NOT NULL);

-- Name: audit_log_by_client; Type: INDEX; Schema: public; Owner: -

CREATE INDEX audit_log_by_client ON public.audit_log USING btree (client_id, id) WHERE (client_id IS NOT NULL);

-- Name: audit_log_by_end; Type: INDEX; Schema: public; Owner: -

CREATE INDEX audit_log_by_end ON public.audit_log USING btree (keep_until);

-- Name: audit_log_by_outcome; Type: INDEX; Schema: public; Owner: -

CREATE INDEX audit_log_by_outcome ON public.audit_log USING btree (outcome, id) WHERE (outcome <> 'success'::text);

-- Name: audit_log_by_target; Type: INDEX; Schema: public; Owner: -

CREATE INDEX audit_log_by_target ON public.audit_log USING btree (target_id, id) WHERE (target_id IS NOT NULL);

-- Name: audit_log_by_team; Type: INDEX; Schema: public; Owner: -

CREATE INDEX audit_log_by_team ON public.audit_log USING btree (team_id, id) WHERE (team_id IS NOT NULL);

-- Name: authorization_codes_by_family; Type: INDEX; Schema: public; Owner: -

CREATE INDEX authorization_codes_by_family ON public.authorization_codes USING btree (family_id);

-- Name: client_addresses_by_age; Type: INDEX; Schema: public; Owner: -

CREATE INDEX client_addresses_by_age ON public.client_addresses USING btree (last_at);

-- Name: clients_by_team; Type: INDEX; Schema: public; Owner: -

CREATE INDEX clients_by_team ON public.clients USING btree (team_id, created_at, id);

-- Name: communications_by_email; Type: INDEX; Schema: public; Owner: -

CREATE INDEX communications_by_email ON public.communications USING btree (email);

-- Name: communications_of_project; Type: INDEX; Schema: public; Owner: -

CREATE INDEX communications_of_project ON public.communications USING btree (project_id);

-- Name: communications_of_prospect; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX communications_of_prospect ON public.communications USING btree (prospect_id, email) WHERE (prospect_id IS NOT NULL);

-- Name: communications_of_seller; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX communications_of_seller ON public.communications USING btree (project_id, email) WHERE (prospect_id IS NULL);

-- Name: companies_delta; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_delta ON public.companies USING btree (team_id, updated_at, id);

-- Name: companies_domain; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_domain ON public.companies USING btree (team_id, domain) WHERE ((deleted_at IS NULL) AND (domain IS NOT NULL));

-- Name: companies_domain_key; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_domain_key ON public.companies USING btree (team_id, public.search_key(domain) COLLATE "C", id) WHERE (deleted_at IS NULL);

-- Name: companies_endings; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_endings ON public.companies USING gin (public.search_endings(team_id, searched_text)) WHERE (deleted_at IS NULL);

-- Name: companies_homepage; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_homepage ON public.companies USING btree (team_id, public.search_key(homepage_url) COLLATE "C", id) WHERE (deleted_at IS NULL);

-- Name: companies_linked_in; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_linked_in ON public.companies USING btree (team_id, public.search_key(linked_in_url) COLLATE "C") WHERE ((deleted_at IS NULL) AND (linked_in_url IS NOT NULL));

-- Name: companies_linked_in_page; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_linked_in_page ON public.companies USING btree (team_id, public.linked_in_page(linked_in_url)) WHERE ((deleted_at IS NULL) AND (linked_in_url IS NOT NULL));

-- Name: companies_list; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_list ON public.companies USING btree (team_id, created_at, id) WHERE (deleted_at IS NULL);

-- Name: companies_list_with_deleted; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_list_with_deleted ON public.companies USING btree (team_id, created_at, id);

-- Name: companies_long_strategy; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_long_strategy ON public.companies USING gin (team_id, strategy_folded public.gin_trgm_ops) WHERE ((deleted_at IS NULL) AND (strategy_folded IS NOT NULL));

-- Name: companies_merged; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_merged ON public.companies USING btree (merged_into) WHERE (merged_into IS NOT NULL);

-- Name: companies_name; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_name ON public.companies USING btree (team_id, public.search_key(name) COLLATE "C", id) WHERE (deleted_at IS NULL);

-- Name: companies_name_initials; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_name_initials ON public.companies USING btree (team_id, public.name_initials(name_key)) INCLUDE (id, name_key, country) WHERE (deleted_at IS NULL);

-- Name: companies_name_key; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_name_key ON public.companies USING btree (team_id, name_key, country) WHERE (deleted_at IS NULL);

-- Name: companies_name_key_version; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_name_key_version ON public.companies USING btree (name_key_version, id) WHERE (name IS NOT NULL);

-- Name: companies_name_letters; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_name_letters ON public.companies USING btree (team_id, replace(name_key, ' '::text, ''::text)) WHERE (deleted_at IS NULL);

-- Name: companies_name_traits; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_name_traits ON public.companies USING btree (team_id, public.name_initials(name_key), public.name_length(name_key), public.name_letters(name_key)) INCLUDE (id, name_key, country) WHERE ((deleted_at IS NULL) AND (NOT public.may_be_transliterated(name)));

-- Name: companies_strategy; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_strategy ON public.companies USING gin (team_id, public.search_text(strategy) public.gin_trgm_ops) WHERE ((deleted_at IS NULL) AND (strategy IS NOT NULL));

-- Name: companies_tags; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_tags ON public.companies USING gin (team_id, tags) WHERE ((deleted_at IS NULL) AND (tags <> '{}'::text[]));

-- Name: companies_text; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_text ON public.companies USING gin (team_id, searched_text public.gin_trgm_ops) WHERE (deleted_at IS NULL);

-- Name: companies_tombstones; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_tombstones ON public.companies USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

-- Name: companies_transliterated_names; Type: INDEX; Schema: public; Owner: -

CREATE INDEX companies_transliterated_names ON public.companies USING btree (team_id, public.name_initials(name_key)) INCLUDE (id, name_key, country) WHERE ((deleted_at IS NULL) AND public.may_be_transliterated(name));

-- Name: contacts_by_company; Type: INDEX; Schema: public; Owner: -

CREATE INDEX contacts_by_company ON public.contacts USING btree (primary_company_id) WHERE (primary_company_id IS NOT NULL);

-- Name: contacts_delta; Type: INDEX; Schema: public; Owner: -

CREATE INDEX contacts_delta ON public.contacts USING btree (team_id, updated_at, id);

-- Name: contacts_email; Type: INDEX; Schema: public; Owner: -

CREATE INDEX contacts_email ON public.contacts USING btree (team_id, lower(email)) WHERE ((deleted_at IS NULL) AND (email IS NOT NULL));

-- Name: contacts_email_key; Type: INDEX; Schema: public; Owner: -

CREATE INDEX contacts_email_key ON public.contacts USING btree (team_id, public.search_key(email) COLLATE "C", id) WHERE (deleted_at IS NULL);

-- Name: contacts_endings; Type: INDEX; Schema: public; Owner: -

CREATE INDEX contacts_endings ON public.contacts USING gin (public.search_endings(team_id, searched_text)) WHERE (deleted_at IS NULL);

-- Name: contacts_first_name; Type: INDEX; Schema: public; Owner: -

CREATE INDEX contacts_first_name ON public.contacts USING btree (team_id, public.search_key(first_name) COLLATE "C", id) WHERE (deleted_at IS NULL);

-- Name: contacts_last_name; Type: INDEX; Schema: public; Owner: -

CREATE INDEX contacts_last_name ON public.contacts USING btree (team_id, public.search_key(last_name) COLLATE "C", id) WHERE (deleted_at IS NULL);

-- Name: contacts_linked_in; Type: INDEX; Schema: public; Owner: -

CREATE INDEX contacts_linked_in ON public.contacts USING btree (team_id, public.search_key(linked_in_url) COLLATE "C") WHERE ((deleted_at IS NULL) AND (linked_in_url IS NOT NULL));

-- Name: contacts_list; Type: INDEX; Schema: public; Owner: -

CREATE INDEX contacts_list ON public.contacts USING btree (team_id, created_at, id) WHERE (deleted_at IS NULL);

-- Name: contacts_list_with_deleted; Type: INDEX; Schema: public; Owner: -

CREATE INDEX contacts_list_with_deleted ON public.contacts USING btree (team_id, created_at, id);

-- Name: contacts_long_strategy; Type: INDEX; Schema: public; Owner: -

CREATE INDEX contacts_long_strategy ON public.contacts USING gin (team_id, strategy_folded public.gin_trgm_ops) WHERE ((deleted_at IS NULL) AND (strategy_folded IS NOT NULL));

-- Name: contacts_merged; Type: INDEX; Schema: public; Owner: -

CREATE INDEX contacts_merged ON public.contacts USING btree (merged_into) WHERE (merged_into IS NOT NULL);

-- Name: contacts_name; Type: INDEX; Schema: public; Owner: -

CREATE INDEX contacts_name ON public.contacts USING btree (team_id, public.search_key(public.contact_name(first_name, last_name, email)) COLLATE "C", id) WHERE (deleted_at IS NULL);

-- Name: contacts_strategy; Type: INDEX; Schema: public; Owner: -

CREATE INDEX contacts_strategy ON public.contacts USING gin (team_id, public.search_text(strategy) public.gin_trgm_ops) WHERE ((deleted_at IS NULL) AND (strategy IS NOT NULL));

-- Name: contacts_tags; Type: INDEX; Schema: public; Owner: -

CREATE INDEX contacts_tags ON public.contacts USING gin (team_id, tags) WHERE ((deleted_at IS NULL) AND (tags <> '{}'::text[]));

-- Name: contacts_text; Type: INDEX; Schema: public; Owner: -

CREATE INDEX contacts_text ON public.contacts USING gin (team_id, searched_text public.gin_trgm_ops) WHERE (deleted_at IS NULL);

-- Name: contacts_tombstones; Type: INDEX; Schema: public; Owner: -

CREATE INDEX contacts_tombstones ON public.contacts USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

-- Name: deleted_records_by_cause; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deleted_records_by_cause ON public.deleted_records USING btree (team_id, cause_id, type, id) WHERE (cause_id IS NOT NULL);

-- Name: deleted_records_by_client; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deleted_records_by_client ON public.deleted_records USING btree (team_id, client_id, type, deleted_at, id) WHERE ((client_id IS NOT NULL) AND (cause_id IS NULL));

-- Name: deleted_records_by_user; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deleted_records_by_user ON public.deleted_records USING btree (team_id, user_id, type, deleted_at, id) WHERE ((user_id IS NOT NULL) AND (cause_id IS NULL));

-- Name: deleted_records_list; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deleted_records_list ON public.deleted_records USING btree (team_id, type, deleted_at, id) WHERE (cause_id IS NULL);

-- Name: deleted_records_purge; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deleted_records_purge ON public.deleted_records USING btree (deleted_at);

-- Name: deletion_effects_by_changed; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deletion_effects_by_changed ON public.deletion_effects USING btree (team_id, type, id);

-- Name: deletion_effects_purge; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deletion_effects_purge ON public.deletion_effects USING btree (changed_at);

-- Name: deletion_windows_by_age; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deletion_windows_by_age ON public.deletion_windows USING btree (opened_at);

-- Name: deliveries_claimed; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deliveries_claimed ON public.deliveries USING btree (team_id, webhook_id) WHERE claimed;

-- Name: deliveries_held; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deliveries_held ON public.deliveries USING btree (webhook_id, created_at, id) WHERE ((next_attempt_at IS NULL) AND ((status = 'pending'::text) OR ((status = 'failed'::text) AND (((COALESCE(last_status_code, 0) < 400) OR (COALESCE(last_status_code, 0) > 499)) OR (last_status_code = 429)))));

-- Name: deliveries_log; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deliveries_log ON public.deliveries USING btree (webhook_id, created_at DESC, id DESC);

-- Name: deliveries_log_by_status; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deliveries_log_by_status ON public.deliveries USING btree (webhook_id, status, created_at DESC, id DESC) WHERE (status <> 'delivered'::text);

-- Name: deliveries_log_by_type; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deliveries_log_by_type ON public.deliveries USING btree (webhook_id, event_type, created_at DESC, id DESC);

-- Name: deliveries_of_event; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX deliveries_of_event ON public.deliveries USING btree (event_id, webhook_id);

-- Name: deliveries_retried; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deliveries_retried ON public.deliveries USING btree (webhook_id, next_attempt_at) WHERE ((status = 'failed'::text) AND (next_attempt_at IS NOT NULL));

-- Name: deliveries_waiting; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deliveries_waiting ON public.deliveries USING btree (webhook_id, LEAST((attempt_count + replayed_attempts), 1), next_attempt_at, id) WHERE ((next_attempt_at IS NOT NULL) AND (NOT claimed));

-- Name: events_by_transaction; Type: INDEX; Schema: public; Owner: -

CREATE INDEX events_by_transaction ON public.events USING btree (transaction_id);

-- Name: events_in_order; Type: INDEX; Schema: public; Owner: -

CREATE INDEX events_in_order ON public.events USING btree (team_id, occurred_at, transaction_id, seq);

-- Name: external_references_by_resource; Type: INDEX; Schema: public; Owner: -

CREATE INDEX external_references_by_resource ON public.external_references USING btree (resource_id, "position");

-- Name: fan_outs_by_age; Type: INDEX; Schema: public; Owner: -

CREATE INDEX fan_outs_by_age ON public.fan_outs USING btree (at);

-- Name: files_by_subject; Type: INDEX; Schema: public; Owner: -

CREATE INDEX files_by_subject ON public.files USING btree (subject_type, subject_id);

-- Name: files_list; Type: INDEX; Schema: public; Owner: -

CREATE INDEX files_list ON public.files USING btree (team_id, subject_id, created_at, id);

-- Name: grant_families_by_end; Type: INDEX; Schema: public; Owner: -

CREATE INDEX grant_families_by_end ON public.grant_families USING btree (ends_at);

-- Name: grant_families_by_grant; Type: INDEX; Schema: public; Owner: -

CREATE INDEX grant_families_by_grant ON public.grant_families USING btree (grant_id);

-- Name: grants_by_app; Type: INDEX; Schema: public; Owner: -

CREATE INDEX grants_by_app ON public.grants USING btree (app_id);

-- Name: grants_by_team; Type: INDEX; Schema: public; Owner: -

CREATE INDEX grants_by_team ON public.grants USING btree (team_id, created_at, id) WHERE (revoked_at IS NULL);

-- Name: grants_one; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX grants_one ON public.grants USING btree (user_id, app_id, team_id) WHERE (revoked_at IS NULL);

-- Name: grants_revoked; Type: INDEX; Schema: public; Owner: -

CREATE INDEX grants_revoked ON public.grants USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);

-- Name: idempotency_keys_by_age; Type: INDEX; Schema: public; Owner: -

CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);

-- Name: imports_by_age; Type: INDEX; Schema: public; Owner: -

CREATE INDEX imports_by_age ON public.imports USING btree (created_at);

-- Name: imports_running; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX imports_running ON public.imports USING btree (team_id) WHERE (state = ANY (ARRAY['checking'::text, 'importing'::text]));

-- Name: invitations_by_address; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX invitations_by_address ON public.invitations USING btree (team_id, lower(email));

-- Name: invitations_by_expiry; Type: INDEX; Schema: public; Owner: -

CREATE INDEX invitations_by_expiry ON public.invitations USING btree (expires_at);

-- Name: invitations_by_inviter; Type: INDEX; Schema: public; Owner: -

CREATE INDEX invitations_by_inviter ON public.invitations USING btree (invited_by);

-- Name: journal_by_event; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX journal_by_event ON public.journal USING btree (event_id);

-- Name: links_by_company; Type: INDEX; Schema: public; Owner: -

CREATE INDEX links_by_company ON public.links USING btree (team_id, company_id) WHERE (deleted_at IS NULL);

-- Name: links_delta; Type: INDEX; Schema: public; Owner: -

CREATE INDEX links_delta ON public.links USING btree (team_id, updated_at, id);

-- Name: links_former_pairs; Type: INDEX; Schema: public; Owner: -

CREATE INDEX links_former_pairs ON public.links USING btree (team_id, contact_id, company_id, deleted_at) WHERE (deleted_at IS NOT NULL);

-- Name: links_list; Type: INDEX; Schema: public; Owner: -

CREATE INDEX links_list ON public.links USING btree (team_id, created_at, id) WHERE (deleted_at IS NULL);

-- Name: links_list_with_deleted; Type: INDEX; Schema: public; Owner: -

CREATE INDEX links_list_with_deleted ON public.links USING btree (team_id, created_at, id);

-- Name: links_of_company; Type: INDEX; Schema: public; Owner: -

CREATE INDEX links_of_company ON public.links USING btree (team_id, company_id, created_at, id);

-- Name: links_of_contact; Type: INDEX; Schema: public; Owner: -

CREATE INDEX links_of_contact ON public.links USING btree (team_id, contact_id, created_at, id);

-- Name: links_pair; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX links_pair ON public.links USING btree (team_id, contact_id, company_id) WHERE (deleted_at IS NULL);

-- Name: links_tombstones; Type: INDEX; Schema: public; Owner: -

CREATE INDEX links_tombstones ON public.links USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

-- Name: mandate_boxes_by_country; Type: INDEX; Schema: public; Owner: -

CREATE INDEX mandate_boxes_by_country ON public.mandate_boxes USING btree (team_id, country, mandate_id) WHERE (country <> ''::text);

-- Name: mandate_boxes_by_mandate; Type: INDEX; Schema: public; Owner: -

CREATE INDEX mandate_boxes_by_mandate ON public.mandate_boxes USING btree (team_id, mandate_id) INCLUDE (box);

-- Name: mandate_boxes_by_place; Type: INDEX; Schema: public; Owner: -

CREATE INDEX mandate_boxes_by_place ON public.mandate_boxes USING gist (team_id, box) INCLUDE (mandate_id);

-- Name: mandates_anywhere; Type: INDEX; Schema: public; Owner: -

CREATE INDEX mandates_anywhere ON public.mandates USING btree (team_id, id) WHERE ((deleted_at IS NULL) AND (geography IS NULL) AND (country IS NULL));

-- Name: mandates_by_country; Type: INDEX; Schema: public; Owner: -

CREATE INDEX mandates_by_country ON public.mandates USING btree (team_id, country, id) WHERE ((deleted_at IS NULL) AND (status = 'active'::text) AND (geography IS NULL) AND (country IS NOT NULL));

-- Name: mandates_by_id; Type: INDEX; Schema: public; Owner: -

CREATE INDEX mandates_by_id ON public.mandates USING btree (team_id, id) WHERE (deleted_at IS NULL);

-- Name: mandates_by_investor; Type: INDEX; Schema: public; Owner: -

CREATE INDEX mandates_by_investor ON public.mandates USING btree (team_id, investor_id, created_at, id) WHERE ((deleted_at IS NULL) AND (investor_id IS NOT NULL));

-- Name: mandates_by_status; Type: INDEX; Schema: public; Owner: -

CREATE INDEX mandates_by_status ON public.mandates USING btree (team_id, status, created_at, id) WHERE (deleted_at IS NULL);

-- Name: mandates_delta; Type: INDEX; Schema: public; Owner: -

CREATE INDEX mandates_delta ON public.mandates USING btree (team_id, updated_at, id);

-- Name: mandates_list; Type: INDEX; Schema: public; Owner: -

CREATE INDEX mandates_list ON public.mandates USING btree (team_id, created_at, id) WHERE (deleted_at IS NULL);

-- Name: mandates_list_with_deleted; Type: INDEX; Schema: public; Owner: -

CREATE INDEX mandates_list_with_deleted ON public.mandates USING btree (team_id, created_at, id);

-- Name: mandates_tombstones; Type: INDEX; Schema: public; Owner: -

CREATE INDEX mandates_tombstones ON public.mandates USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

-- Name: memberships_active; Type: INDEX; Schema: public; Owner: -

CREATE INDEX memberships_active ON public.memberships USING btree (team_id, role, sort_name, user_id) WHERE (status = 'active'::text);

-- Name: memberships_by_user; Type: INDEX; Schema: public; Owner: -

CREATE INDEX memberships_by_user ON public.memberships USING btree (user_id);

-- Name: memberships_one_primary; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX memberships_one_primary ON public.memberships USING btree (user_id) WHERE is_primary;

-- Name: messages_by_age; Type: INDEX; Schema: public; Owner: -

CREATE INDEX messages_by_age ON public.messages USING btree (created_at);

-- Name: messages_text; Type: INDEX; Schema: public; Owner: -

CREATE INDEX messages_text ON public.messages USING gin (team_id, lower(text) public.gin_trgm_ops);

-- Name: notes_by_age; Type: INDEX; Schema: public; Owner: -

CREATE INDEX notes_by_age ON public.actions USING btree (occurred_at) WHERE ((type = 'note'::text) AND ((details ->> 'erased'::text) IS NULL));

-- Name: offers_by_project; Type: INDEX; Schema: public; Owner: -

CREATE INDEX offers_by_project ON public.offers USING btree (project_id);

-- Name: offers_by_prospect; Type: INDEX; Schema: public; Owner: -

CREATE INDEX offers_by_prospect ON public.offers USING btree (prospect_id) WHERE (prospect_id IS NOT NULL);

-- Name: offers_by_status; Type: INDEX; Schema: public; Owner: -

CREATE INDEX offers_by_status ON public.offers USING btree (team_id, status, created_at, id);

-- Name: offers_expiring; Type: INDEX; Schema: public; Owner: -

CREATE INDEX offers_expiring ON public.offers USING btree (expires_at) WHERE (status = ANY (ARRAY['pending'::text, 'unanswered'::text]));

-- Name: offers_list; Type: INDEX; Schema: public; Owner: -

CREATE INDEX offers_list ON public.offers USING btree (team_id, created_at, id);

-- Name: offers_of_prospect; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX offers_of_prospect ON public.offers USING btree (team_id, prospect_id) WHERE (prospect_id IS NOT NULL);

-- Name: offers_of_seller; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX offers_of_seller ON public.offers USING btree (team_id, project_id) WHERE (prospect_id IS NULL);

-- Name: offers_unread; Type: INDEX; Schema: public; Owner: -

CREATE INDEX offers_unread ON public.offers USING btree (team_id, created_at, id) WHERE (read_at IS NULL);

-- Name: projects_closed; Type: INDEX; Schema: public; Owner: -

CREATE INDEX projects_closed ON public.projects USING btree (closed_at) WHERE ((closed_at IS NOT NULL) AND (deleted_at IS NULL));

-- Name: projects_delta; Type: INDEX; Schema: public; Owner: -

CREATE INDEX projects_delta ON public.projects USING btree (team_id, updated_at, id);

-- Name: projects_list; Type: INDEX; Schema: public; Owner: -

CREATE INDEX projects_list ON public.projects USING btree (team_id, created_at, id) WHERE (deleted_at IS NULL);

-- Name: projects_list_with_deleted; Type: INDEX; Schema: public; Owner: -

CREATE INDEX projects_list_with_deleted ON public.projects USING btree (team_id, created_at, id);

-- Name: projects_listing; Type: INDEX; Schema: public; Owner: -

CREATE INDEX projects_listing ON public.projects USING gin (team_id, property_ids) WHERE ((deleted_at IS NULL) AND (property_ids <> '{}'::uuid[]));

-- Name: projects_of_seller; Type: INDEX; Schema: public; Owner: -

CREATE INDEX projects_of_seller ON public.projects USING btree (team_id, seller_contact_id) WHERE ((deleted_at IS NULL) AND (seller_contact_id IS NOT NULL));

-- Name: projects_to_purge; Type: INDEX; Schema: public; Owner: -

CREATE INDEX projects_to_purge ON public.projects USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (purged_at IS NULL));

-- Name: projects_tombstones; Type: INDEX; Schema: public; Owner: -

CREATE INDEX projects_tombstones ON public.projects USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

-- Name: properties_by_country; Type: INDEX; Schema: public; Owner: -

CREATE INDEX properties_by_country ON public.properties USING btree (team_id, country, id) WHERE (deleted_at IS NULL);

-- Name: properties_by_place; Type: INDEX; Schema: public; Owner: -

CREATE INDEX properties_by_place ON public.properties USING gist (team_id, public.property_point(coordinates)) WHERE ((deleted_at IS NULL) AND (coordinates IS NOT NULL));

-- Name: properties_delta; Type: INDEX; Schema: public; Owner: -

CREATE INDEX properties_delta ON public.properties USING btree (team_id, updated_at, id);

-- Name: properties_description; Type: INDEX; Schema: public; Owner: -

CREATE INDEX properties_description ON public.properties USING gin (team_id, public.search_text(description) public.gin_trgm_ops) WHERE ((deleted_at IS NULL) AND (description IS NOT NULL));

-- Name: properties_endings; Type: INDEX; Schema: public; Owner: -

CREATE INDEX properties_endings ON public.properties USING gin (public.search_endings(team_id, searched_text)) WHERE (deleted_at IS NULL);

-- Name: properties_in_country; Type: INDEX; Schema: public; Owner: -

CREATE INDEX properties_in_country ON public.properties USING btree (team_id, country, id) INCLUDE (categories, tags, lifecycle_stage, tenure, deal_structure, year_built, unit_count, parcel_area, lettable_area, pricing) WHERE ((deleted_at IS NULL) AND (country IS NOT NULL));

-- Name: properties_list; Type: INDEX; Schema: public; Owner: -

CREATE INDEX properties_list ON public.properties USING btree (team_id, created_at, id) WHERE (deleted_at IS NULL);

-- Name: properties_list_with_deleted; Type: INDEX; Schema: public; Owner: -

CREATE INDEX properties_list_with_deleted ON public.properties USING btree (team_id, created_at, id);

-- Name: properties_locality; Type: INDEX; Schema: public; Owner: -

CREATE INDEX properties_locality ON public.properties USING btree (team_id, public.search_key(locality) COLLATE "C", id) WHERE (deleted_at IS NULL);

-- Name: properties_long_description; Type: INDEX; Schema: public; Owner: -

CREATE INDEX properties_long_description ON public.properties USING gin (team_id, description_folded public.gin_trgm_ops) WHERE ((deleted_at IS NULL) AND (description_folded IS NOT NULL));

-- Name: properties_name; Type: INDEX; Schema: public; Owner: -

CREATE INDEX properties_name ON public.properties USING btree (team_id, public.search_key(name) COLLATE "C", id) WHERE (deleted_at IS NULL);

-- Name: properties_of_projects; Type: INDEX; Schema: public; Owner: -

CREATE INDEX properties_of_projects ON public.properties USING gin (team_id, project_ids) WHERE ((deleted_at IS NULL) AND (project_ids <> '{}'::uuid[]));

-- Name: properties_tags; Type: INDEX; Schema: public; Owner: -

CREATE INDEX properties_tags ON public.properties USING gin (team_id, tags) WHERE ((deleted_at IS NULL) AND (tags <> '{}'::text[]));

-- Name: properties_text; Type: INDEX; Schema: public; Owner: -

CREATE INDEX properties_text ON public.properties USING gin (team_id, searched_text public.gin_trgm_ops) WHERE (deleted_at IS NULL);

-- Name: properties_tombstones; Type: INDEX; Schema: public; Owner: -

CREATE INDEX properties_tombstones ON public.properties USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

-- Name: properties_unplaced; Type: INDEX; Schema: public; Owner: -

CREATE INDEX properties_unplaced ON public.properties USING btree (team_id, id) INCLUDE (country, categories, tags, lifecycle_stage, tenure, deal_structure, year_built, unit_count, parcel_area, lettable_area, pricing) WHERE ((deleted_at IS NULL) AND (coordinates IS NULL));

-- Name: properties_without_location; Type: INDEX; Schema: public; Owner: -

CREATE INDEX properties_without_location ON public.properties USING btree (team_id, id) WHERE ((deleted_at IS NULL) AND (coordinates IS NULL) AND (country IS NULL));

-- Name: properties_without_place; Type: INDEX; Schema: public; Owner: -

CREATE INDEX properties_without_place ON public.properties USING btree (team_id, id) WHERE ((deleted_at IS NULL) AND (coordinates IS NULL));

-- Name: prospects_accepted; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_accepted ON public.prospects USING btree (project_id, created_at, id) WHERE ((deleted_at IS NULL) AND (removed_at IS NULL) AND accepted);

-- Name: prospects_becoming_overdue; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_becoming_overdue ON public.prospects USING btree (next_task_due) WHERE ((deleted_at IS NULL) AND (next_task_due IS NOT NULL) AND (NOT overdue_when_written));

-- Name: prospects_by_classification; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_by_classification ON public.prospects USING btree (project_id, classification, created_at, id) WHERE ((deleted_at IS NULL) AND (removed_at IS NULL));

-- Name: prospects_by_company; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_by_company ON public.prospects USING btree (company_id) WHERE (company_id IS NOT NULL);

-- Name: prospects_by_contact; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_by_contact ON public.prospects USING btree (contact_id) WHERE (contact_id IS NOT NULL);

-- Name: prospects_by_interest; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_by_interest ON public.prospects USING btree (project_id, interest, created_at, id) WHERE ((deleted_at IS NULL) AND (removed_at IS NULL));

-- Name: prospects_by_stage; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_by_stage ON public.prospects USING btree (project_id, stage, created_at, id) WHERE ((deleted_at IS NULL) AND (removed_at IS NULL));

-- Name: prospects_chat; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_chat ON public.prospects USING btree (project_id, created_at, id) WHERE ((deleted_at IS NULL) AND (removed_at IS NULL) AND chat);

-- Name: prospects_communicated; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_communicated ON public.prospects USING btree (project_id, created_at, id) WHERE ((deleted_at IS NULL) AND (removed_at IS NULL) AND (teaser_communicated_at IS NOT NULL));

-- Name: prospects_delta; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_delta ON public.prospects USING btree (project_id, updated_at, id);

-- Name: prospects_invitation; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_invitation ON public.prospects USING btree (project_id, created_at, id) WHERE ((deleted_at IS NULL) AND (removed_at IS NULL) AND invitation);

-- Name: prospects_list; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_list ON public.prospects USING btree (project_id, created_at, id) WHERE ((deleted_at IS NULL) AND (removed_at IS NULL));

-- Name: prospects_list_with_deleted; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_list_with_deleted ON public.prospects USING btree (project_id, created_at, id);

-- Name: prospects_of_company; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX prospects_of_company ON public.prospects USING btree (project_id, company_id) WHERE ((company_id IS NOT NULL) AND (deleted_at IS NULL));

-- Name: prospects_of_contact; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX prospects_of_contact ON public.prospects USING btree (project_id, contact_id) WHERE ((contact_id IS NOT NULL) AND (deleted_at IS NULL));

-- Name: prospects_of_team; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_of_team ON public.prospects USING btree (team_id, created_at, id) WHERE ((deleted_at IS NULL) AND (removed_at IS NULL));

-- Name: prospects_of_team_accepted; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_of_team_accepted ON public.prospects USING btree (team_id, created_at, id) WHERE ((deleted_at IS NULL) AND (removed_at IS NULL) AND accepted);

-- Name: prospects_of_team_by_classification; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_of_team_by_classification ON public.prospects USING btree (team_id, classification, created_at, id) WHERE ((deleted_at IS NULL) AND (removed_at IS NULL));

-- Name: prospects_of_team_by_interest; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_of_team_by_interest ON public.prospects USING btree (team_id, interest, created_at, id) WHERE ((deleted_at IS NULL) AND (removed_at IS NULL));

-- Name: prospects_of_team_by_stage; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_of_team_by_stage ON public.prospects USING btree (team_id, stage, created_at, id) WHERE ((deleted_at IS NULL) AND (removed_at IS NULL));

-- Name: prospects_of_team_chat; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_of_team_chat ON public.prospects USING btree (team_id, created_at, id) WHERE ((deleted_at IS NULL) AND (removed_at IS NULL) AND chat);

-- Name: prospects_of_team_communicated; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_of_team_communicated ON public.prospects USING btree (team_id, created_at, id) WHERE ((deleted_at IS NULL) AND (removed_at IS NULL) AND (teaser_communicated_at IS NOT NULL));

-- Name: prospects_of_team_delta; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_of_team_delta ON public.prospects USING btree (team_id, updated_at, id);

-- Name: prospects_of_team_invitation; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_of_team_invitation ON public.prospects USING btree (team_id, created_at, id) WHERE ((deleted_at IS NULL) AND (removed_at IS NULL) AND invitation);

-- Name: prospects_of_team_project_tags; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_of_team_project_tags ON public.prospects USING gin (team_id, project_tag_keys) WHERE ((deleted_at IS NULL) AND (project_tag_keys <> '{}'::text[]));

-- Name: prospects_of_team_tags; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_of_team_tags ON public.prospects USING gin (team_id, tags) WHERE ((deleted_at IS NULL) AND (tags <> '{}'::text[]));

-- Name: prospects_of_team_with_deleted; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_of_team_with_deleted ON public.prospects USING btree (team_id, created_at, id);

-- Name: prospects_project_tags; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_project_tags ON public.prospects USING gin (project_id, project_tag_keys) WHERE ((deleted_at IS NULL) AND (project_tag_keys <> '{}'::text[]));

-- Name: prospects_projects_of_company; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_projects_of_company ON public.prospects USING btree (company_id, project_created_at, project_id) WHERE ((company_id IS NOT NULL) AND (deleted_at IS NULL) AND (removed_at IS NULL));

-- Name: prospects_projects_of_contact; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_projects_of_contact ON public.prospects USING btree (contact_id, project_created_at, project_id) WHERE ((contact_id IS NOT NULL) AND (deleted_at IS NULL) AND (removed_at IS NULL));

-- Name: prospects_removed; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_removed ON public.prospects USING btree (project_id, removed_at, id) WHERE ((deleted_at IS NULL) AND (removed_at IS NOT NULL));

-- Name: prospects_tags; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_tags ON public.prospects USING gin (project_id, tags) WHERE ((deleted_at IS NULL) AND (tags <> '{}'::text[]));

-- Name: prospects_tombstones; Type: INDEX; Schema: public; Owner: -

CREATE INDEX prospects_tombstones ON public.prospects USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

-- Name: questions_by_number; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX questions_by_number ON public.questions USING btree (room_id, number);

-- Name: questions_delta; Type: INDEX; Schema: public; Owner: -

CREATE INDEX questions_delta ON public.questions USING btree (room_id, updated_at, id);

-- Name: questions_list; Type: INDEX; Schema: public; Owner: -

CREATE INDEX questions_list ON public.questions USING btree (room_id, created_at, id) WHERE (deleted_at IS NULL);

-- Name: questions_of_asker; Type: INDEX; Schema: public; Owner: -

CREATE INDEX questions_of_asker ON public.questions USING btree (prospect_id);

-- Name: questions_of_project; Type: INDEX; Schema: public; Owner: -

CREATE INDEX questions_of_project ON public.questions USING btree (project_id);

-- Name: questions_waiting; Type: INDEX; Schema: public; Owner: -

CREATE INDEX questions_waiting ON public.questions USING btree (room_id, created_at, id) WHERE ((deleted_at IS NULL) AND (state = ANY (ARRAY['open'::text, 'drafted'::text])));

-- Name: refresh_tokens_by_family; Type: INDEX; Schema: public; Owner: -

CREATE INDEX refresh_tokens_by_family ON public.refresh_tokens USING btree (family_id);

-- Name: request_days_by_day; Type: INDEX; Schema: public; Owner: -

CREATE INDEX request_days_by_day ON public.request_days USING btree (day);

-- Name: request_records_by_age; Type: INDEX; Schema: public; Owner: -

CREATE INDEX request_records_by_age ON public.request_records USING btree (at);

-- Name: room_access_expiring; Type: INDEX; Schema: public; Owner: -

CREATE INDEX room_access_expiring ON public.room_access USING btree (expires_at) WHERE ((revoked_at IS NULL) AND (expired_at IS NULL) AND (expires_at IS NOT NULL));

-- Name: room_access_of_prospect; Type: INDEX; Schema: public; Owner: -

CREATE INDEX room_access_of_prospect ON public.room_access USING btree (prospect_id);

-- Name: rooms_list; Type: INDEX; Schema: public; Owner: -

CREATE INDEX rooms_list ON public.rooms USING btree (project_id, created_at, id);

-- Name: rooms_winding_down; Type: INDEX; Schema: public; Owner: -

CREATE INDEX rooms_winding_down ON public.rooms USING btree (winding_down_at) WHERE ((status = 'winding_down'::text) AND (deleted_at IS NULL));

-- Name: sessions_by_expiry; Type: INDEX; Schema: public; Owner: -

CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at);

-- Name: sessions_by_user; Type: INDEX; Schema: public; Owner: -

CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id, created_at, id) WHERE (revoked_at IS NULL);

-- Name: sign_in_links_by_expiry; Type: INDEX; Schema: public; Owner: -

CREATE INDEX sign_in_links_by_expiry ON public.sign_in_links USING btree (expires_at);

-- Name: sign_in_links_by_user; Type: INDEX; Schema: public; Owner: -

CREATE INDEX sign_in_links_by_user ON public.sign_in_links USING btree (user_id);

-- Name: tasks_by_action; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX tasks_by_action ON public.tasks USING btree (added_action_id);

-- Name: tasks_due; Type: INDEX; Schema: public; Owner: -

CREATE INDEX tasks_due ON public.tasks USING btree (project_id, due_date, prospect_id) WHERE (state = 'open'::text);

-- Name: tasks_list; Type: INDEX; Schema: public; Owner: -

CREATE INDEX tasks_list ON public.tasks USING btree (prospect_id, created_at, id);

-- Name: tasks_of_assignee; Type: INDEX; Schema: public; Owner: -

CREATE INDEX tasks_of_assignee ON public.tasks USING btree (team_id, assignee_id, created_at, id) WHERE (deleted_at IS NULL);

-- Name: tasks_of_project; Type: INDEX; Schema: public; Owner: -

CREATE INDEX tasks_of_project ON public.tasks USING btree (project_id, created_at, id) WHERE (deleted_at IS NULL);

-- Name: tasks_of_project_delta; Type: INDEX; Schema: public; Owner: -

CREATE INDEX tasks_of_project_delta ON public.tasks USING btree (project_id, updated_at, id);

-- Name: tasks_of_team; Type: INDEX; Schema: public; Owner: -

CREATE INDEX tasks_of_team ON public.tasks USING btree (team_id, created_at, id) WHERE (deleted_at IS NULL);

-- Name: tasks_of_team_by_state; Type: INDEX; Schema: public; Owner: -

CREATE INDEX tasks_of_team_by_state ON public.tasks USING btree (team_id, state, created_at, id) WHERE (deleted_at IS NULL);

-- Name: tasks_of_team_delta; Type: INDEX; Schema: public; Owner: -

CREATE INDEX tasks_of_team_delta ON public.tasks USING btree (team_id, updated_at, id);

-- Name: tasks_of_team_due; Type: INDEX; Schema: public; Owner: -

CREATE INDEX tasks_of_team_due ON public.tasks USING btree (team_id, due_date, prospect_id) WHERE ((state = 'open'::text) AND (deleted_at IS NULL));

-- Name: tasks_of_team_with_deleted; Type: INDEX; Schema: public; Owner: -

CREATE INDEX tasks_of_team_with_deleted ON public.tasks USING btree (team_id, created_at, id);

-- Name: tasks_open; Type: INDEX; Schema: public; Owner: -

CREATE INDEX tasks_open ON public.tasks USING btree (prospect_id, due_date, created_at, id) WHERE (state = 'open'::text);

-- Name: tasks_open_of_assignee; Type: INDEX; Schema: public; Owner: -

CREATE INDEX tasks_open_of_assignee ON public.tasks USING btree (team_id, assignee_id, created_at, id) WHERE ((deleted_at IS NULL) AND (state = 'open'::text));

-- Name: team_cells_by_cell; Type: INDEX; Schema: public; Owner: -

CREATE INDEX team_cells_by_cell ON public.team_cells USING btree (cell);

-- Name: teams_deleted; Type: INDEX; Schema: public; Owner: -

CREATE INDEX teams_deleted ON public.teams USING btree (purge_at) WHERE (deleted_at IS NOT NULL);

-- Name: teams_reopening; Type: INDEX; Schema: public; Owner: -

CREATE INDEX teams_reopening ON public.teams USING btree (id) WHERE ((deleted_at IS NULL) AND (open_projects IS NOT NULL));

-- Name: teasers_to_review; Type: INDEX; Schema: public; Owner: -

CREATE INDEX teasers_to_review ON public.teasers USING btree (published_at, subject_id) WHERE ((published_at IS NOT NULL) AND (verified_at IS NULL));

-- Name: teasers_verified; Type: INDEX; Schema: public; Owner: -

CREATE INDEX teasers_verified ON public.teasers USING btree (published_at, subject_id) WHERE ((published_at IS NOT NULL) AND (verified_at IS NOT NULL));

-- Name: tokens_by_client; Type: INDEX; Schema: public; Owner: -

CREATE INDEX tokens_by_client ON public.tokens USING btree (client_id, created_at, id) WHERE (client_id IS NOT NULL);

-- Name: tokens_by_expiry; Type: INDEX; Schema: public; Owner: -

CREATE INDEX tokens_by_expiry ON public.tokens USING btree (expires_at);

-- Name: tokens_by_family; Type: INDEX; Schema: public; Owner: -

CREATE INDEX tokens_by_family ON public.tokens USING btree (family_id, created_at, id) WHERE (family_id IS NOT NULL);

-- Name: tokens_by_form; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX tokens_by_form ON public.tokens USING btree (form_hash) WHERE (form_hash IS NOT NULL);

-- Name: tokens_by_user; Type: INDEX; Schema: public; Owner: -

CREATE INDEX tokens_by_user ON public.tokens USING btree (user_id, created_at, id) WHERE (kind = 'personal'::text);

-- Name: users_email; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email)) WHERE (NOT is_bot);

-- Name: webhook_attempts_by_hour; Type: INDEX; Schema: public; Owner: -

CREATE INDEX webhook_attempts_by_hour ON public.webhook_attempts USING btree (hour);

-- Name: webhook_subscriptions_ended; Type: INDEX; Schema: public; Owner: -

CREATE INDEX webhook_subscriptions_ended ON public.webhook_subscriptions USING btree (until_at) WHERE (until_at IS NOT NULL);

-- Name: webhook_subscriptions_match; Type: INDEX; Schema: public; Owner: -

CREATE INDEX webhook_subscriptions_match ON public.webhook_subscriptions USING btree (team_id, event_type) INCLUDE (webhook_id, from_at, from_transaction, until_at, until_transaction);

-- Name: webhooks_by_client; Type: INDEX; Schema: public; Owner: -

CREATE INDEX webhooks_by_client ON public.webhooks USING btree (team_id, created_by_client) WHERE ((created_by_client IS NOT NULL) AND (deleted_at IS NULL));

-- Name: webhooks_list; Type: INDEX; Schema: public; Owner: -

CREATE INDEX webhooks_list ON public.webhooks USING btree (team_id, created_at, id) WHERE (deleted_at IS NULL);

-- Name: webhooks_tombstones; Type: INDEX; Schema: public; Owner: -

CREATE INDEX webhooks_tombstones ON public.webhooks USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

-- Name: companies_domain_values; Type: STATISTICS; Schema: public; Owner: -

CREATE STATISTICS public.companies_domain_values ON (public.search_key(domain) COLLATE "C") FROM public.companies;

-- Name: companies_ending_values; Type: STATISTICS; Schema: public; Owner: -

CREATE STATISTICS public.companies_ending_values ON public.search_endings(team_id, searched_text) FROM public.companies;
ALTER STATISTICS public.companies_ending_values SET STATISTICS 300;

-- Name: companies_homepage_values; Type: STATISTICS; Schema: public; Owner: -

CREATE STATISTICS public.companies_homepage_values ON (public.search_key(homepage_url) COLLATE "C") FROM public.companies;

-- Name: companies_name_values; Type: STATISTICS; Schema: public; Owner: -

CREATE STATISTICS public.companies_name_values ON (public.search_key(name) COLLATE "C") FROM public.companies;

-- Name: companies_strategies; Type: STATISTICS; Schema: public; Owner: -

CREATE STATISTICS public.companies_strategies ON public.search_text(strategy) FROM public.companies;
ALTER STATISTICS public.companies_strategies SET STATISTICS 300;

-- Name: contacts_email_values; Type: STATISTICS; Schema: public; Owner: -

CREATE STATISTICS public.contacts_email_values ON (public.search_key(email) COLLATE "C") FROM public.contacts;

-- Name: contacts_ending_values; Type: STATISTICS; Schema: public; Owner: -

CREATE STATISTICS public.contacts_ending_values ON public.search_endings(team_id, searched_text) FROM public.contacts;
ALTER STATISTICS public.contacts_ending_values SET STATISTICS 300;

-- Name: contacts_first_name_values; Type: STATISTICS; Schema: public; Owner: -

CREATE STATISTICS public.contacts_first_name_values ON (public.search_key(first_name) COLLATE "C") FROM public.contacts;

-- Name: contacts_last_name_values; Type: STATISTICS; Schema: public; Owner: -

CREATE STATISTICS public.contacts_last_name_values ON (public.search_key(last_name) COLLATE "C") FROM public.contacts;

-- Name: contacts_name_values; Type: STATISTICS; Schema: public; Owner: -

CREATE STATISTICS public.contacts_name_values ON (public.search_key(public.contact_name(first_name, last_name, email)) COLLATE "C") FROM public.contacts;

-- Name: contacts_strategies; Type: STATISTICS; Schema: public; Owner: -

CREATE STATISTICS public.contacts_strategies ON public.search_text(strategy) FROM public.contacts;
ALTER STATISTICS public.contacts_strategies SET STATISTICS 300;

-- Name: properties_descriptions; Type: STATISTICS; Schema: public; Owner: -

CREATE STATISTICS public.properties_descriptions ON public.search_text(description) FROM public.properties;

-- Name: properties_ending_values; Type: STATISTICS; Schema: public; Owner: -

CREATE STATISTICS public.properties_ending_values ON public.search_endings(team_id, searched_text) FROM public.properties;

-- Name: properties_locality_values; Type: STATISTICS; Schema: public; Owner: -

CREATE STATISTICS public.properties_locality_values ON (public.search_key(locality) COLLATE "C") FROM public.properties;

-- Name: properties_name_values; Type: STATISTICS; Schema: public; Owner: -

CREATE STATISTICS public.properties_name_values ON (public.search_key(name) COLLATE "C") FROM public.properties;

-- Name: companies count_deleted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_deleted AFTER DELETE ON public.companies REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('companies');

-- Name: contacts count_deleted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_deleted AFTER DELETE ON public.contacts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('contacts');

-- Name: files count_deleted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_deleted AFTER DELETE ON public.files REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_file_bytes();

-- Name: idempotency_keys count_deleted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_deleted AFTER DELETE ON public.idempotency_keys REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_answer_bytes();

-- Name: links count_deleted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_deleted AFTER DELETE ON public.links REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('links');

-- Name: mandates count_deleted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_deleted AFTER DELETE ON public.mandates REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('mandates');

-- Name: messages count_deleted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_deleted AFTER DELETE ON public.messages REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('messages');

-- Name: projects count_deleted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_deleted AFTER DELETE ON public.projects REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('projects');

-- Name: properties count_deleted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_deleted AFTER DELETE ON public.properties REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('properties');

-- Name: prospects count_deleted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_deleted AFTER DELETE ON public.prospects REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('prospects');

-- Name: questions count_deleted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_deleted AFTER DELETE ON public.questions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('questions');

-- Name: room_documents count_deleted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_deleted AFTER DELETE ON public.room_documents REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('documents');

-- Name: rooms count_deleted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_deleted AFTER DELETE ON public.rooms REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('rooms');

-- Name: tasks count_deleted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_deleted AFTER DELETE ON public.tasks REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('tasks');

-- Name: companies count_inserted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_inserted AFTER INSERT ON public.companies REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('companies');

-- Name: contacts count_inserted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_inserted AFTER INSERT ON public.contacts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('contacts');

-- Name: files count_inserted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_inserted AFTER INSERT ON public.files REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_file_bytes();

-- Name: idempotency_keys count_inserted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_inserted AFTER INSERT ON public.idempotency_keys REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_answer_bytes();

-- Name: links count_inserted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_inserted AFTER INSERT ON public.links REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('links');

-- Name: mandates count_inserted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_inserted AFTER INSERT ON public.mandates REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('mandates');

-- Name: messages count_inserted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_inserted AFTER INSERT ON public.messages REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('messages');

-- Name: projects count_inserted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_inserted AFTER INSERT ON public.projects REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('projects');

-- Name: properties count_inserted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_inserted AFTER INSERT ON public.properties REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('properties');

-- Name: prospects count_inserted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_inserted AFTER INSERT ON public.prospects REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('prospects');

-- Name: questions count_inserted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_inserted AFTER INSERT ON public.questions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('questions');

-- Name: room_documents count_inserted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_inserted AFTER INSERT ON public.room_documents REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('documents');

-- Name: rooms count_inserted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_inserted AFTER INSERT ON public.rooms REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('rooms');

-- Name: tasks count_inserted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_inserted AFTER INSERT ON public.tasks REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows('tasks');

-- Name: idempotency_keys count_replaced; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER count_replaced AFTER UPDATE ON public.idempotency_keys REFERENCING OLD TABLE AS replaced NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_replaced_answer_bytes();

-- Name: properties fold_description; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER fold_description BEFORE UPDATE OF description ON public.properties FOR EACH ROW WHEN ((new.description IS DISTINCT FROM old.description)) EXECUTE FUNCTION public.fold_description();

-- Name: properties fold_new_description; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER fold_new_description BEFORE INSERT ON public.properties FOR EACH ROW WHEN ((octet_length(new.description) > 500)) EXECUTE FUNCTION public.fold_description();

-- Name: companies fold_new_strategy; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER fold_new_strategy BEFORE INSERT ON public.companies FOR EACH ROW WHEN ((octet_length(new.strategy) > 500)) EXECUTE FUNCTION public.fold_strategy();

-- Name: contacts fold_new_strategy; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER fold_new_strategy BEFORE INSERT ON public.contacts FOR EACH ROW WHEN ((octet_length(new.strategy) > 500)) EXECUTE FUNCTION public.fold_strategy();

-- Name: companies fold_strategy; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER fold_strategy BEFORE UPDATE OF strategy ON public.companies FOR EACH ROW WHEN ((new.strategy IS DISTINCT FROM old.strategy)) EXECUTE FUNCTION public.fold_strategy();

-- Name: contacts fold_strategy; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER fold_strategy BEFORE UPDATE OF strategy ON public.contacts FOR EACH ROW WHEN ((new.strategy IS DISTINCT FROM old.strategy)) EXECUTE FUNCTION public.fold_strategy();

-- Name: audit_log refuse_change; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER refuse_change BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION public.refuse_audit_change();

-- Name: audit_log refuse_truncate; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_audit_change();

-- Name: action_subjects action_subjects_action_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.action_subjects
    ADD CONSTRAINT action_subjects_action_id_fkey FOREIGN KEY (action_id) REFERENCES public.actions(id);

-- Name: authorization_codes authorization_codes_family_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.authorization_codes
    ADD CONSTRAINT authorization_codes_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.grant_families(id) ON DELETE CASCADE;

-- Name: bids bids_action_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.bids
    ADD CONSTRAINT bids_action_id_fkey FOREIGN KEY (action_id) REFERENCES public.actions(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;

-- Name: bids bids_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.bids
    ADD CONSTRAINT bids_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: clients clients_bot_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.clients
    ADD CONSTRAINT clients_bot_user_id_fkey FOREIGN KEY (bot_user_id) REFERENCES public.users(id);

-- Name: clients clients_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.clients
    ADD CONSTRAINT clients_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: communications communications_project_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.communications
    ADD CONSTRAINT communications_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

-- Name: communications communications_prospect_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.communications
    ADD CONSTRAINT communications_prospect_id_fkey FOREIGN KEY (prospect_id) REFERENCES public.prospects(id) ON DELETE CASCADE;

-- Name: communications communications_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.communications
    ADD CONSTRAINT communications_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: companies companies_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.companies
    ADD CONSTRAINT companies_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: contacts contacts_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT contacts_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: deliveries deliveries_event_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.events(id);

-- Name: deliveries deliveries_webhook_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES public.webhooks(id);

-- Name: delivery_attempts delivery_attempts_delivery_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.delivery_attempts
    ADD CONSTRAINT delivery_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES public.deliveries(id) ON DELETE CASCADE;

-- Name: files files_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: grant_families grant_families_grant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.grant_families
    ADD CONSTRAINT grant_families_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES public.grants(id) ON DELETE CASCADE;

-- Name: grants grants_app_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

-- Name: grants grants_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: grants grants_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

-- Name: invitations invitations_invited_by_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES public.users(id) ON DELETE SET NULL;

-- Name: invitations invitations_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: links links_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: mandates mandates_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.mandates
    ADD CONSTRAINT mandates_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: memberships memberships_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: memberships memberships_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

-- Name: messages messages_action_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_action_id_fkey FOREIGN KEY (action_id) REFERENCES public.actions(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;

-- Name: messages messages_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: messages messages_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

-- Name: offer_cells offer_cells_cell_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.offer_cells
    ADD CONSTRAINT offer_cells_cell_fkey FOREIGN KEY (cell) REFERENCES public.cells(name);

-- Name: offers offers_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.offers
    ADD CONSTRAINT offers_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: offers offers_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.offers
    ADD CONSTRAINT offers_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

-- Name: passwords passwords_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.passwords
    ADD CONSTRAINT passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

-- Name: projects projects_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: properties properties_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.properties
    ADD CONSTRAINT properties_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: prospects prospects_project_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.prospects
    ADD CONSTRAINT prospects_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

-- Name: prospects prospects_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.prospects
    ADD CONSTRAINT prospects_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: purged_tombstones purged_tombstones_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.purged_tombstones
    ADD CONSTRAINT purged_tombstones_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: questions questions_prospect_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.questions
    ADD CONSTRAINT questions_prospect_id_fkey FOREIGN KEY (prospect_id) REFERENCES public.prospects(id) ON DELETE SET NULL;

-- Name: questions questions_room_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.questions
    ADD CONSTRAINT questions_room_id_fkey FOREIGN KEY (room_id) REFERENCES public.rooms(id) ON DELETE CASCADE;

-- Name: questions questions_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.questions
    ADD CONSTRAINT questions_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: refresh_tokens refresh_tokens_family_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.grant_families(id) ON DELETE CASCADE;

-- Name: room_access room_access_prospect_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.room_access
    ADD CONSTRAINT room_access_prospect_id_fkey FOREIGN KEY (prospect_id) REFERENCES public.prospects(id) ON DELETE CASCADE;

-- Name: room_access room_access_room_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.room_access
    ADD CONSTRAINT room_access_room_id_fkey FOREIGN KEY (room_id) REFERENCES public.rooms(id) ON DELETE CASCADE;

-- Name: room_access room_access_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.room_access
    ADD CONSTRAINT room_access_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: room_document_numbers room_document_numbers_room_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.room_document_numbers
    ADD CONSTRAINT room_document_numbers_room_id_fkey FOREIGN KEY (room_id) REFERENCES public.rooms(id) ON DELETE CASCADE;

-- Name: room_document_numbers room_document_numbers_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.room_document_numbers
    ADD CONSTRAINT room_document_numbers_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: room_documents room_documents_file_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.room_documents
    ADD CONSTRAINT room_documents_file_id_fkey FOREIGN KEY (file_id) REFERENCES public.files(id) ON DELETE CASCADE;

-- Name: room_documents room_documents_room_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.room_documents
    ADD CONSTRAINT room_documents_room_id_fkey FOREIGN KEY (room_id) REFERENCES public.rooms(id) ON DELETE CASCADE;

-- Name: room_documents room_documents_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.room_documents
    ADD CONSTRAINT room_documents_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: rooms rooms_project_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.rooms
    ADD CONSTRAINT rooms_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

-- Name: rooms rooms_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.rooms
    ADD CONSTRAINT rooms_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: saved_filters saved_filters_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.saved_filters
    ADD CONSTRAINT saved_filters_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

-- Name: sessions sessions_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

-- Name: sign_in_links sign_in_links_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT sign_in_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

-- Name: tasks tasks_prospect_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_prospect_id_fkey FOREIGN KEY (prospect_id) REFERENCES public.prospects(id) ON DELETE CASCADE;

-- Name: tasks tasks_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: team_cells team_cells_cell_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.team_cells
    ADD CONSTRAINT team_cells_cell_fkey FOREIGN KEY (cell) REFERENCES public.cells(name);

-- Name: teams teams_contact_person; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.teams
    ADD CONSTRAINT teams_contact_person FOREIGN KEY (contact_person_id) REFERENCES public.users(id);

-- Name: teasers teasers_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.teasers
    ADD CONSTRAINT teasers_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: tokens tokens_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id);

-- Name: tokens tokens_family_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.grant_families(id) ON DELETE CASCADE;

-- Name: tokens tokens_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

-- Name: tokens tokens_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

-- Name: upstream_subjects upstream_subjects_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.upstream_subjects
    ADD CONSTRAINT upstream_subjects_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

-- Name: webhook_subscriptions webhook_subscriptions_webhook_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.webhook_subscriptions
    ADD CONSTRAINT webhook_subscriptions_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES public.webhooks(id);

-- Name: webhooks webhooks_team_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);
