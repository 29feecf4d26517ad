-- Secrets that were replaced and still sign until a time: [{sealed (base64), until}].
alter table webhooks add column previous_secrets jsonb not null default '[]';

-- Whether the receiver did not answer in time when it was last called. Such a one gets few attempts at a time.
alter table webhooks add column slow boolean not null default false;

-- Codes for programs, where there were sentences.
update webhooks
set disabled_reason = case when disabled_reason like '%410%' then 'receiver_gone' else 'deliveries_exhausted' end
where disabled_reason is not null;

-- `admitted`: an attempt is being made, or its job is due; few of an endpoint and of a team are at a time, however many
-- wait. `replayed_attempts`: those made before the count began anew; attempts are numbered through.
alter table deliveries
  add column admitted boolean not null default false,
  add column replayed_attempts integer not null default 0;

alter table delivery_attempts add column request_headers jsonb;

create index if not exists deliveries_admitted on deliveries (team_id, webhook_id) where admitted;

-- What waits for its time, or for room: first attempts, then others. In the words of DispatchRepo.
create index if not exists deliveries_waiting
  on deliveries (webhook_id, least(attempt_count + replayed_attempts, 1), next_attempt_at, id)
  where next_attempt_at is not null and not admitted;

-- By the event first, so that old events can be removed: each looks for deliveries of its own.
create unique index if not exists deliveries_of_event on deliveries (event_id, webhook_id);
alter table deliveries drop constraint deliveries_webhook_id_event_id_key;
