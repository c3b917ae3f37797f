//go:build defects

package proof

// sandboxDefects are mistakes in what serves the simulators to bots and clients of others.
func sandboxDefects() []defect {
	const (
		honest = "the sandbox misleads nobody about what it does not have"
		closed = "the sandbox is for whoever it was opened to"
	)
	return []defect{
		{
			name:   "methods that are not emulated answer ok",
			file:   "internal/sandbox/tgsim/methods.go",
			old:    `	case !s.options.Lenient:`,
			new:    `	case false:`,
			breaks: "a bot passes its tests with a method that was never tried",
			holds:  honest,
			by:     "./internal/sandbox/tgsim -run TestNotImplemented",
		},
		{
			name:   "pages of other sites are served",
			file:   "internal/sandbox/tgsim/guard.go",
			old:    `		case foreign(r):`,
			new:    `		case false:`,
			breaks: "any page that is open in the browser sends messages as the bot",
			holds:  closed,
			by:     "./internal/sandbox/tgsim -run TestGuardOfOrigins",
		},
		{
			name:   "the sandbox gives up connections that were opened ahead of their use",
			file:   "internal/sandbox/alone.go",
			old:    `ReadHeaderTimeout: unusedLife,`,
			new:    `ReadHeaderTimeout: 5 * time.Second,`,
			breaks: "a page that was left alone for some seconds loses its next request",
			holds:  honest,
			by:     "./internal/sandbox -run TestSandboxUnusedConnections",
		},
		{
			name:   "webhooks lead anywhere",
			file:   "internal/sandbox/tgsim/webhook.go",
			old:    `!slices.Contains(hosts, strings.ToLower(host)) {`,
			new:    `false {`,
			breaks: "the sandbox posts to the internet",
			holds:  closed,
			by:     "./internal/sandbox/tgsim -run TestWebhookLeavesNothing",
		},
		{
			name:   "all bots are in one world",
			file:   "internal/sandbox/worlds/worlds.go",
			old:    `bool { return w.token == token || strconv.Itoa(w.number) == token })`,
			new:    `bool { return w != nil || strconv.Itoa(w.number) == token })`,
			breaks: "a bot reads what was written to another",
			holds:  "each token is a bot of a world of its own",
			by:     "./internal/sandbox/worlds -run TestSnapshotAndReset",
		},
		{
			name:   "a tap on what is not there is no error",
			file:   "internal/sandbox/worlds/offers.go",
			old:    `	if p.ask.Stale {`,
			new:    `	if true {`,
			breaks: "a test taps nothing, and waits for an answer",
			holds:  honest,
			by:     "./internal/sandbox/worlds -run TestPeopleTouch",
		},
		{
			name:   "a command for an account that is not there is done",
			file:   "internal/api/sim/panel.go",
			old:    `		if s.account(c.Key) == nil {`,
			new:    `		if false {`,
			breaks: "money is moved on no wallet, and nobody says so",
			holds:  honest,
			by:     "./internal/sandbox/worlds -run TestNoEffect",
		},
		{
			name:   "links do not cut styles",
			file:   "internal/sandbox/tgsim/entities.go",
			old:    `	return resplit(runs, slices.Concat(others, fresh, quotes))`,
			new:    `	all := slices.Concat(runs, others, fresh, quotes); order(all); return all`,
			breaks: "a bot that copies a message by its entities was tried with others than Telegram's",
			holds:  "entities are as Telegram leaves them",
			by:     "./internal/sandbox/tgsim -run TestEntities$",
		},
		{
			name: "a token that nobody can vouch for is let in",
			file: "internal/sandbox/alone.go",
			old: `	if err != nil {
		return unknown
	}
	defer resp.Body.Close()`,
			new: `	if err != nil {
		return nil
	}
	defer resp.Body.Close()`,
			breaks: "a real bot's token is used in a sandbox that was to refuse it",
			holds:  closed,
			by:     "./internal/sandbox -run TestRealTokensAreRefused",
		},
		{
			name:   "updates of a world that was put back have numbers that the bot has confirmed",
			file:   "internal/sandbox/worlds/worlds.go",
			old:    `		next.ContinueUpdates(w.telegram.NextUpdate())`,
			new:    `		next.NextUpdate()`,
			breaks: "a bot that goes on after a reset never sees what people write",
			holds:  honest,
			by:     "./internal/sandbox/worlds -run TestResetGoesOn",
		},
		{
			name:   "a restore hands out the snapshot itself",
			file:   "internal/sandbox/worlds/world.go",
			old:    `	c.world.put(copyTelegram(then))`,
			new:    `	c.world.put(then)`,
			breaks: "the second restore begins with what happened after the first one",
			holds:  honest,
			by:     "./internal/sandbox/worlds -run TestRestore$",
		},
		{
			name:   "what Telegram demands of webhooks is not demanded",
			file:   "internal/sandbox/tgsim/webhook.go",
			old:    `o.Strict && no != nil {`,
			new:    `!o.Strict && no != nil && false {`,
			breaks: "a webhook works in the sandbox that Telegram will refuse",
			holds:  honest,
			by:     "./internal/sandbox/tgsim -run TestStrictWebhook",
		},
		{
			name:   "what it costs to send something is not paid",
			file:   "internal/sandbox/tgsim/shipping.go",
			old:    `pay.Option, pay.Total = option, pay.Total+pay.Offers[chosen].Total`,
			new:    `pay.Option = option`,
			breaks: "a bot is asked for less than it has offered",
			holds:  honest,
			by:     "./internal/sandbox/tgsim -run TestShipping",
		},
	}
}
