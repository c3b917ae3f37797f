#!/bin/sh
# Runs once, in the folder /docker-entrypoint-initdb.d of the image of PostgreSQL, where the data of the primary is made: the roles, the
# database, and that every commit waits for the standby. BOT_PASSWORD and REPLICATOR_PASSWORD come from the environment.
set -eu
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set bot="$BOT_PASSWORD" --set replicator="$REPLICATOR_PASSWORD" <<'SQL'
create role bot login password :'bot';
grant pg_monitor to bot; -- it sees who stands by
create role reseller_reports nologin;
create role replicator login replication password :'replicator';
create database bot owner bot encoding 'UTF8' template template0;
-- From the next start on: what runs now would wait for a standby that cannot be there yet.
alter system set synchronous_standby_names = 'FIRST 1 (standby, primary)';
alter system set wal_keep_size = '1GB'; -- what a standby may miss and still catch up with
SQL
echo 'host replication replicator all scram-sha-256' >>"$PGDATA/pg_hba.conf"
