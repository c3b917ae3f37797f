package conversations

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"resellerbot/internal/api"
	"resellerbot/internal/figures"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// askInput asks for the next input. Players of this product that were topped up before are offered.
// Its caller has seen to it that there is one without an answer.
func (t buyFlow) askInput(b buying, p api.Product, v api.Variant, problem screen.Problem) error {
	recent, err := topupFlow(t).recent(p, p.Inputs[len(b.Answers)])
	if err != nil {
		return err
	}
	return t.askAmong(b, p, v, recent, problem)
}

// askAmong is askInput with these players on buttons.
func (t buyFlow) askAmong(b buying, p api.Product, v api.Variant, recent []store.Player, problem screen.Problem) error {
	i := len(b.Answers)
	in := p.Inputs[i]
	b.Offered, b.Wrong = nil, problem
	for _, pl := range recent {
		b.Offered = append(b.Offered, pl.ID)
	}
	scr, err := t.selling(p, v)
	if err != nil {
		return err
	}
	t.correct(problem)
	return t.ask(scr.Catalogue().Ask(p, v, in, i+1, len(p.Inputs), recent, problem), flowBuy, stepInput, b)
}

// takeInput checks one answer.
func (t buyFlow) takeInput(b buying, p api.Product, v api.Variant, text string) error {
	in := p.Inputs[len(b.Answers)]
	value, problem := checkInput(in, text)
	if problem != screen.NoProblem {
		return t.lineOr(func() error { return t.askInput(b, p, v, problem) })
	}
	b.Answers = append(b.Answers, answerTo(in, value))
	// They were found out about other answers.
	b.Player, b.Read, b.Twice, b.Same = nil, false, false, nil
	return t.next(b, p, v)
}

// answerTo is an answer to an input, by its value.
func answerTo(in api.Input, value string) store.Answer {
	a := store.Answer{Index: in.Index, Label: in.Label, Value: value}
	if i := slices.Index(in.Options, value); i >= 0 && in.OptionLabel(i) != value {
		a.Shown = in.OptionLabel(i)
	}
	return a
}

// skipInput leaves out an input that need not be given.
func (t buyFlow) skipInput(b buying, p api.Product, v api.Variant) error {
	in := p.Inputs[len(b.Answers)]
	if in.Required {
		return t.stale()
	}
	// Without a value it keeps the place: the next input is found by the number of answers.
	b.Answers = append(b.Answers, store.Answer{Index: in.Index, Label: in.Label})
	return t.next(b, p, v)
}

// optionOf finds an option by its value, or by what only it is known by.
func optionOf(in api.Input, text string) (value string, ok bool) {
	var known []string
	for i, o := range in.Options {
		if strings.EqualFold(o, text) {
			return o, true
		}
		if strings.EqualFold(in.OptionLabel(i), text) {
			known = append(known, o)
		}
	}
	if len(known) != 1 {
		return "", false
	}
	return known[0], true
}

// checkInput reads an answer as its input wants it. Digits of any script are digits.
func checkInput(in api.Input, text string) (string, screen.Problem) {
	value := strings.TrimSpace(text)
	// The comma that is taken along with a number is no part of it.
	if digits := strings.TrimRight(figures.Latin(value), ",، "); digits != "" && strings.Trim(digits, "0123456789") == "" {
		value = digits
	}
	switch {
	case value == "":
		return "", screen.Empty
	case utf8.RuneCountInString(value) > maxInput:
		return "", screen.TooLong
	}
	if len(in.Options) > 0 {
		if option, ok := optionOf(in, value); ok {
			return option, screen.NoProblem
		}
		return "", screen.NotAnOption
	}
	// A pattern is the service's own dialect. One that Go cannot read must not stop a sale: the service
	// checks again.
	if re, err := regexp.Compile(in.Pattern); err == nil && !re.MatchString(value) {
		return "", screen.NotMatching
	}
	return value, screen.NoProblem
}
