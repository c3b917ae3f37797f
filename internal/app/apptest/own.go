package apptest

import "resellerbot/internal/api/sim"

// Crossed is a shop whose service serves both generations: its list calls orders otherwise than the answers to purchases
// do, and shows no code before they are done.
func Crossed(h *Harness) {
	h.Service = sim.New(sim.Options{Seed: 7, Mode: sim.Both})
	h.Must(h.Service.AddAccount(sim.AccountSpec{Key: TestKey, Name: "Boutique El Djazair", UserID: 4101, Balance: "25000"}))
	People(h)
}
