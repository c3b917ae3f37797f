package app

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strconv"

	"resellerbot/internal/api"
	"resellerbot/internal/secret"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/telegram"
)

// sections is the configuration as one table. Validation, the help text, .env.example and the README's
// table are all made from it.
func (c *Config) sections() []section {
	return []section{
		{"Telegram", c.telegramVariables()},
		{"Reseller service", c.serviceVariables()},
		{"What the service calls things", c.nameVariables()},
		{"Limits at the service", c.limitVariables()},
		{"This process", c.processVariables()},
		{"Copies of the database", c.backupVariables()},
		{"People", c.peopleVariables()},
		{"Schedules", c.scheduleVariables()},
		{"Log", c.logVariables()},
	}
}

func (c *Config) telegramVariables() []variable {
	return []variable{
		{
			Name: "TELEGRAM_BOT_TOKEN", required: true, secret: true,
			meaning:  "the bot's token",
			accepted: "the token as @BotFather gave it: digits, a colon, letters and digits",
			set:      into(&c.BotToken, botToken),
		}, {
			Name: "TELEGRAM_API_URL", def: "https://api.telegram.org",
			meaning:  "the Bot API server; another one where it is self-hosted",
			accepted: "an https address; http for this machine only",
			set:      into(&c.TelegramURL, serverURL),
		}, {
			Name: "TELEGRAM_PER_SECOND", def: strconv.Itoa(telegram.DefaultLimits().Overall.N),
			meaning:  "messages a second that Telegram takes of this bot; more only where it has granted more",
			accepted: "a whole number from 1 to 100000",
			set:      into(&c.PerSecond, rate),
		}, {
			Name:     "WEBHOOK_URL",
			meaning:  "where Telegram delivers updates; without it the bot fetches them by long polling",
			accepted: "a public https address that leads to /telegram/… at HTTP_ADDR, together with WEBHOOK_SECRET",
			set:      into(&c.WebhookURL, webhookURL),
			also:     c.webhookComplete,
		}, {
			Name: "WEBHOOK_SECRET", secret: true,
			meaning:  "what Telegram proves itself with at the webhook",
			accepted: "1 to 256 of A-Z, a-z, 0-9, _ and -, together with WEBHOOK_URL",
			set:      into(&c.WebhookSecret, webhookSecret),
			also: func() error {
				return unless(c.WebhookURL == "" || !c.WebhookSecret.IsZero(), "is missing, but WEBHOOK_URL is set")
			},
		},
	}
}

// readDatabaseURL reads an address. Its password is a secret of its own, wherever it may turn up.
func (c *Config) readDatabaseURL(value string) error {
	// The driver's own error quotes the address, and with it the password.
	if err := postgres.ValidAddress(value); err != nil {
		return errors.New("is no address of a PostgreSQL database")
	}
	c.DatabaseURL = secret.New(value)
	u, err := url.Parse(value)
	if err != nil {
		return errors.New("is no address")
	}
	if password, ok := u.User.Password(); ok && password != "" {
		c.secrets = append(c.secrets, secret.New(password))
	}
	return nil
}

// webhookComplete tells what a webhook lacks, or what lacks the webhook.
func (c *Config) webhookComplete() error {
	if c.WebhookURL == "" {
		return unless(c.WebhookSecret.IsZero(), "is missing, but WEBHOOK_SECRET is set")
	}
	return unless(c.HTTPAddr != "", "needs HTTP_ADDR, which is empty")
}

func (c *Config) serviceVariables() []variable {
	return []variable{
		{
			Name: "RESELLER_API_URL", required: true,
			meaning:  "the base address of the reseller service",
			accepted: "an https address that ends with /api; http for this machine only",
			set:      into(&c.ResellerURL, resellerURL),
		}, {
			Name: "RESELLER_API_GENERATION", def: "auto",
			meaning:  "which generation of the service's API to speak",
			accepted: "auto, current or legacy",
			set:      into(&c.Generation, pick(map[string]api.Generation{"auto": api.Unsettled, "current": api.Current, "legacy": api.Legacy})),
		}, {
			Name: "RESELLER_API_KEY", secret: true,
			meaning:  "the house key: linked to OWNER_CHAT_ID at the first start",
			accepted: "an API key of the service: letters, digits and signs, without spaces and quotes",
			set:      into(&c.ResellerKey, apiKey),
		}, {
			Name: "PURCHASE_TIMEOUT", def: "30s",
			meaning:  "how long a purchase may go without an answer before its outcome counts as unknown",
			accepted: "a duration above zero, such as 30s or 2m",
			set:      into(&c.PurchaseTimeout, duration),
		}, {
			Name: "RECONCILE_FOR", def: "10m",
			meaning:  "how long an uncertain purchase is looked for before its chat is asked to decide; from 10m on, longer where time can tell",
			accepted: "a duration above zero, such as 90s or 10m",
			set:      into(&c.ReconcileFor, duration),
		},
	}
}

// nameVariables are what the service's document leaves out: it has neutral words in the place of brands, and no field for
// what a product is.
func (c *Config) nameVariables() []variable {
	word := "one part of a path: letters, digits, and between them -, _ and .; none that another path of the service begins with"
	products := "ids of products or words of their names, comma-separated; none that another family has as well"
	return []variable{
		{
			Name: "ARENA_SEGMENT", def: string(api.Arena), accepted: word,
			meaning: "the word in the service's paths where its document has arena",
			set:     into(&c.Names.Arena, segment),
		}, {
			Name: "BATTLEROYALE_SEGMENT", def: string(api.BattleRoyale), accepted: word,
			meaning: "the word in the service's paths where its document has battleroyale",
			set:     into(&c.Names.BattleRoyale, segment),
			also:    c.alone("ARENA_SEGMENT", &c.Names.BattleRoyale, &c.Names.Arena),
		}, {
			Name: "SPORTSTV_SEGMENT", def: string(api.SportsTV), accepted: word,
			meaning: "the word in the service's paths where its document has sportstv",
			set:     into(&c.Names.SportsTV, segment),
			also: func() error {
				return cmp.Or(c.alone("ARENA_SEGMENT", &c.Names.SportsTV, &c.Names.Arena)(), c.alone("BATTLEROYALE_SEGMENT", &c.Names.SportsTV, &c.Names.BattleRoyale)())
			},
		}, {
			Name: "BATTLEROYALE_PRODUCTS", otherwise: "the word of BATTLEROYALE_SEGMENT", accepted: products,
			meaning: "which products of the catalogue are of the second game, whose players it checks",
			set:     into(&c.Names.BattleRoyaleProducts, api.ParseSelection),
		}, {
			Name: "SPORTSTV_PRODUCTS", otherwise: "the word of SPORTSTV_SEGMENT", accepted: products,
			meaning: "which are subscriptions of the sports TV service",
			set:     into(&c.Names.SportsTVProducts, api.ParseSelection),
			also:    c.apart(api.SportsTV),
		}, {
			Name: "INTERNET_PRODUCTS", otherwise: string(api.Internet), accepted: products,
			meaning: "which are for an internet number, which it checks",
			set:     into(&c.Names.InternetProducts, api.ParseSelection),
			also:    c.apart(api.Internet),
		}, {
			Name: "TOPUP_PRODUCTS", accepted: "ids of products or words of their names, comma-separated",
			meaning: "which are credited to somebody and bring no code, where the service does not say so itself",
			set:     into(&c.Names.TopupProducts, api.ParseSelection),
		}, {
			Name:     "SERVICE_TIMEZONE",
			meaning:  "the zone of the service's times that name none; without it, what an account's own orders show, and until then they count as unknown",
			accepted: "a zone of the IANA database, such as Africa/Algiers or UTC",
			set:      into(&c.ServiceZone, zone),
		}, {
			Name:     "PURCHASE_KEY_ID",
			meaning:  "sent as key_id with each purchase of the current generation, whichever account buys; the document does not say whether it is required",
			accepted: "a whole number above zero",
			set:      into(&c.PurchaseKeyID, positive),
		},
	}
}

// alone holds that a word in paths is not another's too.
func (c *Config) alone(other string, word, others *string) func() error {
	// The fields are read when it is called, which is after all of them were set: other and word may come in either order.
	return func() error { return unless(*word == "" || *word != *others, "is the word of "+other+" too") }
}

// apart holds that a family's products are no other family's: which one has a product would be left open.
func (c *Config) apart(f api.Family) func() error {
	variables := map[api.Family]string{api.BattleRoyale: "BATTLEROYALE_PRODUCTS", api.SportsTV: "SPORTSTV_PRODUCTS"}
	return func() error {
		if c.Names.BattleRoyale == c.Names.SportsTV && f == api.SportsTV { // which is told already, of the words
			return nil
		}
		other, entry, others := c.Names.Clash(f)
		return unless(other == api.Goods, fmt.Sprintf("has as entry %d what entry %d of %s matches as well, so that a product would be of two families", entry, others, variables[other]))
	}
}

func (c *Config) limitVariables() []variable {
	return []variable{
		{
			// The defaults of both are what the service's document allows a key.
			Name: "GET_PER_MINUTE", def: "60",
			meaning:  "reading calls a minute",
			accepted: "a whole number from 1 to 100000",
			set:      into(&c.GetPerMinute, rate),
		}, {
			Name: "POST_PER_MINUTE", def: "30",
			meaning:  "writing calls a minute, purchases and looks at orders alike",
			accepted: "a whole number from 1 to 100000",
			set:      into(&c.PostPerMinute, rate),
		}, {
			Name: "RATE_SCOPE", def: "key",
			meaning:  "what the two limits count: each API key alone, or the whole process",
			accepted: "key or global",
			set:      into(&c.GlobalScope, pick(map[string]bool{"key": false, "global": true})),
		},
	}
}

func (c *Config) processVariables() []variable {
	return []variable{
		{
			Name: "ENCRYPTION_KEYS", required: true, secret: true,
			meaning:  "keys of the database's secrets: the first encrypts, all decrypt",
			accepted: "id:base64(32 bytes), comma-separated; openssl rand -base64 32 makes the latter half",
			set:      into(&c.EncryptionKeys, encryptionKeys),
		}, {
			Name: "DATABASE_PATH", def: "data/bot.db",
			meaning:  "the database file; one process at a time",
			accepted: "a path of a file on a local disk",
			set:      into(&c.Database, text),
		}, {
			Name: "DATABASE_URL", secret: true,
			meaning:  "a PostgreSQL database in place of the file: several processes may share it, of which one works and the others stand by",
			accepted: "an address such as postgres://bot:password@host:5432/bot, with DATABASE_PATH left out or empty",
			set:      c.readDatabaseURL,
			also: func() error {
				return unless(c.DatabaseURL.IsZero() || !c.given["DATABASE_PATH"], "is set, and DATABASE_PATH is as well")
			},
		}, {
			Name: "DATABASE_STANDBY", def: "warn",
			meaning:  "whether that server must have a synchronous standby, without which a lost disk loses what was bought: warn says so at the start",
			accepted: "warn or required",
			set:      into(&c.NeedStandby, pick(map[string]bool{"warn": false, "required": true})),
		}, {
			Name: "HTTP_ADDR", def: "127.0.0.1:8080", mayBeEmpty: true,
			meaning:  "where /healthz, /readyz, /metrics and the webhook are served",
			accepted: "host:port, or empty to switch them off",
			set:      into(&c.HTTPAddr, listenAddr),
		},
	}
}

func (c *Config) backupVariables() []variable {
	return []variable{
		{
			Name:     "BACKUP_DIR",
			meaning:  "where the running bot puts copies of its database; without it there are none",
			accepted: "a path of a folder for this bot's copies alone, best on another disk",
			set:      into(&c.BackupDir, text),
		}, {
			Name: "BACKUP_SCHEDULE", def: "@daily",
			meaning:  "when it does so",
			accepted: "a cron line such as 30 4 * * *, @daily, or @every with a duration",
			set:      into(&c.BackupSchedule, schedule),
		}, {
			Name: "BACKUP_KEEP", def: "7",
			meaning:  "how many copies stay; older ones are removed",
			accepted: "a whole number from 1 to 10000",
			set:      into(&c.BackupKeep, copies),
		}, {
			Name:     "BACKUP_RECIPIENTS",
			meaning:  "whom copies are encrypted for; without it only the secrets in them are",
			accepted: "public keys of age, age1…, comma-separated; age-keygen makes one with its identity",
			set:      into(&c.BackupRecipients, recipients),
		},
	}
}

func (c *Config) peopleVariables() []variable {
	return []variable{
		{
			Name:     "OWNER_CHAT_ID",
			meaning:  "the Telegram user who operates this bot, and hears in private of what is wrong with it",
			accepted: "a Telegram user id: a whole number above zero",
			set:      into(&c.Operator, userID),
		}, {
			Name: "ACCESS", def: "open",
			meaning:  "who may use the bot: everybody, or only chats that the owner let in, with /access in their own chat; either way strangers cannot hold up those who buy",
			accepted: "open or invite",
			set:      into(&c.InviteOnly, pick(map[string]bool{"open": false, "invite": true})),
		}, {
			Name: "DEFAULT_LANGUAGE", def: "fr",
			meaning:  "the language where Telegram names none of the three",
			accepted: "ar, fr or en",
			set:      into(&c.Language, pick(same("ar", "fr", "en"))),
		}, {
			Name: "TIMEZONE", def: "Africa/Algiers",
			meaning:  "the zone of times shown and of schedules",
			accepted: "a zone of the IANA database, such as Africa/Algiers",
			set:      into(&c.Zone, zone),
		},
	}
}

func (c *Config) scheduleVariables() []variable {
	const accepted = "a cron line such as */5 * * * *, or @every with a duration"
	return []variable{
		{
			Name: "POLL_SCHEDULE", def: "@every 1s", accepted: accepted,
			meaning: "the job that batch-polls: at each beat the orders that are due are looked at, in batches",
			set:     into(&c.PollSchedule, schedule),
		}, {
			Name: "POLL_BETWEEN", def: "on", accepted: "on or off",
			meaning: "whether orders are looked at between these beats as well, whenever a look is worth its call; off leaves the beats alone",
			set:     into(&c.PollBeatsOnly, pick(map[string]bool{"on": false, "off": true})),
		}, {
			Name: "BALANCE_SCHEDULE", def: "@every 5m", accepted: accepted,
			meaning: "how often balances are compared with the thresholds of alerts",
			set:     into(&c.BalanceSchedule, schedule),
		}, {
			Name: "STOCK_SCHEDULE", def: "@every 15m", accepted: accepted,
			meaning: "how often allocations are compared with the thresholds of alerts",
			set:     into(&c.StockSchedule, schedule),
		},
	}
}

func (c *Config) logVariables() []variable {
	levels := map[string]slog.Level{
		"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError,
	}
	return []variable{
		{
			Name: "LOG_LEVEL", def: "info",
			meaning:  "the least that is logged on stderr",
			accepted: "debug, info, warn or error",
			set:      into(&c.LogLevel, pick(levels)),
		}, {
			Name: "LOG_FORMAT", def: "json",
			meaning:  "how it is written",
			accepted: "json or text",
			set:      into(&c.LogText, pick(map[string]bool{"json": false, "text": true})),
		},
	}
}

// into makes a variable's set: what parse returns goes into field.
func into[T any](field *T, parse func(string) (T, error)) func(string) error {
	return func(value string) (err error) {
		*field, err = parse(value)
		return err
	}
}

// unless is an error that says what is wrong, or nil if ok.
func unless(ok bool, wrong string) error {
	if ok {
		return nil
	}
	return errors.New(wrong)
}
