package proof

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"resellerbot/internal/api/sim"
)

// serviceKinds are the faults of the service and of the way to it. What answers a purchase with words that
// prove nothing has it done or not, as the trial's coin falls.
func serviceKinds() []kind {
	return []kind{
		dials("U01", "no such host", func(context.Context, *serviceFront) (net.Conn, error) {
			return nil, &net.DNSError{Err: "no such host", Name: "service", IsNotFound: true}
		}),
		dials("U02", "the name server is silent", func(ctx context.Context, _ *serviceFront) (net.Conn, error) {
			idle(ctx, 5*time.Second)
			return nil, &net.DNSError{Err: "i/o timeout", Name: "service", IsTimeout: true}
		}),
		dials("U03", "connection refused", refusesWith(syscall.ECONNREFUSED)),
		dials("U04", "nobody answers the connection", func(ctx context.Context, _ *serviceFront) (net.Conn, error) {
			idle(ctx, 20*time.Second)
			return nil, dialError(os.NewSyscallError("connect", syscall.ETIMEDOUT))
		}),
		dials("U05", "no route", refusesWith(syscall.EHOSTUNREACH)),
		overTLS(dials("U06", "the TLS handshake is never answered", func(context.Context, *serviceFront) (net.Conn, error) {
			here, _ := net.Pipe()
			return here, nil
		})),
		overTLS(dials("U07", "the certificate is another's", func(_ context.Context, f *serviceFront) (net.Conn, error) {
			return f.serveAlone(func(c net.Conn) { _ = strangerTLS(c).HandshakeContext(context.Background()) }), nil
		})),
		overTLS(dials("U08", "plain HTTP where TLS is expected", func(_ context.Context, f *serviceFront) (net.Conn, error) {
			return f.serveAlone(func(c net.Conn) {
				_, _ = c.Read(make([]byte, 1024))
				_, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
			}), nil
		})),
		writes("U09", "reset before anything is written", func(c *serviceConn, _ []byte) (int, error) {
			c.tear()
			return 0, resetError("write")
		}),
		writes("U10", "writing fails with nothing written", func(*serviceConn, []byte) (int, error) {
			return 0, &net.OpError{Op: "write", Net: "tcp", Err: os.NewSyscallError("write", syscall.ENOBUFS)}
		}),
		writes("U11", "reset in the middle of the headers", func(c *serviceConn, b []byte) (int, error) {
			return c.writePart(b, bytes.Index(b, []byte("\r\n\r\n"))/2)
		}),
		writes("U12", "reset in the middle of the body", func(c *serviceConn, b []byte) (int, error) {
			head := bytes.Index(b, []byte("\r\n\r\n")) + 4
			return c.writePart(b, head+(len(b)-head)/2)
		}),
		answers("U13", "closed without an answer, not executed", func(x *exchange) { x.cut() }),
		answers("U14", "closed without an answer, executed", func(x *exchange) { x.perform(); x.cut() }),
		answers("U15", "reset without an answer, not executed", func(x *exchange) { x.reset() }),
		answers("U16", "reset without an answer, executed", func(x *exchange) { x.perform(); x.reset() }),
		answers("U17", "no answer in time, not executed", func(x *exchange) { x.hang() }),
		answers("U18", "no answer in time, executed", func(x *exchange) { x.perform(); x.hang() }),
		slow(6*time.Minute, answers("U19", "no answer in time, executed later", func(x *exchange) {
			late := 75 * time.Second
			if x.front.lab.coin {
				late = 6 * time.Minute
			}
			time.AfterFunc(late, func() { x.perform() })
			x.hang()
		})),
		answers("U20", "half a status line", func(x *exchange) { x.perhaps(); x.raw("HTTP/1.1 2") }),
		answers("U21", "headers, then closed", func(x *exchange) {
			x.perhaps()
			x.raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
		}),
		answers("U22", "a body shorter than its length", func(x *exchange) {
			body := x.perform().Body.String()
			x.raw(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body[:len(body)/2]))
		}),
		answers("U23", "a chunk that is cut", func(x *exchange) {
			body := x.perform().Body.String()
			x.raw(fmt.Sprintf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s", len(body), body[:len(body)/2]))
		}),
		answers("U24", "a body without a length that is cut", func(x *exchange) {
			body := x.perform().Body.String()
			x.raw("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + body[:len(body)/2])
		}),
		answers("U25", "JSON that is none", func(x *exchange) {
			x.perhaps()
			x.answer(http.StatusOK, "application/json", `{"status":"success","data":{"order_ids":[,,`)
		}),
		answers("U26", "200 with a page of HTML", func(x *exchange) { x.perhaps(); x.page(http.StatusOK) }),
		answers("U27", "200 that says error", func(x *exchange) { x.perhaps(); x.refuse(http.StatusOK, "Something went wrong") }),
		namesIDs("U28", "a success without order ids", func(*serviceFront, []any) []any { return []any{} }),
		namesIDs("U29", "an order id too few", func(_ *serviceFront, ids []any) []any { return ids[:len(ids)-1] }),
		namesIDs("U30", "an order id too many", func(_ *serviceFront, ids []any) []any { return append(ids, stranger(ids[0])) }),
		namesIDs("U31", "an order id twice", func(_ *serviceFront, ids []any) []any { return append([]any{ids[0]}, ids...) }),
		integers(),
		earlierID(),
		answers("U34", "a count that is not that of the ids", func(x *exchange) {
			code, d := x.read()
			if o := d.object(); o != nil {
				o["count"] = 7
			}
			x.write(code, d)
		}),
		refuses("U35", "400 in the envelope", http.StatusBadRequest, "Validation failed"),
		pages("U36", "400 with a page of HTML", http.StatusBadRequest),
		refuses("U37", "401 in the envelope", http.StatusUnauthorized, "Invalid API key"),
		refuses("U38", "403 for want of money", http.StatusForbidden, "Insufficient balance"),
		refuses("U39", "403 for the address", http.StatusForbidden, "IP address not allowed"),
		pages("U40", "403 of a firewall", http.StatusForbidden),
		refuses("U41", "404 in the envelope", http.StatusNotFound, "Product not found"),
		doubtful("U42", "408", http.StatusRequestTimeout),
		doubtful("U43", "409", http.StatusConflict),
		refuses("U44", "422 in the envelope", http.StatusUnprocessableEntity, "Validation failed"),
		refuses("U45", "429 in the envelope", http.StatusTooManyRequests, "Too Many Requests"),
		answers("U46", "429 with Retry-After", func(x *exchange) { x.page(http.StatusTooManyRequests, "Retry-After", "7") }),
		answers("U47", "500, not executed", func(x *exchange) { x.refuse(http.StatusInternalServerError, "Server error") }),
		answers("U48", "500, executed", func(x *exchange) { x.perform(); x.refuse(http.StatusInternalServerError, "Server error") }),
		answers("U49", "502, not executed", func(x *exchange) { x.page(http.StatusBadGateway) }),
		answers("U50", "502, executed", func(x *exchange) { x.perform(); x.page(http.StatusBadGateway) }),
		doubtful("U51", "503", http.StatusServiceUnavailable),
		answers("U52", "504, executed", func(x *exchange) { x.perform(); x.page(http.StatusGatewayTimeout) }),
		redirects("U53", "a redirect that forgets the method", http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther),
		redirects("U54", "a redirect that repeats the method", http.StatusTemporaryRedirect, http.StatusPermanentRedirect),
		frames("U55", "an HTTP/2 refusal of the stream", "\x00\x00\x04\x03\x00\x00\x00\x00\x01\x00\x00\x00\x07"),
		frames("U56", "an HTTP/2 protocol error", "\x00\x00\x04\x03\x00\x00\x00\x00\x01\x00\x00\x00\x01"),
		frames("U57", "an HTTP/2 GOAWAY", "\x00\x00\x08\x07\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"),
		answers("U58", "an answer that drips", func(x *exchange) { x.perhaps(); x.drip() }),
		answers("U59", "an answer of 100 MB", func(x *exchange) { x.perhaps(); x.pour(100 << 20) }),
		answers("U60", "a gzip bomb", func(x *exchange) {
			x.perhaps()
			x.answer(http.StatusOK, "application/json", bomb(), "Content-Encoding", "gzip")
		}),
		shows("U61", "a status that nobody knows", func(o map[string]any) {
			o["status"], o["has_key"] = "on_hold_review", false
			delete(o, "key")
		}),
		shows("U62", "a code while it says processing", func(o map[string]any) {
			if hasKey(o) {
				o["status"] = "processing"
			}
		}),
		shows("U63", "completed without its code", func(o map[string]any) {
			if hasKey(o) {
				o["has_key"] = false
				delete(o, "key")
			}
		}),
		keyChanges(),
		lists("U65", "an order is missing from a batch", func(list []any) []any { return list[1:] }),
		lists("U66", "an order of somebody else in a batch", func(list []any) []any {
			return append(list, map[string]any{
				"order_id": "ORD-777777", "product_name": "Play Card", "variant_name": "10 USD", "status": "completed",
				"key": "STRANGE-CODE-1", "has_key": true, "price": 1250.5,
			})
		}),
		oneBadID(),
		lagging("U68", "a history that is late", func(at time.Time) bool { return time.Since(at) < 90*time.Second }),
		lagging("U69", "a history that is cut off", func(time.Time) bool { return true }),
		priceChanges(),
		noise(),
		twice(),
		revoked(),
		sells("U74", "a refund that comes late", "late"),
		sells("U75", "a refund that never comes", "never"),
		successThenFailure(),
		skewed(),
		zoneless(),
	}
}

// answers is a fault of the answer to a purchase.
func answers(id, name string, spend func(*exchange)) kind {
	return kind{id: id, name: name, service: func() *serviceFault { return &serviceFault{spend: spend} }}
}

// slow gives a kind's consequences more time.
func slow(lasts time.Duration, k kind) kind {
	plainly := k.service
	k.service = func() *serviceFault { f := plainly(); f.lasts = lasts; return f }
	return k
}

// dials is a fault of connecting: from the purchase on, nothing connects.
func dials(id, name string, dial func(context.Context, *serviceFront) (net.Conn, error)) kind {
	return kind{id: id, name: name, service: func() *serviceFault {
		tripped := false
		return &serviceFault{dial: func(f *serviceFront, ctx context.Context, money bool) (net.Conn, error) {
			f.mu.Lock()
			tripped = tripped || money
			now := tripped
			f.mu.Unlock()
			if !now {
				return nil, nil
			}
			return dial(ctx, f)
		}}
	}}
}

// overTLS has the trial's service speak TLS.
func overTLS(k kind) kind {
	plainly := k.service
	k.service = func() *serviceFault { f := plainly(); f.https = true; return f }
	return k
}

// refusesWith fails a connection with what the system says.
func refusesWith(e syscall.Errno) func(context.Context, *serviceFront) (net.Conn, error) {
	return func(context.Context, *serviceFront) (net.Conn, error) {
		return nil, dialError(os.NewSyscallError("connect", e))
	}
}

// dialError is a connection that could not be made.
func dialError(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }

// serveAlone is a connection to somebody who is not the service.
func (f *serviceFront) serveAlone(serve func(net.Conn)) net.Conn {
	here, there := net.Pipe()
	f.lab.running.Go(func() {
		defer there.Close()
		serve(there)
	})
	return here
}

// writes is a fault of writing the request.
func writes(id, name string, write func(*serviceConn, []byte) (int, error)) kind {
	return kind{id: id, name: name, service: func() *serviceFault {
		return &serviceFault{write: func(c *serviceConn, b []byte) (int, error, bool) {
			n, err := write(c, b)
			return n, err, true
		}}
	}}
}

// writePart lets the first bytes of a request through and resets the connection.
func (c *serviceConn) writePart(b []byte, n int) (int, error) {
	n, err := c.Conn.Write(b[:n])
	c.tear()
	if err == nil {
		err = resetError("write")
	}
	return n, err
}

// cut closes the connection without an answer.
func (x *exchange) cut() {
	x.leave()
	panic(http.ErrAbortHandler)
}

// reset resets the connection without an answer.
func (x *exchange) reset() {
	x.leave()
	x.front.mu.Lock()
	conn := x.front.money
	x.front.mu.Unlock()
	if conn != nil {
		conn.tear()
	}
	panic(http.ErrAbortHandler)
}

// perhaps has the service do it, or not, as the trial's coin falls.
func (x *exchange) perhaps() {
	if x.front.lab.coin {
		x.perform()
	}
}

// namesIDs is a fault of the ids in an answer to a purchase that was made.
func namesIDs(id, name string, change func(*serviceFront, []any) []any) kind {
	return answers(id, name, func(x *exchange) {
		code, d := x.read()
		d.mapIDs(func(ids []any) []any { return change(x.front, ids) })
		x.write(code, d)
	})
}

// stranger is an id like another one, of an order that there is not.
func stranger(like any) any {
	if _, text := like.(string); text {
		return "ORD-999999"
	}
	return 999999
}

// integers has the service name its orders by integers, in the answer and wherever it is asked for them.
func integers() kind {
	return kind{id: "U32", name: "integer order ids", service: func() *serviceFault {
		f := &serviceFault{}
		f.spend = func(x *exchange) {
			code, d := x.read()
			d.mapIDs(func(ids []any) []any {
				for i, id := range ids {
					ids[i] = x.front.alias(id)
				}
				return ids
			})
			x.write(code, d)
		}
		return f
	}}
}

// alias is the integer that stands for an order's id from now on, healed or not.
func (f *serviceFront) alias(id any) any {
	text, ok := id.(string)
	if !ok || !strings.HasPrefix(text, "ORD-") {
		return id
	}
	n := strings.TrimLeft(strings.TrimPrefix(text, "ORD-"), "0")
	f.mu.Lock()
	f.aliases[n] = text
	f.mu.Unlock()
	return json.Number(n)
}

// earlierID has the answer name an order of an earlier purchase.
func earlierID() kind {
	return kind{id: "U33", name: "the id of an earlier order", service: func() *serviceFault {
		var first any
		f := &serviceFault{before: true}
		f.arm = func(l *lab, _ *errand) {
			for _, p := range l.service.Purchases() {
				first = p.OrderIDs[0]
			}
		}
		f.spend = func(x *exchange) {
			code, d := x.read()
			d.mapIDs(func(ids []any) []any {
				if _, text := ids[0].(string); !text && first != nil {
					first = json.Number(fmt.Sprint(first))
				}
				if len(ids) > 0 && first != nil {
					ids[0] = first
				}
				return ids
			})
			x.write(code, d)
		}
		return f
	}}
}

// refuses is a refusal in the service's own words: nothing is bought.
func refuses(id, name string, code int, message string) kind {
	return answers(id, name, func(x *exchange) { x.refuse(code, message) })
}

// pages is an answer of something in between, which may have let the purchase through.
func pages(id, name string, code int) kind {
	return answers(id, name, func(x *exchange) { x.perhaps(); x.page(code) })
}

// doubtful is an answer in the envelope that proves nothing.
func doubtful(id, name string, code int) kind {
	return answers(id, name, func(x *exchange) { x.perhaps(); x.refuse(code, http.StatusText(code)) })
}

// redirects sends the caller to the same place again.
func redirects(id, name string, codes ...int) kind {
	return answers(id, name, func(x *exchange) {
		x.perhaps()
		code := codes[x.number%len(codes)]
		x.answer(code, "text/html", "", "Location", x.r.URL.Path)
	})
}

// frames answers in HTTP/2, which was not spoken.
func frames(id, name, frame string) kind {
	const settings = "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
	return answers(id, name, func(x *exchange) { x.perhaps(); x.raw(settings + frame) })
}

// drip sends a byte now and then, for as long as somebody waits.
func (x *exchange) drip() {
	conn := x.take()
	defer conn.Close()
	_, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n{")
	for err == nil {
		<-time.After(3 * time.Second)
		_, err = io.WriteString(conn, " ")
	}
}

// pour sends very much, for as long as somebody reads.
func (x *exchange) pour(size int) {
	conn := x.take()
	defer conn.Close()
	_, err := fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n{\"status\":\"success\",\"data\":\"", size)
	for part := bytes.Repeat([]byte("x"), 64<<10); err == nil; {
		_, err = conn.Write(part)
	}
}

// bomb is a megabyte of spaces and a purchase's success, packed.
func bomb() string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(bytes.Repeat([]byte(" "), 1<<20))
	_, _ = io.WriteString(z, `{"status":"success","data":{"order_ids":["ORD-1","ORD-2"],"count":2}}`)
	z.Close()
	return b.String()
}

// shows is a fault of what the service shows of every order.
func shows(id, name string, change func(map[string]any)) kind {
	return kind{id: id, name: name, service: func() *serviceFault {
		return &serviceFault{read: func(x *exchange) bool {
			return x.looksAtOrders() && x.change(func(d document) { d.orders(change) })
		}}
	}}
}

// hasKey reports whether an order is shown with its code.
func hasKey(o map[string]any) bool {
	k, _ := o["key"].(string)
	return k != ""
}

// keyChanges shows another code of every order whose code the program has.
func keyChanges() kind {
	return kind{id: "U64", name: "a code that changes", service: func() *serviceFault {
		return &serviceFault{read: func(x *exchange) bool {
			return (x.looksAtOrders() || x.looksAtLists()) && x.change(func(d document) {
				d.orders(func(o map[string]any) {
					if code, _ := o["key"].(string); code != "" && x.front.lab.eye.has(code) {
						o["key"] = "CHANGED-" + code
					}
				})
			})
		}}
	}}
}

// lists is a fault of answers that hold several orders. One order alone it does not know.
func lists(id, name string, change func([]any) []any) kind {
	return kind{id: id, name: name, service: func() *serviceFault {
		return &serviceFault{read: func(x *exchange) bool {
			return x.at("/orders/retrieve") && x.change(func(d document) {
				if list, _ := d["data"].([]any); len(list) > 0 {
					d["data"] = change(list)
				}
			})
		}}
	}}
}

// oneBadID has the service refuse every batch that holds a certain order.
func oneBadID() kind {
	return kind{id: "U67", name: "one id that fails its batch", service: func() *serviceFault {
		return &serviceFault{lasts: 10 * time.Minute, read: func(x *exchange) bool {
			bad := "ORD-000001"
			if !x.looksAtOrders() || !bytes.Contains(x.body, []byte(bad)) && !strings.HasSuffix(x.r.URL.Path, "/1") {
				return false
			}
			x.refuse(http.StatusNotFound, "Order not found")
			return true
		}}
	}}
}

// lagging loses the answer to the purchase, and hides orders of some age from the lists where it would show.
func lagging(id, name string, hidden func(time.Time) bool) kind {
	return kind{id: id, name: name, service: func() *serviceFault {
		f := &serviceFault{spend: func(x *exchange) { x.perform(); x.cut() }}
		f.read = func(x *exchange) bool {
			return x.looksAtLists() && x.change(func(d document) {
				list, _ := d["data"].([]any)
				d["data"] = slices.DeleteFunc(list, func(entry any) bool {
					o, _ := entry.(map[string]any)
					return hidden(momentIn(o))
				})
			})
		}
		return f
	}}
}

// momentIn is when an order was made, as a list shows it.
func momentIn(o map[string]any) time.Time {
	text, _ := o["created_at"].(string)
	for _, form := range []string{time.RFC3339, time.DateTime} {
		if at, err := time.Parse(form, text); err == nil {
			return at
		}
	}
	return time.Time{}
}

// priceChanges changes the price between the summary and the tap.
func priceChanges() kind {
	return kind{id: "U70", name: "a price that changes before the tap", service: func() *serviceFault {
		return &serviceFault{arm: func(l *lab, _ *errand) {
			l.service.SetPrice(101, "1300")
			l.service.SetPrice(111, "510")
		}}
	}}
}

// noise writes money as floats that have been added up.
func noise() kind {
	return kind{id: "U71", name: "noise of floats in amounts", service: func() *serviceFault {
		return &serviceFault{read: func(x *exchange) bool {
			code, d := x.read()
			x.write(code, addNoise(map[string]any(d)).(map[string]any))
			return true
		}}
	}}
}

// addNoise makes every amount in a document a little too much.
func addNoise(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			n, isNumber := inner.(json.Number)
			if isNumber && slices.Contains([]string{"price", "balance", "available_balance", "amount", "reseller_price", "plan_price", "reseller_buy_price"}, name) {
				whole, frac, _ := strings.Cut(n.String(), ".")
				v[name] = json.Number(whole + "." + (frac + "00000000")[:8] + "0004")
				continue
			}
			v[name] = addNoise(inner)
		}
	case []any:
		for i := range v {
			v[i] = addNoise(v[i])
		}
	}
	return v
}

// twice has something in between make the purchase twice.
func twice() kind {
	return kind{id: "U72", name: "executed twice by something in between", service: func() *serviceFault {
		return &serviceFault{double: true, spend: func(x *exchange) { x.perform(); x.pass() }}
	}}
}

// revoked makes the key invalid once the purchase is made.
func revoked() kind {
	return kind{id: "U73", name: "the key is revoked in flight", service: func() *serviceFault {
		var key string
		f := &serviceFault{lasts: 10 * time.Minute}
		f.arm = func(_ *lab, b *errand) { key = b.key() }
		f.cure = func(l *lab) { l.service.SetExpiry(key, time.Time{}) }
		f.spend = func(x *exchange) {
			code, d := x.read()
			x.front.lab.service.ExpireKey(key)
			if x.front.lab.coin {
				x.cut()
			}
			x.write(code, d)
		}
		return f
	}}
}

// sells buys something that goes wrong by itself.
func sells(id, name, flavour string) kind {
	return kind{id: id, name: name, service: func() *serviceFault {
		return &serviceFault{sells: flavour, lasts: 30 * time.Minute}
	}}
}

// successThenFailure shows success first, and failure ever after.
func successThenFailure() kind {
	return kind{id: "U76", name: "success, and then failed", service: func() *serviceFault {
		looks := map[string]int{}
		return &serviceFault{sells: "arena", read: func(x *exchange) bool {
			return x.looksAtOrders() && x.change(func(d document) {
				x.front.mu.Lock()
				defer x.front.mu.Unlock()
				d.orders(func(o map[string]any) {
					id := fmt.Sprint(o["order_id"])
					if o["status"] == "success" {
						if looks[id]++; looks[id] > 1 {
							o["status"] = "failed"
						}
					}
				})
			})
		}}
	}}
}

// skewed loses the answer, and has the service's clock an hour ahead.
func skewed() kind {
	return kind{id: "U77", name: "the service's clock is an hour ahead", service: func() *serviceFault {
		return rewriting(func(at time.Time) string { return at.Add(time.Hour).Format(time.RFC3339) })
	}}
}

// zoneless loses the answer, and has times in a zone that is not told.
func zoneless() kind {
	return kind{id: "U78", name: "times of a zone that is not told", service: func() *serviceFault {
		return rewriting(func(at time.Time) string { return at.Add(time.Hour).Format(time.DateTime) })
	}}
}

// rewriting loses the answer to the purchase, and writes the times of all orders in another way.
func rewriting(write func(time.Time) string) *serviceFault {
	f := &serviceFault{spend: func(x *exchange) { x.perform(); x.cut() }}
	f.read = func(x *exchange) bool {
		return (x.looksAtLists() || x.looksAtOrders()) && x.change(func(d document) {
			d.orders(func(o map[string]any) {
				if at := momentIn(o); !at.IsZero() {
					o["created_at"] = write(at)
				}
			})
		})
	}
	return f
}

// flavoured lists what the service must sell for faults of their own.
func flavoured() []sim.ProductSpec {
	return []sim.ProductSpec{
		{ID: 12, Name: "Late Box", Variants: []sim.VariantSpec{
			{ID: 121, Name: "1 late box", Price: "600", InStock: 50, Delay: time.Second, Fails: true, RefundAfter: 25 * time.Minute},
		}},
		{ID: 13, Name: "Lost Box", Variants: []sim.VariantSpec{
			{ID: 131, Name: "1 lost box", Price: "700", InStock: 50, Delay: time.Second, Fails: true, RefundAfter: 1000 * time.Hour},
		}},
	}
}
