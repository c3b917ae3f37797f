//go:build defects

package proof

import "slices"

// apiDefects are mistakes in speaking to the service.
func apiDefects() []defect {
	return slices.Concat(verdictDefects(), wireDefects(), limitDefects(), readingDefects())
}

// verdictDefects are mistakes in what an answer proves.
func verdictDefects() []defect {
	const file = "internal/api/verdict.go"
	return []defect{
		{
			name:   "a failure in other words is none",
			file:   "internal/api/status.go",
			old:    `	case isBroken(s):`,
			new:    `	case s == "failed", s == "cancelled":`,
			breaks: "a failed order is waited for for days, and its refund with it",
			holds:  liveness,
			by:     "./internal/api -run TestStages",
		},
		{
			name:   "a code with a blank is another code",
			file:   "internal/api/decode_codes.go",
			old:    `secret.New(bare(join(found).text))`,
			new:    `secret.New(join(found).text)`,
			breaks: "one code is delivered for two purchases without a word",
			holds:  oneOwner,
			by:     "./internal/api -run TestWhatIsACode",
		},
		{
			name:   "a success that comes with 429 means that nothing was bought",
			file:   file,
			old:    `		return enveloped && env.refused() || a.header.Get("Retry-After") != ""`,
			new:    `		return enveloped || a.header.Get("Retry-After") != ""`,
			breaks: "people buy again what they have bought",
			holds:  neverDenied,
			by:     "./internal/api -run TestAnswersProve",
		},
		{
			name:   "a timeout means that nothing was bought",
			file:   file,
			old:    `	case a.err != nil && !a.handed:`,
			new:    `	case a.err != nil && (!a.handed || errors.Is(a.err, context.DeadlineExceeded)):`,
			breaks: "people buy again what they have bought",
			holds:  neverDenied,
		},
		{
			name:   "a connection that breaks means that nothing was bought",
			file:   file,
			old:    `	case a.err != nil && !a.handed:`,
			new:    `	case a.err != nil && (!a.handed || !errors.Is(a.err, context.DeadlineExceeded)):`,
			breaks: "people buy again what they have bought",
			holds:  neverDenied,
		},
		{
			name: "an envelope with an error is a refusal whatever the status",
			file: file,
			old: `		return enveloped && env.refused() || a.header.Get("Retry-After") != ""
	}
	return false`,
			new: `		return enveloped && env.refused() || a.header.Get("Retry-After") != ""
	}
	return enveloped && env.refused()`,
			breaks: "a 500 after the purchase was made says that nothing was charged",
			holds:  neverDenied,
		},
		{
			name: "a 502 means that the service never got it",
			file: file,
			old: `	switch a.status {
	case http.StatusBadRequest,`,
			new: `	switch a.status {
	case http.StatusBadGateway, http.StatusServiceUnavailable:
		return true
	case http.StatusBadRequest,`,
			breaks: "a gateway that lost the answer says that nothing was charged",
			holds:  neverDenied,
		},
		{
			name: "a gateway's timeout means that nothing was bought",
			file: file,
			old: `	switch a.status {
	case http.StatusBadRequest,`,
			new: `	switch a.status {
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return true
	case http.StatusBadRequest,`,
			breaks: "people buy again what they have bought",
			holds:  neverDenied,
		},
		{
			name: "any 4xx is a refusal, whoever says it",
			file: file,
			old: `http.StatusUnprocessableEntity:
		return enveloped && env.refused()`,
			new: `http.StatusUnprocessableEntity, http.StatusConflict, http.StatusRequestTimeout:
		return true`,
			breaks: "a firewall that speaks after the service did says that nothing was charged",
			holds:  neverDenied,
			by:     "./internal/api",
		},
		{
			name:   "a refusal with status 200 is an acceptance",
			file:   file,
			old:    `	case a.status == http.StatusOK && ok && env.Status == "success":`,
			new:    `	case a.status == http.StatusOK && ok:`,
			breaks: "an error without orders is taken for a success",
			holds:  trulyOurs,
			by:     "./internal/api",
		},
		{
			name:   "a created purchase is an acceptance without an envelope",
			file:   file,
			old:    `	case a.status == http.StatusOK && ok && env.Status == "success":`,
			new:    `	case a.status == http.StatusOK && env.Status != "error":`,
			breaks: "a page of a proxy is taken for an answer",
			holds:  trulyOurs,
			by:     "./internal/api",
		},
		{
			name: "an answer with something behind it is whole",
			file: file,
			old: `	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return envelope{}, false
	}
`,
			new:    ``,
			breaks: "two answers in one are believed",
			holds:  "a mixed answer proves nothing",
			by:     "./internal/api",
		},
		{
			name:   "fewer orders than asked for are all of them",
			file:   file,
			old:    `	case len(m.ids) != quantity:`,
			new:    `	case len(m.ids) > quantity:`,
			breaks: "two were paid, and one is followed",
			holds:  allUnits,
		},
		{
			name:   "more orders than asked for are ours",
			file:   file,
			old:    `	case len(m.ids) != quantity:`,
			new:    `	case len(m.ids) < quantity:`,
			breaks: "orders of somebody else are delivered",
			holds:  trulyOurs,
		},
		{
			name: "an order that is named twice is two",
			file: file,
			old: `		case !seen[id]:
			m.ids = append(m.ids, string(id))`,
			new: `		case id != "":
			m.ids = append(m.ids, string(id))`,
			breaks: "two were paid, and one is followed twice",
			holds:  allUnits,
		},
		{
			name:   "an empty id is an order",
			file:   file,
			old:    `	seen := map[label]bool{"": true}`,
			new:    `	seen := map[label]bool{}`,
			breaks: "an order that nobody can follow",
			holds:  allUnits,
		},
		{
			name:   "the count of an answer is not compared",
			file:   file,
			old:    `	case !counts(result.Count, quantity):`,
			new:    `	case !counts(result.Count, quantity) && false:`,
			breaks: "an answer that contradicts itself is believed",
			holds:  "what contradicts itself proves nothing",
			by:     "./internal/api",
		},
		{
			name: "a top-up for another player is this one",
			file: file,
			old: `	if o.PlayerID != "" && o.ForPlayer(player) == OtherPlayer {
		return made{wrong: "another player"}
	}
`,
			new: `	_ = player
`,
			breaks: "somebody else's top-up is followed",
			holds:  trulyOurs,
			by:     "./internal/api",
		},
		{
			name: "orders that a doubtful answer named are forgotten",
			file: file,
			old: `	v.OrderIDs, v.Transaction, v.Origin, v.Reason = m.ids, m.transaction, m.origin, m.wrong
	if m.wrong == "" {`,
			new: `	v.Reason = m.wrong
	if m.wrong == "" {
		v.OrderIDs, v.Transaction, v.Origin = m.ids, m.transaction, m.origin`,
			breaks: "a person is asked about orders that were named",
			holds:  "a partial answer is a clue",
			by:     "./internal/api",
		},
	}
}

// wireDefects are mistakes in sending what spends.
func wireDefects() []defect {
	const file = "internal/api/money.go"
	return []defect{
		{
			name: "bytes count as handed over only once the write is through",
			file: file,
			old: `	c.handed.Store(true)
	return c.Conn.Write(b)`,
			new: `	n, err := c.Conn.Write(b)
	c.handed.Store(err == nil)
	return n, err`,
			breaks: "a request that arrived before its connection broke counts as never sent",
			holds:  neverDenied,
			by:     "./internal/api",
		},
		{
			name:   "every failed attempt counts as never sent",
			file:   file,
			old:    `		return attempt{handed: handed.Load(), err: cause(err)}`,
			new:    `		return attempt{err: cause(err)}`,
			breaks: "what was bought is called not bought",
			holds:  neverDenied,
		},
		{
			name:   "purchases follow redirects",
			file:   file,
			old:    `	resp, err := (&http.Client{Transport: tr, CheckRedirect: noRedirect}).Do(req)`,
			new:    `	resp, err := (&http.Client{Transport: tr}).Do(req)`,
			breaks: "the key goes to whoever redirects, and the answer of another page is believed",
			holds:  "the key goes to the service alone",
			by:     "./internal/api",
		},
		{
			name: "a request can be read a second time",
			file: file,
			old:  `	req.Body, req.GetBody, req.ContentLength = once, nil, int64(len(body))`,
			new: `	req.Body, req.ContentLength = once, int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) { return &onceBody{text: body}, nil }`,
			also:   []edit{{file, `CheckRedirect: noRedirect}).Do(req)`, `}).Do(req)`}},
			breaks: "a redirect posts the purchase once more",
			holds:  oneAttempt,
		},
		{
			name: "purchases are offered over HTTP/2",
			file: file,
			old:  `NextProtos: []string{"http/1.1"}`,
			new:  `NextProtos: []string{"h2", "http/1.1"}`,
			also: []edit{{file, `	protocols.SetHTTP1(true)`, `	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)`}},
			breaks: "Go's client repeats a purchase thousands of times to a server that goes away",
			holds:  oneAttempt,
			by:     "./internal/api",
		},
		{
			name: "a purchase is tried on a second connection where the first one breaks",
			file: file,
			old:  `	v := verdict(s.client.money.send(req, body, held), what.made)`,
			new: `	got := s.client.money.send(req, body, held)
	if got.err != nil && ctx.Err() == nil {
		got = s.client.money.send(req.Clone(ctx), body, held)
	}
	v := verdict(got, what.made)`,
			breaks: "what was bought is bought again",
			holds:  oneAttempt,
		},
		{
			name:   "a purchase has no time limit of its own",
			file:   file,
			old:    `	ctx, cancel := context.WithTimeout(ctx, s.client.cfg.PurchaseTimeout) // of the answer`,
			new:    `	ctx, cancel := context.WithCancel(ctx) // of the answer`,
			breaks: "a service that hangs stops an account for good",
			holds:  liveness,
		},
		{
			name:   "an answer without end is read to its end",
			file:   file,
			old:    `	a.body, a.err = io.ReadAll(io.LimitReader(resp.Body, maxBody+1))`,
			new:    `	a.body, a.err = io.ReadAll(resp.Body)`,
			breaks: "an answer of gigabytes takes the process down",
			holds:  "answers are capped",
			by:     "./internal/api",
		},
		{
			name:   "a purchase does not count against the limits",
			file:   file,
			old:    `(waiting, what.op, http.MethodPost)`,
			new:    `(waiting, what.op, http.MethodGet)`,
			breaks: "the service refuses purchases for a minute",
			holds:  limitsKept,
			by:     "./internal/api",
		},
		{
			name:   "the key is logged with an attempt",
			file:   file,
			old:    `"spent an attempt", "op", what.op,`,
			new:    `"spent an attempt", "op", what.op, "request", req.Header,`,
			breaks: "whoever reads the log can spend",
			holds:  noSecrets,
		},
		{
			name: "the answer to a purchase is logged",
			file: file,
			old:  `	v := verdict(s.client.money.send(req, body, held), what.made)`,
			new: `	s.client.cfg.Log.Debug("spending", "op", what.op, "body", string(body))
	v := verdict(s.client.money.send(req, body, held), what.made)`,
			breaks: "whom people top up stands in the log",
			holds:  noSecrets,
		},
		{
			name:   "the player of a top-up is not sent",
			file:   file,
			old:    `	player := r.Inputs[PlayerInput]`,
			new:    `	player := r.Inputs["0"]`,
			breaks: "no top-up can be bought",
			holds:  "a top-up is for the player who was confirmed",
			by:     "./internal/api",
		},
	}
}

// limitDefects are mistakes in keeping to the service's limits.
func limitDefects() []defect {
	const file = "internal/api/limit.go"
	return []defect{
		{
			name:   "the reserve of people is dropped",
			file:   file,
			old:    `		w.polled = sliding.New(limit-reserve, span)`,
			new:    `		w.polled = sliding.New(limit, span)`,
			breaks: "polling takes the calls that people wait for",
			holds:  "people have a reserve",
			by:     "./internal/api",
		},
		{
			name:   "people's calls are charged to polling's share",
			file:   file,
			old:    "	if l == polling {\n		w.polled.Add(now)",
			new:    "	if w.polled != nil {\n		w.polled.Add(now)",
			breaks: "while people buy, nobody looks whether codes are there",
			holds:  "people's calls are charged to their reserve first",
			by:     "./internal/api",
		},
		{
			name:   "the window of the limit is a second short",
			file:   file,
			old:    `	const span = minute + safetyEdge`,
			new:    `	const span = minute - time.Second`,
			breaks: "the service refuses everything for a while",
			holds:  limitsKept,
			by:     "./internal/api",
		},
		{
			name: "calls are not counted",
			file: file,
			old: `	w.sent.Add(now)
`,
			new:    ``,
			breaks: "the service refuses everything for a while",
			holds:  limitsKept,
			by:     "./internal/api",
		},
		{
			name: "a 429 of the service is not obeyed",
			file: file,
			old: `	if wait := l.rest.Sub(now); wait > 0 {
		return wait, true
	}
`,
			new:    ``,
			breaks: "the service is asked on while it says to wait",
			holds:  limitsKept,
			by:     "./internal/api",
		},
		{
			name:   "what the service says about waiting is not read",
			file:   file,
			old:    `	wait := max(l.refuse, asked)`,
			new:    `	wait := l.refuse`,
			breaks: "the service is asked on while it says to wait",
			holds:  limitsKept,
			by:     "./internal/api",
		},
		{
			name:   "polling waits for its turn",
			file:   file,
			old:    "\t\tif callerOf(ctx) != people || resting",
			new:    `		if resting`,
			breaks: "polls pile up and hold up each other's orders",
			holds:  "polling does not wait",
			by:     "./internal/api",
		},
	}
}

// readingDefects are mistakes in reading answers.
func readingDefects() []defect {
	const request, cache, generation, decode = "internal/api/request.go", "internal/api/cache.go", "internal/api/generation.go", "internal/api/decode.go"
	return []defect{
		{
			name: "an error of the network is passed on as it came",
			file: request,
			old: `	return errors.New("the answer cannot be read")
}`,
			new: `	return err
}`,
			breaks: "what the other side sent stands in the log",
			holds:  "errors quote nobody",
			by:     "./internal/api",
		},
		{
			name:   "an envelope with an error is data where the status is 200",
			file:   request,
			old:    `	if resp.StatusCode == http.StatusOK && !env.refused() {`,
			new:    `	if resp.StatusCode == http.StatusOK {`,
			breaks: "an error is taken for an empty list",
			holds:  "an error is no answer",
			by:     "./internal/api",
		},
		{
			name: "every 404 means that the order does not exist",
			file: request,
			old: `		return nil
	}
	return errNoRoute
}`,
			new: `		return nil
	}
	return nil
}`,
			breaks: "a service that has moved is taken for one that lost our orders",
			holds:  "a path that is not known tells nothing about an order",
			by:     "./internal/api",
		},
		{
			name:   "a fresh reading may be a cached one",
			file:   cache,
			old:    `	return k.value, ok && time.Since(k.at) < maxAge`,
			new:    `	return k.value, ok && time.Since(k.at) < max(maxAge, time.Minute)`,
			also:   []edit{{cache, `	if maxAge <= 0 {`, `	if maxAge < 0 {`}},
			breaks: "the balance of a minute ago proves that nothing was charged",
			holds:  neverDenied,
		},
		{
			name: "what was read before a purchase is kept after it",
			file: cache,
			old: `	c.kept = nil
	c.epoch++`,
			new:    `	c.epoch++`,
			breaks: "the old balance is shown after a purchase",
			holds:  "after a purchase nothing cached is sure",
			by:     "./internal/api",
		},
		{
			name: "an outage means the older interface",
			file: generation,
			old: `	if ClassOf(err) != NotFound {
		return a, Unsettled, err
	}
`,
			new:    ``,
			breaks: "after an outage purchases go to an endpoint that is not there",
			holds:  "an outage tells no generation",
			by:     "./internal/api",
		},
		{
			name:   "the code of an order is looked for under one name",
			file:   "internal/api/decode_codes.go",
			old:    `		{w.Key, "key"}, {w.Code, "code"},`,
			new:    `		{w.Code, "code"},`,
			breaks: "codes are there and nobody gets them",
			holds:  liveness,
		},
		{
			name:   "a missing price is free",
			file:   "internal/api/decode_catalogue.go",
			old:    `	v.Available = v.Available && paid.known && v.Price.Sign() >= 0`,
			new:    `	v.Available = v.Available && v.Price.Sign() >= 0`,
			breaks: "what has no price is sold for nothing",
			holds:  "an absent price is not free",
			by:     "./internal/api",
		},
		{
			name: "a balance that is missing is empty",
			file: decode,
			old: `	if !w.Balance.known && !available.known {
		return Balance{}, errShape
	}
`,
			new:    ``,
			breaks: "an odd answer says that all the money is gone",
			holds:  money,
			by:     "./internal/api",
		},
		{
			name:   "the names of reading are not escaped",
			file:   "internal/api/orders.go",
			old:    `path: path + url.PathEscape(id)}`,
			new:    `path: path + id}`,
			also:   []edit{{"internal/api/orders.go", `	"net/url"` + "\n", ``}},
			breaks: "an order with a hostile id asks for another page",
			holds:  "what comes from outside is hostile",
			by:     "./internal/api",
		},
		{
			name:   "reads follow redirects",
			file:   "internal/api/client.go",
			old:    `		CheckRedirect: noRedirect,` + "\n",
			new:    ``,
			breaks: "the key goes to whoever redirects",
			holds:  "the key goes to the service alone",
			by:     "./internal/api",
		},
		{
			name:   "two keys share what is cached",
			file:   "internal/api/client.go",
			old:    `	k := key.Reveal()`,
			new:    `	k := key.Reveal()[:4]`,
			breaks: "one account is shown another's balance",
			holds:  "accounts know nothing of each other",
			by:     "./internal/api",
		},
		{
			name:   "money is rounded to whole dinars",
			file:   "internal/api/dzd/dzd.go",
			old:    `const scale = 4`,
			new:    `const scale = 0`,
			breaks: "every sum is wrong by centimes",
			holds:  money,
		},
	}
}
