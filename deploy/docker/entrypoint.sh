#!/bin/sh
# Sets NAME to the content of the file that NAME_FILE names, as secrets of containers come, and becomes the program.
set -eu
for name in DATABASE_URL DATABASE_REPLICA_URLS SECRET_KEY SECRET_KEY_PREVIOUS OIDC_CLIENT_SECRET \
  AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY; do
  eval "file=\${${name}_FILE:-}"
  [ -z "$file" ] || export "$name=$(cat "$file")"
done
exec "$@"
