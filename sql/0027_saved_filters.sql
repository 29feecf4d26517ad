-- The filters of lists that people keep in the console (docs/behaviour/console.md#lists). `page` is the path of the list.
create table saved_filters (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  page text not null,
  name text not null,
  query text not null,
  created_at timestamptz not null,
  unique (user_id, page, name)
);
