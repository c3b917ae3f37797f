//go:build defects

package proof

import "slices"

// storeDefects are mistakes in what is on disk.
func storeDefects() []defect {
	return slices.Concat(sealingDefects(), recordDefects(), engineDefects(), serverDefects(), togetherDefects(), moveDefects(), gateDefects(), lossDefects())
}

// sealingDefects are mistakes in keeping secrets.
func sealingDefects() []defect {
	const family, records, seal = "internal/store/codec.go", "internal/store/records.go", "internal/store/seal/seal.go"
	return []defect{
		{
			name:   "an account is read as it was decoded, whatever was written since",
			file:   "internal/store/decoded.go",
			old:    `if !ok || a.rev != r.Version {`,
			new:    `if !ok {`,
			breaks: "between a read and the commit that forgets it, who was put out of a team is in it",
			holds:  "an account is read as it was committed last",
			by:     "./internal/store",
		},
		{
			name:   "readers of an account share its team",
			file:   "internal/store/decoded.go",
			old:    `a.Team, a.Lags, a.Thaw.Unread = cloneTeam(a.Team), maps`,
			new:    `a.Lags, a.Thaw.Unread = maps`,
			breaks: "what one does to their copy is everybody's right",
			holds:  "an account's clone shares nothing",
			by:     "./internal/store",
		},
		{
			name:   "what is secret lies open",
			file:   seal,
			old:    `	return aead.Seal(out, nil, plain, place(kind, key, field)), nil`,
			new:    `	return append(out, plain...), nil`,
			also:   []edit{{seal, `	plain, err := aead.Open(nil, nil, rest, place(kind, key, field))`, `	plain, err := rest, error(nil)`}},
			breaks: "whoever gets the file gets keys and codes",
			holds:  noSecrets,
			by:     "./internal/store/...",
		},
		{
			name:   "a code is kept beside its sealed form",
			file:   "internal/store/order.go",
			old:    "	Status   string // as it came last\n",
			new:    "	Status   string // as it came last\n	Shown    string // the code, for the screens\n",
			also:   []edit{{"internal/purchase/outcome.go", `		o.Code = seen.Code`, `		o.Code, o.Shown = seen.Code, seen.Code.Reveal()`}},
			breaks: "whoever gets the file gets codes",
			holds:  noSecrets,
		},
		{
			name:   "who is topped up lies open",
			file:   "internal/store/purchase.go",
			old:    "	Player    *Player    `json:\"-\"` // who gets it",
			new:    "	Player    *Player    // who gets it",
			breaks: "whoever gets the file knows the customers",
			holds:  noSecrets,
		},
		{
			name:   "the answers to inputs lie open",
			file:   "internal/store/purchase.go",
			old:    "	Inputs    []Answer   `json:\"-\"` // sealed",
			new:    "	Inputs    []Answer   // sealed",
			breaks: "whoever gets the file knows the customers",
			holds:  noSecrets,
		},
		{
			name:   "updates lie open as they came",
			file:   records,
			old:    "	Raw   []byte `json:\"-\"` // as it came",
			new:    "	Raw   []byte // as it came",
			breaks: "keys that people typed lie in the file",
			holds:  noSecrets,
			by:     "./internal/store",
		},
		{
			name:   "a sealed value opens anywhere",
			file:   seal,
			old:    `	for _, part := range []string{kind, key, field} {`,
			new:    `	for _, part := range []string{kind, field} {`,
			breaks: "whoever can write to the file gives one chat another's key",
			holds:  "a sealed value opens where it was sealed alone",
			by:     "./internal/store/...",
		},
		{
			name:   "the parts of a place run together",
			file:   seal,
			old:    `AppendUint32(b, uint32(len(part)))`,
			new:    `AppendUint32(b, 0)`,
			breaks: "two places read the same",
			holds:  "a sealed value opens where it was sealed alone",
			by:     "./internal/store/...",
		},
		{
			name: "a wrong key is found out when a record is read",
			file: "internal/store/migrate.go",
			old: `	if err != nil || string(plain) != keyCheck {
		return m, 0, ErrWrongKey
	}`,
			new: `	if err == nil && string(plain) != keyCheck {
		return m, 0, ErrWrongKey
	}`,
			breaks: "a bot with the wrong key starts, takes money and cannot read what it sold",
			holds:  "a wrong key stops the start",
			by:     "./internal/store",
		},
		{
			name:   "an error of a record quotes it",
			file:   family,
			old:    `		return fmt.Errorf("decode %s %q: not a record", f.kind, r.Key)`,
			new:    `		return fmt.Errorf("decode %s %q: not a record: %s", f.kind, r.Key, r.Value)`,
			breaks: "what people typed stands in the log",
			holds:  noSecrets,
			by:     "./internal/store",
		},
	}
}

// recordDefects are mistakes in typed records and their indexes.
func recordDefects() []defect {
	const tx, inbox, st, records = "internal/store/tx.go", "internal/store/inbox.go", "internal/store/store.go", "internal/store/records.go"
	return []defect{
		{
			name: "what is handled is forgotten where its transaction fails",
			file: st,
			old: `		s.finish(ctx, drained.ids...)
`,
			new:    ``,
			breaks: "an update that was answered is answered again after the next start",
			holds:  "an update is handled once",
			by:     "./internal/store",
		},
		{
			name: "what is handled is ended behind a later update",
			file: inbox,
			old: `	if err := t.writeFinished(); err != nil {
		return err
	}
	return t.updateDone(id)`,
			new:    `	return t.updateDone(id)`,
			breaks: "after a kill, an earlier tap of a chat is handled behind a later one",
			holds:  "the updates of a chat are handled in their order",
			by:     "./internal/store",
		},
		{
			name: "what is handled is not ended when the store is closed",
			file: st,
			old: `		err = commit()
`,
			new:    ``,
			breaks: "an update that was answered is answered again after each restart",
			holds:  "an update is handled once",
			by:     "./internal/store",
		},
		{
			name:   "the index of open purchases is not kept",
			file:   tx,
			old:    `, p.Open())`,
			new:    `, p.Phase == Queued)`,
			breaks: "a crash while submitting is never recovered from",
			holds:  liveness,
		},
		{
			name:   "the index of orders that are looked at is not kept",
			file:   tx,
			old:    `	return t.index(KindPending, orderKey(o.Account, o.ID), "", o.Pending())`,
			new:    `	return t.index(KindPending, orderKey(o.Account, o.ID), "", o.State == Waiting && !o.Due.IsZero() && o.Looks == 0)`,
			breaks: "orders do not ride along, and each costs a call of its own",
			holds:  "indexes are equal to what they index",
			by:     "./internal/store",
		},
		{
			name:   "what is known of a try is lost when a message is queued anew",
			file:   tx,
			old:    `o.Sent || old.Sent, old.Sending, old.Tries`,
			new:    `o.Sent, old.Sending, old.Tries`,
			breaks: "codes come twice, and the second time is called the first",
			holds:  saysAgain,
			by:     "./internal/store",
		},
		{
			name:   "a message that is put back loses that it may have been sent",
			file:   tx,
			old:    `o.Sent || now.Sent, o.Sending`,
			new:    `now.Sent, o.Sending`,
			breaks: "codes come twice, and the second time is called the first",
			holds:  saysAgain,
		},
		{
			name: "a rest that a message observes ends when it is queued anew",
			file: tx,
			old: `		if old.Tries > 0 && old.Due.After(o.Due) {
			o.Due = old.Due
		}
`,
			new:    ``,
			breaks: "a chat that blocks the bot is written to at every step",
			holds:  "a rest is observed",
			by:     "./internal/store",
		},
		{
			name:   "an update that comes again is a new one",
			file:   inbox,
			old:    `	if err := t.markTaken(in.ID); err != nil {`,
			new:    `	if err := t.markTaken(in.ID); err != nil && !errors.Is(err, ErrConflict) {`,
			breaks: "an answer counts twice when Telegram repeats itself",
			holds:  "an update is handled once",
			by:     "./internal/store",
		},
		{
			name:   "an update that comes again while it is handled stops the poller",
			file:   inbox,
			old:    `			if errors.Is(err, ErrConflict) {`,
			new:    `			if false {`,
			breaks: "a repeated update ends the process",
			holds:  "an update is handled once",
			by:     "./internal/store",
		},
		{
			name:   "the id of an update is forgotten after a minute",
			file:   st,
			old:    `const seenFor = 48 * time.Hour`,
			new:    `const seenFor = time.Minute`,
			breaks: "an update that Telegram repeats an hour later counts once more",
			holds:  "an update is handled once",
			by:     "./internal/store",
		},
		{
			name:   "updates that were never tried are not handed out at a start",
			file:   inbox,
			old:    `			if in.State == New {`,
			new:    "\t\t\tif in.State == New && in.Tries > 0 {",
			breaks: "what was tapped just before a crash is never done",
			holds:  tapLost,
		},
		{
			name:   "a parked update is handed out again",
			file:   inbox,
			old:    `			if in.State == New {`,
			new:    `			if in.State != "" {`,
			breaks: "an update that takes the process down takes it down for ever",
			holds:  "a poison update costs three tries",
			by:     "./internal/store",
		},
		{
			name: "a movement has the number of the one before",
			file: tx,
			old: `	a.Movements++
	m.Account, m.Number = a.ID, a.Movements`,
			new:    `	m.Account, m.Number = a.ID, a.Movements+1`,
			breaks: "the second movement of an account cannot be written",
			holds:  liveness,
		},
		{
			name: "an undecided purchase is at its end",
			file: "internal/store/purchase.go",
			old: `	case Settled, Rejected, NotCreated, Dropped:
		return true`,
			new: `	case Settled, Rejected, NotCreated, Dropped, Undecided:
		return true`,
			breaks: "a key is forgotten while somebody has to decide",
			holds:  finalIsFinal,
		},
		{
			name: "orders of different interfaces share their ids",
			file: "internal/store/order.go",
			old: `	if origin == "" || origin == "current" {
		return id
	}
	return origin + ":" + id`,
			new:    `	return id`,
			breaks: "top-up 7 is order 7",
			holds:  oneOwner,
			by:     "./internal/store",
		},
		{
			name:   "a group that moved leaves its account behind",
			file:   tx,
			old:    `	rename(&a, from, to)` + "\n",
			new:    ``,
			breaks: "the members and alerts of an account stay with a chat that is not there",
			holds:  "everything of a group moves with it",
			by:     "./internal/store",
		},
		{
			name:   "a restored copy goes on buying",
			file:   "internal/store/restore.go",
			old:    `	a.Frozen, a.Invites, a.Thaw = true, nil, Thaw{}`,
			new:    `	a.Invites, a.Thaw = nil, Thaw{}`,
			breaks: "what was bought after the copy was made is bought again",
			holds:  "a frozen account spends nothing",
			by:     "./internal/store",
		},
		{
			name:   "a restored copy sends again what was on its way",
			file:   "internal/store/restore.go",
			old:    `		r.step(&p, Unknown)`,
			new:    `		r.step(&p, Queued)`,
			breaks: "what was bought before the copy was made is bought again",
			holds:  oneAttempt,
			by:     "./internal/store",
		},
	}
}

// engineDefects are mistakes in the engine beneath.
func engineDefects() []defect {
	const file = "internal/store/bolt/bolt.go"
	return []defect{
		{
			name:   "what nobody can read is never read",
			file:   "internal/store/bolt/opened.go",
			old:    ` && was.Unread < mostUnread`,
			new:    ``,
			breaks: "a damaged page ends each start, for ever, and nobody is told",
			holds:  "a damaged file is refused",
			by:     "./internal/store/bolt -run TestKilledAgain",
		},
		{
			name:   "a file whose reading has no end is taken for one on a slow disk",
			file:   "internal/app/checkfile.go",
			old:    `	if worked < c.most*3/4 {`,
			new:    `	if worked >= 0 {`,
			breaks: "a damaged file is sold from",
			holds:  "a damaged file is refused",
			by:     "./internal/app -run TestSlowOrStuck",
		},
		{
			name:   "what could not be read to its end is taken for read",
			file:   "internal/app/database.go",
			old:    `		o.Trust, err = bolt.Doubtful, nil`,
			new:    `		err = nil`,
			breaks: "a file that a power cut has damaged is sold from, and never read again",
			holds:  "a damaged file is refused",
			by:     "./internal/app -run TestStartOnASlowDisk",
		},
		{
			name:   "what is due first is remembered for ever",
			file:   file,
			old:    "	defer e.earliest.changed()\n	err := run(",
			new:    "	err := run(",
			breaks: "what is queued waits for ever",
			holds:  "a worker finds what is due",
			by:     "./internal/store/...",
		},
		{
			name:   "what a transaction queues during a look is overlooked",
			file:   "internal/store/bolt/due.go",
			old:    "	e.of[k] = dueAt{after, due, ok}",
			new:    "	e.of[k] = dueAt{e.transactions.Load(), due, ok}",
			breaks: "what is queued waits for the next change",
			holds:  "a worker finds what is due",
			by:     "./internal/store/bolt",
		},
		{
			name: "a record that was changed meanwhile is overwritten",
			file: "internal/store/bolt/tx.go",
			old: `	if old.Version != r.Version {
		return due, 0, store.ErrConflict
	}`,
			new: `	if old.Version != r.Version && r.Version == 0 {
		return due, 0, store.ErrConflict
	}`,
			breaks: "of two changes side by side one is lost",
			holds:  "a stale record cannot be written",
			by:     "./internal/store/...",
		},
		{
			name:   "a claim does not hold",
			file:   file,
			old:    `			r.Due = now.Add(lease)`,
			new:    `			r.Due = now`,
			breaks: "two workers do the same work",
			holds:  "of two workers one can still write",
			by:     "./internal/store/...",
		},
		{
			name:   "a failed commit is an error like any other",
			file:   file,
			old:    `		e.fatal(err)`,
			new:    `		_ = err`,
			breaks: "the process goes on with a database of which nobody knows what it holds",
			holds:  "a failed commit ends the process",
			by:     "./internal/store/...",
		},
		{
			name: "the engine works on after a failed commit",
			file: file,
			old: `	if len(e.dead) > 0 {
		return errDead
	}
`,
			new:    ``,
			breaks: "what is written next may stand on what is not there",
			holds:  "a failed commit ends the process",
			by:     "./internal/store/...",
		},
		{
			name:   "writes are left to the operating system",
			file:   file,
			old:    `		NoSync: o.NoSync, ReadOnly: o.ReadOnly,`,
			new:    `		NoSync: true, ReadOnly: o.ReadOnly,`,
			breaks: "a power cut forgets purchases that are paid",
			holds:  "what is acknowledged is on disk",
			by:     "./internal/store/...",
		},
		{
			name:   "what is due is found in the order of keys",
			file:   "internal/store/bolt/tx.go",
			old:    `	return append(binary.BigEndian.AppendUint64(nil, toMicros(due)), key...)`,
			new:    `	return append(binary.LittleEndian.AppendUint64(nil, toMicros(due)), key...)`,
			breaks: "messages and looks come when they happen to",
			holds:  "what is due is found",
			by:     "./internal/store/...",
		},
		{
			name: "the old place in the time index stays",
			file: "internal/store/bolt/tx.go",
			old: `	if !was.IsZero() {
		if err := b.Delete(dueKey(was, now.Key)); err != nil {
			return err
		}
	}
`,
			new:    ``,
			breaks: "a queue finds what is gone, and works no more",
			holds:  "what is due is found",
			by:     "./internal/store/...",
		},
		{
			name: "a value is handed out as it lies in the file's map",
			file: "internal/store/bolt/tx.go",
			old: `	r.Value = bytes.Clone(r.Value)
`,
			new:    `	_ = bytes.Clone(r.Value)` + "\n",
			breaks: "a record changes while it is read, or takes the process down",
			holds:  "what is read is the reader's own",
			by:     "./internal/store/...",
		},
		{
			name:   "a second process waits for the database",
			file:   file,
			old:    `		Timeout: lockTimeout, FreelistType`,
			new:    `		FreelistType`,
			also:   []edit{{file, `	lockTimeout = 2 * time.Second` + "\n", ``}},
			breaks: "a start beside a running bot hangs without a word",
			holds:  "a second process is told within five seconds",
			by:     "./internal/store/bolt -timeout 60s",
		},
		{
			name:   "a database that was moved away is made anew",
			file:   file,
			old:    `	if err := refuseEmpty(path, known, o.ReadOnly); err != nil {`,
			new:    `	if err := refuseEmpty(path, "", o.ReadOnly); err != nil {`,
			breaks: "a mistyped path starts a bot that has forgotten every purchase",
			holds:  "a database that is gone is noticed",
			by:     "./internal/store/...",
		},
	}
}

// serverDefects are mistakes in the engine over a server.
func serverDefects() []defect {
	const transaction, wire, by = "internal/store/postgres/transaction.go", "internal/store/postgres/errors.go", "./internal/store/postgres"
	const memory, flight = "internal/store/postgres/memory.go", "internal/store/postgres/flight.go"
	return []defect{
		{
			name:   "who was taken over from writes what it remembers",
			file:   "internal/store/postgres/statements.go",
			old:    `1 / (epoch = $1)::int from lease`,
			new:    `1 / (epoch >= $1)::int from lease`,
			breaks: "two processes spend the same money",
			holds:  "of several processes one writes",
			by:     by,
		},
		{
			name:   "an absence that is remembered is held against nothing",
			file:   transaction,
			old:    `	case at.stored.Version == at.now.Version && at.now.Version == 0 && at.used && at.recalled:`,
			new:    `	case false:`,
			breaks: "a check on ✅ rests on what was missing before",
			holds:  "what is remembered decides nothing",
			by:     by,
		},
		{
			name:   "who was taken over from goes on writing",
			file:   flight,
			old:    "	if epoch != e.epoch {\n		e.lose(",
			new:    "	if epoch < 0 {\n		e.lose(",
			breaks: "two processes spend the same money",
			holds:  "of several processes one writes",
			by:     by,
		},
		{
			name:   "a commit whose connection broke counts as not made",
			file:   wire,
			old:    "	return ok && (said.SeverityUnlocalized == \"ERROR\" || said.Code == stateIdleTooLong)",
			new:    "	return !ok || said.SeverityUnlocalized == \"ERROR\" || said.Code == stateIdleTooLong",
			breaks: "what is on disk is taken for lost, and done again",
			holds:  "a commit in doubt ends the process",
			by:     by,
		},
		{
			name:   "a commit that no standby has counts as made",
			file:   flight,
			old:    "	case isWarned:\n",
			new:    "	case isWarned && tag.String() == \"\":\n",
			breaks: "a lost disk loses what was acknowledged",
			holds:  "what is acknowledged is on two disks",
			by:     by,
		},
		{
			name:   "what a transaction has read may change before it writes",
			file:   transaction,
			old:    "		batch.Queue(stmtLock, kind, key, was)\n",
			new:    "",
			breaks: "of two decisions side by side one rests on what is no more",
			holds:  "transactions do not mix",
			by:     by,
		},
		{
			name:   "a process whose lease may be over says what it remembers",
			file:   memory,
			old:    `return beaten != nil && !e.fenced.Load() && !outran(*beaten, time.Now(), e.beatWithin())`,
			new:    `return beaten != nil && !e.fenced.Load() && !time.Now().IsZero()`,
			breaks: "who stood still while another took over answers with what is no more",
			holds:  "what is remembered decides nothing",
			by:     by,
		},
		{
			name:   "what is outdated is written over",
			file:   "internal/store/postgres/statements.go",
			old:    `value = $6 where kind = $1 and key = $2 and version = $3 returning 1`,
			new:    `value = $6 where kind = $1 and key = $2 and $3::bigint > 0 returning 1`,
			breaks: "a change is lost that this process had not heard of",
			holds:  "what is remembered decides nothing",
			by:     by,
		},
		{
			name:   "a transaction that leaves nothing may have seen two moments",
			file:   transaction,
			old:    `	case t.engine.memory.holds(t.known):`,
			new:    `	case true:`,
			breaks: "a decision rests on half of what another one has done",
			holds:  "what is remembered decides nothing",
			by:     by,
		},
	}
}

// togetherDefects are mistakes in reading together what belongs together.
func togetherDefects() []defect {
	return []defect{
		{
			name: "postgres: what a flight has changed is read as it was, by whoever has seen the change",
			file: "internal/store/postgres/memory.go",
			old: `	if flies {
		return`,
			new: `	if false && flies {
		return`,
			breaks: "a message is rendered from what a purchase was before, and counts as sent: a question that nobody was asked",
			holds:  "what a look has shown is not older in the next one",
			by:     "./internal/store/postgres -run TestEngine",
		},
		{
			name:   "what was wanted together and asked for may change before its transaction writes",
			file:   "internal/store/postgres/transaction.go",
			old:    "	t.known[p].used = true\n",
			new:    "",
			breaks: "of two decisions side by side one rests on what is no more",
			holds:  "transactions do not mix",
			by:     "./internal/store/postgres",
		},
		{
			name:   "what is open is counted as it was when somebody first asked",
			file:   "internal/store/tx.go",
			old:    "	t.Then(func() { t.open.note(written) })\n",
			new:    "	_ = written\n",
			breaks: "figures show purchases under way that ended long ago",
			holds:  "figures are true",
			by:     "./internal/store",
		},
		{
			name:   "a purchase that was said not to be bought, and may be, does not stop the next",
			file:   "internal/purchase/repeat.go",
			old:    "	for _, id := range ids {\n		q, err := tx.Purchase(id)",
			new:    "	for _, id := range ids[:0] {\n		q, err := tx.Purchase(id)",
			breaks: "what was ordered again for want of it is bought twice without a question",
			holds:  "the same is not bought twice unasked",
			by:     "./internal/purchase",
		},
	}
}

// moveDefects are mistakes in taking a database elsewhere.
func moveDefects() []defect {
	const move, by = "internal/store/move.go", "./internal/store"
	return []defect{
		{
			name:   "store: of what an earlier try of a move has left, one page is taken away",
			file:   "internal/store/move.go",
			old:    `		after = page[len(page)-1].Key`,
			new:    `		after = "~"`,
			breaks: "a move that was stopped once, and whose source has changed since, never comes to its end",
			holds:  "a database is moved whole",
			by:     "./internal/store -run TestMoveTakesAwayWhatWasLeft",
		},
		{
			name:   "a database that was moved is opened",
			file:   move,
			old:    "	if err == nil && m.Done {\n",
			new:    "	if err == nil && m.Done && m.To == \"\" {\n",
			breaks: "two bots with two databases buy for the same shops",
			holds:  "of the two databases of a move one opens",
			by:     by,
		},
		{
			name:   "half of a database is opened",
			file:   move,
			old:    "	case m.ID != \"\":\n		return ErrArriving\n	}\n	m, err",
			new:    "	case m.Done:\n		return ErrArriving\n	}\n	m, err",
			breaks: "purchases are forgotten, and bought again",
			holds:  "of the two databases of a move one opens",
			by:     by,
		},
		{
			name:   "the target of a move opens before its source is marked",
			file:   move,
			old:    "	if err := putMark(ctx, from, leavingKey, m); err != nil {\n		return d, err\n	}\n	return d, dropMark(ctx, into, arrivingKey)",
			new:    "	if err := dropMark(ctx, into, arrivingKey); err != nil {\n		return d, err\n	}\n	return d, putMark(ctx, from, leavingKey, m)",
			breaks: "killed between the two, both open",
			holds:  "of the two databases of a move one opens",
			by:     by,
		},
		{
			name:   "what a move wrote is not compared",
			file:   move,
			old:    "	if err == nil && read != written {",
			new:    "	if err == nil && read.Records != written.Records {",
			breaks: "a queue that was changed on its way lives on changed",
			holds:  "a move changes nothing",
			by:     by,
		},
		{
			name:   "a move begun again keeps what the first had written",
			file:   move,
			old:    "		page = slices.DeleteFunc(page, isMark)\n",
			new:    "		page = slices.DeleteFunc(page[:0], isMark)\n",
			breaks: "a move that was killed once never comes to its end",
			holds:  "a move can be begun again",
			by:     by,
		},
		{
			name:   "an old answer that it leads lets a process through",
			file:   "internal/store/postgres/lease.go",
			old:    "	if !e.alive() {\n		e.lose(errStoodStill)",
			new:    "	if false {\n		e.lose(errStoodStill)",
			breaks: "a process that stood still after it had asked buys beside its successor",
			holds:  "of several processes one spends",
			by:     "./internal/store/postgres -run TestLeadingNeedsLife",
		},
		{
			name:   "who does not wait is kept out by a process that was killed",
			file:   "internal/store/postgres/lease.go",
			old:    " && seen.epoch != -1 {",
			new:    " {",
			breaks: "after a crash no key is changed and no database moved",
			holds:  "a lease ends",
			by:     "./internal/store/postgres",
		},
	}
}

// lossDefects are mistakes with a server's database that has lost what was promised.
func lossDefects() []defect {
	const seen, lost = "internal/store/postgres/seen.go", "a loss is noticed"
	return []defect{
		{
			name:   "transactions that are kept are not seen to be",
			file:   "internal/store/postgres/flight.go",
			old:    "	e.seen.kept(slot, n)\n",
			new:    "",
			breaks: "what was confirmed and forgotten by a failover is bought again",
			holds:  lost,
			by:     "./internal/store/postgres -run TestDatabaseThatKnowsLess",
		},
		{
			name:   "a loss is known to one machine alone",
			file:   seen,
			old:    `"update origin set lost = true"`,
			new:    `"update origin set lost = lost"`,
			breaks: "the machine beside it goes on with what has forgotten its purchases",
			holds:  lost,
			by:     "./internal/store/postgres -run TestDatabaseThatKnowsLess",
		},
		{
			name:   "who stands by sees nothing",
			file:   seen,
			old:    "	e.watched = &now\n",
			new:    "",
			breaks: "the leader's machine ends with the primary, and the other bot buys again what the other server has forgotten",
			holds:  lost,
			by:     "./internal/store/postgres -run TestWhoStandsByHasSeen",
		},
		{
			name:   "the bot keeps nothing of what it has seen",
			file:   "internal/app/database.go",
			old:    "	o.Seen, o.SeenBefore = w.seen(cfg), w.seenBefore(cfg)\n",
			new:    "",
			breaks: "a database that was put back is gone on with as if nothing were missing",
			holds:  lost,
			by:     "./internal/app -run TestServerThatWasPutBack",
		},
		{
			name:   "who reads reports reads the records",
			file:   "internal/store/postgres/reports.go",
			old:    `[]byte(store.Dictionary())), 1)`,
			new:    `[]byte(store.Dictionary())), 1) + "grant select on record to reseller_reports;"`,
			breaks: "what is sealed, and whose key one day is known, lies before everybody who counts sales",
			holds:  "reports show what is open",
			by:     "./internal/app -run TestReports$",
		},
		{
			name:   "a process that stands by shows no figures",
			file:   "internal/app/build.go",
			old:    "	front.metrics.set(a.figures.Handler())\n",
			new:    "	defer front.metrics.set(a.figures.Handler())\n",
			breaks: "the standby counts as gone, and somebody is called at night for it",
			holds:  lost,
			by:     "./internal/app -run TestStandby$",
		},
		{
			name:   "what was put back is not made safe",
			file:   "internal/app/inplace.go",
			old:    "	if done, err = trustNothing(ctx, s, time.Now(), \"nothing was changed; bot check lists them all\"); err != nil {",
			new:    "	if _, _ = s, time.Now; err != nil {",
			breaks: "queued purchases that were bought before are bought again",
			holds:  lost,
			by:     "./internal/app -run TestServerThatWasPutBack",
		},
	}
}

// gateDefects are mistakes in what is asked right before something leaves.
func gateDefects() []defect {
	return []defect{
		{
			name:   "a purchase leaves from a process that leads no more",
			file:   "internal/api/money.go",
			old:    "		return m.gate(req.Context())",
			new:    "		_ = m.gate(req.Context())\n		return nil",
			breaks: "a process that stood still buys beside its successor",
			holds:  "of several processes one spends",
			by:     "./internal/api",
		},
		{
			name:   "a purchase leaves however long ago it was confirmed",
			file:   "internal/api/money.go",
			old:    "			return errTooLate\n",
			new:    "			return nil\n",
			breaks: "a machine that wakes up buys what was confirmed yesterday",
			holds:  "a purchase leaves soon or never",
			by:     "./internal/api",
		},
		{
			name:   "a message leaves from a process that leads no more",
			file:   "internal/telegram/http.go",
			old:    "	if c.Gate == nil {\n",
			new:    "	if c.Gate == nil || !c.token.IsZero() {\n",
			breaks: "an old text is put over a receipt, and its code is gone",
			holds:  "a receipt stays",
			by:     "./internal/telegram -run TestClientAsksTheGate",
		},
		{
			name:   "whether a message may leave is asked before the wait for a connection alone",
			file:   "internal/telegram/http.go",
			old:    "				shut, asked = c.Gate(ctx), time.Now()\n",
			new:    "				asked = time.Now()\n",
			breaks: "a process that stood still while it waited for a connection puts an old text over a receipt",
			holds:  "a receipt stays",
			by:     "./internal/telegram -run TestClientAsksTheGateAgain",
		},
		{
			name:   "a message leaves however long ago the gate has let it",
			file:   "internal/telegram/http.go",
			old:    "asked != nil && outdated(*asked)",
			new:    "asked != nil && asked.IsZero()",
			breaks: "a process that stood still between the question and the write puts an old text over a receipt",
			holds:  "a receipt stays",
			by:     "./internal/telegram -run TestWriteIsPrompt",
		},
	}
}
