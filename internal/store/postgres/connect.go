package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// oldest is the first version of PostgreSQL that will do, as the server numbers them.
const oldest = 130000

const connectTimeout = 5 * time.Second

// session is how each connection is set, whatever the server's own settings are. A commit must wait for the standby; a
// timeout that ends a statement would end that waiting too, and let the commit pass.
//
// The planner is held to the primary key and the time index: of tables that have just been filled it has no statistics, and
// would read them whole. A lock that is not had in ten seconds, or a transaction that does nothing for five, belongs to a
// process that hangs.
var session = map[string]string{
	"application_name":                    "resellerbot",
	"synchronous_commit":                  "on",
	"statement_timeout":                   "0",
	"lock_timeout":                        "10s",
	"idle_in_transaction_session_timeout": "5s",
	"client_encoding":                     "UTF8",
	"jit":                                 "off",
	"enable_seqscan":                      "off",
	"enable_bitmapscan":                   "off",
	"enable_hashjoin":                     "off",
	"enable_mergejoin":                    "off",
	"plan_cache_mode":                     "force_generic_plan",
}

// RequirementError is why a server cannot be used as it is.
type RequirementError string

// Error implements error.
func (e RequirementError) Error() string { return string(e) }

// parse reads an address. Its errors do not repeat it: it holds a password.
func parse(address string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, errors.New("it is no address of a PostgreSQL database, as postgres://user:password@host:5432/name")
	}
	// Over what the address says: durability and plans are no matter of configuration.
	maps.Copy(config.RuntimeParams, session)
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	// A machine that is gone says nothing: keep-alives notice it within 15 s, where TCP alone would wait for many minutes.
	dialer := &net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 2 * time.Second, Count: 5}}
	config.DialFunc = dialer.DialContext
	// A standby that has not confirmed is a warning at the commit and no error: it is kept for keep to look at.
	config.OnNotice = func(conn *pgconn.PgConn, n *pgconn.Notice) {
		if n.SeverityUnlocalized == "WARNING" {
			conn.CustomData()[warned] = (*pgconn.PgError)(n)
		}
	}
	return config, nil
}

// ValidAddress tells whether an address can be one of a database.
func ValidAddress(address string) error {
	if !strings.HasPrefix(address, "postgres://") && !strings.HasPrefix(address, "postgresql://") {
		return errors.New("it does not begin with postgres://")
	}
	_, err := parse(address)
	return err
}

// Place says where an address leads, without what is secret in it.
func Place(address string) (string, error) {
	config, err := parse(address)
	if err != nil {
		return "", err
	}
	return "the database " + config.Database + " at " + config.Host, nil
}

// OpenToRead connects to a database for reading alone, beside whoever leads. Nothing can be written.
func OpenToRead(ctx context.Context, address string) (*Engine, error) {
	config, err := parse(address)
	if err != nil {
		return nil, err
	}
	config.RuntimeParams["default_transaction_read_only"] = "on"
	return connect(ctx, config, Options{})
}

// warned is where a connection keeps the last warning of its server.
const warned = "resellerbot.warned"

// prepare sees that the server keeps what is written and makes the tables.
func prepare(ctx context.Context, config *pgx.ConnConfig, o Options) error {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := suitable(ctx, conn, o); err != nil {
		return err
	}
	// Several statements in one text are one transaction: the lock in the first is held until all tables are there.
	if _, err := conn.Exec(ctx, tables, pgx.QueryExecModeSimpleProtocol); err != nil {
		return fmt.Errorf("make the tables: %w", err)
	}
	return nil
}

// noStandby is what a server lacks that would lose purchases with its disk.
const noStandby = "the server has no synchronous_standby_names: a commit waits for no standby"

// suitable tells what the server lacks.
func suitable(ctx context.Context, conn *pgx.Conn, o Options) error {
	var version int
	var recovering bool
	var readOnly, fsync, pages, encoding, commit, standbys string
	err := conn.QueryRow(ctx, `select current_setting('server_version_num')::int, pg_is_in_recovery(), current_setting('transaction_read_only'),
		current_setting('fsync'), current_setting('full_page_writes'), current_setting('server_encoding'),
		current_setting('synchronous_commit'), current_setting('synchronous_standby_names')`, pgx.QueryExecModeSimpleProtocol).
		Scan(&version, &recovering, &readOnly, &fsync, &pages, &encoding, &commit, &standbys)
	if err != nil {
		return fmt.Errorf("ask for the server's settings: %w", err)
	}
	for _, c := range []struct {
		ok    bool
		wrong string
	}{
		{version >= oldest, "the server is older than PostgreSQL 13"},
		{!recovering && readOnly == "off", "the server only reads: it is a standby or in recovery; name the primary, or all hosts with target_session_attrs=read-write"},
		{fsync == "on" || o.Unsafe, "the server runs with fsync = off: a power cut loses what was promised"},
		{pages == "on" || o.Unsafe, "the server runs with full_page_writes = off: a power cut breaks the database"},
		{encoding == "UTF8", "the database has the encoding " + encoding + "; make one with UTF8"},
		{commit == "on", "synchronous_commit is " + commit + " for this role; it must be on"},
		{!o.Standby || strings.TrimSpace(standbys) != "", "DATABASE_STANDBY is required, but " + noStandby},
	} {
		if !c.ok {
			return RequirementError(c.wrong)
		}
	}
	if strings.TrimSpace(standbys) == "" {
		if o.Warn != nil {
			o.Warn(noStandby)
		}
		return nil
	}
	return o.tellWait(ctx, conn)
}

// tellWait tells that the commits to come will wait for a standby that is not there. They do so without an error and without an
// end, so that a process which says nothing would look as if it hung.
func (o Options) tellWait(ctx context.Context, conn *pgx.Conn) error {
	there, known, err := standbysOf(ctx, conn)
	if err != nil {
		return err
	}
	const gone = "no server of synchronous_standby_names is there, and commits wait for one"
	switch {
	case !known || there > 0:
	case o.NoWait:
		return RequirementError(gone)
	case o.Waiting != nil:
		o.Waiting(gone)
	}
	return nil
}

// querier asks a server.
type querier interface {
	QueryRow(ctx context.Context, statement string, args ...any) pgx.Row
}

// standbysOf counts the servers that stand by synchronously. That is not known where no commit waits for one, nor to a role that may
// not see others' sessions: for it there are rows, and nothing in them.
func standbysOf(ctx context.Context, server querier) (there int, known bool, err error) {
	var waits bool
	var all, seen int
	err = server.QueryRow(ctx, `select current_setting('synchronous_standby_names') <> '', count(*), count(sync_state),
		count(*) filter (where state = 'streaming' and sync_state in ('sync', 'quorum')) from pg_stat_replication`, pgx.QueryExecModeSimpleProtocol).
		Scan(&waits, &all, &seen, &there)
	if err != nil {
		return 0, false, fmt.Errorf("ask who stands by: %w", err)
	}
	return there, waits && seen == all, nil
}
