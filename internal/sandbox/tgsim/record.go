package tgsim

import (
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// maxRecord is how many calls are kept.
const maxRecord = 2000

// Call is a call of the bot: what it asked, and what it was told. Of getUpdates only the number is kept.
type Call struct {
	At          time.Time
	Method      string // in lower case
	Params      map[string]string
	Files       []string // the parameters that are files
	OK          bool
	Code        int
	Description string
	Result      json.RawMessage
}

// Record lists the newest calls, the last one last.
func (s Log) Record() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.record)
}

// note keeps a call, and which of its parameters nobody looked at.
func (s Log) note(at time.Time, method string, p params, result any, no *failure) {
	raw, _ := result.(json.RawMessage)
	s.mu.Lock()
	defer s.mu.Unlock()
	// A call that was refused has not read the parameters behind the one that was wrong.
	if no == nil {
		s.overlook(method, p)
	}
	if method == "getupdates" {
		return
	}
	c := Call{At: at, Method: method, Params: map[string]string{}, OK: no == nil, Code: 200, Result: raw, Files: slices.Sorted(maps.Keys(p.files))}
	for name := range p.values {
		c.Params[name] = p.values.Get(name)
	}
	if no != nil {
		c.Code, c.Description = no.code, no.description
	}
	// A tenth at a time, so that not every call moves the whole list.
	if len(s.record) >= maxRecord {
		s.record = slices.Delete(s.record, 0, maxRecord/10)
	}
	s.record = append(s.record, c)
}

// overlook notes the parameters of a method that is emulated, and that had no effect.
func (s Log) overlook(method string, p params) {
	if s.methods[method] == nil && method != "getupdates" {
		return
	}
	of := describedAPI().methods[method]
	for _, f := range of.fields {
		name := of.name + "." + f.name
		if p.values.Get(f.name) != "" && !p.asked[f.name] && !slices.Contains(s.ignored, name) {
			s.ignored = append(s.ignored, name)
		}
	}
}

// Ignored lists parameters that the bot gave, that the Bot API has, and that had no effect here, as
// "sendMessage.allow_paid_broadcast".
func (s Log) Ignored() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.ignored)
}

// complain notes what in a call is not as the Bot API has it, even where the real server would let it pass.
func (s Log) complain(method string, p params) {
	for _, fault := range (judge{api: describedAPI(), lenient: true}).call(method, p) {
		if !slices.Contains(s.complaints, fault) {
			s.complaints = append(s.complaints, fault)
		}
	}
}

// Complaints lists what the bot asked for that is not as the Bot API has it: parameters that there are not,
// or that are missing, and values of another type. The real server lets some of it pass.
func (s Log) Complaints() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.complaints)
}
