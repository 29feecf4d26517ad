#!/bin/sh
# Runs when the primary's cluster is made: lets a standby stream from it, as the role `replication`.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$(cat /run/secrets/replication_password)" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
create role replication login replication password :'password';
select pg_create_physical_replication_slot('standby');
SQL
echo "host replication replication all scram-sha-256" >> "$PGDATA/pg_hba.conf"
