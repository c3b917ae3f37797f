//go:build defects

package proof

import "slices"

// nightDefects are mistakes that an operator meets: in files, copies, exit codes, clocks and alerts.
func nightDefects() []defect { return slices.Concat(fileDefects(), watchDefects(), operatorDefects()) }

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
			old:    "	Odd       int         // how often it has moved by something that nothing explains\n",
			new:    "	Odd       int64       // how often it has moved by something that nothing explains\n",
			also:   []edit{{"internal/store/purchase.go", "	Odd       int  // how often the wallet had moved", "	Odd       int64 // how often the wallet had moved"}},
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
			file:   "internal/app/backup.go",
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
