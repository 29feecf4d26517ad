create index if not exists deliveries_admitted on deliveries (team_id, webhook_id) where admitted;

-- What waits for its time, or for room: first attempts, then others. In the words of TurnsRepo.
create index if not exists deliveries_waiting
  on deliveries (webhook_id, least(attempt_count + replayed_attempts, 1), next_attempt_at, id)
  where next_attempt_at is not null and not admitted;

-- By the event first, so that old events can be removed: each looks for deliveries of its own.
create unique index if not exists deliveries_of_event on deliveries (event_id, webhook_id);
alter table deliveries drop constraint deliveries_webhook_id_event_id_key;

-- Codes for programs, where there were sentences.
update webhooks
set disabled_reason = case when disabled_reason like '%410%' then 'receiver_gone' else 'deliveries_exhausted' end
where disabled_reason is not null;
