package tgsim

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
)

const (
	fetchTime     = 20 * time.Second
	maxFetch      = 20 << 20
	maxFetchPhoto = 5 << 20
)

// fetchAll fetches the files that a call names by their addresses, from this machine and the hosts that webhooks may lead to.
// What cannot be fetched is not there.
func (s uploads) fetchAll(p params) map[string]*Document {
	all := map[string]*Document{}
	for _, address := range p.addresses() {
		if d := s.fetch(address); d != nil {
			all[address] = d
		}
	}
	return all
}

// addresses are the addresses among the files of a call.
func (p params) addresses() (all []string) {
	for _, name := range []string{"photo", "document", "video", "audio", "voice", "animation", "sticker", "video_note"} {
		all = append(all, p.values.Get(name))
	}
	type input struct {
		Media string `json:"media"`
	}
	var one input
	var album []input
	if raw := []byte(p.values.Get("media")); json.Unmarshal(raw, &album) != nil && json.Unmarshal(raw, &one) == nil {
		album = []input{one}
	}
	for _, m := range album {
		all = append(all, m.Media)
	}
	return slices.DeleteFunc(all, func(a string) bool { return !strings.HasPrefix(a, "http://") && !strings.HasPrefix(a, "https://") })
}

// fetch is the file at an address; nil for none.
func (s uploads) fetch(address string) *Document {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	// The client of webhooks, for it reaches no other machine; a copy, for the time limit is another.
	client := *s.webhooks
	client.Timeout = fetchTime
	resp, err := client.Get(address) //nolint:noctx // it has a time limit; the caller, who may hang up, is answered all the same
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	// One byte more than allowed tells a file that is too big from one that just fits.
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxFetch+1))
	if err != nil || resp.StatusCode != http.StatusOK || len(body) == 0 || len(body) > maxFetch {
		return nil
	}
	d := &Document{Name: path.Base(u.Path), Body: body}
	d.mime, _, _ = mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return d
}

// fetched is a file from the web, if Telegram takes it as one of a kind.
func (d *Document) fetched(kind string) (*file, *failure) {
	right := !strings.HasPrefix(d.mime, "text/")
	switch kind {
	case "photo":
		right = strings.HasPrefix(d.mime, "image/")
	case "document":
		right = slices.Contains([]string{"image/gif", "application/pdf", "application/zip"}, d.mime)
	}
	switch {
	case !right:
		return nil, badRequest("wrong type of the web page content")
	case kind == "photo" && len(d.Body) > maxFetchPhoto:
		return nil, badRequest("failed to get HTTP URL content")
	}
	return &file{doc: d, body: d.Body}, nil
}
