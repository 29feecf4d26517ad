#!/bin/sh
# Copies the primary's cluster when this one is empty, and streams from it.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  export PGPASSWORD="$(cat /run/secrets/replication_password)"
  pg_basebackup --pgdata="$PGDATA" --checkpoint=fast --wal-method=stream --slot=standby --write-recovery-conf \
    --dbname="host=$PRIMARY_HOST port=${PRIMARY_PORT:-5432} user=replication application_name=standby"
  chmod 700 "$PGDATA"
fi
exec postgres
