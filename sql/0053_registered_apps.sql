-- Apps that registered themselves. Those that nobody used end after a while.

alter table apps add column is_registered boolean not null default false;
create index apps_registered on apps (created_at, id) where is_registered;
