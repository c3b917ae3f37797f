package tgsim

import (
	"bytes"
	"context"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// chunked is a body whose length nobody knows beforehand.
type chunked struct{ io.Reader }

// form is a multipart body, as a library writes it.
func form(fields map[string]string, files map[string][]byte) (contentType string, body io.Reader) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, value := range fields {
		w.WriteField(name, value)
	}
	for name, content := range files {
		part, err := w.CreateFormFile(name, name+".bin")
		if err != nil {
			panic(err)
		}
		part.Write(content)
	}
	w.Close()
	return w.FormDataContentType(), &b
}

// A call is the same whatever way its parameters come; what looks like a number may be text.
func TestParametersComeInAnyWay(t *testing.T) {
	fields := map[string]string{"chat_id": "501", "text": "12345", "disable_notification": "true"}
	query := url.Values{}
	for k, v := range fields {
		query.Set(k, v)
	}
	for name, request := range map[string]func(context.Context) *http.Request{
		"query": func(ctx context.Context) *http.Request {
			req := ask(ctx, "sendMessage?"+query.Encode(), "", nil)
			req.Method = http.MethodGet
			return req
		},
		"urlencoded": func(ctx context.Context) *http.Request {
			return ask(ctx, "sendMessage", "application/x-www-form-urlencoded", strings.NewReader(query.Encode()))
		},
		"json": func(ctx context.Context) *http.Request {
			return ask(ctx, "sendMessage", "application/json; charset=utf-8", strings.NewReader(`{"chat_id":501,"text":"12345","parse_mode":null}`))
		},
		"json with text for numbers": func(ctx context.Context) *http.Request {
			return ask(ctx, "sendMessage", "application/json", strings.NewReader(`{"chat_id":"501","text":12345}`))
		},
		"multipart": func(ctx context.Context) *http.Request {
			kind, body := form(fields, nil)
			return ask(ctx, "sendMessage", kind, body)
		},
		"chunked multipart": func(ctx context.Context) *http.Request {
			kind, body := form(fields, nil)
			return ask(ctx, "sendMessage", kind, chunked{body})
		},
		"another case":         func(ctx context.Context) *http.Request { return ask(ctx, "SENDmessage?"+query.Encode(), "", nil) },
		"the test environment": func(ctx context.Context) *http.Request { return ask(ctx, "test/sendMessage?"+query.Encode(), "", nil) },
		"the method, a parameter": func(ctx context.Context) *http.Request {
			return ask(ctx, "?method=sendMessage&"+query.Encode(), "", nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, Options{}, func(h *harness) {
				r, err := h.request(request(h.t.Context()))
				if err != nil {
					t.Fatal(err)
				}
				var m sent
				r.into(t, &m)
				if m.Text != "12345" || h.last(sam).Text != "12345" {
					t.Errorf("sent %q", m.Text)
				}
			})
		})
	}
}

// Some libraries send a multipart header, and nothing behind it, where there are no parameters.
func TestEmptyMultipart(t *testing.T) {
	for name, body := range map[string]io.Reader{"no body": nil, "an empty one": strings.NewReader(""), "chunked": chunked{strings.NewReader("")}} {
		t.Run(name, func(t *testing.T) {
			play(t, Options{}, func(h *harness) {
				r, err := h.request(ask(h.t.Context(), "getMe", "multipart/form-data; boundary=abc", body))
				if err != nil {
					t.Fatal(err)
				}
				var me struct {
					ID    int64
					IsBot bool `json:"is_bot"`
				}
				r.into(t, &me)
				if me.ID != bot || !me.IsBot {
					t.Errorf("I am %+v", me)
				}
			})
		})
	}
}

func TestBadRequests(t *testing.T) {
	for name, c := range map[string]struct {
		path, contentType, body string
		code                    int
		words                   string
	}{
		"another token":    {"/bot1:other/getMe", "", "", 401, "Unauthorized"},
		"no token at all":  {"/botnone/getMe", "", "", 401, "Unauthorized: invalid token specified"},
		"no such method":   {"/bot" + token + "/sendMassage", "", "", 404, "Not Found: method not found"},
		"no method at all": {"/bot" + token, "", "", 404, "Not Found: method not found"},
		"no method":        {"/bot" + token + "/", "", "", 404, "Not Found: method not found"},
		"broken JSON":      {"/bot" + token + "/getMe", "application/json", "{", 400, "Bad Request: the request cannot be read"},
		"broken multipart": {"/bot" + token + "/getMe", "multipart/form-data; boundary=x", "--x\r\nnonsense", 400, "Bad Request: the request cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, Options{}, func(h *harness) {
				req, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, "http://telegram.test"+c.path, strings.NewReader(c.body))
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("Content-Type", c.contentType)
				r, err := h.request(req)
				if err != nil {
					t.Fatal(err)
				}
				h.refused(r, c.code, c.words)
			})
		})
	}
}

func TestUploadTooBig(t *testing.T) {
	s := New(Options{Token: token})
	req := ask(t.Context(), "sendDocument", "multipart/form-data; boundary=x", strings.NewReader(""))
	req.ContentLength = maxRequest + 1
	w := httptest.NewRecorder()
	s.ServeHTTP(w, req)
	if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), "Request Entity Too Large") {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}

// What is not emulated is refused with words that say so, and told.
func TestNotImplemented(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		for _, method := range []string{"sendGame", "verifyUser", "getAvailableGifts"} {
			h.refused(h.call(method, object{"chat_id": sam}), 501, "Not Implemented: the sandbox does not emulate "+method)
		}
		if got := len(h.Log.Unsupported()); got != 3 {
			t.Errorf("%d are told", got)
		}
	})
}

// To the lenient it does no harm, and is told. What is not of the Bot API is refused, or told as well.
func TestUnsupported(t *testing.T) {
	play(t, Options{Lenient: true}, func(h *harness) {
		for method, want := range map[string]string{"sendGame": `"message_id"`, "verifyUser": "true", "getAvailableGifts": `{"gifts":[]}`} {
			if r := h.call(method, object{"chat_id": sam}); !r.OK || !strings.Contains(string(r.Result), want) {
				t.Errorf("%s: %+v", method, r)
			}
		}
		h.refused(h.call("sendMassage", nil), 404, "Not Found: method not found")
		got := h.Log.Unsupported()
		slices.Sort(got)
		if got := strings.Join(got, ", "); got != "getavailablegifts, sendgame, sendmassage, verifyuser" {
			t.Errorf("unsupported: %s", got)
		}
		if h.Log.Calls()["sendgame"] != 1 {
			t.Errorf("calls: %v", h.Log.Calls())
		}
	})
}

// Of each call is kept what was asked and what was answered, and what was not of the Bot API.
func TestRecord(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.post("sendMessage", object{"chat_id": sam, "text": "a", "colour": "red", "protect_content": "perhaps", "reply_markup": `{"inline_keyboard":[[{"text":"a","callback_data":"b","size":7}]]}`})
		h.call("sendMessage", object{"chat_id": "501"})
		h.call("getChat", object{"chat_id": sam})
		want := "sendMessage has no parameter colour|sendMessage.protect_content is no Boolean|sendMessage.reply_markup.inline_keyboard[0][0].size is no field of InlineKeyboardButton|sendMessage.text is missing"
		if got := strings.Join(h.Log.Complaints(), "|"); got != want {
			t.Errorf("complaints:\n%s", got)
		}
		r := h.Log.Record()
		if len(r) != 3 || r[0].Method != "sendmessage" || r[0].Params["text"] != "a" || !r[0].OK || len(r[0].Result) == 0 || r[1].Code != 400 || r[1].Description != "Bad Request: message text is empty" {
			t.Errorf("recorded %+v", r)
		}
		for range maxRecord {
			h.Log.note(time.Now(), "getme", params{}, nil, nil)
		}
		if n := len(h.Log.Record()); n > maxRecord || n < maxRecord/2 {
			t.Errorf("%d calls are kept", n)
		}
	})
}
