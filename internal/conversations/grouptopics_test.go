package conversations_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

const forum = int64(-1000000000700)

// inForum plays in a team whose group has topics, which the bot may make or not, and is linked.
func inForum(t *testing.T, rights []string, play func(*apptest.Harness)) {
	t.Helper()
	inTeam(t, func(h *apptest.Harness) {
		h.Telegram.AddForum(forum, "Forum", apptest.Sam, apptest.Karim, apptest.Lila)
		h.Telegram.StartGroup(apptest.Lila, forum, "none") // brings the bot in
		if rights != nil {
			h.Telegram.SetRole(apptest.Sam, forum, h.Telegram.BotID(), tgsim.Administrator)
			h.Telegram.SetRights(apptest.Sam, forum, h.Telegram.BotID(), rights...)
		}
		h.Pass(time.Second)
		commandIn(h, apptest.Sam, forum, 0, "/team@shop_bot")
		h.TapIn(apptest.Sam, forum, "Deliver here")
		h.Pass(30 * time.Second)
		play(h)
	})
}

// began are the topics that the bot has made in the forum, by name; the newest of each.
func began(h *apptest.Harness) (topics map[string]int, made int) {
	topics = map[string]int{}
	for _, m := range h.Telegram.Messages(forum) {
		if _, name, ok := strings.Cut(m.Notice, " began the topic "); ok {
			topics[strings.Trim(name, `"`)] = m.ID
			made++
		}
	}
	return topics, made
}

// inTopic counts the messages of the bot in a topic that hold some words.
func inTopic(h *apptest.Harness, thread int, words string) (n int) {
	for _, m := range h.Telegram.Messages(forum) {
		if m.FromBot && !m.Deleted && m.Thread == thread && strings.Contains(plainly(m.Text), words) {
			n++
		}
	}
	return n
}

// TestTopicsOfTheGroup: where the bot may, it makes a topic for each subject, and what is about it goes there: a delivery, what an
// owner is asked, an alert, the report of the day and its board. What anything has cost stays with the owners.
func TestTopicsOfTheGroup(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inForum(t, []string{"can_manage_topics", "can_pin_messages"}, func(h *apptest.Harness) {
		topics, made := began(h)
		if made != 4 {
			t.Fatalf("%d topics: %v\n%s", made, topics, h.Transcript(forum))
		}
		setPrices(h)
		buy(h, apptest.Karim)
		if n, all := inTopic(h, topics["🧾 Orders"], "Delivered"), inTopic(h, 0, "Delivered"); n != 1 || all != 0 {
			t.Errorf("deliveries: %d in their topic, %d outside of it", n, all)
		}
		limit(h, "Per purchase", "100")
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.Tap(apptest.Karim, "Ask")
		h.Pass(5 * time.Second)
		if n := inTopic(h, topics["❗ Decisions"], "Karim"); n != 1 {
			t.Errorf("%d decisions in their topic\n%s", n, h.Transcript(forum))
		}
		h.Tap(apptest.Sam, "✅ Approve")
		h.Pass(20 * time.Second)
		if n := inTopic(h, topics["❗ Decisions"], "Approved by"); n != 1 {
			t.Errorf("what was decided is not told in its topic\n%s", h.Transcript(forum))
		}
		commandIn(h, apptest.Sam, forum, 0, "/alerts@shop_bot")
		h.TapIn(apptest.Sam, forum, "Low balance")
		h.TapIn(apptest.Sam, forum, "20,000")
		h.Service.SetBalance(apptest.TestKey, "100")
		h.Pass(6 * time.Minute)
		if n := inTopic(h, topics["🔔 Alerts"], "Low balance. Available"); n != 1 {
			t.Errorf("%d alerts in their topic\n%s", n, h.Transcript(forum))
		}
		h.Say(apptest.Sam, "/start")
		h.Tap(apptest.Sam, "📒 Books")
		h.Tap(apptest.Sam, "📌 Board")
		h.Tap(apptest.Sam, "📍 In the group")
		h.Pass(2 * time.Minute)
		if n := inTopic(h, topics["📊 Reports"], "Today ·"); n != 1 || len(h.Telegram.Pinned(forum)) != 1 {
			t.Errorf("%d boards in the topic of reports\n%s", n, h.Transcript(forum))
		}
		h.Say(apptest.Sam, "/today")
		h.Tap(apptest.Sam, "⏰ Every day")
		h.Tap(apptest.Sam, "22:00")
		h.Sleep(20*time.Hour + 40*time.Minute) // until shortly before 22:00 in Algiers
		h.Pass(40 * time.Minute)
		if n := inTopic(h, topics["📊 Reports"], "📊 Day"); n != 1 {
			t.Errorf("%d reports have their own heading\n%s", n, h.Transcript(forum))
		}
		reports := 0
		for _, m := range h.Telegram.Messages(forum) {
			if text := plainly(m.Text); m.FromBot && strings.Contains(text, "Sold:") {
				reports++
				if m.Thread != topics["📊 Reports"] || strings.Contains(text, "rofit") || strings.Contains(text, "1,250.50") {
					t.Errorf("the group reads in topic %d\n%s", m.Thread, text)
				}
			}
		}
		if reports < 2 {
			t.Errorf("no report came to the group\n%s", h.Transcript(forum))
		}
		h.Answered()
	})
}

// TestATopicThatIsGone: what is for a topic that was closed or deleted comes to the group as such. A topic that was deleted is made
// again, once.
func TestATopicThatIsGone(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inForum(t, []string{"can_manage_topics", "can_delete_messages"}, func(h *apptest.Harness) {
		topics, _ := began(h)
		first := topics["🧾 Orders"]
		h.CallTelegram("closeForumTopic", topicCall(first))
		buy(h, apptest.Karim)
		if n, all := inTopic(h, first, "Delivered"), inTopic(h, 0, "Delivered"); n != 0 || all != 1 {
			t.Errorf("while it is closed: %d in the topic, %d in the group", n, all)
		}
		h.CallTelegram("reopenForumTopic", topicCall(first))
		buy(h, apptest.Karim)
		if n, all := inTopic(h, first, "Delivered"), inTopic(h, 0, "Delivered"); n != 1 || all != 1 {
			t.Errorf("opened again: %d in the topic, %d in the group", n, all)
		}
		if _, made := began(h); made != 4 {
			t.Errorf("%d topics were made", made)
		}
		h.CallTelegram("deleteForumTopic", topicCall(first))
		buy(h, apptest.Karim)
		h.Pass(time.Minute)
		topics, _ = began(h)
		second := topics["🧾 Orders"]
		if all := inTopic(h, 0, "Delivered"); all != 2 || second == first {
			t.Errorf("after it was deleted: %d in the group, the topic is %d as before", all, second)
		}
		buy(h, apptest.Karim)
		if n := inTopic(h, second, "Delivered"); n != 1 {
			t.Errorf("%d in the topic that was made again", n)
		}
		h.CallTelegram("deleteForumTopic", topicCall(second))
		buy(h, apptest.Karim)
		h.Pass(time.Minute)
		if _, made := began(h); made != 5 || inTopic(h, 0, "Delivered") != 3 {
			t.Errorf("deleted twice: %d topics were made, %d in the group", made, inTopic(h, 0, "Delivered"))
		}
		h.Bought(5)
	})
}

// TestTopicsThatMayNotBeMade: without the right to make topics everything comes to the group, and its page says why there are none.
// As soon as the bot may, they are made.
func TestTopicsThatMayNotBeMade(t *testing.T) {
	t.Parallel()
	inForum(t, nil, func(h *apptest.Harness) {
		if topics, made := began(h); made != 0 {
			t.Fatalf("topics: %v", topics)
		}
		h.See(apptest.Sam, "I could not make the topics in")
		if n := strings.Count(h.Transcript(apptest.Sam), "could not make the topics"); n != 1 {
			t.Errorf("the owner is told %d times", n)
		}
		buy(h, apptest.Karim)
		if n := inTopic(h, 0, "Delivered"); n != 1 {
			t.Errorf("%d deliveries in the group", n)
		}
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "📍 Group")
		h.See(apptest.Sam, "I could not make the topics")
		h.Telegram.SetRole(apptest.Sam, forum, h.Telegram.BotID(), tgsim.Administrator)
		h.Pass(time.Minute)
		topics, made := began(h)
		if made != 4 {
			t.Fatalf("%d topics: %v\n%s", made, topics, h.Transcript(forum))
		}
		buy(h, apptest.Karim)
		if n := inTopic(h, topics["🧾 Orders"], "Delivered"); n != 1 {
			t.Errorf("%d deliveries in the topic", n)
		}
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "📍 Group")
		h.Tap(apptest.Sam, "🗂 No topics")
		buy(h, apptest.Karim)
		if n := inTopic(h, 0, "Delivered"); n != 2 {
			t.Errorf("%d deliveries in the group without topics", n)
		}
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "📍 Group")
		h.Tap(apptest.Sam, "🗂 Make topics") // those that are there serve again
		h.Pass(time.Minute)
		buy(h, apptest.Karim)
		if _, made := began(h); made != 4 || inTopic(h, topics["🧾 Orders"], "Delivered") != 2 {
			t.Errorf("with topics again %d were made, and %d deliveries are in the first one", made, inTopic(h, topics["🧾 Orders"], "Delivered"))
		}
	})
}

// topicCall is about a topic of the forum.
func topicCall(thread int) string {
	return `{"chat_id":-1000000000700,"message_thread_id":` + strconv.Itoa(thread) + `}`
}

// TestQuietNight: in somebody's quiet hours nothing makes a sound, and nothing that is bought or about money is kept back for
// that. In the morning it sounds again.
func TestQuietNight(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		for _, who := range []int64{apptest.Karim, apptest.Sam} {
			h.Say(who, "/start")
			if who == apptest.Sam {
				h.Tap(who, "🔔 Alerts")
			}
			h.Tap(who, "🔕 Sounds")
			h.Tap(who, "06:00") // the test begins at one o'clock in Algiers
			h.See(who, "from 00:00 to 06:00")
		}
		buy(h, apptest.Karim)
		pings := ringing(h, apptest.Karim)
		if len(pings) != 1 || !pings[0].Silent {
			t.Errorf("in the night came %+v", pings)
		}
		h.Pass(6 * time.Minute)
		h.Service.SetBalance(apptest.TestKey, "10000") // money goes that nothing explains
		h.Pass(apptest.Alarmed)
		if m := h.SeeAny(apptest.Sam, "left the balance"); !m.Silent {
			t.Error("what nothing explains made a sound in the quiet hours")
		}
		h.Pass(5 * time.Hour)
		buy(h, apptest.Karim)
		if pings = ringing(h, apptest.Karim); len(pings) != 2 || pings[1].Silent {
			t.Errorf("in the morning came %+v", pings)
		}
	})
}

// ringing are the short messages that make a phone sound.
func ringing(h *apptest.Harness, chat int64) []tgsim.Message {
	return slices.DeleteFunc(h.Telegram.Messages(chat), func(m tgsim.Message) bool {
		return !m.FromBot || !strings.Contains(plainly(m.Text), "delivered, see above")
	})
}

// TestSubjectsAreHeardAsChosen: each subject is aloud, silent or off, for each chat. Who has bought something gets it whatever
// they choose, and a group that hears nothing of orders takes nothing from them.
func TestSubjectsAreHeardAsChosen(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		h.Say(apptest.Karim, "/start")
		h.Tap(apptest.Karim, "🔕 Sounds")
		if h.Has(apptest.Karim, "Reports") {
			t.Error("a seller chooses about reports that they do not get")
		}
		h.Tap(apptest.Karim, "🧾 Orders: on")
		h.Tap(apptest.Karim, "🧾 Orders: silent")
		if h.Has(apptest.Karim, "Orders: off") {
			t.Error("a buyer can have their codes not come")
		}
		h.Tap(apptest.Karim, "🧾 Orders: on")
		m := h.See(apptest.Karim, "Sounds")
		h.Telegram.Tap(apptest.Karim, apptest.Karim, m.ID, "1:hear:orders:off")
		h.Pass(2 * time.Second)
		buy(h, apptest.Karim)
		if pings := ringing(h, apptest.Karim); len(pings) != 1 || !pings[0].Silent {
			t.Errorf("a subject that is silent came as %+v", pings)
		}
		if n := strings.Count(h.Texts(shop), "Delivered"); n != 1 {
			t.Errorf("%d deliveries in the group", n)
		}
		commandIn(h, apptest.Sam, shop, 0, "/team@shop_bot")
		h.TapIn(apptest.Sam, shop, "🔕 Sounds")
		h.RefusedWith(h.TapIn(apptest.Karim, shop, "🧾 Orders: on"), "Your role")
		h.TapIn(apptest.Sam, shop, "🧾 Orders: on")
		buy(h, apptest.Karim)
		all := h.Telegram.Messages(shop)
		i := slices.IndexFunc(all, func(m tgsim.Message) bool { return strings.Contains(m.Text, "Delivered") && m.Silent })
		if i < 0 {
			t.Errorf("the second delivery made a sound\n%s", h.Transcript(shop))
		}
		h.TapIn(apptest.Sam, shop, "🧾 Orders: silent")
		h.Say(apptest.Lila, "/start")
		h.Tap(apptest.Lila, "🔕 Sounds")
		h.Tap(apptest.Lila, "🧾 Orders: on")
		h.Tap(apptest.Lila, "🧾 Orders: silent")
		counter := h.FromBot(apptest.Lila)
		code := buy(h, apptest.Karim)
		if n := strings.Count(h.Texts(shop), "Delivered"); n != 2 || h.FromBot(apptest.Lila) != counter {
			t.Errorf("off: %d deliveries in the group, %d messages to the counter", n, h.FromBot(apptest.Lila)-counter)
		}
		if !slices.Contains(h.Codes(apptest.Karim), code) {
			t.Error("the code did not reach who has bought it")
		}
	})
}

// TestAskedWhateverIsHeard: an owner who wants to hear of nothing is asked all the same, without a sound.
func TestAskedWhateverIsHeard(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/alerts")
		h.Tap(apptest.Sam, "🔕 Sounds")
		h.Tap(apptest.Sam, "❗ Decisions: on")
		if h.Has(apptest.Sam, "❗ Decisions: off") {
			t.Error("decisions can be off")
		}
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
		limit(h, "Per purchase", "100")
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.Tap(apptest.Karim, "Ask")
		h.Pass(5 * time.Second)
		if m := h.See(apptest.Sam, "Karim"); !m.Silent || len(m.Keyboard) == 0 {
			t.Errorf("the owner is asked with %+v", m)
		}
	})
}

// TestQuietHoursAsTheyAre: a tap on the quiet hours that are set already says that nothing is new: the screen stays as it is.
func TestQuietHoursAsTheyAre(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/alerts")
		h.Tap(apptest.Sam, "🔕 Sounds")
		for _, says := range []string{"", "Nothing new."} {
			h.Pass(2 * time.Second)
			h.Tap(apptest.Sam, "22:00")
			h.Pass(2 * time.Second)
			taps := h.Telegram.Callbacks()
			if got := apptest.Plain(taps[len(taps)-1].Text); got != says {
				h.T.Errorf("the tap is answered by %q, want %q", got, says)
			}
		}
	})
}
