#!/bin/sh
# Starts as root to own the volume; everything else runs as the user of the image.
set -eu
if [ "$(id -u)" = 0 ]; then
  chown service:service /data
  mkdir -p /run/postgresql && chown service:service /run/postgresql
  exec setpriv --reuid service --regid service --clear-groups /bin/sh "$0" "$@"
fi
PATH=/usr/lib/postgresql/15/bin:$PATH
export PGDATA=/data/pgdata

if [ ! -s "$PGDATA/ready" ]; then
  # An initdb that was cut off cannot be finished.
  rm -rf "$PGDATA"
  initdb --no-sync --auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 --username=postgres >/dev/null
  printf 'host all all all scram-sha-256\nhost replication postgres all scram-sha-256\n' >>"$PGDATA/pg_hba.conf"
fi

# Roles, passwords and database as the chart says today, before anyone can connect from outside.
pg_ctl --silent --wait start -o "-c listen_addresses=''" -l /tmp/setup.log >/dev/null || { cat /tmp/setup.log >&2; exit 1; }
psql --quiet --username=postgres --set=ON_ERROR_STOP=1 --file=/scripts/setup.sql
pg_ctl --silent --wait --mode=fast stop
date >"$PGDATA/ready"

exec postgres -c 'listen_addresses=*' "$@"
