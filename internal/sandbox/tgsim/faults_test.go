package tgsim

import (
	"testing"
	"time"
)

// TestFaults is what each fault looks like to the bot, and whether the call was done.
func TestFaults(t *testing.T) {
	for name, c := range map[string]struct {
		fault Fault
		code  int // of the answer; 0: there is none, 1: none that can be read
		done  bool
		took  time.Duration
	}{
		"flood":        {Fault{Kind: Flood, Wait: 7 * time.Second}, 429, false, 0},
		"broken":       {Fault{Kind: Broken}, 500, false, 0},
		"a page":       {Fault{Kind: Page}, 1, false, 0},
		"hang":         {Fault{Kind: Hang, Wait: 8 * time.Second}, 200, true, 8 * time.Second},
		"closed":       {Fault{Kind: CloseBefore}, 0, false, 0},
		"closed after": {Fault{Kind: CloseAfter}, 0, true, 0},
		"overloaded":   {Fault{Kind: Broken, Code: 503}, 503, false, 0},
		"another page": {Fault{Kind: Page, Code: 413}, 1, false, 0},
		"late":         {Fault{Kind: HangAfter, Wait: 8 * time.Second}, 200, true, 8 * time.Second},
		"cut":          {Fault{Kind: Cut}, 0, true, 0},
		"strange":      {Fault{Kind: Strange}, 200, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, Options{}, func(h *harness) {
				c.fault.Method, c.fault.Times = "sendmessage", 1
				h.Injector.Inject(c.fault)
				h.lies = c.fault.Kind == Strange
				if n := len(h.Injector.Faults()); n != 1 {
					t.Errorf("%d faults wait", n)
				}
				before, begin := len(h.Messages(sam)), time.Now()
				r, err := h.request(ask(h.t.Context(), "sendMessage?chat_id=501&text=a", "", nil))
				if r.OK {
					r.Code = 200
				}
				if (err != nil) != (c.code < 200) || err == nil && r.Code != c.code {
					t.Errorf("got %+v, %v", r, err)
				}
				if done := len(h.Messages(sam)) > before; done != c.done || time.Since(begin) != c.took {
					t.Errorf("done %v after %v", done, time.Since(begin))
				}
				if c.code == 429 && r.Parameters.RetryAfter != 7 {
					t.Errorf("retry_after %d", r.Parameters.RetryAfter)
				}
				h.post("sendMessage", object{"chat_id": sam, "text": "b"}) // it is over
			})
		})
	}
}

// A fault hits the calls that it is for, after those that it lets by.
func TestFaultsAim(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.Injector.Inject(Fault{Method: "*", Chat: sam, After: 1, Times: 1, Kind: Broken})
		h.Injector.Inject(Fault{Method: "getchat", Times: 1, Kind: Broken})
		h.Injector.Inject(Fault{Method: "getme", Times: 1, Kind: Broken})
		for _, c := range []struct {
			method string
			chat   int64
			ok     bool
		}{{"getMe", 0, false}, {"getMe", 0, true}, {"getChat", sam, false}, {"getChat", sam, false}, {"getChat", sam, true}} {
			if r := h.call(c.method, object{"chat_id": c.chat}); r.OK != c.ok {
				t.Errorf("%s: %+v", c.method, r)
			}
		}
		h.Injector.Inject(Fault{Method: "*", Times: 9, Kind: Broken})
		h.Injector.ClearFaults()
		h.post("sendMessage", object{"chat_id": sam, "text": "a"})
	})
}

// A poll whose answer is lost confirms nothing.
func TestLostPoll(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.People.Send(sam, sam, "hello")
		h.Injector.Inject(Fault{Method: "getupdates", Times: 1, Kind: CloseAfter})
		if _, err := h.request(ask(h.t.Context(), "getUpdates", "", nil)); err == nil {
			t.Error("an answer came")
		}
		if got := h.drain(); len(got) != 1 {
			t.Errorf("got %v", got)
		}
	})
}
