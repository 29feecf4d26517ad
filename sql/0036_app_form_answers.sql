-- The secret of an app whose form was sent in the console, sealed, so that the same form shows it once more, and whose form it was. It is
-- kept as long as other answers are (RETENTION_STORED_ANSWERS_HOURS).
alter table apps add column sealed_secret bytea, add column created_by uuid;
create index apps_sealed on apps (created_at) where sealed_secret is not null;
