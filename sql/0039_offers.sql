-- Offers: teasers that reached investors, and invitations to rooms. They belong to the investor's team.

-- What was sent to which address, also while nobody with the address can receive it. Purged with the prospect and the project.
create table communications (
  id uuid primary key,
  -- The broker's.
  team_id uuid not null references teams (id),
  project_id uuid not null references projects (id) on delete cascade,
  -- Null for the seller.
  prospect_id uuid references prospects (id) on delete cascade,
  -- In lower case.
  email text not null,
  category text not null check (category in ('buying', 'invitation', 'selling')),
  -- What the teaser showed; null for an invitation without one.
  projection jsonb,
  expires_at timestamptz,
  communicated_at timestamptz not null
);

create unique index communications_of_prospect on communications (prospect_id, email) where prospect_id is not null;
create unique index communications_of_seller on communications (project_id, email) where prospect_id is null;
create index communications_of_project on communications (project_id);
create index communications_by_email on communications (email);

create table offers (
  id uuid primary key,
  -- The investor's.
  team_id uuid not null references teams (id),
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  change_type text not null,
  change_origin text not null,
  -- Who has the address.
  user_id uuid not null references users (id),
  -- What the offer is about, in the broker's team. No answer shows these ids, and the rows may be purged.
  broker_team_id uuid not null references teams (id),
  project_id uuid not null,
  prospect_id uuid,
  category text not null check (category in ('buying', 'invitation', 'selling')),
  projection jsonb,
  -- Follows from the columns below when the row is written; after `expires_at`, an offer without an answer has expired.
  status text not null,
  read_at timestamptz,
  answer text check (answer in ('accepted', 'rejected')),
  answered_at timestamptz,
  rejection_reason text,
  expires_at timestamptz,
  -- When the end of the offer was recorded.
  expired_at timestamptz,
  -- By the investor, and because the prospect left the broker's list.
  removed_at timestamptz,
  withdrawn_at timestamptz,
  closed_at timestamptz
);

create unique index offers_of_prospect on offers (team_id, prospect_id) where prospect_id is not null;
create unique index offers_of_seller on offers (team_id, project_id) where prospect_id is null;
create index offers_by_prospect on offers (prospect_id) where prospect_id is not null;
create index offers_by_project on offers (project_id);
create index offers_list on offers (team_id, created_at, id);
create index offers_by_status on offers (team_id, status, created_at, id);
create index offers_unread on offers (team_id, created_at, id) where read_at is null;
create index offers_expiring on offers (expires_at) where status in ('pending', 'unanswered');
