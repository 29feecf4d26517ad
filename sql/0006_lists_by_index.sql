-- Lists that read a whole table to find a page: contacts with their tombstones, and the delivery log by a state or a type
-- of event that few of its rows have. Most deliveries are delivered, and need no index to be found.

create index if not exists contacts_list_with_deleted on contacts (team_id, created_at, id);

create index if not exists deliveries_log_by_status on deliveries (webhook_id, status, created_at desc, id desc)
  where status <> 'delivered';

create index if not exists deliveries_log_by_type on deliveries (webhook_id, event_type, created_at desc, id desc);
