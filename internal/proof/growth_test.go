package proof

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
)

// TestGrowth measures the real program as a process over databases of one size after another: what starts, memory, processor
// and file take. It tells figures, for the table in docs/operate.md, and fails only where the program does not work.
//
// GROWTH=full plays all of it, which takes an hour; GROWTH=short all but the largest of each.
func TestGrowth(t *testing.T) {
	size := os.Getenv("GROWTH")
	if size == "" {
		t.Skip("it takes real time, and a machine of its own: make growth")
	}
	purchases, chats, open := []int{1_000, 100_000}, []int{10, 10_000}, []int{100, 10_000}
	if size == "full" {
		purchases, chats, open = append(purchases, 1_000_000, 3_000_000), append(chats, 100_000), append(open, 100_000)
	}
	pin(t, os.Getpid(), 0)
	for _, many := range purchases {
		t.Run(fmt.Sprint("purchases/", many), func(t *testing.T) { measurePurchases(t, many) })
	}
	for _, many := range chats {
		t.Run(fmt.Sprint("chats/", many), func(t *testing.T) { measureChats(t, many) })
	}
	for _, many := range open {
		t.Run(fmt.Sprint("open/", many), func(t *testing.T) { measureOpen(t, many, 75*time.Second) })
	}
}

// again starts the program once more, once it was ended by a signal, and is how long it took until it polled.
func (b *speedBot) again(by syscall.Signal) time.Duration {
	b.t.Helper()
	if b.command != nil {
		_ = b.command.Process.Signal(by)
		_ = b.command.Wait() // what it says of its end is told where it does not start again
		b.command = nil
	}
	before := b.telegram.Calls()["getupdates"]
	b.launchUntil(b.program(), b.env(), func() bool { return b.telegram.Calls()["getupdates"] > before })
	return time.Since(b.begun)
}

// measurePurchases tells what a database costs with so many purchases that have come to their end.
func measurePurchases(t *testing.T, many int) {
	t.Helper()
	b := newSpeedBot(t)
	b.seed(func(ctx context.Context, s *store.Store) error { return seedSettled(ctx, s, min(many, exactly)) })
	b.multiply(many)
	file, err := os.Stat(b.database)
	if err != nil {
		t.Fatal(err)
	}
	b.limits = []string{"HTTP_ADDR=" + freeAddress(t)}
	_ = b.again(0) // the first start makes what is beside the database
	clean := b.again(syscall.SIGTERM)
	killed := b.again(syscall.SIGKILL)
	_ = b.command.Process.Kill()
	_ = b.command.Wait()
	b.command = nil
	if err := os.Remove(b.database + ".opened"); err != nil { // as it is behind a power cut
		t.Fatal(err)
	}
	cut := b.again(0)
	t.Logf("%d purchases: file %d MB, %d bytes each; ready after a clean stop %v, a kill %v, a power cut %v; resident %s, of which the file's %s; a scrape %v",
		many, file.Size()>>20, file.Size()/int64(many), ms(clean), ms(killed), ms(cut), b.memory("VmRSS"), b.memory("RssFile"), b.scrape())
}

// measureChats tells what so many chats cost, each with an account of its own, while nobody types.
func measureChats(t *testing.T, many int) {
	t.Helper()
	b := newSpeedBot(t)
	b.seed(func(ctx context.Context, s *store.Store) error { return seedMany(ctx, s, many, putShop) })
	file, err := os.Stat(b.database)
	if err != nil {
		t.Fatal(err)
	}
	b.limits = []string{"HTTP_ADDR=" + freeAddress(t)}
	_ = b.again(0)
	clean := b.again(syscall.SIGTERM)
	<-time.After(10 * time.Second) // what follows a start
	before, begin := b.spent(), time.Now()
	<-time.After(30 * time.Second)
	t.Logf("%d chats: file %d MB; ready %v; %.1f %% of a processor; resident %s, of which the file's %s; a scrape %v",
		many, file.Size()>>20, ms(clean), 100*(b.spent()-before).Seconds()/time.Since(begin).Seconds(), b.memory("VmRSS"), b.memory("RssFile"), b.scrape())
}

// scrape is how long GET /metrics takes: the third one, for the first counts what is kept counted from then on.
func (b *speedBot) scrape() (took time.Duration) {
	b.t.Helper()
	address := b.limits[0][len("HTTP_ADDR="):]
	for range 3 {
		begin := time.Now()
		request, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, "http://"+address+"/metrics", http.NoBody)
		if err != nil {
			b.t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			b.t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, answer.Body); err != nil {
			b.t.Fatal(err)
		}
		_ = answer.Body.Close()
		took = time.Since(begin)
	}
	return took.Round(100 * time.Microsecond)
}

// exactly is how many purchases are written as the program writes them. Of what is more, the records are those of the first ones
// under other keys: as long, and as many.
const exactly = 10_000

// multiply writes copies of the purchases that are there until there are so many.
func (b *speedBot) multiply(many int) {
	b.t.Helper()
	if many <= exactly {
		return
	}
	e, err := bolt.Open(b.database, bolt.Options{NoSync: true, Fatal: func(err error) { b.t.Error(err) }})
	if err != nil {
		b.t.Fatal(err)
	}
	defer e.Close()
	originals := map[store.Kind][]store.Record{}
	for _, k := range []store.Kind{store.KindPurchase, store.KindByChat, store.KindOrder, store.KindMovement, store.KindClaim} {
		if originals[k], err = e.Scan(b.t.Context(), k, "", "", 2*exactly); err != nil {
			b.t.Fatal(err)
		}
	}
	const page = 2000
	for first := exactly; first < many; first += page {
		err := e.Update(b.t.Context(), func(tx store.RecordTx) error {
			for i := first; i < min(first+page, many); i++ {
				if err := putCopy(tx, originals, i); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.t.Fatal(err)
		}
	}
}

// putCopy writes the records of a purchase once more, under the keys that the purchase of a number would have.
func putCopy(tx store.RecordTx, of map[store.Kind][]store.Record, i int) error {
	inverted := strings.NewReplacer("0", "Z", "1", "Y", "2", "X", "3", "W", "4", "V", "5", "T", "6", "S", "7", "R", "8", "Q", "9", "P") // as of store.KindByChat
	id, number := fmt.Sprintf("01KAF5W8G0%016d", i), strconv.Itoa(i)
	pick := func(k store.Kind, n int) store.Record { list := of[k]; return list[n%len(list)] }
	hash := sha256.Sum256([]byte(number))
	chat, order := pick(store.KindByChat, i*exactly/1000), pick(store.KindOrder, i*exactly/1000)
	account, _, _ := strings.Cut(order.Key, "/")
	claims := of[store.KindClaim] // those of codes come first
	for _, r := range []store.Record{
		{Kind: store.KindPurchase, Key: id, Value: pick(store.KindPurchase, i).Value},
		{Kind: store.KindByChat, Key: chat.Key[:17] + inverted.Replace(id), Value: chat.Value},
		{Kind: store.KindOrder, Key: account + "/ORD-" + number, Value: order.Value},
		{Kind: store.KindMovement, Key: fmt.Sprintf("%s/%016x", account, ^uint64(i)), Value: pick(store.KindMovement, i).Value},
		{Kind: store.KindClaim, Key: "order/ord-" + number, Value: claims[len(claims)-1].Value},
		{Kind: store.KindClaim, Key: fmt.Sprintf("folded/%x", hash), Value: claims[0].Value},
	} {
		if _, err := tx.Put(r); err != nil {
			return err
		}
	}
	return nil
}

// ms is a duration for people.
func ms(d time.Duration) time.Duration { return d.Round(time.Millisecond) }

// seedSettled writes a thousand shops, and so many purchases of theirs that were delivered.
func seedSettled(ctx context.Context, s *store.Store, many int) error {
	if err := seedMany(ctx, s, min(many, 1000), putShop); err != nil {
		return err
	}
	return seedMany(ctx, s, many, putSettled)
}

// seedMany writes so many things, a thousand in a transaction.
func seedMany(ctx context.Context, s *store.Store, many int, put func(*store.Tx, int, time.Time) error) error {
	const page = 1000
	at := time.Now().Add(-30 * 24 * time.Hour)
	for first := 0; first < many; first += page {
		err := s.Update(ctx, func(tx *store.Tx) error {
			for i := first; i < min(first+page, many); i++ {
				if err := put(tx, i, at); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// putShop writes a chat with an account of its own.
func putShop(tx *store.Tx, i int, at time.Time) error {
	chat := int64(firstChat + i)
	a := store.Account{ID: fmt.Sprintf("u%07d", i), Name: "Shop", Key: secret.New(speedKey(i)), LinkedAt: at}
	store.Admit(&a, store.Member{User: chat, Name: "Sam", Role: store.Owner})
	a.Chats = []int64{chat}
	if err := tx.PutChat(&store.Chat{ID: chat, Account: a.ID, Language: "en", CreatedAt: at}); err != nil {
		return err
	}
	return tx.PutAccount(&a)
}

// putSettled writes a purchase of one of a thousand shops that was delivered, with all that it leaves.
func putSettled(tx *store.Tx, i int, first time.Time) error {
	shop, at, price := i%1000, first.Add(time.Duration(i)*300*time.Millisecond), dzd.Must("1250.5")
	a, err := tx.Account(fmt.Sprintf("u%07d", shop))
	if err != nil {
		return err
	}
	p := store.Purchase{
		ID: fmt.Sprintf("01KAF5W8G0%016d", i), Account: a.ID, Chat: int64(firstChat + shop), User: int64(firstChat + shop), Buyer: "Sam", Update: int64(i), Message: i,
		Nonce: fmt.Sprintf("%011x", i*7919), Phase: store.Settled, ProductID: 1, VariantID: 101, Product: "Play Card", Variant: "5 USD", Quantity: 1, Price: price, Total: price,
		Before: store.Snapshot{At: at, Balance: price, Available: price, Known: true, Explained: true, Used: -1, Spends: i, Listed: true},
		Origin: "current", Attempts: 1, OrderIDs: []string{fmt.Sprintf("ORD-%07d", i)}, Told: store.Told{Codes: 1, Pinged: 1},
		CreatedAt: at, ExpiresAt: at.Add(10 * time.Minute), QueuedAt: at, SentAt: at, AnsweredAt: at, ClosedAt: at,
		History: []store.Step{
			{At: at, From: store.Drafted, To: store.Queued},
			{At: at, From: store.Queued, To: store.Submitting}, {At: at, From: store.Submitting, To: store.Accepted}, {At: at, From: store.Accepted, To: store.Settled},
		},
	}
	o := store.Order{
		Account: a.ID, ID: p.OrderIDs[0], Purchase: p.ID, Origin: p.Origin, Item: store.ItemOf(p), Unit: 1, Status: "completed", State: store.Ready, Price: price,
		Code: secret.New(fmt.Sprintf("CODE-%08d-ABCD-%04X", i, i*31%65536)), CreatedAt: at, SeenAt: at, ReadyAt: at, Looks: 2,
	}
	if err := tx.AddMovement(&a, store.Movement{At: at, Kind: store.Bought, Amount: price, Balance: price, Purchase: p.ID}); err != nil {
		return err
	}
	for _, put := range []func() error{
		func() error { return tx.PutAccount(&a) },
		func() error { return tx.PutPurchase(&p) },
		func() error { return tx.PutOrder(&o) },
		func() error { return tx.ClaimOrder(o) },
		func() error { _, err := tx.ClaimCode(o, o.Code); return err },
	} {
		if err := put(); err != nil {
			return err
		}
	}
	return nil
}
