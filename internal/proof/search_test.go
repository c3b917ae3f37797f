package proof

import (
	"os"
	"testing"
	"time"

	"resellerbot/internal/sampletest"
)

// TestUncertainNeedsNobody: on an account that the bot has for itself, and has bought with before, an uncertain
// purchase is found, or shown never to have been, without asking people: whatever the service has done to its
// answer, and wherever the program was killed. Where the service lists no orders, people have to look more often.
func TestUncertainNeedsNobody(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	step := 9 // a full sample; all of them where the proof is long
	if atMost(1) == 0 {
		step *= parts
	}
	if os.Getenv("PROOF_TRIPLES") != "" {
		step = 1
	}
	var list []trial
	heals := []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute}
	for i, service := range idsOf(ofService) {
		for j, flavour := range flavours() {
			for k := range 3 {
				n := (i*len(flavours())+j)*3 + k
				tr := trial{flavour: flavour, service: service, heal: heals[n%len(heals)], known: true}
				if k > 0 {
					tr.crash, tr.nth = 1+n%len(points()), 1
				}
				if n%step == 0 {
					list = append(list, tr)
				}
			}
		}
	}
	s := runSeries(t, list)
	for _, v := range s.violations {
		t.Error(v)
	}
	t.Logf("uncertain purchases that needed a person: %d of %d; where the service lists no orders, %d of %d",
		s.listed.personal, s.listed.uncertain, s.unlisted.personal, s.unlisted.uncertain)
	for _, asked := range s.listed.asked {
		t.Log(asked)
	}
	if s.listed.uncertain < len(list)/4 || 100*s.listed.personal >= s.listed.uncertain {
		t.Error("that is too many, or too little was uncertain")
	}
}
