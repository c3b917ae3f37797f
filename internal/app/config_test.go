package app

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var Update = flag.Bool("update", false, "rewrite what is made from the configuration table")

// Secrets of the tests. None of them may show anywhere.
const (
	goodToken  = "4839274650:AAE-canary_token_Zq81"
	goodAPIKey = "canary-reseller-key-71f"
	goodHook   = "canary_webhook-secret-5d"
)

// Public keys of age, whose identities nobody has.
const (
	ageRecipient  = "age1xnx3f72m82tl2d55p2sjm2xwyc9rfaav99vw9dmwsutuz90wmd6q9zvr63"
	ageRecipient2 = "age1kx7l3nf5cntqhz9lyug5dcf6mzt77pt49awzqv544v65jt7339lq8w8h4f"
)

// nowhere is a directory without an .env file: none at all.
const nowhere = "testdata/nowhere"

// masterKey is a 32-byte key as ENCRYPTION_KEYS holds it, of n times the letter.
func masterKey(letter string, n int) string {
	return base64.StdEncoding.EncodeToString([]byte(strings.Repeat(letter, n)))
}

// fullEnv is a good environment with every variable set.
func fullEnv() map[string]string {
	return map[string]string{
		"TELEGRAM_BOT_TOKEN":      goodToken,
		"TELEGRAM_API_URL":        "http://127.0.0.1:9000/tg/",
		"WEBHOOK_URL":             "https://shop.example/telegram/hook",
		"WEBHOOK_SECRET":          goodHook,
		"RESELLER_API_URL":        "https://reseller.example/api",
		"RESELLER_API_GENERATION": "current",
		"RESELLER_API_KEY":        goodAPIKey,
		"ARENA_SEGMENT":           "freegame",
		"BATTLEROYALE_SEGMENT":    "Last-Circle",
		"SPORTSTV_SEGMENT":        "sport.tv",
		"BATTLEROYALE_PRODUCTS":   "last circle, 12",
		"SPORTSTV_PRODUCTS":       "رياضة, 77",
		"INTERNET_PRODUCTS":       "ADSL,4G",
		"TOPUP_PRODUCTS":          "crystals, 12",
		"SERVICE_TIMEZONE":        "Africa/Algiers",
		"PURCHASE_KEY_ID":         "31",
		"TELEGRAM_PER_SECOND":     "25",
		"GET_PER_MINUTE":          "50",
		"POST_PER_MINUTE":         "20",
		"RATE_SCOPE":              "global",
		"PURCHASE_TIMEOUT":        "20s",
		"RECONCILE_FOR":           "5m",
		"ENCRYPTION_KEYS":         "new:" + masterKey("n", 32) + ",old:" + masterKey("o", 32),
		"DATABASE_PATH":           "/data/shop.db",
		"HTTP_ADDR":               ":9090",
		"BACKUP_DIR":              "/backup",
		"BACKUP_SCHEDULE":         "30 4 * * *",
		"BACKUP_KEEP":             "30",
		"BACKUP_RECIPIENTS":       ageRecipient + ", " + ageRecipient2,
		"OWNER_CHAT_ID":           "123456789",
		"ACCESS":                  "invite",
		"DEFAULT_LANGUAGE":        "ar",
		"TIMEZONE":                "Europe/Paris",
		"POLL_SCHEDULE":           "@every 2s",
		"POLL_BETWEEN":            "off",
		"BALANCE_SCHEDULE":        "*/10 * * * *",
		"STOCK_SCHEDULE":          "@hourly",
		"LOG_LEVEL":               "debug",
		"LOG_FORMAT":              "text",
	}
}

// LeastEnv is a good environment with what is required alone.
func LeastEnv() map[string]string {
	full := fullEnv()
	maps.DeleteFunc(full, func(name, _ string) bool {
		return !slices.Contains([]string{"TELEGRAM_BOT_TOKEN", "RESELLER_API_URL", "ENCRYPTION_KEYS"}, name)
	})
	return full
}

// wrongValues has values that are wrong for each variable. Empty ones stand for a variable that is
// missing, which is wrong only where it is required.
func wrongValues() map[string][]string {
	durations := []string{"0s", "-1m", "30", "soon"}
	numbers := []string{"0", "-5", "1.5", "many", "100001", "99999999999999999999"}
	schedules := []string{"sometimes", "* * *", "@every", "61 * * * *", "TZ=", "CRON_TZ=UTC * * * * *"}
	segments := []string{"canary/x", "canary word", "%2F", "CANARY%20x", "..", "-canary", "canary.", "قناة", strings.Repeat("c", 65)}
	products := []string{",", "canary,", "canary,,12", "+", "canary, ✨"}
	servers := []string{"telegram", "ftp://example.com/api", "http://example.com/api", "http://10.0.0.1/api",
		"https:///api", "https://user:canary-password@example.com/api", "https://example.com/api?x=1", "https://exa mple/api",
		"https://example.com/api#top"}
	return map[string][]string{
		"TELEGRAM_BOT_TOKEN":      {"", "canary-token", ":canary", "123:", "12a:canary", "1:canary token", "1:canary/../x"},
		"TELEGRAM_API_URL":        servers,
		"WEBHOOK_URL":             append(servers, "http://127.0.0.1/hook"),
		"WEBHOOK_SECRET":          {"canary secret", "canary/secret", strings.Repeat("c", 257)},
		"RESELLER_API_URL":        append(servers, "", "https://example.com", "https://example.com/api/", "https://example.com/api/v2"),
		"RESELLER_API_GENERATION": {"new", "Current"},
		"RESELLER_API_KEY":        {"canary key", `"canary"`, "canary\x01", "canaryé"},
		"ARENA_SEGMENT":           append(segments, "catalog"),
		"BATTLEROYALE_SEGMENT":    append(segments, "Orders"),
		"SPORTSTV_SEGMENT":        append(segments, "purchase-history"),
		"BATTLEROYALE_PRODUCTS":   append(products, "0", "99999999999999999999"),
		"SPORTSTV_PRODUCTS":       products,
		"INTERNET_PRODUCTS":       products,
		"TOPUP_PRODUCTS":          products,
		"SERVICE_TIMEZONE":        {"Algiers", "../etc/passwd", "UTC+1", "+01:00"},
		"PURCHASE_KEY_ID":         {"0", "-3", "canary", "1.5"},
		"TELEGRAM_PER_SECOND":     numbers,
		"GET_PER_MINUTE":          numbers,
		"POST_PER_MINUTE":         numbers,
		"RATE_SCOPE":              {"process"},
		"PURCHASE_TIMEOUT":        durations,
		"RECONCILE_FOR":           durations,
		"DATABASE_URL":            {"canary", "mysql://canary@host/x", "http://canary/x", "postgres://bot:canary@[::1/x", "postgres://bot:canary@host:many/x"},
		"DATABASE_STANDBY":        {"yes", "optional"},
		"ENCRYPTION_KEYS":         {"", "canary", "a:canary", "a:" + masterKey("c", 31), masterKey("c", 32), "a:" + masterKey("c", 32) + ",", ":" + masterKey("c", 32)},
		"BACKUP_SCHEDULE":         schedules,
		"BACKUP_KEEP":             {"0", "-1", "10001", "all"},
		"BACKUP_RECIPIENTS":       {"canary", "AGE-SECRET-KEY-1CANARY", ageRecipient + ",", ageRecipient + ",canary", ageRecipient[:60], "# canary"},
		"HTTP_ADDR":               {"8080", "localhost", "localhost:http", "localhost:65536", "::1:80"},
		"OWNER_CHAT_ID":           {"0", "-100200300", "@owner", "1e9"},
		"ACCESS":                  {"closed"},
		"DEFAULT_LANGUAGE":        {"de", "fr-DZ"},
		"TIMEZONE":                {"Algiers", "../etc/passwd"},
		"POLL_SCHEDULE":           schedules,
		"POLL_BETWEEN":            {"never", "On", "true"},
		"BALANCE_SCHEDULE":        schedules,
		"STOCK_SCHEDULE":          schedules,
		"LOG_LEVEL":               {"loud", "info+1"},
		"LOG_FORMAT":              {"xml"},
	}
}

// LookupIn makes an environment of a map.
func LookupIn(env map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := env[name]
		return value, ok
	}
}

// secretsOf are the texts that must not show: whole values and their parts.
func secretsOf(env map[string]string) []string {
	hidden := []string{"canary", masterKey("n", 32), masterKey("o", 32), masterKey("c", 31), masterKey("c", 32)}
	for v := range new(Config).Variables {
		if v.secret && env[v.Name] != "" {
			hidden = append(hidden, env[v.Name])
		}
	}
	return hidden
}

// assertHidden fails if a secret shows in text.
func assertHidden(t rapid.TB, text string, hidden []string) {
	t.Helper()
	for _, h := range hidden {
		if strings.Contains(text, h) {
			t.Errorf("%q shows in: %s", h, text)
		}
	}
}

func TestConfigFull(t *testing.T) {
	c, err := parseConfig(LookupIn(fullEnv()))
	if err != nil {
		t.Fatal(err)
	}
	if c.BotToken.Reveal() != goodToken || c.ResellerKey.Reveal() != goodAPIKey || c.WebhookSecret.Reveal() != goodHook {
		t.Error("a secret did not arrive")
	}
	if fmt.Sprint(c.BackupRecipients) != "["+ageRecipient+" "+ageRecipient2+"]" {
		t.Errorf("recipients %v", c.BackupRecipients)
	}
	if c.Zone.String() != "Europe/Paris" {
		t.Errorf("zone %v", c.Zone)
	}
	got := fmt.Sprint(c.TelegramURL, c.WebhookURL, c.ResellerURL, c.Generation, c.PerSecond, c.GetPerMinute, c.PostPerMinute, c.GlobalScope,
		c.PurchaseTimeout, c.ReconcileFor, c.Database, c.HTTPAddr, c.BackupDir, c.BackupSchedule, c.BackupKeep, c.Operator, c.InviteOnly, c.Language,
		c.PollSchedule, c.BalanceSchedule, c.StockSchedule, c.LogLevel, c.LogText,
		c.Names.Arena, c.Names.BattleRoyale, c.Names.SportsTV, c.Names.BattleRoyaleProducts.Has(12, ""), c.Names.SportsTVProducts.Has(1, "قنوات رياضة"),
		c.Names.InternetProducts.Has(1, "Home 4 G"), c.Names.TopupProducts.Has(12, ""), c.ServiceZone.String(), c.PurchaseKeyID, c.PollBeatsOnly)
	want := fmt.Sprint("http://127.0.0.1:9000/tg", "https://shop.example/telegram/hook", "https://reseller.example/api", "current", 25, 50, 20, true,
		20*time.Second, 5*time.Minute, "/data/shop.db", ":9090", "/backup", "30 4 * * *", 30, int64(123456789), true, "ar",
		"@every 2s", "*/10 * * * *", "@hourly", slog.LevelDebug, true,
		"freegame", "Last-Circle", "sport.tv", true, true, true, true, "Africa/Algiers", int64(31), true)
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestConfigDefaults(t *testing.T) {
	c, err := parseConfig(LookupIn(LeastEnv()))
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(c.TelegramURL, c.WebhookURL, c.Generation, c.PerSecond, c.GetPerMinute, c.PostPerMinute, c.GlobalScope,
		c.PurchaseTimeout, c.ReconcileFor, c.Database, c.HTTPAddr,
		c.BackupDir, c.BackupSchedule, c.BackupKeep, len(c.BackupRecipients), c.Operator, c.InviteOnly, c.Language, c.Zone,
		c.PollSchedule, c.BalanceSchedule, c.StockSchedule, c.LogLevel, c.LogText)
	want := fmt.Sprint("https://api.telegram.org", "", "", 28, 60, 30, false,
		30*time.Second, 10*time.Minute, "data/bot.db", "127.0.0.1:8080",
		"", "@daily", 7, 0, int64(0), false, "fr", "Africa/Algiers",
		"@every 1s", "@every 5m", "@every 15m", slog.LevelInfo, false)
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if c.ServiceZone != nil || c.PurchaseKeyID != 0 || !c.Names.TopupProducts.Empty() {
		t.Error("what is not known of the service is taken for known")
	}
	if !c.ResellerKey.IsZero() || !c.WebhookSecret.IsZero() {
		t.Error("secrets without a default must be empty")
	}
}

// Every variable is read, and every good value is good alone, beside the least environment.
func TestConfigGoodValues(t *testing.T) {
	good := map[string][]string{
		"TELEGRAM_BOT_TOKEN":  {"1:a", " 1:a\n"},
		"TELEGRAM_API_URL":    {"https://bot.example", "http://localhost:8081", "http://[::1]:80", "HTTPS://bot.example/x/"},
		"RESELLER_API_URL":    {"http://LOCALHOST/api", "http://127.9.9.9:1/api", "https://a.example/v1/api"},
		"RESELLER_API_KEY":    {"k", "a.b-c_d/e+f=~!#$%&()*[]^{|}:;<>?@,"},
		"ARENA_SEGMENT":       {"x", "A1", "a-b_c.d"},
		"SPORTSTV_PRODUCTS":   {"12", "sports, tv plus", "بين سبورت"},
		"TOPUP_PRODUCTS":      {"battleroyale", "internet, 4"},
		"TELEGRAM_PER_SECOND": {"1", "100000"},
		"GET_PER_MINUTE":      {"1", "100000"},
		"PURCHASE_TIMEOUT":    {"1ms", "1h30m"},
		"ENCRYPTION_KEYS":     {"k:" + masterKey("k", 32)},
		"HTTP_ADDR":           {"", "[::1]:80", "0.0.0.0:0"},
		"OWNER_CHAT_ID":       {"1", "", "7000000000000"},
		"TIMEZONE":            {"UTC"},
		"LOG_LEVEL":           {"warn", "error", "", " "},
		"POLL_SCHEDULE":       {"@every 1m30s", "0 9 * * MON-FRI"},
	}
	for name, values := range good {
		for _, value := range values {
			env := LeastEnv()
			env[name] = value
			if _, err := parseConfig(LookupIn(env)); err != nil {
				t.Errorf("%s=%q: %v", name, value, err)
			}
		}
	}
	env := LeastEnv()
	env["HTTP_ADDR"] = ""
	if c, err := parseConfig(LookupIn(env)); err != nil || c.HTTPAddr != "" {
		t.Errorf("an empty HTTP_ADDR switches HTTP off, got %q, %v", c.HTTPAddr, err)
	}
}

func TestConfigWrongValues(t *testing.T) {
	wrong := wrongValues()
	for v := range new(Config).Variables {
		if len(wrong[v.Name]) == 0 && v.Name != "DATABASE_PATH" && v.Name != "BACKUP_DIR" {
			t.Errorf("no wrong value is tried for %s", v.Name)
		}
		for _, value := range wrong[v.Name] {
			env := fullEnv()
			env[v.Name] = value
			assertOneWrong(t, env, v)
		}
	}
}

// One thing wrong anywhere ends with exit code 2 and one line, which names the variable and no secret.
func TestConfigOneThingWrong(t *testing.T) {
	wrong := wrongValues()
	var rows []variable
	for v := range new(Config).Variables {
		if len(wrong[v.Name]) > 0 {
			rows = append(rows, v)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		v := rapid.SampledFrom(rows).Draw(rt, "variable")
		env := LeastEnv()
		full := fullEnv()
		if strings.HasPrefix(v.Name, "WEBHOOK") {
			env = full // the two are wrong alone, and without HTTP_ADDR
		}
		for _, name := range slices.Sorted(maps.Keys(full)) {
			if !strings.HasPrefix(name, "WEBHOOK") && rapid.Bool().Draw(rt, name) {
				env[name] = full[name]
			}
		}
		env[v.Name] = rapid.SampledFrom(wrong[v.Name]).Draw(rt, "value")
		assertOneWrong(rt, env, v)
	})
}

// The same holds wherever the variables come from: each from the environment or from the file .env, which may
// hold another value for it that is not asked for. Nothing is made then, not even an empty database.
func TestConfigOneThingWrongAnywhere(t *testing.T) {
	wrong := wrongValues()
	rows := slices.Collect(new(Config).Variables)
	rows = slices.DeleteFunc(rows, func(v variable) bool { return len(wrong[v.Name]) == 0 })
	rapid.Check(t, func(rt *rapid.T) {
		v := rapid.SampledFrom(rows).Draw(rt, "variable")
		env := fullEnv()
		env["DATABASE_PATH"] = "folder/bot.db"
		env[v.Name] = rapid.SampledFrom(wrong[v.Name]).Draw(rt, "value")
		environment, file := map[string]string{}, strings.Builder{}
		for _, name := range slices.Sorted(maps.Keys(env)) {
			inFile := rapid.Bool().Draw(rt, name+" in the file")
			if !inFile {
				environment[name] = env[name]
			}
			if inFile || rapid.Bool().Draw(rt, name+" there as well") {
				value := env[name]
				if !inFile {
					value = "overridden"
				}
				fmt.Fprintf(&file, "%s='%s'\n", name, value)
			}
		}
		dir := WriteDotenv(t, file.String())
		assertOneWrongIn(rt, dir, environment, env, v)
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
			rt.Errorf("the folder holds %v, %v", entries, err)
		}
	})
}

// assertOneWrong runs the bot in an environment with one thing wrong.
func assertOneWrong(t rapid.TB, env map[string]string, v variable) {
	assertOneWrongIn(t, nowhere, env, env, v)
}

// assertOneWrongIn runs the bot in a folder, where environment and folder together have one thing wrong.
func assertOneWrongIn(t rapid.TB, dir string, environment, env map[string]string, v variable) {
	var stdout, stderr bytes.Buffer
	code := Start(canceled(), World{Lookup: LookupIn(environment), Stdout: &stdout, Stderr: &stderr, Dir: dir})
	said := stderr.String()
	if code != ExitRefused || strings.Count(said, "\n") != 1 || stdout.Len() > 0 {
		t.Fatalf("%s=%q: exit code %d, said %q", v.Name, env[v.Name], code, said)
	}
	if !strings.HasPrefix(said, v.Name+": ") || !strings.Contains(said, "; accepted: "+v.accepted) {
		t.Errorf("%s=%q: said %q", v.Name, env[v.Name], said)
	}
	assertHidden(t, said, secretsOf(env))
}

func TestConfigManyThingsWrong(t *testing.T) {
	env := map[string]string{"LOG_LEVEL": "loud", "GET_PER_MINUTE": "none", "RESELLER_API_URL": "http://example.com/"}
	_, err := parseConfig(LookupIn(env))
	var problems configError
	if !errors.As(err, &problems) {
		t.Fatalf("got %v", err)
	}
	var names []string
	for _, p := range problems {
		names = append(names, p.name)
	}
	want := []string{"TELEGRAM_BOT_TOKEN", "RESELLER_API_URL", "GET_PER_MINUTE", "ENCRYPTION_KEYS", "LOG_LEVEL"}
	if !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

func TestConfigWebhookNeedsAll(t *testing.T) {
	for _, test := range []struct{ without, wrong string }{
		{"WEBHOOK_URL", "WEBHOOK_URL: is missing, but WEBHOOK_SECRET is set"},
		{"WEBHOOK_SECRET", "WEBHOOK_SECRET: is missing, but WEBHOOK_URL is set"},
		{"HTTP_ADDR", "WEBHOOK_URL: needs HTTP_ADDR, which is empty"},
	} {
		env := fullEnv()
		env[test.without] = ""
		_, err := parseConfig(LookupIn(env))
		if err == nil || !strings.HasPrefix(err.Error(), test.wrong) || strings.Contains(err.Error(), "\n") {
			t.Errorf("without %s: %v", test.without, err)
		}
	}
}

// A product is of one family, and a word in paths is one family's: what is neither is refused, and both variables are named.
func TestConfigNamesApart(t *testing.T) {
	for _, test := range []struct{ name, value, wrong string }{
		{"BATTLEROYALE_SEGMENT", "arena", "BATTLEROYALE_SEGMENT: is the word of ARENA_SEGMENT too"},
		{"SPORTSTV_SEGMENT", "battleroyale", "SPORTSTV_SEGMENT: is the word of BATTLEROYALE_SEGMENT too"},
		{"SPORTSTV_SEGMENT", "arena", "SPORTSTV_SEGMENT: is the word of ARENA_SEGMENT too"},
		{"SPORTSTV_PRODUCTS", "stadium, Battle Royale", "SPORTSTV_PRODUCTS: has as entry 2 what entry 1 of BATTLEROYALE_PRODUCTS matches as well"},
		{"INTERNET_PRODUCTS", "12, sports TV plus", "INTERNET_PRODUCTS: has as entry 2 what entry 1 of SPORTSTV_PRODUCTS matches as well"},
		{"SPORTSTV_PRODUCTS", "internet tv", "INTERNET_PRODUCTS: has as entry 1 what entry 1 of SPORTSTV_PRODUCTS matches as well"},
		{"BATTLEROYALE_PRODUCTS", "sportstv", "SPORTSTV_PRODUCTS: has as entry 1 what entry 1 of BATTLEROYALE_PRODUCTS matches as well"},
	} {
		env := LeastEnv()
		env[test.name] = test.value
		_, err := parseConfig(LookupIn(env))
		if err == nil || !strings.HasPrefix(err.Error(), test.wrong) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s=%s: %v", test.name, test.value, err)
		}
	}
}

// TestConfigIsPromised: scripts and other programs rely on these names and defaults. One that is not among them is told
// here, so that nobody renames what others set.
func TestConfigIsPromised(t *testing.T) {
	promised := map[string]string{
		"TELEGRAM_BOT_TOKEN": "required", "TELEGRAM_API_URL": "https://api.telegram.org", "WEBHOOK_URL": "none", "WEBHOOK_SECRET": "none",
		"RESELLER_API_URL": "required", "RESELLER_API_GENERATION": "auto", "RESELLER_API_KEY": "none", "PURCHASE_TIMEOUT": "30s", "RECONCILE_FOR": "10m",
		"ARENA_SEGMENT": "arena", "BATTLEROYALE_SEGMENT": "battleroyale", "SPORTSTV_SEGMENT": "sportstv",
		"BATTLEROYALE_PRODUCTS": "the word of BATTLEROYALE_SEGMENT", "SPORTSTV_PRODUCTS": "the word of SPORTSTV_SEGMENT", "INTERNET_PRODUCTS": "internet",
		"TOPUP_PRODUCTS": "none", "SERVICE_TIMEZONE": "none", "PURCHASE_KEY_ID": "none",
		"TELEGRAM_PER_SECOND": "28", "GET_PER_MINUTE": "60", "POST_PER_MINUTE": "30", "RATE_SCOPE": "key", "ENCRYPTION_KEYS": "required", "DATABASE_PATH": "data/bot.db",
		"DATABASE_URL": "none", "DATABASE_STANDBY": "warn",
		"HTTP_ADDR": "127.0.0.1:8080", "OWNER_CHAT_ID": "none", "ACCESS": "open", "DEFAULT_LANGUAGE": "fr", "TIMEZONE": "Africa/Algiers",
		"POLL_SCHEDULE": "@every 1s", "POLL_BETWEEN": "on", "BALANCE_SCHEDULE": "@every 5m", "STOCK_SCHEDULE": "@every 15m",
		"LOG_LEVEL": "info", "LOG_FORMAT": "json",
		"BACKUP_DIR": "none", "BACKUP_SCHEDULE": "@daily", "BACKUP_KEEP": "7", "BACKUP_RECIPIENTS": "none",
	}
	example, readme := envExample(), readmeTable()
	for v := range new(Config).Variables {
		if promised[v.Name] != v.standard() {
			t.Errorf("%s stands for %q where it is not set, %q was promised", v.Name, v.standard(), promised[v.Name])
		}
		delete(promised, v.Name)
		if !strings.Contains(example, v.Name+"='") || !strings.Contains(readme, "| `"+v.Name+"` |") {
			t.Errorf("%s is not in .env.example, or not in the README", v.Name)
		}
	}
	if len(promised) > 0 {
		t.Errorf("promised and not there: %v", promised)
	}
}

func TestConfigPrintsNoSecret(t *testing.T) {
	env := fullEnv()
	c, err := parseConfig(LookupIn(env))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		fmt.Fprintf(&out, verb, c)
		fmt.Fprintf(&out, verb, &c)
	}
	slog.New(slog.NewTextHandler(&out, nil)).Info("config", "c", c, "p", &c)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("config", "c", c, "p", &c)
	if err := json.NewEncoder(&out).Encode(c); err != nil {
		t.Fatal(err)
	}
	hidden := secretsOf(env)
	for _, h := range hidden {
		hidden = append(hidden, fmt.Sprintf("%x", h))
	}
	assertHidden(t, out.String(), hidden)
}
