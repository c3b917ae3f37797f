package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// The names of the statements, which each connection knows. All go by the primary key or the time index: a join against a list
// of keys is what a planner without statistics turns into a scan of everything.
const (
	stmtBegin      = "bot_begin"
	stmtBeginClaim = "bot_begin_claim"
	stmtFence      = "bot_fence"
	stmtEpoch      = "bot_epoch"
	stmtGet        = "bot_get"
	stmtScan       = "bot_scan"
	stmtScanTo     = "bot_scan_to"
	stmtNextDue    = "bot_next_due"
	stmtClaim      = "bot_claim"
	stmtLock       = "bot_lock"
	stmtIs         = "bot_is"
	stmtIsNot      = "bot_is_not"
	stmtLeads      = "bot_leads"
	stmtInsert     = "bot_insert"
	stmtUpdate     = "bot_update"
	stmtDelete     = "bot_delete"
	stmtVersions   = "bot_versions"
	stmtMark       = "bot_mark"
	stmtCommit     = "bot_commit"
	stmtRollback   = "bot_rollback"
)

// statements are all of them, by name. A flight is sent whole, so nobody looks at an answer before the next statement runs: what
// has to hold is put so that the server fails the flight by itself. bot_lock, bot_is, bot_leads and their like divide by how many
// rows are as they were known: by none is an error (22012, stateDivision), and the commit behind it does not happen. An update
// that fits no row is no error by itself.
var statements = [...][2]string{
	{stmtBegin, "begin isolation level repeatable read"},
	{stmtBeginClaim, "begin isolation level read committed"},
	// It comes before anything that takes a snapshot: one that was taken first would show an old epoch.
	{stmtFence, "lock table lease in row share mode"},
	{stmtEpoch, "select epoch from lease"},
	{stmtGet, "select key, version, due, value from record where kind = $1 and key = $2"},
	{stmtScan, "select key, version, due, value from record where kind = $1 and key > $2 and key >= $3 order by key limit $4"},
	{stmtScanTo, "select key, version, due, value from record where kind = $1 and key > $2 and key >= $3 and key < $5 order by key limit $4"},
	{stmtNextDue, "select due from record where kind = $1 and due is not null order by due limit 1"},
	// skip locked: what another transaction is changing is left to it. The version has to be below those that were drawn, for
	// versions rise.
	{stmtClaim, `with locked as (select key, version, due from record where kind = $1 and due is not null and due <= $2 and version < $4
			order by due, key limit $3 for no key update skip locked),
		numbered as (select key, version, due, $4 + row_number() over () - 1 as next from locked)
		update record r set version = n.next, due = $5 from numbered n where r.kind = $1 and r.key = n.key
		returning r.key, r.version, r.value, n.version, n.due`},
	// In the third place of a flight that begins and ends a transaction (leadSteps): flight.go knows by that which of its errors
	// it is.
	{stmtLeads, "select 1 / (epoch = $1)::int from lease"},
	{stmtLock, "with there as (select 1 from record where kind = $1 and key = $2 and version = $3 for no key update) select 1 / count(*) from there"},
	{stmtIs, "select 1 / count(*) from record where kind = $1 and key = $2 and version = $3"},
	{stmtIsNot, "select 1 / (1 - count(*)) from record where kind = $1 and key = $2"},
	{stmtInsert, "insert into record (kind, key, version, due, value) values ($1, $2, $3, $4, $5)"},
	{stmtUpdate, "with there as (update record set version = $4, due = $5, value = $6 where kind = $1 and key = $2 and version = $3 returning 1) select 1 / count(*) from there"},
	{stmtDelete, "with there as (delete from record where kind = $1 and key = $2 and version = $3 returning 1) select 1 / count(*) from there"},
	{stmtVersions, "select nextval('record_version')"},
	{stmtMark, "insert into mark (slot, n) values ($1, $2) on conflict (slot) do update set n = excluded.n"},
	{stmtCommit, "commit"},
	{stmtRollback, "rollback"},
}

// prepareAll makes the statements known to a connection.
func prepareAll(ctx context.Context, conn *pgx.Conn) error {
	for _, s := range statements {
		if _, err := conn.Prepare(ctx, s[0], s[1]); err != nil {
			return fmt.Errorf("prepare %s: %w", s[0], err)
		}
	}
	return nil
}

// tables makes what is missing. Its first statement keeps two processes from doing so at once.
// kind sorts by its bytes (collate "C") as in the file of the embedded engine: store.DigestOf compares two databases in the order
// of their records. mark has a row for each connection, which every commit on it changes: nearly empty pages (fillfactor) have room
// for its next version beside it.
const tables = `
select pg_advisory_xact_lock(7245903178302);
create table if not exists record (
	kind    text collate "C" not null,
	key     bytea            not null check (length(key) > 0),
	version bigint           not null,
	due     bigint,
	value   bytea            not null,
	primary key (kind, key)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index if not exists record_due on record (kind, due, key) where due is not null;
create sequence if not exists record_version;
create table if not exists lease (
	one    boolean not null primary key default true check (one),
	epoch  bigint  not null,
	beat   bigint  not null,
	holder text    not null
);
insert into lease (epoch, beat, holder) values (0, 0, '') on conflict do nothing;
create table if not exists origin (
	one   boolean not null primary key default true check (one),
	id    uuid    not null default gen_random_uuid(),
	round bigint  not null default 0,
	lost  boolean not null default false
);
insert into origin default values on conflict do nothing;
create table if not exists mark (
	slot int    not null primary key,
	n    bigint not null
) with (fillfactor = 10);`

// stored is a version as a column holds it: versions are drawn below 2^63.
func stored(version uint64) int64 { return int64(version) } //nolint:gosec // G115: see versions
