//go:build defects

package proof

import "slices"

// nightDefects are mistakes that an operator meets: in files, copies, exit codes, clocks and alerts.
func nightDefects() []defect {
	return slices.Concat(fileDefects(), watchDefects(), operatorDefects(), troubleDefects())
}

// troubleDefects are mistakes with what whoever operates the bot is told of it.
func troubleDefects() []defect {
	const told, watch, app = "the operator is told", "internal/notify/trouble.go", "internal/app/troubles.go"
	return []defect{
		{
			name:   "what wavers is told each time",
			file:   watch,
			old:    `	wellFor = 3 * time.Minute`,
			new:    `	wellFor = 0`,
			breaks: "a chat full of troubles that nobody reads any more",
			holds:  told,
			by:     "./internal/notify -run TestTroubleThatWavers",
		},
		{
			name:   "a trouble is told with a sound",
			file:   watch,
			old:    `t.Since.UTC().Format(time.RFC3339), "yes"`,
			new:    `t.Since.UTC().Format(time.RFC3339), ""`,
			breaks: "the phone rings at three in the morning for a full disk's first warning",
			holds:  told,
			by:     "./internal/app -run TestOperatorHears",
		},
		{
			name:   "a refused key is the shop's matter alone",
			file:   app,
			old:    `		if r.times[account]++; r.times[account] >= keyRefusals {`,
			new:    `		if r.times[account] = 1; r.times[account] >= keyRefusals {`,
			breaks: "a house key that was revoked is found by the first customer",
			holds:  told,
			by:     "./internal/app -run TestOperatorHears",
		},
		{
			name: "a restart takes a failing copy for a good one",
			file: app,
			old: `	case ran:
		return notify.Condition{State: notify.Well}, nil`,
			new: `	default:
		return notify.Condition{State: notify.Well}, nil`,
			also:   []edit{{app, `	ran, failed := a.jobsRan.Last(backupJob)`, `	_, failed := a.jobsRan.Last(backupJob)`}},
			breaks: "the operator is told that backups are made again, and none is",
			holds:  told,
			by:     "./internal/app -run TestOperatorHears",
		},
		{
			name:   "a schedule of the operator's own counts as late",
			file:   app,
			old:    `		return due.Add(every), err`,
			new:    `		return due.Add(every * 0), err`,
			breaks: "a warning every day that nobody can do anything about",
			holds:  told,
			by:     "./internal/app -run TestOperatorHearsOfLateOrders",
		},
		{
			name:   "a small database may have a full disk",
			file:   app,
			old:    `	least := max(leastRoom, size/roomShare)`,
			new:    `	least := size / roomShare`,
			breaks: "the disk fills, and nobody hears of it before the bot stops",
			holds:  told,
			by:     "./internal/app -run TestRoom",
		},
	}
}

// operatorDefects are mistakes with what an operator sees of the running bot, and does to it.
func operatorDefects() []defect {
	const secret, told, server = "secrets stay secret", "the operator is told", "internal/control/server.go"
	return []defect{
		{
			name:   "the socket is everybody's",
			file:   "internal/app/socket.go",
			old:    `const ownerOnly = 0o600`,
			new:    `const ownerOnly = 0o666`,
			breaks: "whoever has an account on the machine takes a copy of the database",
			holds:  secret,
			by:     "./internal/app -run TestSocketIsItsOwners",
		},
		{
			name:   "the story of a purchase tells its code",
			file:   "internal/control/status.go",
			old:    `Status: o.Status, Codes`,
			new:    `Status: o.Code.Reveal(), Codes`,
			breaks: "codes are on the operator's screen",
			holds:  secret,
			by:     "./internal/app -run TestStoryHidesSecrets",
		},
		{
			name:   "half a copy is taken for whole",
			file:   server,
			old:    `		panic(http.ErrAbortHandler)`,
			new:    `		return`,
			breaks: "the copy of before the upgrade is none",
			holds:  told,
			by:     "./internal/control -run TestCutCopy",
		},
		{
			name:   "a look looks for nothing",
			file:   server,
			old:    `		p.LookAt = time.Now()`,
			new:    `		p.LookAt = p.LookAt.Add(0)`,
			breaks: "the operator believes what nobody has asked for",
			holds:  told,
			by:     "./internal/app -run TestOperatorHasUncertainLookedFor",
		},
		{
			name: "a copy that goes straight to its place is not read",
			file: "internal/app/backup.go",
			old: `		return c.checkCopy(ctx, f.Name())
	})
	if err != nil {`,
			new: `		return nil
	})
	if err != nil {`,
			breaks: "a damaged copy takes the place of the last good one",
			holds:  told,
			by:     "./internal/app -run TestBackupWithoutRoom",
		},
		{
			name:   "a rehearsal is the restore",
			file:   "internal/app/restore.go",
			old:    `		act = newRestoration(w, cfg).rehearse`,
			new:    `		act = newRestoration(w, cfg).run`,
			breaks: "who wanted to know has put the database of last week in place",
			holds:  told,
			by:     "./internal/app -run TestRestoreIsRehearsed",
		},
		{
			name:   "the newest database that was put aside goes too",
			file:   "internal/app/examine.go",
			old:    `	asideKept = 1 `,
			new:    `	asideKept = 0 `,
			breaks: "what a restore has replaced by mistake is lost",
			holds:  told,
			by:     "./internal/app -run TestLeftoversGo",
		},
		{
			name:   "a replay buys what nobody waits for",
			file:   "internal/conversations/again.go",
			old:    `	if !promised {`,
			new:    `	if !promised && phase == string(store.Asked) {`,
			breaks: "who was told that nothing was done has bought elsewhere, and pays twice",
			holds:  "every spend has one tap",
			by:     "./internal/app -run TestReplayBuysNothing",
		},
		{
			name: "what a transaction that runs again tells of is logged with each run",
			file: "internal/purchase/refunds.go",
			old: `	tx.Then(func() {
		e.cfg.Log.Info("refund seen", "purchase", o.Purchase, "account", o.Account, "order", o.ID, "refund", string(o.Refund))
	})`,
			new:    `	e.cfg.Log.Info("refund seen", "purchase", o.Purchase, "account", o.Account, "order", o.ID, "refund", string(o.Refund))`,
			breaks: "the log tells of two refunds where one came, or of one that was not kept",
			holds:  told,
			by:     "./internal/app -run TestTransactionsLogOnce",
		},
		{
			name:   "a silent Telegram is taken for one that nobody else polls",
			file:   "internal/app/troubles.go",
			old:    `	case a.heard.within(conflictMemory):`,
			new:    `	case true:`,
			breaks: "the operator takes another program for stopped that goes on taking updates",
			holds:  told,
			by:     "./internal/app -run TestOtherPollerUnseen",
		},
		{
			name:   "after a start, all keys are called accepted before each was tried twice",
			file:   "internal/app/troubles.go",
			old:    `	r.known, r.unsure = whole && len(r.unsure) == 0, nil`,
			new:    `	r.known, r.unsure = whole, nil`,
			breaks: "the operator takes a refused key for mended, and hears of it as of a new trouble",
			holds:  told,
			by:     "./internal/app -run TestKeyThatIsStillRefused",
		},
		{
			name:   "a replay buys a list that nobody waits for",
			file:   "internal/conversations/again.go",
			old:    `	if !button.moves && !button.movesList {`,
			new:    `	if !button.moves {`,
			breaks: "who was told that nothing was done has bought elsewhere, and pays for every line twice",
			holds:  "every spend has one tap",
			by:     "./internal/app -run TestReplayBuysNoList",
		},
		{
			name:   "the team of a copy is unlocked unseen",
			file:   server,
			old:    `		case a.Locked.Restored:`,
			new:    `		case a.Locked.Restored && a.ID == "":`,
			breaks: "somebody who was taken out of the team buys again",
			holds:  "only who may, does",
			by:     "./internal/app -run TestBackupWhileRunning",
		},
	}
}

// fileDefects are mistakes with the files of the database.
func fileDefects() []defect {
	const goesOn, migrate = "whoever starts next goes on where it was", "internal/store/migrate.go"
	return []defect{
		{
			name:   "a copy is written over the database",
			file:   "internal/app/backup.go",
			old:    `		if err == nil && os.SameFile(kept, meant) || os.SameFile(kept, there) {`,
			new:    `		if err == nil && meant == nil && kept == nil {`,
			breaks: "an encrypted copy lies where the database was",
			holds:  goesOn,
			by:     "./internal/app -run TestBackupReplacesNothing",
		},
		{
			name:   "a copy is written over another file unasked",
			file:   "internal/app/backup.go",
			old:    `	if !force && !there.IsDir() {`,
			new:    `	if force && !force && !there.IsDir() {`,
			breaks: "yesterday's copy is gone",
			holds:  goesOn,
			by:     "./internal/app -run TestBackupReplacesNothing",
		},
		{
			name:   "a refusal ends as a crash does",
			file:   "internal/app/app.go",
			old:    `	ExitRefused = 78 //`,
			new:    `	ExitRefused = 2 //`,
			breaks: "the service manager leaves the bot down after a crash",
			holds:  goesOn,
			by:     "./internal/app -run 'TestCrashIsNoRefusal|TestService$'",
		},
		{
			name:   "a file of other records is taken",
			file:   migrate,
			old:    `	return m.Schema <= len(all) && (m.Schema == 0 || m.Shape == all[m.Schema-1].shape)`,
			new:    `	return m.Schema <= len(all)`,
			breaks: "an older program writes records without what it does not know",
			holds:  goesOn,
			by:     "./internal/store -run TestAnotherShapeIsRefused",
		},
		{
			name:   "records change without a schema",
			file:   "internal/store/account.go",
			old:    "	UnexplainedChanges int `json:\"Odd\"`\n",
			new:    "	UnexplainedChanges int64 `json:\"Odd\"`\n",
			also:   []edit{{"internal/store/purchase.go", "	UnexplainedChanges int `json:\"Odd\"`", "	UnexplainedChanges int64 `json:\"Odd\"`"}},
			breaks: "an older program writes records without what it does not know",
			holds:  goesOn,
			by:     "./internal/store -run TestShapeIsCounted",
		},
		{
			name:   "the wallet of an older file is not taken up",
			file:   "internal/store/uncounted.go",
			old:    `	if old.Read != nil || !old.Known ||`,
			new:    `	if true || old.Read != nil || !old.Known ||`,
			breaks: "an uncertain purchase from before an upgrade goes to a person",
			holds:  goesOn,
			by:     "./internal/app -run TestUpgrade",
		},
		{
			name: "chats of an older file are not taken up",
			file: "internal/store/uncounted.go",
			old: `	chat["Was"], err = json.Marshal(list)
	return true, err`,
			new:    `	return false, err`,
			breaks: "people of an older file get no answer any more",
			holds:  goesOn,
			by:     "./internal/app -run TestUpgrade",
		},
	}
}

// watchDefects are mistakes with clocks, copies and what the operator is told.
func watchDefects() []defect {
	const told, goesOn = "the operator is told in time, and not for nothing", "whoever starts next goes on where it was"
	return []defect{
		{
			name: "what was written ahead waits there",
			file: "internal/store/ahead.go",
			old: `		if at.After(now) {
			*at = at.Add(-by)
		}`,
			new: `		if at.After(now) {
			*at = at.Add(0 * by)
		}`,
			breaks: "a paid code does not come until the clock is where it was",
			holds:  goesOn,
			by:     "./internal/app -run TestClockWasAhead",
		},
		{
			name:   "a stop drains updates for the whole of its time behind whatever is being stored",
			file:   "internal/app/webhook.go",
			old:    `backoff.WithGrace(ctx, drainGrace)`,
			new:    `backoff.WithGrace(ctx, time.Hour)`,
			breaks: "on a slow disk a stop takes more than ten seconds, and ends as a kill",
			holds:  goesOn,
			by:     "./internal/proof -run TestProofStopOnASlowDisk",
		},
		{
			name:   "a clock that is set back is not seen",
			file:   "internal/app/clock.go",
			old:    `return max(passed-onTheWall, 0)`,
			new:    `return max(onTheWall-passed, 0)`,
			breaks: "what waits in memory waits for the time that the clock showed",
			holds:  goesOn,
			by:     "./internal/app -run TestClockIsSetBack",
		},
		{
			name:   "a changed copy is restored",
			file:   "internal/app/backupfile.go",
			old:    `	if said != fmt.Sprintf("%x\n", sum.Sum(nil)) {`,
			new:    `	if len(said) != len(fmt.Sprintf("%x\n", sum.Sum(nil))) {`,
			breaks: "a list of chats that was edited counts",
			holds:  goesOn,
			by:     "./internal/app -run TestChangedCopyIsRefused",
		},
		{
			name:   "the first job that fails is born at one",
			file:   "internal/metrics/metrics.go",
			old:    `	failed := m.jobs.WithLabelValues(name, "failed") // from zero on: the first one is to be seen`,
			new:    `	failed := prometheus.NewCounter(prometheus.CounterOpts{Name: "nothing"})`,
			breaks: "a failing copy is silent",
			holds:  told,
			by:     "./internal/app -run TestWhatAlertsCountBeginsAtZero",
		},
		{
			name:   "a bot without Telegram says that it is ready",
			file:   "internal/app/webhook.go",
			old:    `	case time.Since(a.unheard) > unheardFor:`,
			new:    `	case time.Since(a.unheard) > 1000*unheardFor:`,
			breaks: "nobody is called while nobody is served",
			holds:  told,
			by:     "./internal/app -run TestNotReadyWithoutTelegram",
		},
		{
			name:   "an hour that a day has twice counts twice",
			file:   "internal/notify/jobs.go",
			old:    `	return daily{when}, nil`,
			new:    `	return when, nil`,
			also:   []edit{{"internal/notify/jobs.go", `type daily struct{ when cron.Schedule }`, "type daily struct{ when cron.Schedule }\n\nvar _ cron.Schedule = daily{}"}},
			breaks: "a day has two copies, and another none",
			holds:  told,
			by:     "./internal/notify -run TestDailyIsOnceADay",
		},
	}
}
