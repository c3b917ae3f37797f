package tgsim

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// domainsText are the top-level domains behind which Telegram finds addresses without a scheme: those that TDLib knows.
//
//go:embed domains.txt
var domainsText string

// topDomains is domainsText, to look things up in.
var topDomains = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for domain := range strings.FieldsSeq(domainsText) {
		all[domain] = true
	}
	return all
})

var (
	// ownPattern is the form of the addresses that Telegram's own apps open.
	ownPattern = regexp.MustCompile(`(?i)(?:tg|tonsite|ton)://[a-z0-9_-]{1,253}`)
	mailUser   = regexp.MustCompile(`(?i)^(?:[a-z0-9_-]{0,26}[.+]){0,10}[a-z0-9_-]{1,35}$`)
	mailDomain = regexp.MustCompile(`(?i)^(?:(?:[a-z0-9][a-z0-9_-]{0,28})?[a-z0-9]\.){1,6}[a-z]{2,8}$`)
	schemed    = regexp.MustCompile(`(?i)^(?:https?|ftp|tonsite)://`)
)

// addresses lists the addresses of pages and mailboxes that Telegram marks in a text, as TDLib finds them (find_tg_urls,
// find_urls).
func addresses(text string) []Entity {
	var all []Entity
	mark := func(kind string, begin, end int) {
		all = append(all, Entity{Type: kind, Offset: units(text[:begin]), Length: units(text[begin:end])})
	}
	for _, m := range ownPattern.FindAllStringIndex(text, -1) {
		mark("url", m[0], pathEnd(text, m[1]))
	}
	for _, a := range addressLike(text) {
		word := text[a[0]:a[1]]
		switch user, found := strings.CutPrefix(word, "mailto:"); {
		case isMailbox(word):
			mark("email", a[0], a[1])
		case found && isMailbox(user):
			mark("email", a[1]-len(user), a[1])
		default:
			if n := pageLength(word); n > 0 {
				mark("url", a[0], a[0]+n)
			}
		}
	}
	return all
}

func isMailbox(word string) bool {
	user, domain, _ := strings.Cut(word, "@")
	return mailUser.MatchString(user) && mailDomain.MatchString(domain)
}

// inAddress tells the characters beyond ASCII that addresses have: nothing that parts words, and of punctuation the dashes.
func inAddress(r rune) bool {
	if r >= 0x2000 && r <= 0x206f {
		return r == 0x200c || r == 0x200d || r >= 0x2010 && r <= 0x2015
	}
	return !unicode.Is(unicode.Z, r)
}

// isPlain tells the letters and digits of ASCII.
func isPlain(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

func inPath(r rune) bool { return !strings.ContainsRune("\n<>\"«»", r) && inAddress(r) }

func inUser(r rune) bool { return !strings.ContainsRune("\n/[]{}()'`<>\"@«»", r) && inAddress(r) }

func inDomain(r rune) bool {
	if r < 0xc0 {
		return isPlain(r) || strings.ContainsRune("._-~", r)
	}
	return inAddress(r)
}

func inScheme(r rune) bool {
	if r < utf8.RuneSelf {
		return isPlain(r) || r == '+' || r == '-'
	}
	return !unicode.Is(unicode.Z, r)
}

// back is where the characters before a place begin that are all of a sort, from on at the earliest.
func back(text string, from, at int, sort func(rune) bool) int {
	for at > from {
		r, size := utf8.DecodeLastRuneInString(text[from:at])
		if !sort(r) {
			break
		}
		at -= size
	}
	return at
}

// ahead is where the characters from a place on end that are all of a sort.
func ahead(text string, at int, sort func(rune) bool) int {
	if n := strings.IndexFunc(text[at:], func(r rune) bool { return !sort(r) }); n >= 0 {
		return at + n
	}
	return len(text)
}

// pathEnd is the end of the path that begins at a place, if one does. Punctuation at its end is the sentence's.
func pathEnd(text string, at int) int {
	if at == len(text) || !strings.ContainsRune("/?#", rune(text[at])) {
		return at
	}
	end := at + 1 + len(strings.TrimRight(text[at+1:ahead(text, at+1, inPath)], ".:;,('?!`"))
	if text[at] == '/' || end > at+1 {
		return end
	}
	return at
}

// portEnd is the end of the port that begins at a place, if one does.
func portEnd(text string, at int) int {
	if at == len(text) || text[at] != ':' {
		return at
	}
	end := ahead(text, at+1, func(r rune) bool { return r >= '0' && r <= '9' })
	if n, err := strconv.ParseUint(text[at+1:end], 10, 16); err != nil || n == 0 {
		return at
	}
	return end
}

// addressLike lists, by where they begin and end, the parts of a text around a dot that look like addresses (match_urls).
func addressLike(text string) (all [][2]int) {
	from := 0
	for {
		dot := strings.IndexByte(text[from:], '.') + from
		switch {
		case dot < from || dot+1 == len(text):
			return all
		case text[dot+1] == ' ':
			from = dot + 2
			continue
		}
		begin, end, good := addressAround(text, from, dot)
		if good {
			if end > dot+1 {
				all = append(all, [2]int{begin, end})
			}
			end += len(text[end:]) - len(strings.TrimLeft(text[end:], "."))
		} else {
			end = strings.LastIndexByte(text[:end], '.') + 1
		}
		from = max(end, dot+1)
	}
}

// addressAround is how far what is around a dot reaches that may be an address, and whether it may be one.
func addressAround(text string, from, dot int) (begin, end int, good bool) {
	begin = back(text, from, dot, inDomain)
	end = ahead(text, dot, func(r rune) bool { return r == '@' || inDomain(r) })
	mailbox := strings.ContainsRune(text[dot:end], '@')
	if mailbox {
		begin = back(text, from, begin, inUser)
	}
	end = pathEnd(text, portEnd(text, end))
	end = dot + 1 + len(strings.TrimRight(text[dot+1:max(end, dot+1)], "."))
	good = true
	if begin > from && text[begin-1] == '@' {
		user := back(text, from, begin-1, inUser)
		good = !mailbox && user < begin-1
		begin = user
	}
	if begin == from {
		return begin, end, good
	}
	if before := text[from:begin]; len(before) >= 6 && strings.HasSuffix(before, "://") {
		scheme := schemeBefore(strings.ToLower(text[back(text, from, begin-3, inScheme) : begin-3]))
		return begin - 3 - len(scheme), end, good && scheme != ""
	}
	r, _ := utf8.DecodeLastRuneInString(text[:begin])
	return begin, end, good && !isWordRune(r) && !strings.ContainsRune("/#@", r)
}

// schemeBefore is the scheme at the end of what stands before ://.
func schemeBefore(word string) string {
	for _, scheme := range []string{"https", "http", "ftp", "tonsite"} {
		if strings.HasSuffix(word, scheme) && !slices.Contains([]string{"shttp", "tftp", "sftp"}, word) {
			return scheme
		}
	}
	return ""
}

// pageLength is how much of what looks like an address is that of a page; 0 for nothing (fix_url).
func pageLength(address string) int {
	scheme := schemed.FindString(address)
	rest := address[len(scheme):]
	domainEnd := len(rest)
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		domainEnd = i
	}
	domain := rest[:domainEnd]
	if _, after, named := strings.Cut(domain, "@"); named {
		domain = after
	}
	if i := strings.LastIndexByte(domain, ':'); i >= 0 {
		domain = domain[:i]
	}
	if !isDomain(domain, scheme != "") {
		return 0
	}
	path := rest[domainEnd:]
	return len(scheme) + domainEnd + len(strings.TrimRight(path[:balanced(path)], ".:;,('?!`"))
}

// balanced is how much of a path there is before a bracket closes that was not opened in it.
func balanced(path string) int {
	open := map[rune]int{}
	for i, r := range path {
		switch r {
		case '(', '[', '{':
			open[r]++
		case ')', ']', '}':
			pair := map[rune]rune{')': '(', ']': '[', '}': '{'}[r]
			if open[pair]--; open[pair] < 0 {
				return i
			}
		}
	}
	return len(path)
}

// isDomain reports whether there may be a page at a name, or at an IP address. Without a scheme it ends in a domain that there is.
func isDomain(domain string, hasScheme bool) bool {
	// A name made to be mistaken for Telegram's own: TDLib does not mark it.
	if strings.EqualFold(domain, "teiegram.org") {
		return false
	}
	parts := strings.Split(domain, ".")
	address := len(parts) == 4
	for _, part := range parts {
		if part == "" || len(part) >= 64 || strings.HasSuffix(part, "-") {
			return false
		}
		n, err := strconv.Atoi(part)
		address = address && err == nil && n <= 255 && strconv.Itoa(n) == part
	}
	top := parts[len(parts)-1]
	switch {
	case len(parts) == 1:
		return false
	case address:
		return true
	case !strings.ContainsFunc(domain, func(r rune) bool { return r != '.' && (r < '0' || r > '9') }), utf8.RuneCountInString(top) <= 1:
		return false
	case strings.Contains(parts[len(parts)-2], "_"):
		return false
	}
	if rest, puny := strings.CutPrefix(top, "xn--"); puny {
		return len(rest) > 1 && !strings.ContainsFunc(rest, func(r rune) bool { return !isPlain(r) })
	}
	return !strings.ContainsAny(top, "_-") && (hasScheme || isTopDomain(top))
}

// isTopDomain reports whether Telegram knows a top-level domain. One with a capital at its beginning alone begins a sentence.
func isTopDomain(top string) bool {
	lower := strings.ToLower(top)
	_, first := utf8.DecodeRuneInString(top)
	_, firstLower := utf8.DecodeRuneInString(lower)
	if lower != top && lower[firstLower:] == top[first:] {
		return false
	}
	return topDomains()[lower]
}
