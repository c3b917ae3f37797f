package conversations

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/sampletest"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
	"resellerbot/internal/telegram"
)

// told is a messenger that notes who was answered, and for whom.
type told struct {
	mu    sync.Mutex
	chats []int64
	cause []telegram.Purpose
	taps  int
	full  int // how many more find no room
}

func (m *told) Send(ctx context.Context, chat int64, _ int, _ screen.Message) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.full > 0 {
		m.full--
		return 0, telegram.ErrNoRoom
	}
	m.chats, m.cause = append(m.chats, chat), append(m.cause, telegram.PurposeOf(ctx))
	return len(m.chats), nil
}
func (m *told) Edit(context.Context, int64, int, screen.Message) error  { return telegram.ErrGone }
func (m *told) Clear(context.Context, int64, int) error                 { return nil }
func (m *told) Delete(context.Context, int64, int) error                { return nil }
func (m *told) Download(context.Context, string, int64) ([]byte, error) { return nil, nil }
func (m *told) Typing(context.Context, int64, int) error                { return nil }
func (m *told) Delay(int64) time.Duration                               { return 0 }
func (m *told) Answer(context.Context, string, string, bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.taps++
	return nil
}

// count is how often a chat was answered.
func (m *told) count(chat int64) (n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.chats {
		if c == chat {
			n++
		}
	}
	return n
}

// frontDoor is a bot with a store, a shop of person 7 and its group -7, and nobody else.
type frontDoor struct {
	*testing.T

	out   *told
	store *store.Store
	inbox Inbox
	id    int64
}

func atDoor(t *testing.T, play func(*frontDoor)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		screens, err := screen.Load(time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		d := &frontDoor{T: t, out: &told{}, store: storetest.New(t)}
		err = d.store.Update(t.Context(), func(tx *store.Tx) error {
			if err := tx.PutAccount(&store.Account{ID: "u1", Key: secret.New("key"), Chats: []int64{7, -7}}); err != nil {
				return err
			}
			if err := tx.PutChat(&store.Chat{ID: -7, Account: "u1", Language: "en"}); err != nil {
				return err
			}
			return tx.PutChat(&store.Chat{ID: 7, Account: "u1", Language: "en"})
		})
		if err != nil {
			t.Fatal(err)
		}
		quiet := slog.New(slog.DiscardHandler)
		bot := New(Config{
			Store: d.store, Messenger: d.out, Screens: screens, Language: "en", BotName: func() string { return "shop_bot" }, Reachable: func(int64) {},
			Access: Access{Members: Pace{300, time.Second / 4}, Strangers: Pace{3, 6 * time.Second}, Steps: Pace{50, time.Second / 5}}, Log: quiet,
		})
		defer bot.Stop(context.Background())
		d.inbox = Inbox{Store: d.store, Bot: bot, Log: quiet}
		play(d)
	})
}

// write has somebody write in a chat; sender is the chat in whose name they do, 0 for none.
func (d *frontDoor) write(person, chat, sender int64, text string) {
	d.Helper()
	d.id++
	kind := map[bool]string{true: "private", false: "group"}[chat > 0]
	from, in := fmt.Sprintf(`{"id":%d,"first_name":"A","is_bot":%v}`, person, sender != 0), ""
	if sender != 0 {
		in = fmt.Sprintf(`,"sender_chat":{"id":%d,"type":"group"}`, sender)
	}
	d.take(fmt.Sprintf(`{"update_id":%d,"message":{"message_id":%d,"date":1,"text":%q,"chat":{"id":%d,"type":%q},"from":%s%s}}`, d.id, d.id, text, chat, kind, from, in))
}

// tap has somebody tap a button in a chat.
func (d *frontDoor) tap(person, chat int64, data string) {
	d.Helper()
	d.id++
	d.take(fmt.Sprintf(`{"update_id":%d,"callback_query":{"id":"q%d","from":{"id":%d,"first_name":"A"},"message":{"message_id":1,"date":1,"chat":{"id":%d,"type":"private"}},"data":%q}}`, d.id, d.id, person, chat, data))
}

func (d *frontDoor) take(body string) {
	d.Helper()
	if err := d.inbox.Accept(d.Context(), []telegram.Raw{{ID: d.id, Body: []byte(body)}}); err != nil {
		d.Fatal(err)
	}
	synctest.Wait()
}

const anonymousBot = 1087968824 // who writes for all anonymous administrators

// TestStrangersAreAnsweredLessAndLess: some answers, and then silence that doubles; who was quiet for long begins anew.
func TestStrangersAreAnsweredLessAndLess(t *testing.T) {
	atDoor(t, func(d *frontDoor) {
		var at []time.Duration
		begin := time.Now()
		for range 600 {
			before := d.out.count(50)
			d.write(50, 50, 0, "/help")
			if d.out.count(50) > before {
				at = append(at, time.Since(begin))
			}
			<-time.After(time.Second / 2)
		}
		var want []time.Duration
		for _, seconds := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 22, 30, 46, 78, 142, 270} {
			want = append(want, time.Duration(seconds)*time.Second)
		}
		if !slices.Equal(at, want) {
			t.Errorf("answered at %v", at)
		}
		<-time.After(time.Hour)
		for range 2 {
			d.write(50, 50, 0, "/help")
			<-time.After(firstQuiet)
		}
		if n := d.out.count(50); n != len(want)+2 {
			t.Errorf("%d answers", n)
		}
		for _, c := range d.out.cause {
			if c.Class != telegram.Strangers {
				t.Fatal("a stranger is answered as a member")
			}
		}
	})
}

// TestGroupOfNobody: where nothing is linked there is one answer a day, whoever writes; a member of a team is answered.
func TestGroupOfNobody(t *testing.T) {
	atDoor(t, func(d *frontDoor) {
		for i := range int64(200) {
			d.write(100+i%20, -50, 0, "/help")
			<-time.After(time.Second)
		}
		if n := d.out.count(-50); n != 1 {
			t.Errorf("%d answers to people of no team", n)
		}
		d.write(7, -50, 0, "/help")
		<-time.After(time.Second)
		if n := d.out.count(-50); n != 2 {
			t.Error("a member of a team is not answered")
		}
		if c := d.out.cause[len(d.out.cause)-1]; c != (telegram.Purpose{Account: "u1"}) {
			t.Errorf("the answer is for %+v", c)
		}
		if _, err := d.store.Chat(t.Context(), 100); err == nil {
			t.Error("a stranger is stored")
		}
	})
}

// TestAnonymousAdministratorsAreApart: those of one group do not use up what is there for those of another.
func TestAnonymousAdministratorsAreApart(t *testing.T) {
	atDoor(t, func(d *frontDoor) {
		for range 500 {
			d.write(anonymousBot, -50, -50, "/team")
			<-time.After(10 * time.Millisecond)
		}
		if n := d.out.count(-50); n < 1 || n > 4 {
			t.Errorf("the one group has %d answers", n)
		}
		d.write(anonymousBot, -51, -51, "/team")
		if n := d.out.count(-51); n != 1 {
			t.Errorf("the other one has %d", n)
		}
	})
}

// TestStrangerInTheShop: who is not of the team has a stranger's pace in its group, and the team has its own.
func TestStrangerInTheShop(t *testing.T) {
	atDoor(t, func(d *frontDoor) {
		for range 120 {
			d.write(50, -7, 0, "/help")
			<-time.After(time.Second / 2)
		}
		if n := d.out.count(-7); n > 7 {
			t.Errorf("a stranger has %d answers in a minute", n)
		}
		before := d.out.count(-7)
		for range 20 {
			d.write(7, -7, 0, "/help")
		}
		<-time.After(time.Second)
		if n := d.out.count(-7) - before; n != 20 {
			t.Errorf("the owner has %d answers to 20 commands", n)
		}
	})
}

// TestStepsOfStrangers: what may lead into a team is heard, some of it, and each tap besides is told that it is too
// much.
func TestStepsOfStrangers(t *testing.T) {
	atDoor(t, func(d *frontDoor) {
		for range 10 {
			d.tap(50, 50, "1:languages")
		}
		<-time.After(time.Second)
		if n := d.out.count(50); n != 3 || d.out.taps != 10 {
			t.Errorf("%d of 10 taps are followed, %d answered", n, d.out.taps)
		}
	})
}

// TestStepWithoutRoom: a step for whose answer there was no room is tried again, a few times, and then let go; a line
// is not.
func TestStepWithoutRoom(t *testing.T) {
	for full, want := range map[int]int{1: 1, 3: 1, 4: 0} {
		atDoor(t, func(d *frontDoor) {
			d.out.full = full
			d.tap(50, 50, "1:languages")
			<-time.After(time.Minute)
			if n := d.out.count(50); n != want {
				t.Errorf("%d answers where %d found no room", n, full)
			}
			if waiting, err := d.store.PendingUpdates(t.Context(), 0, 10); err != nil || len(waiting) > 0 {
				t.Errorf("%d updates are left, %v", len(waiting), err)
			}
		})
	}
	atDoor(t, func(d *frontDoor) {
		d.out.full = 1
		d.write(50, 50, 0, "/help")
		<-time.After(time.Second)
		if n := d.out.count(50); n != 0 {
			t.Errorf("%d answers", n)
		}
	})
}

// TestNothingIsKeptOfStrangers: however many there are, memory does not grow, and nothing of them is on disk. With
// CROWDS=full there are 100,000.
func TestNothingIsKeptOfStrangers(t *testing.T) {
	sampletest.Slow(t)
	sampletest.MoreThanFew(t) // the race detector's memory is another
	many := int64(10_000)
	if os.Getenv("CROWDS") == "full" {
		many = 100_000
	}
	atDoor(t, func(d *frontDoor) {
		come := func(from, to int64) {
			for id := from; id < to; id++ {
				d.write(id, id, 0, "/help")
				d.write(id, -id, 0, "/help")
				d.out.chats, d.out.cause = nil, nil
			}
		}
		come(1000, 1000+2*manyPeople) // until what is remembered is full
		before := heap()
		come(1_000_000, 1_000_000+many)
		grown := int64(heap()) - int64(before)
		t.Logf("%d strangers, each in private and in a group of theirs: the heap has grown by %d bytes", many, grown)
		if grown > 1<<20 {
			t.Error("that is growth")
		}
		if chats, err := d.store.Chats(t.Context(), 0, 100); err != nil || len(chats) != 2 {
			t.Errorf("%d chats are stored, %v", len(chats), err)
		}
	})
}

// heap is how much memory is in use.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
