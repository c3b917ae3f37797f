//go:build defects

package proof

import "slices"

// nightDefects are mistakes that an operator meets: in files, copies, exit codes, clocks and alerts.
func nightDefects() []defect { return slices.Concat(fileDefects()) }

// fileDefects are mistakes with the files of the database.
func fileDefects() []defect {
	const goesOn, migrate = "whoever starts next goes on where it was", "internal/store/migrate.go"
	return []defect{
		{
			name:   "a copy is written over the database",
			file:   "internal/app/backup.go",
			old:    `		if err == nil && os.SameFile(kept, meant) || os.SameFile(kept, there) {`,
			new:    `		if err == nil && meant == nil {`,
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
			file:   "internal/store/records.go",
			old:    "	Odd       int         // how often it has moved by something that nothing explains\n",
			new:    "	Odd       int64       // how often it has moved by something that nothing explains\n",
			also:   []edit{{"internal/store/records.go", "	Odd       int  // how often the wallet had moved", "	Odd       int64 // how often the wallet had moved"}},
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
