package conversations

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

const (
	plansAge = 5 * time.Minute // whether there is an arena changes rarely
)

// topup is /topup: what can be credited to a player, a number or a subscription.
func (t topupFlow) topup() error {
	t.leave()
	return t.topups(0)
}

// topups shows a page of it: the arena, where the service has one, and the products of the catalogue that are for somebody.
func (t topupFlow) topups(page int) error {
	return withService(t.turn, func(s Service) ([]api.Product, error) {
		all, err := orLast(t.turn, func(ctx context.Context) ([]api.Product, error) { return s.Products(ctx, catalogueAge) }, s.LastProducts)
		if err != nil {
			return nil, err
		}
		list := slices.DeleteFunc(slices.Clone(all), func(p api.Product) bool { return !p.Personal() })
		return append(t.plans(s), list...), nil
	}, func(list []api.Product) error {
		return t.ask(t.scr.Catalogue().Topups(list, page), flowBrowse, "", browsing{})
	})
}

// plans are what the service sells beside its catalogue: the arena, where it has one.
func (t *turn) plans(s Service) []api.Product {
	arena, err := s.Product(t.ctx, api.ArenaProduct, plansAge)
	if isPassing(err) {
		arena, _, _ = s.LastProduct(api.ArenaProduct)
	}
	// No error: what can be topped up without the arena is shown all the same.
	if err != nil && !isPassing(err) || len(arena.Variants) == 0 {
		return nil
	}
	return []api.Product{arena}
}

// check asks the service about the player, or the number, that the answers name, and goes on from there.
func (t topupFlow) check(b buying, p api.Product, v api.Variant) error {
	_, service, ok, err := t.account()
	if err != nil || !ok {
		return err
	}
	answers := map[string]string{}
	for _, a := range b.Answers {
		if a.Value != "" { // skipped
			answers[a.Index] = a.Value
		}
	}
	stop := t.ackSoon()
	found, err := patiently(t.ctx, func() (api.Check, error) { return service.Check(t.ctx, p, answers) })
	stop()
	pl := store.Player{Game: game(p), ID: answers[p.PlayerInput()], Name: found.Name, Region: found.Region, Facts: news(found.Facts, b.Answers), At: now()}
	var e *api.Error
	switch {
	case errors.As(err, &e):
		return t.notChecked(b, p, v, pl, e)
	case err != nil:
		return err
	case found.Status == api.CheckInvalid:
		return t.askAnew(b, p, v, p.PlayerInput(), screen.NoSuchID)
	case found.Status == api.CheckUnknown:
		pl.Status = store.PlayerUnknown
	default:
		pl.Status = store.PlayerValid
	}
	if pl.Was, err = t.before(pl); err != nil {
		return err
	}
	// The purchase that is bought once more may be of another chat, which is why this one need not know the player.
	if was := b.Before; pl.Was == nil && was != nil && isSomebodyElse(*was, pl) {
		pl.Was = &store.Player{Name: was.Name, Region: was.Region}
	}
	b.Player = &pl
	return buyFlow(t).next(b, p, v)
}

// news is the facts that do not just repeat an answer.
func news(facts []string, answers []store.Answer) []string {
	return slices.DeleteFunc(slices.Clone(facts), func(fact string) bool {
		return slices.ContainsFunc(answers, func(a store.Answer) bool { return strings.HasSuffix(fact, ": "+a.Value) })
	})
}

// notChecked goes on where the service did not answer a check: what it refuses is asked for once more,
// what it never checks is bought with a warning, and everything else can be tried again.
func (t topupFlow) notChecked(b buying, p api.Product, v api.Variant, pl store.Player, e *api.Error) error {
	switch e.Class {
	case api.Invalid:
		return t.refusedInput(b, p, v, e.Fields)
	case api.NotOffered:
		pl.Status = store.PlayerUnchecked
		b.Player = &pl
		return buyFlow(t).next(b, p, v)
	}
	t.cfg.Log.Warn("a player cannot be checked", "update", t.update, "chat", t.chatID, "err", e)
	return t.ask(t.scr.Failures().CheckFailed(e), flowBuy, stepCheck, b)
}

// refusedInput asks for the input that the service refuses: the first one that it names, or the player's.
func (t topupFlow) refusedInput(b buying, p api.Product, v api.Variant, fields map[string][]string) error {
	for _, in := range p.Inputs {
		if messages, named := fields[in.Index]; named {
			return t.askAnew(b, p, v, in.Index, screen.ProblemOf(messages))
		}
	}
	return t.askAnew(b, p, v, p.PlayerInput(), screen.ProblemOf(fields[api.PlayerInput]))
}

// askAnew asks for one input again, and for those that come after it.
func (t topupFlow) askAnew(b buying, p api.Product, v api.Variant, index string, problem screen.Problem) error {
	i := slices.IndexFunc(b.Answers, func(a store.Answer) bool { return a.Index == index })
	return buyFlow(t).askInput(b.upTo(p, max(i, 0)), p, v, problem)
}

// game is which game's ids a product is bought for.
func game(p api.Product) string {
	if p.Family != api.Goods {
		return string(p.Family)
	}
	return "product " + strconv.FormatInt(p.ID, 10)
}

// recent lists the players of a product for the input that names them: those of the shop's customers, and those that this
// chat has topped up.
func (t topupFlow) recent(p api.Product, in api.Input) ([]store.Player, error) {
	if in.Index != p.PlayerInput() || len(in.Options) > 0 {
		return nil, nil
	}
	first, err := customerFlow(t).playing(game(p))
	if err != nil {
		return nil, err
	}
	all, err := t.cfg.Store.Players(t.ctx, t.chatID, t.shop.ID)
	slices.SortStableFunc(first, func(a, b store.Player) int { return b.At.Compare(a.At) })
	for _, pl := range all {
		known := slices.ContainsFunc(first, func(q store.Player) bool { return q.ID == pl.ID })
		if pl.Game == game(p) && pl.ID != "" && !known {
			first = append(first, pl)
		}
	}
	return first, err
}

// before is who the same id was when this chat used it last, where that is somebody else now.
func (t topupFlow) before(pl store.Player) (*store.Player, error) {
	all, err := t.cfg.Store.Players(t.ctx, t.chatID, t.shop.ID)
	for _, was := range all {
		if isSomebodyElse(was, pl) {
			return &was, nil
		}
	}
	return nil, err
}

// isSomebodyElse reports whether an id was another player's before.
func isSomebodyElse(was, pl store.Player) bool {
	return was.Game == pl.Game && was.ID == pl.ID && (was.Name != pl.Name || was.Region != pl.Region) && was.Name+was.Region != ""
}

// repeats lists what the account has bought lately, in whatever chat, that is the same for the same player, and what was just refused to the
// same person.
func (t topupFlow) repeats(b buying) ([]store.Purchase, error) {
	if t.chat.Account == "" {
		return nil, nil
	}
	same, err := t.cfg.Purchases.Repeats(t.ctx, t.chat.Account, store.Purchase{
		ProductID: b.Product, VariantID: b.Variant, Quantity: b.Quantity, Inputs: b.Answers, Player: b.Player, Chat: t.chatID, User: t.userID,
	})
	return same, ignoreMissing(err) // an account that is gone: the next step says so
}

// unseen reports whether there are purchases of the same that the buyer was not shown.
func unseen(b buying, same []store.Purchase) bool {
	return slices.ContainsFunc(same, func(p store.Purchase) bool { return !slices.Contains(b.Same, p.ID) })
}

// askSame asks whether what was bought just now is wanted once more.
func (t topupFlow) askSame(b buying, same []store.Purchase) error {
	b.Same, b.Twice = nil, false
	for _, p := range same {
		b.Same = append(b.Same, p.ID)
	}
	return t.ask(t.scr.Catalogue().Repeat(same[0], t.userID), flowBuy, stepRepeat, b)
}
