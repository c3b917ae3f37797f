package ledger_test

import (
	"errors"
	"testing"

	"resellerbot/internal/ledger"
)

// sellsToAli sells two units at 1400 each on credit to the customer of these stories.
func (s *shop) sellsToAli() (first, second ledger.Entry) {
	s.Helper()
	s.observe(order("a", 1250, ledger.InStock))
	s.observe(order("b", 1250, ledger.InStock))
	return s.sell(sale("1", "a", 1400, 1400, 0, "ali")), s.sell(sale("2", "b", 1400, 1400, 0, "ali"))
}

// lines is ali's account as it is read before a transaction.
func (s *shop) lines() ledger.CustomerLines {
	s.Helper()
	c, err := ledger.LinesOf(s, book, "ali")
	if err != nil {
		s.Fatal(err)
	}
	return c
}

// moves is money that goes from or to ali's account.
func (s *shop) moves(kind ledger.Kind, nonce string, from, to ledger.Account, amount int64) ledger.Entry {
	s.Helper()
	return s.entry(func(r ledger.Records) (ledger.Entry, error) {
		return ledger.MoveMoney(r, book, ledger.Move{Who: who(boss, nonce), Kind: kind, From: from, To: to, Customer: "ali", Amount: dinars(amount)}, s.now)
	})
}

func (s *shop) pays(nonce string, amount int64) ledger.Entry {
	s.Helper()
	return s.entry(func(r ledger.Records) (ledger.Entry, error) {
		return ledger.Pay(r, book, ledger.Payment{Who: who(karim, nonce), Customer: "ali", Amount: dinars(amount), Ahead: true}, s.now)
	})
}

// undoes takes sales back, by who is no owner: the loss ends with them, though an owner wrote it off.
func (s *shop) undoes(c ledger.CustomerLines, owed int64, sales ...ledger.Entry) error {
	return s.update(func(r ledger.Records) error {
		if err := ledger.EndLoss(r, book, who(karim, ""), c, sales, dinars(owed), s.now); err != nil {
			return err
		}
		for _, e := range sales {
			if _, err := ledger.Undo(r, book, e.Number, who(karim, ""), s.now); err != nil {
				return err
			}
		}
		return nil
	})
}

// stands fails the test unless ali owes, and is written off, so much.
func (s *shop) stands(owes, lost string) {
	s.Helper()
	if a, b := s.net(ledger.In(ledger.Customer, "ali")), s.net(ledger.BadDebt); a != owes || b != lost {
		s.Errorf("ali owes %s, want %s; %s is written off, want %s", a, owes, b, lost)
	}
}

// TestEndLoss: what was written off ends with the sales that come back, as far as nobody has paid it, and never becomes the customer's.
func TestEndLoss(t *testing.T) {
	debt := ledger.In(ledger.Customer, "ali")
	for name, tc := range map[string]struct {
		paid, forgiven int64
		both           bool
		owes, lost     string
	}{
		"both, all written off":            {0, 2800, true, "0", "0"},
		"one of two, all written off":      {0, 2800, false, "0", "1400"},
		"one of two, its price":            {0, 1400, false, "0", "1400"},
		"both, a part was paid":            {500, 2300, true, "-500", "0"},
		"one, and more than it was paid":   {1500, 1300, false, "-100", "0"},
		"nothing was written off":          {2800, 0, true, "-2800", "0"},
		"less was written off than is due": {0, 100, false, "1300", "100"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			first, second := s.sellsToAli()
			if tc.paid > 0 {
				s.pays("p", tc.paid)
			}
			if tc.forgiven > 0 {
				s.moves(ledger.KindForgiven, "f", debt, ledger.BadDebt, tc.forgiven)
			}
			sales, owed := []ledger.Entry{first}, int64(1400)
			if tc.both {
				sales, owed = []ledger.Entry{second, first}, 2800
			}
			if err := s.undoes(s.lines(), owed, sales...); err != nil {
				t.Fatal(err)
			}
			s.stands(tc.owes, tc.lost)
		})
	}
}

// TestLinesThatMoved: nothing is decided by an account that somebody has written to since it was read.
func TestLinesThatMoved(t *testing.T) {
	s := open(t)
	first, _ := s.sellsToAli()
	read := s.lines()
	s.moves(ledger.KindForgiven, "f", ledger.In(ledger.Customer, "ali"), ledger.BadDebt, 2800)
	if err := s.undoes(read, 1400, first); !errors.Is(err, ledger.ErrMoved) {
		t.Errorf("the sale is undone by an old reading: %v", err)
	}
	s.stands("0", "2800")
}

// TestUndoPayment: a payment stays whose money was given back, and only that.
func TestUndoPayment(t *testing.T) {
	debt, drawer := ledger.In(ledger.Customer, "ali"), ledger.In(ledger.Till, house)
	undo := func(s *shop, e ledger.Entry) error {
		c := s.lines()
		return s.update(func(r ledger.Records) error {
			_, err := ledger.UndoPayment(r, book, e.Number, who(boss, ""), c, s.now)
			return err
		})
	}
	s := open(t)
	first, second := s.sellsToAli()
	paid := s.pays("1", 2800)
	if err := s.undoes(s.lines(), 2800, second, first); err != nil {
		t.Fatal(err)
	}
	back := s.moves(ledger.KindGiveBack, "b", drawer, debt, 2800)
	if err := undo(s, paid); !errors.Is(err, ledger.ErrGivenBack) {
		t.Errorf("a payment is undone that was given back: %v", err)
	}
	if err := undo(s, back); err != nil {
		t.Fatal(err)
	}
	if err := undo(s, paid); err != nil {
		t.Errorf("once the giving back is undone: %v", err)
	}
	s.stands("0", "0")

	s = open(t)
	s.sellsToAli()
	debtPaid := s.pays("1", 2800)
	s.pays("2", 500) // ahead
	s.moves(ledger.KindGiveBack, "b", drawer, debt, 500)
	if err := undo(s, debtPaid); err != nil {
		t.Errorf("another payment was given back: %v", err)
	}
	s.stands("2800", "0")
}
