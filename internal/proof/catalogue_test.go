package proof

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/sampletest"
)

// layer is who goes wrong.
type layer uint8

const (
	ofService  layer = iota // the service, and the way to it: U01 …
	ofTelegram              // Telegram, and the way to it: T01 …
	ofStorage               // the disk and the database: S01 …
	ofProcess               // the process and its clock: P01 …

	layers = iota
)

// String names the layer.
func (l layer) String() string { return [...]string{"service", "Telegram", "storage", "process"}[l] }

// letter is what the layer's ids begin with.
func (l layer) letter() string { return "UTSP"[l : l+1] }

// kind is one kind of fault. One of service, telegram and world makes it happen in a trial; where another test
// does, by names it, and where nothing does, missing says why.
type kind struct {
	id, name string
	service  func() *serviceFault
	telegram func() *telegramFault
	world    func() *worldFault
	by       string
	missing  string
}

// layer is whose fault it is.
func (k kind) layer() layer { return layer(strings.Index("UTSP", k.id[:1])) }

// injected reports whether trials make it happen.
func (k kind) injected() bool { return k.service != nil || k.telegram != nil || k.world != nil }

// worldFault is something that goes wrong with the machine, the disk or the process. What is nil goes well.
type worldFault struct {
	prepare func(l *lab)            // before the program starts
	arm     func(l *lab, b *errand) // just before the ✅
	cure    func(l *lab)            // when everything is healed
	lasts   time.Duration           // how much longer than usual its consequences may take
	exempt  exempt
}

// catalogue is every kind of fault that we know of.
func catalogue() []kind {
	return slices.Concat(serviceKinds(), telegramKinds(), storageKinds(), processKinds())
}

// kindByID finds a kind by its id. The kind of "" does nothing.
func kindByID(id string) (kind, bool) {
	for _, k := range catalogue() {
		if k.id == id {
			return k, true
		}
	}
	return kind{}, false
}

// idsOf lists the kinds of a layer that trials can make happen.
func idsOf(l layer) []string {
	var ids []string
	for _, k := range catalogue() {
		if k.layer() == l && k.injected() {
			ids = append(ids, k.id)
		}
	}
	return ids
}

// flavours are the ways in which trials buy.
func flavours() []string { return []string{"goods", "current", "legacy", "arena", "unlucky"} }

// TestProofCatalogue makes every kind of fault happen, a third of them where samples are played, alone, at the step where
// it bites, and says which ones nothing makes happen.
func TestProofCatalogue(t *testing.T) {
	sampletest.Slow(t)
	beside(t)
	var list []trial
	var here, elsewhere, missing [layers]int
	for i, k := range catalogue() {
		switch l := k.layer(); {
		case k.injected():
			here[l]++
			if sampletest.Plays(i, 3) {
				list = append(list, trialsOf(k, i)...)
			}
		case k.by != "":
			elsewhere[l]++
			t.Logf("%s %s: by %s", k.id, k.name, k.by)
		default:
			missing[l]++
			t.Logf("%s %s: missing, for %s", k.id, k.name, k.missing)
		}
	}
	for _, v := range runTrials(t, list) {
		t.Error(v)
	}
	all := 0
	for l := range layer(layers) {
		t.Logf("%s: %d kinds of faults injected, %d by other tests, %d missing", l, here[l], elsewhere[l], missing[l])
		all += here[l] + elsewhere[l]
	}
	t.Logf("%d kinds of faults are covered", all)
	if all < 130 {
		t.Errorf("only %d kinds of faults are covered", all)
	}
}

// trialsOf makes a kind happen: for one flavour; in a full sample for two where it is the service's, since each has its
// own way to buy; for all of them in a long run, and with kills where the machine itself goes wrong.
func trialsOf(k kind, i int) []trial {
	heals := []time.Duration{20 * time.Second, 3 * time.Minute, 11 * time.Minute}
	var list []trial
	long := os.Getenv("PROOF_TRIPLES") != ""
	for j, f := range flavours() {
		tr := trial{flavour: f, heal: heals[(i+j)%len(heals)]}
		switch k.layer() {
		case ofService:
			tr.service = k.id
		case ofTelegram:
			tr.telegram = k.id
		default:
			tr.world = k.id
		}
		if atMost(2) == 0 && j != i%len(flavours()) { // not the full sample
			continue
		}
		first, second := j == i%len(flavours()), j == (i+3)%len(flavours())
		if first || second && k.layer() == ofService || long {
			list = append(list, tr)
		}
		if first && long && (k.layer() == ofStorage || k.layer() == ofProcess) {
			list = append(list, killedEverywhere(tr)...)
		}
	}
	return list
}

// killedEverywhere is a trial with a kill at each point.
func killedEverywhere(tr trial) []trial {
	var list []trial
	for i := range points() {
		tr.crash = i + 1
		list = append(list, tr)
	}
	return list
}

// TestProofCatalogueIsWhole: ids count on without gaps, and every kind is injected or says why not.
func TestProofCatalogueIsWhole(t *testing.T) {
	var count [layers]int
	for _, k := range catalogue() {
		l := k.layer()
		count[l]++
		if want := fmt.Sprintf("%s%02d", l.letter(), count[l]); k.id != want {
			t.Errorf("%s %s comes where %s is expected", k.id, k.name, want)
		}
		ways := 0
		for _, way := range []bool{k.service != nil, k.telegram != nil, k.world != nil, k.by != "", k.missing != ""} {
			if way {
				ways++
			}
		}
		if ways != 1 || k.name == "" {
			t.Errorf("%s %q has %d ways to happen or not to", k.id, k.name, ways)
		}
	}
}
