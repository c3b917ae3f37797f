package app

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"resellerbot/internal/control"
	"resellerbot/internal/conversations"
)

// socketSuffix is behind the database's name in that of the socket beside it.
const socketSuffix = ".sock"

// socket is the path at which the operator reaches the running bot. Of those that have a server's database, several may work in
// one folder, where a file has one owner: theirs is named by the bot too.
func (w World) socket(cfg Config) string {
	if cfg.DatabaseURL.IsZero() {
		return w.at(cfg.Database) + socketSuffix
	}
	return w.at(cfg.Database) + "." + botNumber(cfg) + socketSuffix
}

// operator is the client of the bot that runs with this configuration.
func (w World) operator(cfg Config) control.Client {
	return control.Client{Dial: w.Dial, Socket: w.socket(cfg)}
}

// listenLocal listens at a path of this machine, for the owner of the process alone. What a killed process has left there
// is replaced: nobody else has the database.
func listenLocal(path string) (net.Listener, error) {
	database := strings.TrimSuffix(path, socketSuffix)
	if err := os.MkdirAll(filepath.Dir(database), 0o700); err != nil {
		return nil, err
	}
	folder, err := workFolder(database, forSocket) // nobody else gets at it there until it has its rights
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	first := filepath.Join(folder, "s")
	l, err := net.Listen("unix", first) //nolint:noctx // it does not wait
	if err != nil {
		return nil, err
	}
	if u, ok := l.(*net.UnixListener); ok {
		u.SetUnlinkOnClose(false) // its name is another one by then
	}
	const ownerOnly = 0o600
	// Rights first, name second: at its path the socket is never open to others, not for a moment.
	if err := errors.Join(os.Chmod(first, ownerOnly), os.Rename(first, path)); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	made, err := os.Lstat(path)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return localListener{l, path, made}, nil
}

// localListener is a listener at a path, which goes with it.
type localListener struct {
	net.Listener

	path string
	made os.FileInfo
}

// Close implements net.Listener. What another process has put there meanwhile stays.
func (l localListener) Close() error {
	// The name goes before the listener does: afterwards a new process may have its own there.
	if now, err := os.Lstat(l.path); err == nil && os.SameFile(now, l.made) {
		_ = os.Remove(l.path) // what is left is replaced at the next start
	}
	return l.Listener.Close()
}

// serveOperator answers the operator at the socket. The bot sells without it as well.
func (a *app) serveOperator(ctx context.Context) error {
	if a.listen == nil {
		return nil
	}
	l, err := a.listen(a.socket)
	if err != nil {
		a.log.Warn("bot status and the like do not reach this bot", "socket", a.socket, "err", err)
		return nil
	}
	server := control.NewServer(control.Config{
		Store: a.store, Version: a.version, Size: a.engine.Size, Jobs: &a.jobsRan, Backup: a.handOut, Look: a.purchases.Look, Log: a.log,
		Parked: a.parked, Replay: a.replay,
		Troubles: func() []string { return a.front.health.troubles(time.Now()) },
		Copies: func() control.Copies {
			c, made := a.copies()
			aside, err := setAside(a.copier.database)
			if err != nil {
				a.log.Warn("look for databases that were put aside", "err", err)
			}
			return control.Copies{Made: made, Last: c.Last, Aside: aside}
		},
	})
	if err := ServeHTTP(ctx, l, server.Handler()); err != nil {
		a.log.Error("bot status and the like do not reach this bot any more", "err", err)
	}
	return nil
}

// parked tells the operator of updates that could not be handled.
func (a *app) parked(ctx context.Context, limit int) (all []control.Parked, err error) {
	list, err := a.inbox.AllParked(ctx, limit)
	for _, p := range list {
		all = append(all, control.Parked(p))
	}
	return all, err
}

// replay has one of them handled again.
func (a *app) replay(ctx context.Context, update int64) (control.Parked, error) {
	p, err := a.inbox.Again(ctx, update)
	if errors.Is(err, conversations.ErrRefusedAgain) {
		err = nil // p says why
	}
	return control.Parked(p), err
}
