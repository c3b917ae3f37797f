#!/bin/sh
# Becomes a standby of the server at PRIMARY: copies it where there is no data yet, and follows it. REPLICATOR_PASSWORD comes from the
# environment; arguments are the server's.
set -eu
export PGPASSWORD="$REPLICATOR_PASSWORD"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  until pg_basebackup --pgdata "$PGDATA" --wal-method stream --write-recovery-conf --checkpoint fast \
    --host "$PRIMARY" --port "${PRIMARY_PORT:-5432}" --username replicator; do
    sleep 2
  done
  chmod 0700 "$PGDATA"
fi
unset PGPASSWORD # it stands in the recovery configuration by now
exec postgres "$@"
