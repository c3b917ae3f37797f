package app

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"resellerbot/internal/api"
	"resellerbot/internal/secret"
)

// checkVerb is `bot check`: the database, or with -service what the service shows to a key.
func checkVerb(ctx context.Context, w World, args []string) error {
	flags := flag.NewFlagSet("check", flag.ContinueOnError)
	// The flag set would quote what it cannot read, which may be a key.
	flags.SetOutput(io.Discard)
	service := flags.Bool("service", false, "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return err
	case err != nil || flags.NArg() > 0: // what was given may be a key: it is not said again
		return UsageError("check takes -service or nothing; a key comes in RESELLER_API_KEY or on standard input, never as an argument")
	case *service:
		return checkService(ctx, w)
	}
	return check(ctx, w)
}

// checkService says what the service shows to a key, by GETs alone: nothing is bought, no player is asked about, and the
// database is left alone.
func checkService(ctx context.Context, w World) error {
	cfg, err := loadServiceConfig(w)
	if err != nil {
		return err
	}
	key, from, err := serviceKey(w, &cfg)
	if err != nil {
		return err
	}
	client, err := api.New(api.Config{
		BaseURL: cfg.ResellerURL, Dial: w.Dial, GetPerMinute: cfg.GetPerMinute, PostPerMinute: cfg.PostPerMinute, Generation: cfg.Generation,
		Names: cfg.Names, ReadTimeout: readTimeout, UserAgent: "resellerbot/" + w.Version,
	})
	if err != nil {
		return fmt.Errorf("RESELLER_API_URL: %w", err)
	}
	defer client.Close()
	found, err := client.As(key).Survey(ctx)
	if err != nil {
		return cfg.hideIn(fmt.Errorf("look at the service with the key from %s: %w", from, err))
	}
	report := surveyReport{w: w.Stdout, cfg: cfg, found: found}
	report.print(from)
	// The report is printed all the same: it says what was seen, which is where to begin.
	if !found.Known {
		return errors.New("the service answers, and none of its two generations tells whose key it is")
	}
	return nil
}

// loadServiceConfig reads what speaking to the service needs. What else is wrong, or missing, is no matter for that.
func loadServiceConfig(w World) (Config, error) {
	lookup, err := withDotenv(w.Lookup, w.Dir)
	if err != nil {
		return Config{}, err
	}
	var c Config
	needed := map[string]bool{}
	for _, list := range [][]variable{c.serviceVariables(), c.nameVariables(), c.limitVariables()} {
		for _, v := range list {
			needed[v.Name] = true
		}
	}
	// All variables are read, for what they hold is hidden in errors; the problems of others are dropped.
	problems := c.fill(lookup)
	problems = slices.DeleteFunc(problems, func(p problem) bool { return !needed[p.name] })
	if len(problems) > 0 {
		return Config{}, problems
	}
	return c, nil
}

// serviceKey is the key to look with, and where it came from.
func serviceKey(w World, cfg *Config) (key secret.Text, from string, err error) {
	if !cfg.ResellerKey.IsZero() {
		return cfg.ResellerKey, "RESELLER_API_KEY", nil
	}
	const longest = 4 << 10
	if w.Stdin == nil {
		w.Stdin = strings.NewReader("")
	}
	fmt.Fprintln(w.Stderr, "RESELLER_API_KEY is not set: the key is read from standard input, on one line.")
	// Standard input and never an argument: arguments are seen by everybody on the machine.
	line, err := bufio.NewReader(io.LimitReader(w.Stdin, longest)).ReadString('\n')
	if line = strings.TrimSpace(line); line == "" || err != nil && !errors.Is(err, io.EOF) {
		return key, "", UsageError("check -service needs a key, in RESELLER_API_KEY or on standard input")
	}
	if key, err = apiKey(line); err != nil {
		return key, "", UsageError("the key on standard input " + err.Error())
	}
	// So that no error shows it.
	cfg.secrets = append(cfg.secrets, key)
	return key, "standard input", nil
}

// surveyReport prints what was found, in sentences.
type surveyReport struct {
	w       io.Writer
	cfg     Config
	found   api.Survey
	unknown []string // what could not be found out
}

func (r *surveyReport) linef(format string, args ...any) { fmt.Fprintf(r.w, format+"\n", args...) }

// doubtf notes something that stays unknown.
func (r *surveyReport) doubtf(format string, args ...any) {
	r.unknown = append(r.unknown, fmt.Sprintf(format, args...))
}

func (r *surveyReport) print(from string) {
	r.linef("Service: %s, with the key from %s. Nothing but GET was sent.", r.cfg.ResellerURL, from)
	r.generation()
	r.linef("\nAnswers:")
	for _, reading := range r.found.Readings {
		r.reading(reading)
	}
	r.linef("\nProducts (%d):", len(r.found.Products))
	r.families()
	r.linef("\nTimes:")
	r.times()
	if r.cfg.PurchaseKeyID == 0 {
		r.doubtf("whether purchases need a key_id: PURCHASE_KEY_ID is not set, and none is sent")
	}
	r.linef("\nUnknown:")
	for _, u := range r.unknown {
		r.linef("  - %s", u)
	}
}

// generation says which interface is spoken, and whose the key is.
func (r *surveyReport) generation() {
	var speaks []string
	for _, g := range r.found.Speaks {
		speaks = append(speaks, string(g))
	}
	switch {
	case len(speaks) == 0:
		r.linef("Generation: neither current (/account) nor legacy (/account/balance) tells whose key it is.")
	case r.cfg.Generation != api.Unsettled && !slices.Contains(r.found.Speaks, r.cfg.Generation):
		r.linef("Generation: RESELLER_API_GENERATION says %s, and the service answers in %s alone.", r.cfg.Generation, strings.Join(speaks, " and "))
	case r.cfg.Generation != api.Unsettled:
		r.linef("Generation: %s, as RESELLER_API_GENERATION says; it answers in %s.", r.cfg.Generation, strings.Join(speaks, " and "))
	default:
		r.linef("Generation: it answers in %s; the bot speaks %s.", strings.Join(speaks, " and "), speaks[0])
	}
	if a := r.found.Account; r.found.Known && a.UserID != 0 {
		r.linef("Account: %s, user %d.", quoted(a.Name), a.UserID)
	} else if r.found.Known {
		r.linef("Account: the service does not tell whose it is; the bot knows it by its key.")
	}
	if r.found.Known && r.found.Lists == api.Unsettled {
		r.doubtf("which generation the shape of /products is: it has no field that tells")
	}
}

// reading says what one answer looked like.
func (r *surveyReport) reading(a api.Reading) {
	name := a.Op
	if a.Generation != api.Unsettled {
		name += " (" + string(a.Generation) + ")"
	}
	if a.Err != nil {
		r.linef("  %s: not here (%v).", name, a.Err)
		// What is not found is not offered, which is an answer; anything else may be there.
		if a.Err.Class != api.NotFound {
			r.doubtf("what %s answers", a.Op)
		}
		return
	}
	says := []string{strconv.Itoa(a.Entries) + " entries"}
	if a.Entries == 1 {
		says[0] = "1 entry"
	}
	if !a.Enveloped {
		says = append(says, "without the envelope")
	}
	if a.Odd > 0 {
		says = append(says, fmt.Sprintf("%d of them cannot be read", a.Odd))
	}
	if a.Paged {
		says = append(says, "it says that there are more, which are not shown here")
	}
	if len(a.Never) > 0 {
		says = append(says, "documented and never there: "+fieldList(a.Never))
	}
	if len(a.Extra) > 0 {
		says = append(says, "there and not documented: "+fieldList(a.Extra))
	}
	r.linef("  %s: %s.", name, strings.Join(says, "; "))
	if a.Entries == 0 {
		r.doubtf("what an entry of %s looks like: there is none yet", a.Op)
	}
}

// families says which product is of which family, and what comes of it.
func (r *surveyReport) families() {
	if r.found.Plans > 0 {
		r.linef("  arena: %d plans at /%s/plans.", r.found.Plans, r.cfg.Names.Complete().Arena)
	} else {
		r.linef("  arena: no plans at /%s/plans; ARENA_SEGMENT is the word there.", r.cfg.Names.Complete().Arena)
	}
	for _, f := range []struct {
		family   api.Family
		variable string
	}{{api.BattleRoyale, "BATTLEROYALE_PRODUCTS"}, {api.SportsTV, "SPORTSTV_PRODUCTS"}, {api.Internet, "INTERNET_PRODUCTS"}} {
		list := r.products(func(p api.Surveyed) bool { return p.Family == f.family })
		if len(list) == 0 {
			r.linef("  %s: none; %s says which are.", f.family, f.variable)
			continue
		}
		r.linef("  %s: %s.", f.family, strings.Join(list, ", "))
	}
	r.linef("  other top-ups: %s.", orNone(r.products(func(p api.Surveyed) bool { return p.Family == api.Goods && p.Topup() })))
	// These ask for somebody and are of no family that is checked: it is seen after the first purchase alone what they bring.
	open := r.products(func(p api.Surveyed) bool { return p.Family == api.Goods && !p.Topup() && p.Personal() })
	r.linef("  for somebody, and of no family: %s.", orNone(open))
	if len(open) > 0 {
		r.doubtf("whether these bring codes: %s. A success without one counts as topped up after a minute; TOPUP_PRODUCTS says so at once", strings.Join(open, ", "))
	}
	r.linef("  codes: %d.", len(r.products(func(p api.Surveyed) bool { return !p.Personal() })))
	for _, p := range r.found.Products {
		if len(p.Others) > 0 {
			r.linef("  %s counts as %s, though its name is also one of %s.", productName(p), cmp.Or(string(p.Family), "goods"), p.Others[0])
		}
		if p.RequiresInput && len(p.Inputs) == 1 && p.Inputs[0].Label == "" {
			r.doubtf("what %s asks for: requires_input is set, and its input_fields do not say", productName(p))
		}
	}
	if len(r.found.Products) > 0 && !slices.ContainsFunc(r.found.Products, func(p api.Surveyed) bool { return p.Kind != "" }) {
		r.doubtf("which products are top-ups, as far as none of these variables says so: no product has a kind")
	}
}

// products names the products that are so.
func (r *surveyReport) products(are func(api.Surveyed) bool) (list []string) {
	for _, p := range r.found.Products {
		if are(p) {
			list = append(list, productName(p))
		}
	}
	return list
}

// times says whether times name a zone.
func (r *surveyReport) times() {
	zoneless := false
	for _, a := range r.found.Readings {
		if f := a.Times; f.Zoned+f.Zoneless+f.Odd > 0 {
			r.linef("  %s: %d name their zone, %d do not, %d cannot be read.", a.Op, f.Zoned, f.Zoneless, f.Odd)
			zoneless = zoneless || f.Zoneless > 0
		}
	}
	switch {
	case r.cfg.ServiceZone != nil:
		r.linef("  Those that name none are of %s, as SERVICE_TIMEZONE says.", r.cfg.ServiceZone)
	case zoneless:
		r.linef("  SERVICE_TIMEZONE is not set: those that name no zone count as unknown until the account's own purchases prove one.")
		r.doubtf("the zone of times that name none")
	default:
		r.linef("  None was seen that names no zone; those of arena top-ups are documented to name none.")
		if r.found.Plans > 0 {
			r.doubtf("the zone of times of arena top-ups, unless SERVICE_TIMEZONE says it")
		}
	}
}

// orNone is a list in words.
func orNone(list []string) string { return cmp.Or(strings.Join(list, ", "), "none") }

// productName is a product by its id and name.
func productName(p api.Surveyed) string {
	return strconv.FormatInt(p.ID, 10) + " " + quoted(p.Name)
}

// fieldList is names of fields, which come from outside.
func fieldList(fields []string) string {
	var out []string
	for _, f := range fields {
		// Names of fields are printed as they are where they look like such; any other sign may steer a terminal.
		plain := func(c rune) bool {
			return c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' || c == '.')
		}
		if strings.ContainsFunc(f, func(c rune) bool { return !plain(c) }) {
			f = quoted(f)
		}
		out = append(out, f)
	}
	return strings.Join(out, ", ")
}

// quoted is a text of the service, fit to be printed to a terminal.
func quoted(text string) string {
	const longest = 60
	if all := []rune(text); len(all) > longest {
		text = string(all[:longest]) + "…"
	}
	return strconv.QuoteToGraphic(text)
}
