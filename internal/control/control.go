// Package control is how an operator looks into the bot while it runs, and puts a hand on it: HTTP over a unix socket that
// lies beside the database and is its owner's alone. Server is the bot's side, Client that of its subcommands. What is
// secret, codes, keys and players, never leaves through it, but for a copy of the database, in which it is sealed.
package control

import (
	"sync"
	"time"
)

// Status is how a running bot is.
type Status struct {
	Version  string
	Started  time.Time
	Now      time.Time
	Troubles []string // what keeps it from being ready

	Size, Most int64 // of the database; Most is 0 where no limit is known

	Open      map[string]int // purchases that are not at their end, by phase
	Stuck     []Purchase     // those that somebody should know of, the oldest first
	MoreStuck int            // and how many others

	Accounts int
	Held     []Account // those that may not spend as they are

	Orders   *time.Time // when the next look at an order is due; nil where none is awaited
	Messages Messages
	Updates  Updates
	Jobs     []Job
	Copies   Copies
}

// Purchase is a line about a purchase.
type Purchase struct {
	ID      string
	Ref     string
	Phase   string
	Since   time.Time // in its phase
	Account string
	Item    string
	Total   string
	LookAt  time.Time // zero: it is not looked for
}

// Account is a line about an account that may not spend.
type Account struct {
	ID, Name string
	Waiting  int // purchases in its line
	Why      []string
}

// Messages are those that wait to be sent.
type Messages struct {
	Waiting     int
	Oldest      time.Time // of those whose chats take messages; zero for none
	Unreachable int       // for chats that take none
}

// Updates are those of Telegram that were not handled.
type Updates struct {
	Waiting int
	Oldest  time.Time
	Parked  []int64
}

// Parked is an update that could not be handled, without what somebody wrote.
type Parked struct {
	ID         int64
	At         time.Time
	Chat, User int64
	What       string // it is
	Does       string // what to handle it again would do
	Refused    string // why it is not handled again; empty where it is
}

// Copies are the copies of the database by schedule.
type Copies struct {
	Made  bool // there is a schedule
	Last  time.Time
	Aside []string // databases that restores have put aside, the newest first
}

// Job is how the runs of a job have ended.
type Job struct {
	Name   string
	Ran    time.Time // its last run's end
	Failed int       // runs that have failed since the last that was well
	Why    string    // the last one did
}

// Jobs notes how jobs end. Its zero value is ready.
type Jobs struct {
	mu     sync.Mutex
	byName map[string]Job
}

// Ran notes the end of a run. A nil err is a good one; its text must name no secret.
func (j *Jobs) Ran(name string, at time.Time, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.byName == nil {
		j.byName = map[string]Job{}
	}
	job := Job{Name: name, Ran: at}
	if err != nil {
		job.Failed, job.Why = j.byName[name].Failed+1, err.Error()
	}
	j.byName[name] = job
}

// Last says whether a job has run since the process began, and whether its last run has failed.
func (j *Jobs) Last(name string) (ran, failed bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	job, ran := j.byName[name]
	return ran, job.Failed > 0
}

// Story is all that is known of a purchase, without what is secret.
type Story struct {
	Purchase

	AccountName string
	Chat, User  int64
	Buyer       string
	Quantity    int
	Price       string
	Created     time.Time
	Sent        time.Time // when the one attempt began
	Answered    time.Time
	Attempts    int
	Reason      string
	Rule        string // that spoke at the last look for an uncertain one
	Looks       int
	Charged     string // what its orders say that it cost, where that is not Total
	Shown       int    // codes that the chat shows
	Steps       []Step
	Orders      []Order
	Waiting     []string // kinds of the messages that wait to tell of it in its chat
}

// Step is a change of a purchase's phase.
type Step struct {
	At       time.Time
	From, To string
	Why      string
}

// Order is a unit of a purchase.
type Order struct {
	ID     string
	State  string
	Status string // as the service calls it
	Codes  int    // that are here
	Refund string
	Looks  int
	Seen   time.Time // the last look
	Due    time.Time // the next
}

// said is what an act has come to, in a sentence.
type said struct{ Text string }
