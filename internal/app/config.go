package app

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"filippo.io/age"

	"resellerbot/internal/api"
	"resellerbot/internal/secret"
)

// Config is what the operator can set. The tables in settings.go say which variable fills which field.
// It can be printed: its secrets do not show.
type Config struct {
	BotToken      secret.Text
	TelegramURL   string // without a slash at the end
	WebhookURL    string // empty: long polling
	WebhookSecret secret.Text
	PerSecond     int // messages that Telegram takes of the bot

	ResellerURL     string         // ends with /api
	Generation      api.Generation // api.Unsettled: found out
	ResellerKey     secret.Text
	Names           api.Names      // what the service has where its document has neutral words
	ServiceZone     *time.Location // of its times that name none; nil: learned
	PurchaseKeyID   int64          // 0: none
	GetPerMinute    int
	PostPerMinute   int
	GlobalScope     bool // one rate budget for the process, not one for each key
	PurchaseTimeout time.Duration
	ReconcileFor    time.Duration

	EncryptionKeys secret.Text // as seal.ParseKeyring reads them
	Database       string
	DatabaseURL    secret.Text // of a server that is used in place of the file; zero: none
	NeedStandby    bool        // that server must have a synchronous standby
	HTTPAddr       string      // empty: no HTTP

	BackupDir        string // empty: no copies by schedule
	BackupSchedule   string
	BackupKeep       int
	BackupRecipients []age.Recipient // empty: copies stay plain

	Operator   int64 // 0: nobody
	InviteOnly bool
	Language   string
	Zone       *time.Location

	PollSchedule    string
	PollBeatsOnly   bool // nothing is looked at between the beats of PollSchedule
	BalanceSchedule string
	StockSchedule   string

	LogLevel slog.Level
	LogText  bool // not JSON

	secrets []secret.Text   // every secret above as it was given, for the log's mask
	given   map[string]bool // the names of the variables that were set
}

// variable is one row of the configuration table.
type variable struct {
	Name       string
	def        string // what an unset or empty variable stands for; "" leaves the field zero
	otherwise  string // what holds then, where there is no def to write
	meaning    string
	accepted   string
	required   bool
	secret     bool
	mayBeEmpty bool // set but empty is a value of its own, not the default
	set        func(value string) error
	also       func() error // a condition on other variables, asked when all are read; may be nil
}

// section is a group of variables under one heading.
type section struct {
	title     string
	variables []variable
}

// configError is everything that is wrong with a configuration.
type configError []problem

// problem is one wrong variable. It never holds the variable's value: it might be a secret, also where
// none belongs.
type problem struct{ name, wrong, accepted string }

// Error implements error: a line for each problem.
func (e configError) Error() string {
	var lines []string
	for _, p := range e {
		lines = append(lines, fmt.Sprintf("%s: %s; accepted: %s", p.name, p.wrong, p.accepted))
	}
	return strings.Join(lines, "\n")
}

// loadConfig reads the configuration from the environment and the .env file beside it.
func loadConfig(w World) (Config, error) {
	lookup, err := withDotenv(w.Lookup, w.Dir)
	if err != nil {
		return Config{}, err
	}
	return parseConfig(lookup)
}

// parseConfig reads the configuration from an environment. Its error is a configError, a problem for each
// wrong variable at most.
func parseConfig(lookup func(name string) (string, bool)) (Config, error) {
	var c Config
	if problems := c.fill(lookup); problems != nil {
		return Config{}, problems
	}
	return c, nil
}

// Variables ranges over the rows of all sections.
func (c *Config) Variables(yield func(variable) bool) {
	for _, s := range c.sections() {
		for _, v := range s.variables {
			if !yield(v) {
				return
			}
		}
	}
}

// fill reads every variable, and tells what is wrong.
func (c *Config) fill(lookup func(name string) (string, bool)) (problems configError) {
	c.given = map[string]bool{}
	wrong := map[string]bool{}
	// One problem for each variable: what comes of the first is not told as well.
	check := func(v variable, err error) {
		if err != nil && !wrong[v.Name] {
			wrong[v.Name] = true
			problems = append(problems, problem{v.Name, err.Error(), v.accepted})
		}
	}
	for v := range c.Variables {
		check(v, c.read(v, lookup))
	}
	for v := range c.Variables {
		// In a second round, since such a condition asks other variables, which have to be read.
		if v.also != nil {
			check(v, v.also())
		}
	}
	return problems
}

// read sets the field of one variable from the environment, or from its default.
func (c *Config) read(v variable, lookup func(string) (string, bool)) error {
	value, given := lookup(v.Name)
	value = strings.TrimSpace(value) // a secret read from a file often brings its line end along
	given = given && (value != "" || v.mayBeEmpty)
	if !given {
		value = v.def
	}
	if given {
		c.given[v.Name] = true
	}
	// Before it is parsed: a value that is refused must be hidden from errors too.
	if given && v.secret {
		c.secrets = append(c.secrets, secret.New(value))
	}
	if !given && v.required {
		return errors.New("is required")
	}
	if !given && value == "" {
		return nil
	}
	return v.set(value)
}
