-- The team of each attempt, and of the counts and the latest failure of each webhook, so that every statement can name it.
--
-- `delivery_attempts` and `webhook_attempts` may have many rows, which a migration does not rewrite. Those from before stay without a
-- team until they are removed: attempts with their deliveries, after 90 days at the latest, counts after two days. Readers accept
-- them. `webhook_failures` has at most one row for each webhook, and is filled here.
--
-- Processes of the release before name no team. The triggers set it for them, and are not called for rows that have one. A later
-- release drops the triggers, makes the columns not null, and no longer reads rows without a team.
alter table delivery_attempts add column team_id uuid;
alter table webhook_attempts add column team_id uuid;
alter table webhook_failures add column team_id uuid;

create function set_attempt_team() returns trigger language plpgsql as $$
begin
  new.team_id := (select d.team_id from deliveries d where d.id = new.delivery_id);
  return new;
end
$$;
create trigger set_attempt_team before insert on delivery_attempts for each row
  when (new.team_id is null)
  execute function set_attempt_team();

create function set_webhook_team() returns trigger language plpgsql as $$
begin
  new.team_id := (select w.team_id from webhooks w where w.id = new.webhook_id);
  return new;
end
$$;
create trigger set_webhook_team before insert on webhook_attempts for each row
  when (new.team_id is null)
  execute function set_webhook_team();
create trigger set_webhook_team before insert on webhook_failures for each row
  when (new.team_id is null)
  execute function set_webhook_team();

update webhook_failures f set team_id = w.team_id from webhooks w where w.id = f.webhook_id;
