-- How text is compared (docs/behaviour/network.md#how-text-is-compared). Indexes and stored columns keep what these functions give, so a
-- migration that changes one of them makes those again. Bodies in PL/pgSQL name the schema of functions, because a dump is restored
-- without a search path.

-- Text as search compares it: the same as `fold` in src/core/fields/fold.ts, in every locale and on every version of Postgres. So `lower` sees
-- ASCII only, and the letters of other alphabets are listed; each list is looked through only where the text has such letters.
create function search_fold(value text) returns text
language plpgsql immutable strict parallel safe cost 200 as $$
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

-- A text with umlauts spelled out: `Müller` is `mueller`, `Søren` is `soeren`, `Ålborg` is `aalborg`.
create function search_spelled(value text) returns text
language plpgsql immutable strict parallel safe cost 200 as $$
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

-- A folded text in which umlauts that are spelled out, and apostrophes, do not count: the same as `foldLoosely` in src/core/fields/fold.ts.
-- `mueller` is `muller`, as `Müller` is in it, and `o'brien` is `obrien`; `bauer` stays.
create function search_loose(folded text) returns text
language plpgsql immutable strict parallel safe cost 50 as $$
begin
  if folded ~ 'a[ae]|[ou]e|''' then
    folded := regexp_replace(regexp_replace(replace(folded, '''', ''), 'a[ae]+', 'a', 'g'), 'oe+', 'o', 'g');
    return regexp_replace(folded, '(^|[^aeoq])ue+', '\1u', 'g');
  end if;
  return folded;
end
$$;

-- Where a text is looked for: the folded text and, where they differ, its other spellings, each after a space.
create function search_text(value text) returns text
language plpgsql immutable strict parallel safe cost 400 as $$
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

-- What finds a text anywhere in a folded one: a pattern of `like`, in which %, _ and \ are what they are.
create function search_pattern(value text) returns text
language sql immutable parallel safe
return '%' || replace(replace(replace(search_fold(value), '\', '\\'), '%', '\%'), '_', '\_') || '%';

-- Whether a text begins with what is folded already, in one of its spellings.
create function search_begins(value text, beginning text) returns boolean
language sql immutable parallel safe cost 800
return starts_with(search_fold(value), beginning) or starts_with(search_spelled(value), beginning)
  or starts_with(search_loose(search_fold(value)), beginning);

-- Whether two texts are equal, in one of their spellings.
create function search_equal(value text, other text) returns boolean
language sql immutable parallel safe cost 800
return search_fold(value) = search_fold(other) or search_spelled(value) = search_spelled(other);

-- What text is ordered and found by: 200 characters, for entries of an index must be short. Null comes after everything.
create function search_key(value text) returns text
language sql immutable parallel safe
return coalesce(left(search_loose(search_fold(left(value, 1000))), 200), chr(1114111));

-- The digits of a phone number, without a zero in brackets.
create function phone_digits(phone text) returns text
language plpgsql immutable strict parallel safe cost 100 as $$
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

-- A phone number as it is dialled within its country, without the zero before it: without the country code after + or 00, and without the
-- 1 of North America and the 8 of Russia before ten digits. What has fewer than three digits is compared as text.
create function search_phone(phone text, digits text) returns text
language plpgsql immutable strict parallel safe cost 100 as $$
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

create function search_phone(phone text) returns text
language sql immutable parallel safe
return search_phone(phone, phone_digits(phone));

-- Where a phone number is looked for: as it is written, its digits, and those that are dialled within its country.
create function phone_text(phone text) returns text
language plpgsql immutable strict parallel safe cost 200 as $$
declare
  digits constant text := public.phone_digits(phone);
begin
  return phone || ' ' || digits || ' ' || public.search_phone(phone, digits);
end
$$;

-- Where a long text is looked for, and null for others: the folded text and the words that have other spellings.
create function search_long_fold(value text) returns text
language sql immutable parallel safe
return case when octet_length(value) > 500 then
  search_fold(value) || (
    select coalesce(string_agg(' ' || word, '' order by word collate "C"), '') from (
      select string_to_table(search_spelled(value) || ' ' || search_loose(search_fold(value)), ' ') as word
      except
      select string_to_table(search_fold(value), ' ')
    ) as others
  )
end;
