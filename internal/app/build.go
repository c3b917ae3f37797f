package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"sync/atomic"
	"time"

	"github.com/go-telegram/bot"

	"resellerbot/internal/api"
	"resellerbot/internal/control"
	"resellerbot/internal/conversations"
	"resellerbot/internal/metrics"
	"resellerbot/internal/notify"
	"resellerbot/internal/purchase"
	"resellerbot/internal/reports"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/seal"
	"resellerbot/internal/telegram"
	"resellerbot/locales"
)

// app is the program, built and not yet started.
type app struct {
	cfg       Config
	log       *slog.Logger
	engine    database // under the store
	store     *store.Store
	service   *api.Client
	telegram  *bot.Bot
	http      *telegram.Client
	sender    *telegram.Sender
	purchases *purchase.Engine
	deliverer *notify.Deliverer
	menus     *notify.Menus
	poller    *notify.Poller
	jobs      *notify.Jobs
	bot       *conversations.Bot
	inbox     *conversations.Inbox
	updates   *telegram.Poller // of this and the webhook one is in use
	webhook   *telegram.Webhook
	screens   screen.Printers
	front     *front
	figures   *metrics.Metrics
	name      *botName
	// atTelegram is how many updates waited there for the webhook at the last look.
	atTelegram  gauge
	unheard     time.Time // since when no poll has succeeded; the poller's own. Zero while they do
	heard       lastTime  // when Telegram has last shown whose the bot's updates are
	backups     string    // the folder for copies of the database; empty: none are made
	copier      copier
	copying     chan struct{}                           // holds one while a copy is made
	listen      func(path string) (net.Listener, error) // for the operator; nil: nobody
	socket      string                                  // the path that listen is given
	standing    atomic.Bool                             // another process leads
	othersUntil time.Time                               // until when another one led; zero where this one did not wait for it
	version     string
	jobsRan     control.Jobs
	begun       time.Time

	telegramIs, serviceIs neighbour // whether they answer
	refused               refusedKeys
}

// build opens the store and makes everything that stands on it. die ends the process.
// The order is that of what stands on what: the store, the texts, the two wires, what spends, what tells, and last what
// listens. Nothing runs before the stages do.
func build(ctx context.Context, w World, cfg Config, log *slog.Logger, front *front, die context.CancelCauseFunc) (a *app, err error) {
	a = &app{cfg: cfg, log: log, front: front, figures: metrics.New(w.Version), name: newBotName(), copying: make(chan struct{}, 1), listen: w.Local, socket: w.socket(cfg), version: w.Version, begun: time.Now()}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.close())
		}
	}()
	// Also of a process that stands by, or whose database cannot be opened: whoever watches has to tell these from one that is gone.
	a.figures.Front(func() bool { return len(front.health.troubles(time.Now())) == 0 }, a.standing.Load)
	front.metrics.set(a.figures.Handler())
	err = a.openStore(ctx, w, die)
	// The service counts by key, whoever calls: api takes half of each window as used by the one that led before.
	if a.standing.Swap(false) {
		a.othersUntil = time.Now()
	}
	if err != nil {
		return a, err
	}
	if front.refused != nil { // after the database: that another process holds it says more
		return a, fmt.Errorf("listen at HTTP_ADDR: %w", front.refused)
	}
	front.health.well(partStore)
	if a.screens, err = w.screens(cfg.Zone); err != nil {
		return a, fmt.Errorf("load the texts: %w", err)
	}
	a.screens = a.screens.Calling(map[api.Family]string{api.Arena: cfg.Names.Title(api.Arena), api.BattleRoyale: cfg.Names.Title(api.BattleRoyale)})
	if err = a.openWires(w); err != nil {
		return a, err
	}
	a.buildPurchases()
	if err = a.buildNotify(); err != nil {
		return a, err
	}
	a.buildConversations() //nolint:contextcheck // a turn carries its context, and what it sends off outlives it
	a.showFigures()
	return a, nil
}

// openStore opens the database. A failed commit ends the process: what it left is recovery's.
func (a *app) openStore(ctx context.Context, w World, die context.CancelCauseFunc) error {
	// The keys are read before the database is touched: with wrong ones nothing of it is opened, waited for or swept.
	keyring, err := seal.ParseKeyring(a.cfg.EncryptionKeys.Reveal())
	if err != nil {
		return fmt.Errorf("ENCRYPTION_KEYS: %w", err)
	}
	if a.engine, err = a.openEngine(ctx, w, die); err != nil {
		return err
	}
	// Behind the lock of the database: whatever lies beside it is of a process that is gone.
	if err := sweep(w.at(a.cfg.Database)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		a.log.Warn("remove what is left of an unfinished copy", "err", err)
	}
	if err := w.sweepOwn(a.cfg); err != nil && !errors.Is(err, fs.ErrNotExist) {
		a.log.Warn("remove what is left of an unfinished file of this bot", "err", err)
	}
	a.copier = newCopier(w, a.cfg)
	a.tidy(w.at(a.cfg.Database))
	if a.cfg.BackupDir != "" {
		a.backups = w.at(a.cfg.BackupDir)
		if err := removeOld(a.backups, time.Now().Add(-leftFor), unfinished, byHand); err != nil && !errors.Is(err, fs.ErrNotExist) {
			a.log.Warn("remove what is left of an unfinished copy", "folder", a.backups, "err", err)
		}
		a.noteSince()
	} else {
		a.log.Warn("no copies of the database are made: BACKUP_DIR is not set")
	}
	a.store, err = store.Open(ctx, timedEngine{w.wrap(a.engine), a.figures.Committed}, keyring)
	if err != nil {
		return errors.Join(fmt.Errorf("open the database %s: %w", a.cfg.databaseName(), err), a.engine.Close())
	}
	// Before anything else uses the store, as ClampTimes asks for.
	n, err := a.store.ClampTimes(ctx, time.Now())
	if n > 0 {
		a.log.Warn("the clock was ahead when this was written; it is brought back", "records", n)
	}
	return err
}

// openEngine opens the file, or waits until this process leads those that share a server's database.
func (a *app) openEngine(ctx context.Context, w World, die context.CancelCauseFunc) (database, error) {
	fatal := func(err error) {
		a.log.Error("a commit failed; stopping at once", "err", err)
		die(fmt.Errorf("a commit failed: %w", err))
	}
	if a.cfg.DatabaseURL.IsZero() {
		return openToRun(ctx, w, a.cfg, a.log, bolt.Options{Fatal: fatal, Slow: a.slow})
	}
	return openServer(ctx, w, a.cfg, postgres.Options{
		Fatal: fatal,
		Lost: func(err error) {
			a.log.Error("this process leads no more; stopping at once", "err", err)
			die(fmt.Errorf("%w: %w", store.ErrFenced, err))
		},
		Warn: func(what string) {
			a.log.Warn("a lost disk would lose what was bought", "why", what)
		},
		Unkept: func(err error) {
			a.log.Warn("what is seen of the database is not kept on this machine; a loss would not be noticed", "err", err)
		},
		Waiting: func(why string) {
			a.log.Info("standing by", "why", why)
			a.standing.Store(true)
			a.front.health.ill(partStore, "stands by: "+why)
		},
	})
}

// slow tells of a transaction that is open for too long.
func (a *app) slow(what string, open time.Duration, stacks []byte) {
	if stacks == nil {
		a.log.Warn("a slow transaction has ended", "what", what, "took", open)
		return
	}
	a.log.Error("a transaction is open for too long", "what", what, "for", open, "stacks", string(stacks))
}

// wrap is the engine as the world has it.
func (w World) wrap(e store.Engine) store.Engine {
	if w.Engine == nil {
		return e
	}
	return w.Engine(e)
}

// screens are the texts in all languages.
func (w World) screens(zone *time.Location) (screen.Printers, error) {
	if w.Texts != nil {
		return screen.Of(w.Texts, zone), nil
	}
	return screen.Load(zone)
}

// openWires makes the clients of the two services.
func (a *app) openWires(w World) (err error) {
	a.service, err = api.New(api.Config{
		BaseURL: a.cfg.ResellerURL, Dial: w.Dial, GetPerMinute: a.cfg.GetPerMinute, PostPerMinute: a.cfg.PostPerMinute,
		GlobalScope: a.cfg.GlobalScope, ReadTimeout: readTimeout, PurchaseTimeout: a.cfg.PurchaseTimeout,
		Log: a.log, Meter: serviceMeter{a.figures, &a.serviceIs}, UserAgent: "resellerbot/" + w.Version, Generation: a.cfg.Generation,
		Names: a.cfg.Names, Zone: a.cfg.ServiceZone, PurchaseKeyID: a.cfg.PurchaseKeyID, OthersUntil: a.othersUntil,
		Gate: a.gate(w, metrics.WireService),
	})
	if err != nil {
		return fmt.Errorf("RESELLER_API_URL: %w", err)
	}
	a.http = telegram.NewClient(w.Dial, a.cfg.BotToken)
	a.http.Observe, a.http.Gate = a.telegramCalled, a.gate(w, metrics.WireTelegram)
	// getMe is left out here, for Telegram may not answer yet: introduce asks, as long as it takes.
	a.telegram, err = bot.New(a.cfg.BotToken.Reveal(), bot.WithServerURL(a.cfg.TelegramURL), bot.WithSkipGetMe(),
		bot.WithHTTPClient(time.Minute, a.http), bot.WithErrorsHandler(func(error) {}))
	if err != nil {
		return errors.New("TELEGRAM_BOT_TOKEN: the Bot API client refuses it")
	}
	return nil
}

// gate asks whether this process still leads, before anything leaves that cannot be taken back: one that stood still while
// another took over must not buy, nor put an old text over a new one. Nil where no other process can.
func (a *app) gate(w World, wire string) func(context.Context) error {
	s, ok := a.engine.(server)
	if !ok {
		return nil
	}
	gate := func(ctx context.Context) error {
		err := s.Leading(ctx)
		a.figures.Gate(wire, err)
		return err
	}
	if w.Gate != nil {
		return w.Gate(wire, gate)
	}
	return gate
}

// session opens the service under a key.
func (a *app) session(account store.Account) *api.Session {
	learned := func(ctx context.Context, g api.Generation) { a.learn(ctx, account.ID, g) }
	return a.service.As(account.Key).Speaking(api.Generation(account.Generation), learned)
}

// renew has the orders of an account looked at under its new key. Where that fails they are looked at in their time.
func (a *app) renew(account string) {
	if err := a.poller.Renew(context.Background(), account); err != nil {
		a.log.Error("look at orders under a new key", "account", account, "err", err)
	}
}

// learn keeps which generation of the service an account turned out to be of, whatever becomes of the call
// that has shown it.
func (a *app) learn(ctx context.Context, account string, g api.Generation) {
	err := a.store.Batch(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		acc, err := tx.Account(account)
		if err != nil {
			return err
		}
		acc.Generation = string(g)
		return tx.PutAccount(&acc)
	})
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		a.log.Error("keep the generation of an account", "account", account, "err", err)
	}
}

// buildPurchases makes the engine that spends.
func (a *app) buildPurchases() {
	a.purchases = purchase.New(purchase.Config{
		Store:           a.store,
		Service:         func(acc store.Account) purchase.Service { return a.session(acc) },
		Checker:         func(acc store.Account) purchase.Checker { return a.session(acc) },
		ChecksPerMinute: a.cfg.PostPerMinute * 2 / 3,
		NextLook:        notify.NextLook,
		ReconcileFor:    a.cfg.ReconcileFor,
		StopGrace:       purchaseGrace,
		Operator:        a.cfg.Operator,
		Zone:            a.cfg.Zone,
		Moved:           a.figures.Moved,
		Random:          rand.Reader,
		Log:             a.log,
	})
}

// buildNotify makes what happens with nobody typing.
func (a *app) buildNotify() error {
	limits := telegram.DefaultLimits()
	limits.Overall.N = a.cfg.PerSecond
	a.sender = telegram.NewSender(telegram.SenderConfig{Bot: a.telegram, HTTP: a.http, Log: a.log, Limits: limits})
	a.deliverer = notify.NewDeliverer(notify.DelivererConfig{
		Store: a.store, Sender: a.sender, Language: a.cfg.Language, Log: a.log, Balance: a.balance, Operator: a.cfg.Operator,
		Zone: a.cfg.Zone,
		Screens: func(lang string, r screen.Reader, chat int64, own store.Prices) notify.Screens {
			p, _ := a.screens.For(lang)
			return notify.ScreensOf(p.As(r).For(chat).Asking(own))
		},
		Lists: func(lang string, r screen.Reader, chat int64, own store.Prices) notify.ListScreens {
			p, _ := a.screens.For(lang)
			return p.As(r).For(chat).Asking(own).Lists()
		},
		Named: func(lang, account, called string, m screen.Message) screen.Message {
			p, _ := a.screens.For(lang)
			return p.Accounts().Of(account, called, m)
		},
	})
	a.menus = notify.NewMenus(notify.MenusConfig{
		Store: a.store, Sender: a.sender, Bot: a.name.wait, Commands: a.commands, Languages: locales.Languages(), Log: a.log,
	})
	a.poller = notify.NewPoller(notify.PollerConfig{
		Store: a.store, Settler: a.purchases, Log: a.log, BeatsOnly: a.cfg.PollBeatsOnly,
		Session: func(acc store.Account) notify.OrderSource { return a.session(acc) },
	})
	watcher := notify.NewWatcher(notify.WatcherConfig{
		Store: a.store, Observe: a.observe, Zone: a.cfg.Zone, Log: a.log,
		Source: func(acc store.Account) notify.WatchSource { return a.session(acc) },
	})
	return a.buildJobs(watcher)
}

// buildJobs makes what is done by the clock.
func (a *app) buildJobs(watcher *notify.Watcher) error {
	lists := reports.PriceListSender{Store: a.store, Screens: a.screens, Catalogue: func(acc store.Account) reports.Catalogue { return a.session(acc) }}
	a.jobs = notify.NewJobs(a.cfg.Zone, a.log)
	if a.backups != "" {
		if err := a.addJobs(notify.Job{Name: backupJob, Spec: a.cfg.BackupSchedule, Run: a.backUp}); err != nil {
			return err
		}
	}
	if a.cfg.Operator != 0 {
		operator := notify.NewOperator(notify.OperatorConfig{Store: a.store, Chat: a.cfg.Operator, Watches: a.watches(), Log: a.log})
		if err := a.addJobs(notify.Job{Name: "tell the operator", Spec: "@every 30s", Run: operator.Run}); err != nil {
			return err
		}
	}
	// The beats are short where somebody waits for what they do: uncertain purchases, refunds, due orders.
	return a.addJobs(
		notify.Job{Name: "look at due orders", Spec: a.cfg.PollSchedule, Run: func(context.Context) error { a.poller.Beat(); return nil }},
		notify.Job{Name: "process purchases", Spec: "@every 2s", Run: a.purchases.ProcessDue},
		notify.Job{Name: "process lists", Spec: "@every 2s", Run: a.purchases.ProcessDueLists},
		notify.Job{Name: "watch balances", Spec: a.cfg.BalanceSchedule, Run: a.watchingKeys(watcher.Balances)},
		notify.Job{Name: "watch stocks", Spec: a.cfg.StockSchedule, Run: watcher.Stocks},
		notify.Job{Name: "watch costs", Spec: a.cfg.StockSchedule, Run: watcher.Costs},
		notify.Job{Name: "forget keys", Spec: "@every 10m", Run: a.purchases.ForgetKeys},
		notify.Job{Name: "process accounts", Spec: "@every 3s", Run: a.purchases.ProcessDueAccounts},
		notify.Job{Name: "prune the inbox", Spec: "@every 10m", Run: a.pruneInbox},
		notify.Job{Name: "forget strangers", Spec: "@every 1m", Run: (&forgetter{store: a.store, log: a.log}).run},
		notify.Job{Name: "keep the books", Spec: "@every 5m", Run: (&bookkeeper{store: a.store, log: a.log}).run},
		notify.Job{Name: "bring the boards up to date", Spec: "@every 1m", Run: func(ctx context.Context) error { return reports.Boards(ctx, a.store, time.Now()) }},
		notify.Job{Name: "send price lists", Spec: "@every 5m", Run: func(ctx context.Context) error { return lists.Send(ctx, time.Now()) }},
		notify.Job{Name: "forget old invitations", Spec: "@every 10m", Run: a.pruneInvites},
	)
}

// balance is an account's balance to show under an outcome, as fresh as it can be had.
func (a *app) balance(ctx context.Context, account string) screen.BalanceView {
	acc, err := a.store.Account(ctx, account)
	if err != nil {
		return screen.BalanceView{}
	}
	b, err := a.session(acc).Balance(ctx, time.Second)
	if err != nil {
		return screen.BalanceView{}
	}
	return screen.BalanceOf(b, purchase.Lacks(acc.Wallet, b.Available, time.Now()))
}

// buildConversations makes what happens when somebody types or taps.
func (a *app) buildConversations() {
	a.bot = conversations.New(conversations.Config{
		Store: a.store, Messenger: telegram.Replier{Sender: a.sender}, Purchases: a.purchases,
		Key:     func(key secret.Text) conversations.Service { return a.service.As(key) },
		Service: func(acc store.Account) conversations.Service { return a.session(acc) },
		Screens: a.screens, Zone: a.cfg.Zone, Language: a.cfg.Language, BotName: a.name.get,
		Random: rand.Reader, Reachable: a.deliverer.Wake, KeyChanged: a.renew, Access: a.access(), Handled: a.figures.Update, Log: a.log,
	})
	a.inbox = &conversations.Inbox{Store: a.store, Bot: a.bot, Log: a.log}
	a.updates = &telegram.Poller{
		HTTP: a.http, Server: a.cfg.TelegramURL, Token: a.cfg.BotToken, Inbox: a.inbox, Log: a.log, Unhook: func(ctx context.Context) error { return telegram.RemoveWebhook(ctx, a.telegram) }, Heard: a.polled,
	}
	a.webhook = &telegram.Webhook{Inbox: a.inbox, Secret: a.cfg.WebhookSecret, Log: a.log, Answered: a.figures.WebhookRequest}
	a.front.webhook.set(a.webhook)
}
