#!/bin/sh
# Builds Citus for the Postgres of pg_config, and installs it: test/citus/build.sh FOLDER, a checkout of citusdata/citus at v13.2.2.
# Needs the headers of that Postgres and of its libraries; on Debian 12:
#   apt-get install postgresql-15 postgresql-server-dev-15 libkrb5-dev flex libzstd-dev liblz4-dev make gcc
# PG_CONFIG names another pg_config. Installing needs the rights to write into the folders of that Postgres.
set -eu

source=${1:-}
pg_config=${PG_CONFIG:-pg_config}
if [ ! -f "$source/configure" ]; then
  echo "Usage: $0 FOLDER, with the source of Citus: git clone -b v13.2.2 https://github.com/citusdata/citus" >&2
  exit 2
fi
if ! "$pg_config" --version >&2; then
  echo "There is no $pg_config: install the headers of Postgres, or name another one in PG_CONFIG." >&2
  exit 2
fi

build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cp -R "$source/." "$build"
cd "$build"
# A checkout may give configure an earlier time than its source, and make would then run autoconf.
touch configure
case $("$pg_config" --version) in
  *" 15."*)
    # The source defines a function for Postgres 15 that its later releases have themselves.
    grep -rl have_createdb_privilege src --include='*.h' --include='*.c' |
      xargs sed -i 's/\bhave_createdb_privilege\b/citus_have_createdb_privilege/g'
    ;;
esac
PG_CONFIG=$("$pg_config" --bindir)/pg_config ./configure --without-libcurl --without-lz4 --without-zstd >configure.log
make -j"$(getconf _NPROCESSORS_ONLN)" extension >make.log 2>&1 || { tail -n 20 make.log >&2; exit 1; }
make install-extension >install.log 2>&1 || { tail -n 20 install.log >&2; exit 1; }
echo "Citus is installed: npm run test:citus"
