#!/bin/sh
# Copies the primary, then streams from it.
set -eu
if [ "$(id -u)" = 0 ]; then
  chown service:service /data
  mkdir -p /run/postgresql && chown service:service /run/postgresql
  exec setpriv --reuid service --regid service --clear-groups /bin/sh "$0" "$@"
fi
PATH=/usr/lib/postgresql/15/bin:$PATH
export PGDATA=/data/pgdata

until [ -f "$PGDATA/copied" ]; do
  rm -rf "$PGDATA"
  if pg_basebackup --host="$PRIMARY" --username=postgres --pgdata="$PGDATA" --write-recovery-conf --checkpoint=fast; then
    touch "$PGDATA/copied"
  else
    sleep 1
  fi
done

exec postgres -c 'listen_addresses=*' "$@"
