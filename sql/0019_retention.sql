-- In each cell.
-- What the operator's periods of retention are about (docs/operations.md#retention). The jobs look here, once an hour.
create index messages_by_age on messages (created_at);

create index notes_by_age on actions (occurred_at) where type = 'note' and details ->> 'erased' is null;

create index projects_closed on projects (closed_at) where closed_at is not null and deleted_at is null;
