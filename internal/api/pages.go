package api

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Whether a history comes in pages is not shown. One that says so is read as far as it shows, and never passes for
// all there is.

// deepestPage is how many objects may be around a list.
const deepestPage = 3

// page is a list of orders as an answer holds it.
type page struct {
	list  json.RawMessage
	more  bool  // it says that there are more
	total int64 // how many it says that there are; 0 where it does not
}

// pageOfOrders finds the list in an answer: it may be wrapped in its envelope, and in an object of pages.
func pageOfOrders(text json.RawMessage) page {
	p := page{list: bytes.TrimSpace(text)}
	for range deepestPage {
		var object map[string]json.RawMessage
		if json.Unmarshal(p.list, &object) != nil {
			return p
		}
		inner := listIn(object)
		if inner == nil {
			return p
		}
		// Each object around the list may tell of pages: all of them are asked, from the outermost in.
		p.reads(object)
		for _, name := range [...]string{"meta", "pagination", "paging", "links"} {
			var about map[string]json.RawMessage
			if json.Unmarshal(object[name], &about) == nil {
				p.reads(about)
			}
		}
		p.list = inner
	}
	return p
}

// listIn is what an object wraps: a list, or one more object.
func listIn(object map[string]json.RawMessage) json.RawMessage {
	for _, name := range [...]string{"data", "orders", "history", "items", "results"} {
		if inner := bytes.TrimSpace(object[name]); len(inner) > 0 && inner[0] == '[' {
			return inner
		}
	}
	if inner := bytes.TrimSpace(object["data"]); len(inner) > 0 {
		return inner
	}
	return nil
}

// reads notes what an object says of other pages.
func (p *page) reads(object map[string]json.RawMessage) {
	var n number
	if json.Unmarshal(object["total"], &n) == nil {
		p.total = max(p.total, int64(n))
	}
	for _, name := range [...]string{"last_page", "pages", "total_pages", "page_count"} {
		var n number
		p.more = p.more || json.Unmarshal(object[name], &n) == nil && n > 1
	}
	for _, name := range [...]string{"next_page_url", "next_page", "next", "next_cursor", "has_more", "more"} {
		switch strings.ToLower(strings.Trim(string(object[name]), `" `)) {
		case "", "null", "false", "0":
		default:
			p.more = true
		}
	}
}
