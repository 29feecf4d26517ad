-- The anonymous descriptions of projects, properties and rooms. One without a row shows what nobody has changed yet.
create table teasers (
  subject_type text not null check (subject_type in ('project', 'property', 'room')),
  subject_id uuid not null,
  team_id uuid not null references teams (id),
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  change_type text not null,
  change_origin text not null,
  published_at timestamptz,
  verified_at timestamptz,
  communicated_at timestamptz,
  -- The modes that were chosen, by part.
  options jsonb not null,
  -- Null: all tags that the properties have.
  tags text[],
  -- Null: composed.
  title text,
  primary key (subject_type, subject_id)
);
