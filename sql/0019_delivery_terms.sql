-- The code says claimed where it said admitted, wake-up where it said alarm, and held where it said resting
-- (src/webhooks/deliveries/README.md).
alter table deliveries rename column admitted to claimed;
alter table deliveries rename column held_by to claimed_by;
alter index deliveries_admitted rename to deliveries_claimed;
alter index deliveries_resting rename to deliveries_held;
alter table delivery_alarms rename to delivery_wake_ups;
alter index delivery_alarms_pkey rename to delivery_wake_ups_pkey;
