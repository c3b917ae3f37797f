package notify

import (
	"container/heap"
	"time"
)

// dueCalls is a heap of the schedules that have a call planned and none under way, by when the call is due. There may be tens of
// thousands, of which hardly any is due. The poller's lock is held for its methods.
type dueCalls struct{ list []*schedule }

// Len implements heap.Interface.
func (d *dueCalls) Len() int { return len(d.list) }

// Less implements heap.Interface.
func (d *dueCalls) Less(i, j int) bool { return d.list[i].due().Before(d.list[j].due()) }

// Swap implements heap.Interface.
func (d *dueCalls) Swap(i, j int) {
	d.list[i], d.list[j] = d.list[j], d.list[i]
	d.list[i].place, d.list[j].place = i+1, j+1
}

// Push implements heap.Interface.
func (d *dueCalls) Push(s any) {
	one, _ := s.(*schedule)
	d.list = append(d.list, one)
	// place counts from 1, so that the zero value of a schedule stands nowhere.
	one.place = len(d.list)
}

// Pop implements heap.Interface.
func (d *dueCalls) Pop() any {
	end := len(d.list) - 1
	last := d.list[end]
	d.list[end] = nil // or the array would keep it
	d.list = d.list[:end]
	last.place = 0
	return last
}

// sort has a schedule stand where its plan says, or nowhere, as long as a call is under way or nothing is in hand.
func (d *dueCalls) sort(s *schedule) {
	waits := !s.asking && len(s.orders) > 0
	switch {
	case waits && s.place > 0:
		heap.Fix(d, s.place-1)
	case waits:
		heap.Push(d, s)
	case s.place > 0:
		heap.Remove(d, s.place-1)
	}
}

// letGo has those stand where their plans say that an outage has held back.
func (d *dueCalls) letGo() {
	for _, s := range d.list {
		s.held = time.Time{}
	}
	heap.Init(d)
}

// due is when the call of a schedule is to be made: as it is planned, unless an outage holds it back.
func (s *schedule) due() time.Time { return laterOf(s.next.at, s.held) }
