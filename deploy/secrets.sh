#!/bin/sh
# Makes the secrets of compose.yaml in deploy/secrets, unless they are there. Keep secret_key apart from backups of the database.
set -eu
cd "$(dirname "$0")"
umask 022
mkdir -p secrets
chmod 711 secrets
make() { [ -e "secrets/$1" ] || printf '%s' "$2" > "secrets/$1"; }
word() { openssl rand -hex 24; }
make postgres_password "$(word)"
make replication_password "$(word)"
make secret_key "$(openssl rand -base64 32)"
password=$(cat secrets/postgres_password)
make database_url "postgres://app:$password@primary:5432/property_network"
make database_replica_urls "postgres://app:$password@standby:5432/property_network"
